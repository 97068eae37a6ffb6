package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/viz"
)

// Report is the result of a whole run, which markdown prints as the table.
type Report struct {
	Date, Machine string
	PeerVersions  map[string]string // by Python environment: versions of its libraries
	Rows          []Row
}

// Row is the result of one implementation of one task on one number of threads.
type Row struct {
	Task      string
	Threads   int
	Label     string    // name of the implementation, such as "Go, SPG"
	Env       string    // "Go", or the name of a Python environment
	Seconds   []float64 // mean time of a call, for each round
	TimeRatio float64   // median time / that of the task's first implementation on as many threads; 0 if unknown
	Quality   Quality
	Scores    []float64 // the score of each split in the task quality; nil for other tasks
	// Software lists the versions and libraries that the Python program computes with.
	Software string
	Note     string // why times are missing
}

// Quality contains measures of an answer by name, for example "objective", "gap" (certified), "error" or "residual".
type Quality map[string]float64

func (q Quality) String() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(q)) {
		parts = append(parts, k+" "+viz.FormatNumber(q[k]))
	}
	return strings.Join(parts, ", ")
}

// medianSeconds returns the median of the times, the mean of the middle two for an even number. It is 0 without times.
func (r *Row) medianSeconds() float64 {
	s := slices.Sorted(slices.Values(r.Seconds))
	n := len(s)
	if n == 0 {
		return 0
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// formatDuration formats a time in seconds with three digits and a unit.
func formatDuration(s float64) string {
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

// resultText returns the quality and the note of the row in one line of at most 200 characters.
func (r *Row) resultText() string {
	parts := slices.DeleteFunc([]string{r.Quality.String(), r.Note}, func(s string) bool { return s == "" })
	singleLine := []rune(strings.Join(strings.Fields(strings.Join(parts, "; ")), " "))
	if len(singleLine) > 200 {
		return string(singleLine[:200]) + "…"
	}
	return string(singleLine)
}

// markdown returns the report as a Markdown table with a line for each row. If consecutive rows have the same task and
// number of threads, only the first shows these two.
func (r *Report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s, %s\n", r.Date, r.Machine)
	for _, name := range slices.Sorted(maps.Keys(r.PeerVersions)) {
		fmt.Fprintf(&b, "- %s: %s\n", name, r.PeerVersions[name])
	}
	writeHeader(&b, "task", "threads", "by", "median", "min – max", "× first", "quality; note")
	for i, row := range r.Rows {
		task, threads, timeRange, ratioText := "", "", "", ""
		if i == 0 || r.Rows[i-1].Task != row.Task || r.Rows[i-1].Threads != row.Threads {
			task, threads = row.Task, fmt.Sprint(row.Threads)
		}
		if len(row.Seconds) > 0 {
			timeRange = formatDuration(slices.Min(row.Seconds)) + " – " + formatDuration(slices.Max(row.Seconds))
		}
		if row.TimeRatio > 0 {
			ratioText = fmt.Sprintf("%.2f", row.TimeRatio)
		}
		writeLine(&b, task, threads, row.Label, formatDuration(row.medianSeconds()), timeRange, ratioText,
			row.resultText())
	}
	if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Scores != nil }) {
		writeQualityTables(&b, r.Rows)
	}
	return b.String()
}

// writeHeader begins a table with a blank line and the line of its column names.
func writeHeader(b *strings.Builder, names ...string) {
	b.WriteString("\n")
	writeLine(b, names...)
	fmt.Fprintf(b, "|%s\n", strings.Repeat(" --- |", len(names)))
}

func writeLine(b *strings.Builder, cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", "\\|")
	}
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// describeMachine describes this computer and the linear algebra that package linalg uses. It opens the BLAS library if
// there is one.
func describeMachine() string {
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, %s", cpuName(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version(), linalg.Backend())
}

func cpuName() string {
	if cpuInfo, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(cpuInfo)) {
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
