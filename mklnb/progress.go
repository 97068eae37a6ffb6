package mklnb

import (
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/mklnb/internal/gonb"
	"github.com/mklnb/mkl/viz"
)

// patience is the time after which work shows a bar. pace is the time between two movements of the bar.
const (
	patience = time.Second
	pace     = 200 * time.Millisecond
	// firstLine is the time after which a pipe gets its first line. Each further line comes after half as long again.
	firstLine = 5 * time.Second
)

// state is the progress of some work.
type state struct {
	done float64       // share of the work, in [0, 1]
	left time.Duration // 0 if unknown
	text string        // "step 57, relative gap 3.2×10⁻⁵"
	more page          // the results so far, below the bar in a notebook
}

// meter shows the progress of one piece of work. A goroutine moves it, so that it also moves during a long single step.
type meter struct {
	title string
	state func(elapsed time.Duration) state
	edge  edge
	err   *os.File  // the terminal whose line shows the progress, or nil
	log   io.Writer // a pipe or a file that gets a line now and then, or nil
	next  time.Duration
	quit  chan struct{}
	gone  sync.WaitGroup

	id    string // empty until shown
	start time.Time
	last  string
}

// startMeter starts the meter of some work. state is called from another goroutine, at any time.
func startMeter(title string, state func(elapsed time.Duration) state) *meter {
	m := &meter{title: title, state: state, edge: display(), quit: make(chan struct{}), start: time.Now()}
	if !gonb.Notebook() && isTerminal(os.Stderr) {
		m.err = os.Stderr
	} else if !gonb.Notebook() {
		m.log = os.Stderr
	}
	m.gone.Go(func() {
		t := time.NewTicker(pace)
		defer t.Stop()
		for {
			select {
			case <-m.quit:
				return
			case now := <-t.C:
				m.tick(now)
			}
		}
	})
	return m
}

// isTerminal reports whether f may be a terminal that can redraw a line.
func isTerminal(f *os.File) bool {
	s, err := f.Stat()
	return err == nil && s.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// tick moves the bar if patience has passed and something changed.
func (m *meter) tick(now time.Time) {
	elapsed := now.Sub(m.start)
	if elapsed < patience {
		return
	}
	s := m.state(elapsed)
	left := ""
	if s.left > 0 {
		left = ", about " + viz.Duration(s.left) + " left"
	}
	text := m.title + ": " + s.text + left
	if text+s.more.text == m.last {
		return
	}
	m.last = text + s.more.text
	if m.log != nil && elapsed >= max(m.next, firstLine) {
		fmt.Fprintln(m.log, text)
		m.next = elapsed * 3 / 2
	}
	p := page{
		text: text,
		html: fmt.Sprintf(`<div class="mkl-progress"><progress aria-label="%s" value="%.3f" max="1"></progress> %s</div>`,
			html.EscapeString(m.title), s.done, html.EscapeString(text)),
	}
	if s.more.text != "" {
		p = p.and(s.more)
	}
	m.show(text, p)
}

// show replaces the bar by p, and the line of a terminal by line.
func (m *meter) show(line string, p page) {
	if m.id == "" {
		m.id = gonb.NewID()
	}
	_ = m.edge.update(m.id, p) // the edge printed what it could not show; the work goes on
	if m.err != nil {
		fmt.Fprintf(m.err, "\r\x1b[K%s", line)
	}
}

// end stops the meter. If the meter was shown, end replaces it by final, or by nothing if final is nil.
func (m *meter) end(final func() string) {
	close(m.quit)
	m.gone.Wait()
	if m.id == "" {
		return
	}
	var p page
	if final != nil {
		p = note(final())
	}
	_ = m.edge.update(m.id, p)
	if m.err != nil {
		fmt.Fprintf(m.err, "\r\x1b[K%s", strings.TrimSuffix(p.text+"\n", "\n\n"))
	}
}

// gapMeter estimates the progress of a solver. Solvers converge about linearly, so the logarithm of the gap falls
// evenly. At time t with relative gap g, with gap g₁ reached at t₁, about t/2, the time left is
//
//	left = (t − t₁) log(g/goal) / log(g₁/g),
//
// and at most the time that the remaining steps take at their average.
type gapMeter struct {
	mu    sync.Mutex
	what  string // the name of a step: "step"
	goal  float64
	limit int
	seen  []gapAt
	k     int
}

// gapAt is the smallest relative gap so far, and the time when it was reached.
type gapAt struct {
	t time.Duration
	g float64
}

// newGapMeter returns a meter for the limits in c, with the defaults of mkl.Settings. Its steps are called what.
func newGapMeter(c *mkl.Settings, what string) *gapMeter {
	m := &gapMeter{what: what, goal: c.Gap, limit: c.Iterations}
	if m.goal == 0 {
		m.goal = 1e-6
	}
	if m.limit == 0 {
		m.limit = 1000
	}
	return m
}

func (m *gapMeter) see(it *mkl.Iterate) { m.record(it.K, it.Gap(), it.Elapsed) }

func (m *gapMeter) record(k int, gap float64, t time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.k = k
	if n := len(m.seen); gap > 0 && !math.IsInf(gap, 0) && (n == 0 || gap < m.seen[n-1].g) {
		m.seen = append(m.seen, gapAt{t, gap})
	}
}

// state returns the progress after the given time of work.
func (m *gapMeter) state(elapsed time.Duration) state {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := state{text: viz.Count(m.k, m.what)}
	left := math.Inf(1)
	if m.k > 0 && m.limit > 0 {
		left = elapsed.Seconds() / float64(m.k) * float64(m.limit-m.k)
		s.done = float64(m.k) / float64(m.limit)
	}
	if n := len(m.seen); n > 0 {
		first, last := m.seen[0], m.seen[n-1]
		s.text += ", relative gap " + viz.FormatNumber(viz.Rounded(last.g, 2))
		if todo := math.Log(last.g / m.goal); todo <= 0 {
			s.done, left = 1, 0
		} else {
			if all := math.Log(first.g / m.goal); all > 0 {
				s.done = math.Max(s.done, 1-todo/all)
			}
			from := first
			for _, p := range m.seen {
				if p.t <= elapsed/2 {
					from = p
				}
			}
			if fell := math.Log(from.g / last.g); fell > 0 {
				left = math.Min(left, (elapsed-from.t).Seconds()*todo/fell)
			}
		}
	}
	if left > 0 && left < 1e6 {
		s.left = time.Duration(left * float64(time.Second))
	}
	return s
}
