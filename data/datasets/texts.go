package datasets

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// Bigrams counts pairs of adjacent words: entry (i, j) is the number of times that pair j occurs in text i. The columns
// are the pairs with the highest counts over all texts, at most limit of them. They are sorted by descending count, and
// alphabetically if counts are equal, so the first k columns are the k most frequent pairs. A feature is named by its
// two words, "not good".
//
// Words are runs of letters, digits and apostrophes, in lower case. Markup, <…>, is ignored. The cost is O(length of
// the texts).
func Bigrams(texts []string, limit int) points.Sparse {
	totalCounts := make(map[string]int)              // count of each bigram over all texts
	counts := make([]map[string]float64, len(texts)) // counts of the bigrams of each text
	for i, text := range texts {
		counts[i] = make(map[string]float64)
		words := splitWords(text)
		for k := 1; k < len(words); k++ {
			pair := words[k-1] + " " + words[k]
			totalCounts[pair]++
			counts[i][pair]++
		}
	}
	pairs := slices.SortedFunc(maps.Keys(totalCounts), func(a, b string) int {
		return cmp.Or(totalCounts[b]-totalCounts[a], strings.Compare(a, b)) // at equal counts alphabetically
	})
	x := points.Sparse{D: min(limit, len(pairs)), Ptr: []int{0}}
	x.Names = pairs[:x.D]
	columnOfPair := make(map[string]int, x.D)
	for j, pair := range x.Names {
		columnOfPair[pair] = j
	}
	for _, count := range counts {
		countByColumn := make(map[int]float64)
		for pair, n := range count {
			if j, isFrequent := columnOfPair[pair]; isFrequent {
				countByColumn[j] = n
			}
		}
		for _, j := range slices.Sorted(maps.Keys(countByColumn)) {
			x.Col, x.Val = append(x.Col, j), append(x.Val, countByColumn[j])
		}
		x.Ptr = append(x.Ptr, len(x.Col))
	}
	return x
}

// readTexts reads a table of texts. The label is the column s.ReadOptions.Label. Its cells are numbers if
// s.ReadOptions.Regression is set, and classes otherwise.
func (s *set) readTexts(raw []byte) (*data.Dataset, error) {
	rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		return nil, err
	}
	labelColumn, textColumn := slices.Index(rows[0], s.ReadOptions.Label), slices.Index(rows[0], s.ReadOptions.Sequence)
	var texts, labels []string
	var targets []float64
	for _, r := range rows[1:] {
		texts, labels = append(texts, r[textColumn]), append(labels, r[labelColumn])
		v, err := strconv.ParseFloat(r[labelColumn], 64)
		if err != nil && s.ReadOptions.Regression {
			return nil, err
		}
		targets = append(targets, v)
	}
	x := Bigrams(texts, s.D)
	var d *data.Dataset
	if s.ReadOptions.Regression {
		d, err = data.New(s.Name, x, targets)
	} else {
		d, err = data.New(s.Name, x, labels)
	}
	if err != nil {
		return nil, err
	}
	if d.Classes != nil && d.Classes[1] != s.Classes[1] {
		slices.Reverse(d.Classes)
		floats.Scale(-1, d.Y)
	}
	d.Target = s.ReadOptions.Label
	d.Preparation = fmt.Sprintf("counts of the %d most frequent pairs of adjacent words in column %s, most frequent "+
		"first, sparse", x.D, s.ReadOptions.Sequence)
	return d, nil
}

var markup = regexp.MustCompile(`<[^<>]*>`)

// splitWords returns the words of s in lower case, without markup.
func splitWords(s string) []string {
	s = strings.ToLower(markup.ReplaceAllString(s, " "))
	words := strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
			r != '\''
	})
	for k, w := range words {
		words[k] = strings.Trim(w, "'")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// review matches a review in a file of the Multi-Domain Sentiment Dataset.
var review = regexp.MustCompile(`(?s)<review>(.*?)</review>`)

// convertReviewsToCSV converts a folder of the Multi-Domain Sentiment Dataset to a CSV table with the columns label,
// rating, title and text. It reads positive.review, then negative.review. In these files, each field of a <review>
// stands between tags with its name. Runs of white space become one space, bytes that are not UTF-8 become U+FFFD, and
// entities do not change.
func convertReviewsToCSV(folder string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{"label", "rating", "title", "text"})
	for _, label := range []string{"positive", "negative"} {
		raw, err := os.ReadFile(filepath.Join(folder, label+".review"))
		if err != nil {
			return nil, err
		}
		reviews := review.FindAllSubmatch(raw, -1)
		if reviews == nil {
			return nil, fmt.Errorf("%s.review contains no <review>", label)
		}
		for n, r := range reviews {
			row := []string{label}
			for _, tag := range []string{"rating", "title", "review_text"} {
				_, text, isOpen := strings.Cut(string(r[1]), "<"+tag+">")
				text, _, isClosed := strings.Cut(text, "</"+tag+">")
				if !isOpen || !isClosed {
					return nil, fmt.Errorf("%s.review: review %d has no <%s>", label, n+1, tag)
				}
				text = strings.Map(func(r rune) rune { return r }, text) // makes each byte that is not UTF-8 U+FFFD
				row = append(row, strings.Join(strings.Fields(text), " "))
			}
			w.Write(row)
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}
