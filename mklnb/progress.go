package mklnb

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"os"
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
	// firstLogLine is the time from the start until the first line of progress outside a notebook. The next line
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
	title   string
	state   func(elapsed time.Duration) state
	output  output
	log     io.Writer      // gets lines of progress outside a notebook, or nil
	nextLog time.Duration  // time since start of the next line in log
	quit    chan struct{}  // closed by stop
	running sync.WaitGroup // the goroutine that updates the meter

	id       string // id of the output; empty before the bar is shown
	start    time.Time
	lastText string // the text that is shown
}

// startMeter starts the meter of some work. state returns the progress; it is called from another goroutine until stop.
func startMeter(title string, state func(elapsed time.Duration) state) *meter {
	m := &meter{title: title, state: state, output: display(), quit: make(chan struct{}), start: time.Now()}
	if !gonb.Notebook() {
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
	m.show(p)
}

// show replaces the bar in a notebook by p.
func (m *meter) show(p page) {
	if m.id == "" {
		m.id = gonb.NewID()
	}
	_ = m.output.update(m.id, p) // an error is ignored: the output has printed the text, and the work continues
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
	m.show(p)
}

// stepMeter estimates the progress of a solver. Solvers converge about linearly: the logarithm of the relative gap
// falls evenly. Let t₁ and g₁ be the time and the gap of the first iterate with a finite gap, t the time since the
// start, and g the smallest gap so far. The estimate of the time left is
//
//	left = (t − t₁) log(g/goal) / log(g₁/g).
//
// The estimate is at most the number of remaining steps times the average time of a step.
type stepMeter struct {
	mu           sync.Mutex
	stepNoun     string        // noun for a step, such as "step"
	goal         float64       // requested relative gap
	limit        int           // maximum number of steps
	steps        int           // steps so far
	first, least float64       // the first finite relative gap and the smallest; 0 before there is one
	firstTime    time.Duration // the time since the start at which the first gap was reached
}

// newStepMeter returns a meter for the gap and the number of steps in c, or for the defaults of mkl.Settings if they
// are
// 0. stepNoun is the noun for a step.
func newStepMeter(c *mkl.Settings, stepNoun string) *stepMeter {
	return &stepMeter{stepNoun: stepNoun, goal: cmp.Or(c.Gap, 1e-6), limit: cmp.Or(c.Iterations, 1000)}
}

// record stores the number of steps k and the gap after the given time of work.
func (m *stepMeter) record(k int, gap float64, elapsed time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps = k
	if !(gap > 0) || math.IsInf(gap, 0) {
		return
	}
	if m.first == 0 {
		m.first, m.least, m.firstTime = gap, gap, elapsed
	}
	m.least = min(m.least, gap)
}

// state returns the progress after the given time of work.
func (m *stepMeter) state(elapsed time.Duration) state {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := state{text: viz.Count(m.steps, m.stepNoun)}
	left := math.Inf(1)
	if m.steps > 0 {
		left = elapsed.Seconds() / float64(m.steps) * float64(m.limit-m.steps)
		s.done = float64(m.steps) / float64(m.limit)
	}
	if m.first > 0 {
		s.text += ", relative gap " + viz.FormatNumber(viz.Rounded(m.least, 2))
		remaining, decrease := math.Log(m.least/m.goal), math.Log(m.first/m.least)
		switch {
		case remaining <= 0:
			s.done, left = 1, 0
		case decrease > 0:
			s.done = max(s.done, decrease/(decrease+remaining))
			left = min(left, (elapsed-m.firstTime).Seconds()*remaining/decrease)
		}
	}
	if left > 0 && left < 1e6 {
		s.left = time.Duration(left * float64(time.Second))
	}
	return s
}
