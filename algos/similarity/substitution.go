package similarity

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Substitution is a table of the scores of two residues against each other: of aligned letters, positive for
// what evolution exchanges more often than chance. Scores[i·L+j] is that of the letters i and j of L, symmetric.
//
// Letters of a sequence are looked up in upper case; one that the table lacks, as J, O and U of the tables here,
// counts as X, an unknown residue. B is D or N, Z is E or Q, * a stop.
type Substitution struct {
	Name    string
	Letters string // L of them, at most 32
	Scores  []int  // L×L
}

// BLOSUM62 is the table of blocks of at most 62 % identity (S. Henikoff and J. Henikoff, PNAS 89:10915, 1992), in
// half bits, as the NCBI distributes it.
var BLOSUM62 = sync.OnceValue(func() *Substitution { return table("BLOSUM62", blosum62) })

// PAM250 is the table of 250 accepted mutations in 100 residues (M. Dayhoff, R. Schwartz and B. Orcutt, 1978), in
// units of ln(2)/3, as the NCBI distributes it.
var PAM250 = sync.OnceValue(func() *Substitution { return table("PAM250", pam250) })

func table(name, text string) *Substitution {
	s, err := ParseSubstitution(name, text)
	if err != nil {
		panic(err)
	}
	return s
}

// ParseSubstitution reads a table as the NCBI distributes it: a line of letters, then for each of them a line that
// begins with it and has its scores; lines that begin with # are skipped. Errors name the line.
func ParseSubstitution(name, text string) (*Substitution, error) {
	s := &Substitution{Name: name}
	bad := func(line int, format string, args ...any) (*Substitution, error) {
		return nil, fmt.Errorf("similarity: %s: line %d: %s", name, line, fmt.Sprintf(format, args...))
	}
	scan := bufio.NewScanner(strings.NewReader(text))
	line, row := 0, 0
	for scan.Scan() {
		line++
		words := strings.Fields(scan.Text())
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if s.Letters == "" {
			for _, w := range words {
				if len(w) != 1 {
					return bad(line, "%q in the line of letters, want single letters", w)
				}
			}
			s.Letters = strings.ToUpper(strings.Join(words, ""))
			continue
		}
		if row == len(s.Letters) {
			return bad(line, "a row more than the %d letters", row)
		}
		if len(words) != len(s.Letters)+1 || strings.ToUpper(words[0]) != s.Letters[row:row+1] {
			return bad(line, "%d words from %q, want %c and %d scores", len(words), words[0], s.Letters[row],
				len(s.Letters))
		}
		for _, w := range words[1:] {
			v, err := strconv.Atoi(w)
			if err != nil {
				return bad(line, "%q is not a whole number", w)
			}
			s.Scores = append(s.Scores, v)
		}
		row++
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("similarity: %s: %w", name, err)
	}
	return s, s.Validate()
}

// mostScore bounds the magnitude of scores and of gap costs.
const mostScore = 1000

// Validate refuses tables that are not L×L and symmetric with 1 ≤ L ≤ 32 different letters, and scores beyond ±1000.
func (s *Substitution) Validate() error {
	l := len(s.Letters)
	if l == 0 || l > 32 || len(s.Scores) != l*l {
		return fmt.Errorf("similarity: %s has %d scores of %d letters, want L² of 1 to 32 letters", s.Name,
			len(s.Scores), l)
	}
	for i := range l {
		c := s.Letters[i]
		if !('A' <= c && c <= 'Z' || c == '*') || strings.IndexByte(s.Letters, c) != i {
			return fmt.Errorf("similarity: %s: letter %d is %q, want different letters from A to Z, or *", s.Name,
				i+1, c)
		}
		for j := range l {
			a, b := s.Scores[i*l+j], s.Scores[j*l+i]
			if a != b || a < -mostScore || a > mostScore {
				return fmt.Errorf("similarity: %s: %c with %c is %d, %[3]c with %[2]c %[5]d, want equal numbers from "+
					"−%d to %[6]d", s.Name, c, s.Letters[j], a, b, mostScore)
			}
		}
	}
	return nil
}

// extent is the least and the greatest score.
func (s *Substitution) extent() (least, most int) {
	least, most = s.Scores[0], s.Scores[0]
	for _, v := range s.Scores {
		least, most = min(least, v), max(most, v)
	}
	return least, most
}

// none is the code of a character that is no residue.
const none = 0xFF

// codes are the numbers of the letters of characters.
func (s *Substitution) codes() (c [256]byte) {
	unknown := strings.IndexByte(s.Letters, 'X')
	for i := range c {
		c[i] = none
	}
	for b := byte('A'); b <= 'Z'; b++ {
		at := strings.IndexByte(s.Letters, b)
		if at < 0 {
			at = unknown
		}
		if at >= 0 {
			c[b], c[b-'A'+'a'] = byte(at), byte(at)
		}
	}
	if at := strings.IndexByte(s.Letters, '*'); at >= 0 {
		c['*'] = byte(at)
	}
	return c
}

const blosum62 = `   A  R  N  D  C  Q  E  G  H  I  L  K  M  F  P  S  T  W  Y  V  B  Z  X  *
A  4 -1 -2 -2  0 -1 -1  0 -2 -1 -1 -1 -1 -2 -1  1  0 -3 -2  0 -2 -1  0 -4
R -1  5  0 -2 -3  1  0 -2  0 -3 -2  2 -1 -3 -2 -1 -1 -3 -2 -3 -1  0 -1 -4
N -2  0  6  1 -3  0  0  0  1 -3 -3  0 -2 -3 -2  1  0 -4 -2 -3  3  0 -1 -4
D -2 -2  1  6 -3  0  2 -1 -1 -3 -4 -1 -3 -3 -1  0 -1 -4 -3 -3  4  1 -1 -4
C  0 -3 -3 -3  9 -3 -4 -3 -3 -1 -1 -3 -1 -2 -3 -1 -1 -2 -2 -1 -3 -3 -2 -4
Q -1  1  0  0 -3  5  2 -2  0 -3 -2  1  0 -3 -1  0 -1 -2 -1 -2  0  3 -1 -4
E -1  0  0  2 -4  2  5 -2  0 -3 -3  1 -2 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
G  0 -2  0 -1 -3 -2 -2  6 -2 -4 -4 -2 -3 -3 -2  0 -2 -2 -3 -3 -1 -2 -1 -4
H -2  0  1 -1 -3  0  0 -2  8 -3 -3 -1 -2 -1 -2 -1 -2 -2  2 -3  0  0 -1 -4
I -1 -3 -3 -3 -1 -3 -3 -4 -3  4  2 -3  1  0 -3 -2 -1 -3 -1  3 -3 -3 -1 -4
L -1 -2 -3 -4 -1 -2 -3 -4 -3  2  4 -2  2  0 -3 -2 -1 -2 -1  1 -4 -3 -1 -4
K -1  2  0 -1 -3  1  1 -2 -1 -3 -2  5 -1 -3 -1  0 -1 -3 -2 -2  0  1 -1 -4
M -1 -1 -2 -3 -1  0 -2 -3 -2  1  2 -1  5  0 -2 -1 -1 -1 -1  1 -3 -1 -1 -4
F -2 -3 -3 -3 -2 -3 -3 -3 -1  0  0 -3  0  6 -4 -2 -2  1  3 -1 -3 -3 -1 -4
P -1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4  7 -1 -1 -4 -3 -2 -2 -1 -2 -4
S  1 -1  1  0 -1  0  0  0 -1 -2 -2  0 -1 -2 -1  4  1 -3 -2 -2  0  0  0 -4
T  0 -1  0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1  1  5 -2 -2  0 -1 -1  0 -4
W -3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1  1 -4 -3 -2 11  2 -3 -4 -3 -2 -4
Y -2 -2 -2 -3 -2 -1 -2 -3  2 -1 -1 -2 -1  3 -3 -2 -2  2  7 -1 -3 -2 -1 -4
V  0 -3 -3 -3 -1 -2 -2 -3 -3  3  1 -2  1 -1 -2 -2  0 -3 -1  4 -3 -2 -1 -4
B -2 -1  3  4 -3  0  1 -1  0 -3 -4  0 -3 -3 -2  0 -1 -4 -3 -3  4  1 -1 -4
Z -1  0  0  1 -3  3  4 -2  0 -3 -3  1 -1 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
X  0 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -2  0  0 -2 -1 -1 -1 -1 -1 -4
* -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4  1`

const pam250 = `   A  R  N  D  C  Q  E  G  H  I  L  K  M  F  P  S  T  W  Y  V  B  Z  X  *
A  2 -2  0  0 -2  0  0  1 -1 -1 -2 -1 -1 -3  1  1  1 -6 -3  0  0  0  0 -8
R -2  6  0 -1 -4  1 -1 -3  2 -2 -3  3  0 -4  0  0 -1  2 -4 -2 -1  0 -1 -8
N  0  0  2  2 -4  1  1  0  2 -2 -3  1 -2 -3  0  1  0 -4 -2 -2  2  1  0 -8
D  0 -1  2  4 -5  2  3  1  1 -2 -4  0 -3 -6 -1  0  0 -7 -4 -2  3  3 -1 -8
C -2 -4 -4 -5 12 -5 -5 -3 -3 -2 -6 -5 -5 -4 -3  0 -2 -8  0 -2 -4 -5 -3 -8
Q  0  1  1  2 -5  4  2 -1  3 -2 -2  1 -1 -5  0 -1 -1 -5 -4 -2  1  3 -1 -8
E  0 -1  1  3 -5  2  4  0  1 -2 -3  0 -2 -5 -1  0  0 -7 -4 -2  3  3 -1 -8
G  1 -3  0  1 -3 -1  0  5 -2 -3 -4 -2 -3 -5  0  1  0 -7 -5 -1  0  0 -1 -8
H -1  2  2  1 -3  3  1 -2  6 -2 -2  0 -2 -2  0 -1 -1 -3  0 -2  1  2 -1 -8
I -1 -2 -2 -2 -2 -2 -2 -3 -2  5  2 -2  2  1 -2 -1  0 -5 -1  4 -2 -2 -1 -8
L -2 -3 -3 -4 -6 -2 -3 -4 -2  2  6 -3  4  2 -3 -3 -2 -2 -1  2 -3 -3 -1 -8
K -1  3  1  0 -5  1  0 -2  0 -2 -3  5  0 -5 -1  0  0 -3 -4 -2  1  0 -1 -8
M -1  0 -2 -3 -5 -1 -2 -3 -2  2  4  0  6  0 -2 -2 -1 -4 -2  2 -2 -2 -1 -8
F -3 -4 -3 -6 -4 -5 -5 -5 -2  1  2 -5  0  9 -5 -3 -3  0  7 -1 -4 -5 -2 -8
P  1  0  0 -1 -3  0 -1  0  0 -2 -3 -1 -2 -5  6  1  0 -6 -5 -1 -1  0 -1 -8
S  1  0  1  0  0 -1  0  1 -1 -1 -3  0 -2 -3  1  2  1 -2 -3 -1  0  0  0 -8
T  1 -1  0  0 -2 -1  0  0 -1  0 -2  0 -1 -3  0  1  3 -5 -3  0  0 -1  0 -8
W -6  2 -4 -7 -8 -5 -7 -7 -3 -5 -2 -3 -4  0 -6 -2 -5 17  0 -6 -5 -6 -4 -8
Y -3 -4 -2 -4  0 -4 -4 -5  0 -1 -1 -4 -2  7 -5 -3 -3  0 10 -2 -3 -4 -2 -8
V  0 -2 -2 -2 -2 -2 -2 -1 -2  4  2 -2  2 -1 -1 -1  0 -6 -2  4 -2 -2 -1 -8
B  0 -1  2  3 -4  1  3  0  1 -2 -3  1 -2 -4 -1  0  0 -5 -3 -2  3  2 -1 -8
Z  0  0  1  3 -5  3  3  0  2 -2 -3  0 -2 -5  0  0 -1 -6 -4 -2  2  3 -1 -8
X  0 -1  0 -1 -3 -1 -1 -1 -1 -1 -1 -1 -1 -2 -1  0  0 -4 -2 -1 -1 -1 -1 -8
* -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8  1`
