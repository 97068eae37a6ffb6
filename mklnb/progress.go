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

const (
	// barDelay is the time from the start of some work until its progress bar appears.
	barDelay = time.Second
	// barInterval is the time between two updates of the bar.
	barInterval = 200 * time.Millisecond
	// firstLogLine is the time from the start until the first line of progress in a pipe or a file. The next line
	// follows after 1.5 times the time of the line before: after 5 s, 7.5 s, 11 s, …
	firstLogLine = 5 * time.Second
)

// state is the progress of some work.
type state struct {
	done    float64       // share of the work, in [0, 1]
	left    time.Duration // estimate of the time left; 0 if unknown
	text    string        // such as "57 steps, relative gap 3.2×10⁻⁵"
	results page          // the results so far, below the bar in a notebook
}

// meter shows the progress of one piece of work. A separate goroutine updates it, so that the time left also changes
// during a long step.
type meter struct {
	title    string
	state    func(elapsed time.Duration) state
	output   output
	terminal *os.File       // the terminal whose line shows the progress, or nil
	log      io.Writer      // a pipe or a file that gets lines of progress, or nil
	nextLog  time.Duration  // time since start of the next line in log
	quit     chan struct{}  // closed by stop
	running  sync.WaitGroup // the goroutine that updates the meter

	id       string // id of the output; empty before the bar is shown
	start    time.Time
	lastText string // the text that is shown
}

// startMeter starts the meter of some work. state returns the progress; it is called from another goroutine until stop.
func startMeter(title string, state func(elapsed time.Duration) state) *meter {
	m := &meter{title: title, state: state, output: display(), quit: make(chan struct{}), start: time.Now()}
	if !gonb.Notebook() && isTerminal(os.Stderr) {
		m.terminal = os.Stderr
	} else if !gonb.Notebook() {
		m.log = os.Stderr
	}
	m.running.Go(func() {
		t := time.NewTicker(barInterval)
		defer t.Stop()
		for {
			select {
			case <-m.quit:
				return
			case now := <-t.C:
				m.update(now)
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

// update shows the progress at a time. It does nothing before barDelay has passed or if the text has not changed.
func (m *meter) update(now time.Time) {
	elapsed := now.Sub(m.start)
	if elapsed < barDelay {
		return
	}
	s := m.state(elapsed)
	left := ""
	if s.left > 0 {
		left = ", about " + viz.Duration(s.left) + " left"
	}
	text := m.title + ": " + s.text + left
	if text+s.results.text == m.lastText {
		return
	}
	m.lastText = text + s.results.text
	if m.log != nil && elapsed >= max(m.nextLog, firstLogLine) {
		fmt.Fprintln(m.log, text)
		m.nextLog = elapsed * 3 / 2
	}
	p := page{
		text: text,
		html: fmt.Sprintf(`<div class="mkl-progress"><progress aria-label="%s" value="%.3f" max="1"></progress> %s</div>`,
			html.EscapeString(m.title), s.done, html.EscapeString(text)),
	}
	if s.results.text != "" {
		p = p.append(s.results)
	}
	m.show(text, p)
}

// show replaces the bar in a notebook by p, and the last line of a terminal by line.
func (m *meter) show(line string, p page) {
	if m.id == "" {
		m.id = gonb.NewID()
	}
	_ = m.output.update(m.id, p) // an error is ignored: the output has printed the text, and the work continues
	if m.terminal != nil {
		fmt.Fprintf(m.terminal, "\r\x1b[K%s", line)
	}
}

// stop ends the meter. If the bar was shown, stop replaces it by the text that final returns, or by nothing if final is
// nil.
func (m *meter) stop(final func() string) {
	close(m.quit)
	m.running.Wait()
	if m.id == "" {
		return
	}
	var p page
	if final != nil {
		p = notePage(final())
	}
	_ = m.output.update(m.id, p)
	if m.terminal != nil {
		fmt.Fprintf(m.terminal, "\r\x1b[K%s", strings.TrimSuffix(p.text+"\n", "\n\n"))
	}
}

// gapMeter estimates the progress of a solver. Solvers converge about linearly: the logarithm of the relative gap falls
// evenly. Let t be the time since the start, g the smallest gap so far, and g₁ the smallest gap at time t₁ ≈ t/2. The
// estimate of the time left is
//
//	left = (t − t₁) log(g/goal) / log(g₁/g).
//
// The estimate is at most the number of remaining steps times the average time of a step.
type gapMeter struct {
	mu       sync.Mutex
	stepNoun string     // noun for a step: "step" or "pass"
	goal     float64    // requested relative gap
	limit    int        // maximum number of steps
	minima   []timedGap // each gap that was smaller than all before it
	steps    int        // steps so far
}

// timedGap is a relative gap, and the time since the start at which it was reached.
type timedGap struct {
	time time.Duration
	gap  float64
}

// newGapMeter returns a meter for the gap and the number of steps in c, or for the defaults of mkl.Settings if they are
// 0. stepNoun is the noun for a step.
func newGapMeter(c *mkl.Settings, stepNoun string) *gapMeter {
	g := &gapMeter{stepNoun: stepNoun, goal: c.Gap, limit: c.Iterations}
	if g.goal == 0 {
		g.goal = 1e-6
	}
	if g.limit == 0 {
		g.limit = 1000
	}
	return g
}

// watch records the gap of an iterate.
func (g *gapMeter) watch(it *mkl.Iterate) { g.record(it.K, it.Gap(), it.Elapsed) }

// record stores the number of steps k. It stores the gap if it is smaller than all before it.
func (g *gapMeter) record(k int, gap float64, t time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.steps = k
	if n := len(g.minima); gap > 0 && !math.IsInf(gap, 0) && (n == 0 || gap < g.minima[n-1].gap) {
		g.minima = append(g.minima, timedGap{t, gap})
	}
}

// state returns the progress after the given time of work.
func (g *gapMeter) state(elapsed time.Duration) state {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := state{text: viz.Count(g.steps, g.stepNoun)}
	left := math.Inf(1)
	if g.steps > 0 && g.limit > 0 {
		left = elapsed.Seconds() / float64(g.steps) * float64(g.limit-g.steps)
		s.done = float64(g.steps) / float64(g.limit)
	}
	if n := len(g.minima); n > 0 {
		first, last := g.minima[0], g.minima[n-1]
		s.text += ", relative gap " + viz.FormatNumber(viz.Rounded(last.gap, 2))
		if remaining := math.Log(last.gap / g.goal); remaining <= 0 {
			s.done, left = 1, 0
		} else {
			if total := math.Log(first.gap / g.goal); total > 0 {
				s.done = math.Max(s.done, 1-remaining/total)
			}
			from := first
			for _, p := range g.minima {
				if p.time <= elapsed/2 {
					from = p
				}
			}
			if decrease := math.Log(from.gap / last.gap); decrease > 0 {
				left = math.Min(left, (elapsed-from.time).Seconds()*remaining/decrease)
			}
		}
	}
	if left > 0 && left < 1e6 {
		s.left = time.Duration(left * float64(time.Second))
	}
	return s
}
