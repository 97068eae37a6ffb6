package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/mklnb/mkl/algos/linalg"
)

// Report is the result of a whole run.
type Report struct {
	Date    string            `json:"date"`
	Machine Machine           `json:"machine"`
	Peers   map[string]Origin `json:"peers"` // by environment
	Rows    []Row             `json:"rows"`
}

// Origin lists the software that a program computes with.
type Origin struct {
	Versions  map[string]string `json:"versions,omitempty"`
	Libraries []string          `json:"libraries,omitempty"` // BLAS and LAPACK, with their files
}

// union merges the origins of two processes of a program.
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
	Threads int       `json:"threads"` // 0 for a serial task
	Side    string    `json:"side"`
	Env     string    `json:"env"`
	Seconds []float64 `json:"seconds"` // mean time of a call, for each round
	Calls   int       `json:"calls"`   // per timing
	Median  float64   `json:"median"`
	Min     float64   `json:"min"`
	Max     float64   `json:"max"`
	Ratio   float64   `json:"ratio"` // Median / Median of the task's first row on as many threads; 0 if none
	Quality Quality   `json:"quality,omitempty"`
	Scores  []float64 `json:"scores,omitempty"` // for each split; only in the task quality
	CPU     []float64 `json:"cpu,omitempty"`    // processor seconds: comparison of the first split, then each split
	Origin  Origin    `json:"origin"`
	Note    string    `json:"note,omitempty"` // why times are missing
}

// Quality holds measures of an answer by name: objective, certified gap, error, residual.
type Quality map[string]float64

// finite removes NaN and infinite values from q, because JSON cannot hold them, and returns q.
func (q Quality) finite() Quality {
	maps.DeleteFunc(q, func(_ string, v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	return q
}

func (q Quality) String() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(q)) {
		parts = append(parts, k+" "+number(q[k]))
	}
	return strings.Join(parts, ", ")
}

// number formats v with four digits, or with two if |v| < 1e-3, because it is then a rounding error.
func number(v float64) string {
	if v != 0 && math.Abs(v) < 1e-3 {
		return fmt.Sprintf("%.1e", v)
	}
	return fmt.Sprintf("%.4g", v)
}

// summarize computes the median, minimum and maximum of the times.
func (r *Row) summarize() {
	if len(r.Seconds) == 0 {
		return
	}
	r.Median, r.Min, r.Max = median(r.Seconds), slices.Min(r.Seconds), slices.Max(r.Seconds)
}

// median returns the median of x, which must not be empty. For an even length it is the mean of the middle two values.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// duration formats a time in seconds with three digits and a unit.
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

// text writes a line for each row. Consecutive rows with the same task and number of threads show these only once.
func (r *Report) text(w io.Writer) {
	fmt.Fprintln(w, strings.Join(r.head(), "\n")+"\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "task\tthreads\tby\tmedian\tmin – max\t× first\twhat it reached")
	for i, row := range r.Rows {
		task, threads, between, ratio := "", "", "", ""
		if i == 0 || r.Rows[i-1].Task != row.Task || r.Rows[i-1].Threads != row.Threads {
			task = row.Task
			if row.Threads > 0 {
				threads = fmt.Sprint(row.Threads)
			}
		}
		if len(row.Seconds) > 0 {
			between = duration(row.Min) + " – " + duration(row.Max)
		}
		if row.Ratio > 0 {
			ratio = fmt.Sprintf("%.2f", row.Ratio)
		}
		fmt.Fprintln(t, strings.Join([]string{task, threads, row.Side, duration(row.Median), between, ratio,
			row.reached()},
			"\t"))
	}
	t.Flush()
}

// reached returns the quality and the note of the row in one line, which it cuts after 200 characters.
func (r *Row) reached() string {
	parts := slices.DeleteFunc([]string{r.Quality.String(), r.Note}, func(s string) bool { return s == "" })
	line := []rune(strings.Join(strings.Fields(strings.Join(parts, "; ")), " "))
	if len(line) > 200 {
		return string(line[:200]) + "…"
	}
	return string(line)
}

// slower returns a line for each peer that took less than 0.95 of the time of the first row on as many threads.
func (r *Report) slower() (lines []string) {
	for _, row := range r.Rows {
		if row.Env != "Go" && row.Ratio > 0 && row.Ratio < 0.95 && row.Scores == nil {
			lines = append(lines, fmt.Sprintf("%s, threads %d: %s takes %.2f of our time", row.Task, row.Threads,
				row.Side,
				row.Ratio))
		}
	}
	return lines
}

// head returns lines that describe the machine and the software of the run.
func (r *Report) head() []string {
	lines := []string{r.Date + ", " + r.Machine.String(), "Go: " + r.Machine.Backend}
	for _, name := range slices.Sorted(maps.Keys(r.Peers)) {
		o := r.Peers[name]
		var v []string
		for k, s := range o.Versions {
			v = append(v, k+" "+s)
		}
		slices.Sort(v)
		for _, l := range o.Libraries {
			// do not show the folders of a user
			if file, version, _ := strings.Cut(l, " "); !strings.HasPrefix(l, "/usr/") {
				l = filepath.Base(file) + " " + version
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
	if markdown {
		r.markdown(&b)
	} else {
		r.text(&b)
	}
	if foot := r.slower(); len(foot) > 0 {
		fmt.Fprintf(&b, "\nSlower than a peer by more than 5 %%:\n- %s\n", strings.Join(foot, "\n- "))
	}
	if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Scores != nil }) {
		fmt.Fprintln(&b, strings.Join(qualityTables(r.Rows), "\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes a line for each task and number of threads. It has a column for the sides in Go and one for each
// environment, and shows the ratio of each time to the first.
func (r *Report) markdown(b *strings.Builder) {
	for _, line := range r.head() {
		fmt.Fprintf(b, "- %s\n", line)
	}
	envs := append([]string{"Go"}, slices.Sorted(maps.Keys(r.Peers))...)
	fmt.Fprintf(b, "\n| task | threads | %s | the first reached |\n|%s\n", strings.Join(envs, " | "),
		strings.Repeat(" --- |", len(envs)+3))
	for rows := r.Rows; len(rows) > 0; {
		first, n := rows[0], 0
		reached, cells := []string{first.reached()}, make([][]string, len(envs))
		for ; n < len(rows) && rows[n].Task == first.Task && rows[n].Threads == first.Threads; n++ {
			row := rows[n]
			if n > 0 && row.Note != "" {
				reached = append(reached, row.Env+": "+row.Note)
			}
			k := slices.Index(envs, row.Env)
			if k < 0 { // the peer was not available
				continue
			}
			cell := duration(row.Median)
			if row.Ratio > 0 && n > 0 {
				cell += fmt.Sprintf(" (%.2f)", row.Ratio)
			}
			label := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(row.Side, ", Debian"), "Go"), ", ")
			cells[k] = append(cells[k], strings.TrimSpace(cell+" "+label))
		}
		line := []string{first.Task, "–"}
		if first.Threads > 0 {
			line[1] = fmt.Sprint(first.Threads)
		}
		for _, c := range cells {
			line = append(line, strings.Join(c, "<br>"))
		}
		line = append(line, strings.Join(reached, "; "))
		for k := range line {
			line[k] = strings.ReplaceAll(line[k], "|", "\\|")
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(line, " | "))
		rows = rows[n:]
	}
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

// Machine is the computer on which a run was measured.
type Machine struct {
	CPU     string `json:"cpu"`
	Cores   int    `json:"cores"`
	System  string `json:"system"`
	Go      string `json:"go"`
	Backend string `json:"backend"` // of package linalg, with its file
}

func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s, %s", m.CPU, m.Cores, m.System, m.Go)
}

// thisMachine returns the description of this computer. It opens the BLAS library if there is one.
func thisMachine() Machine {
	return Machine{cpu(), runtime.NumCPU(), runtime.GOOS + "/" + runtime.GOARCH, runtime.Version(),
		linalg.Backend().String()}
}

func cpu() string {
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
				return strings.TrimSpace(v)
			}
		}
	}
	if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
		return strings.TrimSpace(string(out))
	}
	return "processor unknown"
}
