package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Report is a whole run.
type Report struct {
	Date    string            `json:"date"`
	Machine Machine           `json:"machine"`
	Peers   map[string]Origin `json:"peers"` // by environment: what was seen of it
	Rows    []Row             `json:"rows"`
}

// Origin is what a program computes with.
type Origin struct {
	Versions  map[string]string `json:"versions,omitempty"`
	Libraries []string          `json:"libraries,omitempty"` // BLAS and LAPACK, with file
}

// union is what was seen of a program in two of its processes.
func (o Origin) union(p Origin) Origin {
	u := Origin{Versions: maps.Clone(o.Versions), Libraries: slices.Clone(o.Libraries)}
	if u.Versions == nil {
		u.Versions = map[string]string{}
	}
	maps.Copy(u.Versions, p.Versions)
	for _, l := range p.Libraries {
		if !slices.Contains(u.Libraries, l) {
			u.Libraries = append(u.Libraries, l)
		}
	}
	return u
}

// Row is one side of one task.
type Row struct {
	Task    string    `json:"task"`
	Threads int       `json:"threads"` // 0 where the task does not ask
	Side    string    `json:"side"`
	Env     string    `json:"env"`
	Seconds []float64 `json:"seconds"` // of each round, a call's mean
	Calls   int       `json:"calls"`   // in a timing
	Median  float64   `json:"median"`
	Min     float64   `json:"min"`
	Max     float64   `json:"max"`
	Ratio   float64   `json:"ratio"` // median over that of the task's first row on as many threads; 0 if there is none
	Quality Quality   `json:"quality,omitempty"`
	Origin  Origin    `json:"origin"`
	Note    string    `json:"note,omitempty"` // why there is no time, or not all of it
}

// Quality is how good an answer is: objective, certified gap, error, residual.
type Quality map[string]float64

// finite is q without what JSON cannot hold.
func (q Quality) finite() Quality {
	for k, v := range q {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			delete(q, k)
		}
	}
	return q
}

func (q Quality) String() string {
	var names, parts []string
	for k := range q {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		parts = append(parts, k+" "+number(q[k]))
	}
	return strings.Join(parts, ", ")
}

// number has four digits, and two where it is an error of rounding.
func number(v float64) string {
	if v != 0 && math.Abs(v) < 1e-3 {
		return fmt.Sprintf("%.1e", v)
	}
	return fmt.Sprintf("%.4g", v)
}

// summarize fills what follows from the times.
func (r *Row) summarize() {
	if len(r.Seconds) == 0 {
		return
	}
	r.Median, r.Min, r.Max = median(r.Seconds), slices.Min(r.Seconds), slices.Max(r.Seconds)
}

// median of x, which is not empty; of an even number, the mean of the middle two.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// duration is a time with three digits and its unit.
func duration(s float64) string {
	switch {
	case s == 0:
		return "–"
	case s < 1e-3:
		return fmt.Sprintf("%.3g µs", s*1e6)
	case s < 0.9995:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.3g s", s)
}

var columns = []string{"task", "threads", "by", "median", "min – max", "× first", "what it reached"}

// cells are the row in columns; of the rows of a task only the first names it.
func (r *Row) cells(first bool) []string {
	c := []string{r.Task, "", r.Side, duration(r.Median), "", "", r.Quality.String()}
	if !first {
		c[0] = ""
	} else if r.Threads > 0 {
		c[1] = fmt.Sprint(r.Threads)
	}
	if len(r.Seconds) > 0 {
		c[4] = duration(r.Min) + " – " + duration(r.Max)
	}
	if r.Ratio > 0 {
		c[5] = fmt.Sprintf("%.2f", r.Ratio)
	}
	if r.Note != "" {
		c[6] = strings.TrimPrefix(c[6]+"; ", "; ") + r.Note
	}
	return c
}

// slower are the rows of peers that took clearly less time than the first one on as many threads.
func (r *Report) slower() (lines []string) {
	for _, row := range r.Rows {
		if row.Env != "Go" && row.Ratio > 0 && row.Ratio < 0.95 {
			lines = append(lines, fmt.Sprintf("%s, threads %d: %s takes %.2f of our time", row.Task, row.Threads, row.Side, row.Ratio))
		}
	}
	return lines
}

// head is what the run was measured on.
func (r *Report) head() (lines []string) {
	lines = append(lines, r.Date+", "+r.Machine.String(), "Go: "+r.Machine.Backend)
	var names []string
	for name := range r.Peers {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		o := r.Peers[name]
		var v []string
		for k, s := range o.Versions {
			v = append(v, k+" "+s)
		}
		slices.Sort(v)
		for _, l := range o.Libraries {
			if !strings.HasPrefix(l, "/usr/") { // of the system; a user's folders are no one's business
				file, told, _ := strings.Cut(l, " ")
				l = strings.TrimSpace(filepath.Base(file) + " " + told)
			}
			v = append(v, strings.Join(strings.Fields(l), " "))
		}
		lines = append(lines, name+": "+strings.Join(v, ", "))
	}
	return lines
}

// write prints the report, as text or as Markdown.
func (r *Report) write(w io.Writer, markdown bool) error {
	var b strings.Builder
	foot := r.slower()
	if markdown {
		r.markdown(&b)
	} else {
		fmt.Fprintln(&b, strings.Join(r.head(), "\n")+"\n")
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, strings.Join(columns, "\t"))
		r.each(func(cells []string) { fmt.Fprintln(t, strings.Join(cells, "\t")) })
		t.Flush()
	}
	text := b.String()
	if len(foot) > 0 {
		text += "\nSlower than a peer by more than 5 %:\n- " + strings.Join(foot, "\n- ") + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// markdown writes a line for each task and number of threads: the sides in Go, and those of each
// environment, with their ratio to the first.
func (r *Report) markdown(b *strings.Builder) {
	for _, line := range r.head() {
		fmt.Fprintf(b, "- %s\n", line)
	}
	envs := append([]string{"Go"}, slices.Sorted(maps.Keys(r.Peers))...)
	fmt.Fprintf(b, "\n| task | threads | %s | the first reached |\n|%s\n", strings.Join(envs, " | "), strings.Repeat(" --- |", len(envs)+3))
	for i := 0; i < len(r.Rows); {
		first := r.Rows[i]
		cells, reached := make([]string, len(envs)), first.Quality.String()
		for ; i < len(r.Rows) && r.Rows[i].Task == first.Task && r.Rows[i].Threads == first.Threads; i++ {
			row := r.Rows[i]
			k := slices.Index(envs, row.Env)
			if row.Note != "" {
				reached = strings.TrimPrefix(reached+"; ", "; ") + row.Env + ": " + row.Note
			}
			if k < 0 { // a peer that was not to be had
				continue
			}
			if cells[k] != "" {
				cells[k] += "<br>"
			}
			cells[k] += duration(row.Median)
			if row.Ratio > 0 && row.Side != first.Side {
				cells[k] += fmt.Sprintf(" (%.2f)", row.Ratio)
			}
			label := strings.TrimSuffix(row.Side, ", Debian")
			if row.Env == "Go" {
				label = strings.TrimPrefix(strings.TrimPrefix(label, "Go"), ", ")
			}
			if label != "" {
				cells[k] += " " + label
			}
		}
		threads := "–"
		if first.Threads > 0 {
			threads = fmt.Sprint(first.Threads)
		}
		line := append([]string{first.Task, threads}, append(cells, clip(reached, 200))...)
		for k := range line {
			line[k] = strings.ReplaceAll(line[k], "|", "\\|")
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(line, " | "))
	}
}

// each calls f with the cells of every row, in order.
func (r *Report) each(f func(cells []string)) {
	for i, row := range r.Rows {
		c := row.cells(i == 0 || r.Rows[i-1].Task != row.Task || r.Rows[i-1].Threads != row.Threads)
		for j := range c {
			c[j] = clip(strings.Join(strings.Fields(c[j]), " "), 200)
		}
		f(c)
	}
}

func clip(s string, n int) string {
	if utf8.RuneCountInString(s) > n {
		return string([]rune(s)[:n]) + "…"
	}
	return s
}

// encode writes the report as JSON.
func (r *Report) encode(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}
