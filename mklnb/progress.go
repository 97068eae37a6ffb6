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
	// firstLogTime is the time from the start until the first line of progress outside a notebook. The next line
	// follows after 1.5 times the time of the line before: after 5 s, 7.5 s, 11 s, …
	firstLogTime = 5 * time.Second
)

// workState is the progress of some work.
type workState struct {
	share    float64       // the finished share of the work, in [0, 1]
	timeLeft time.Duration // estimate; 0 if unknown
	text     string        // such as "57 steps, relative gap 3.2×10⁻⁵"
	results  page          // the results so far, below the bar in a notebook
}

// meter shows the progress of one piece of work. A separate goroutine updates it, so that the time left also changes
// during a long step.
type meter struct {
	title       string
	getState    func(elapsed time.Duration) workState
	output      output
	log         io.Writer      // gets lines of progress outside a notebook; nil in a notebook
	nextLogTime time.Duration  // time since start of the next line in log
	quit        chan struct{}  // closed by stop
	updater     sync.WaitGroup // the goroutine that updates the meter

	id        string // id of the output; empty before the bar is shown
	start     time.Time
	shownText string // the text that the bar and the results show now
}

// startMeter starts the meter of some work. Until stop is called, a goroutine calls getState for the progress.
func startMeter(title string, getState func(elapsed time.Duration) workState) *meter {
	m := &meter{title: title, getState: getState, output: display(), quit: make(chan struct{}), start: time.Now()}
	if !gonb.Notebook() {
		m.log = os.Stderr
	}
	m.updater.Go(func() {
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

// update shows the progress at the time now. It does nothing before barDelay has passed or if the text has not changed.
func (m *meter) update(now time.Time) {
	elapsed := now.Sub(m.start)
	if elapsed < barDelay {
		return
	}
	s := m.getState(elapsed)
	text := m.title + ": " + s.text
	if s.timeLeft > 0 {
		text += ", about " + viz.FormatDuration(s.timeLeft) + " left"
	}
	if text+s.results.text == m.shownText {
		return
	}
	m.shownText = text + s.results.text
	if m.log != nil && elapsed >= max(m.nextLogTime, firstLogTime) {
		fmt.Fprintln(m.log, text)
		m.nextLogTime = elapsed * 3 / 2
	}
	p := page{
		text: text,
		html: fmt.Sprintf(`<div class="mkl-progress"><progress aria-label="%s" value="%.3f" max="1"></progress> %s</div>`,
			html.EscapeString(m.title), s.share, html.EscapeString(text)),
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

// stop ends the meter. If the bar was shown, stop replaces it by the text that finalText returns, or by nothing if
// finalText is nil.
func (m *meter) stop(finalText func() string) {
	close(m.quit)
	m.updater.Wait()
	if m.id == "" {
		return
	}
	var p page
	if finalText != nil {
		p = notePage(finalText())
	}
	m.show(p)
}

// stepMeter estimates the progress of a solver. Solvers converge about linearly: the logarithm of the relative gap
// falls evenly. Let t₁ and g₁ be the time and the gap of the first iterate with a finite gap, t the time since the
// start, and g the smallest gap so far. The estimate of the time left is
//
//	timeLeft = (t − t₁) log(g/goal) / log(g₁/g).
//
// The estimate is at most the number of remaining steps times the average time of a step.
type stepMeter struct {
	mu                 sync.Mutex
	stepNoun           string        // noun for a step: "step" or "pair"
	goalGap            float64       // the requested relative gap
	maxSteps           int           // the maximum number of steps
	stepCount          int           // steps so far
	firstGap, leastGap float64       // the first finite relative gap and the smallest; 0 before there is one
	firstGapTime       time.Duration // the time since the start at which firstGap was reached
}

// newStepMeter returns a meter for the gap and the number of steps in c, or for the defaults of mkl.Settings if they
// are 0. stepNoun is the noun for a step.
func newStepMeter(c *mkl.Settings, stepNoun string) *stepMeter {
	return &stepMeter{stepNoun: stepNoun, goalGap: cmp.Or(c.Gap, 1e-6), maxSteps: cmp.Or(c.Iterations, 1000)}
}

// record stores the number of steps and the relative gap after the given time of work.
func (m *stepMeter) record(stepCount int, gap float64, elapsed time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stepCount = stepCount
	if !(gap > 0) || math.IsInf(gap, 0) {
		return
	}
	if m.firstGap == 0 {
		m.firstGap, m.leastGap, m.firstGapTime = gap, gap, elapsed
	}
	m.leastGap = min(m.leastGap, gap)
}

// state returns the progress after the given time of work.
func (m *stepMeter) state(elapsed time.Duration) workState {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := workState{text: viz.Count(m.stepCount, m.stepNoun)}
	seconds := math.Inf(1) // the estimated time left
	if m.stepCount > 0 {
		seconds = elapsed.Seconds() / float64(m.stepCount) * float64(m.maxSteps-m.stepCount)
		s.share = float64(m.stepCount) / float64(m.maxSteps)
	}
	if m.firstGap > 0 {
		s.text += ", relative gap " + viz.FormatNumber(viz.RoundSignificant(m.leastGap, 2))
		remainingLog, decreaseLog := math.Log(m.leastGap/m.goalGap), math.Log(m.firstGap/m.leastGap)
		switch {
		case remainingLog <= 0:
			s.share, seconds = 1, 0
		case decreaseLog > 0:
			s.share = max(s.share, decreaseLog/(decreaseLog+remainingLog))
			seconds = min(seconds, (elapsed-m.firstGapTime).Seconds()*remainingLog/decreaseLog)
		}
	}
	if seconds > 0 && seconds < 1e6 {
		s.timeLeft = time.Duration(seconds * float64(time.Second))
	}
	return s
}
