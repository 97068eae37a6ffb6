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

type workProgress struct {
	finishedShare float64       // the finished share of the work, in [0, 1]
	timeLeft      time.Duration // estimate; 0 if unknown
	progressText  string        // text beside the bar, such as "57 steps, relative gap 3.2×10⁻⁵"
	resultsPage   page          // page with the results so far, below the bar in a notebook
}

// meter shows the progress of one piece of work. A separate goroutine updates it, so that the time left also changes
// during a long step.
type meter struct {
	title        string
	getState     func(elapsed time.Duration) workProgress
	output       output
	log          io.Writer      // gets lines of progress outside a notebook; nil in a notebook
	nextLogTime  time.Duration  // when log prints its next line, as time since start
	quit         chan struct{}  // closed by stop
	updaterEnded sync.WaitGroup // waits for the goroutine that updates the meter

	id        string // id of the output; empty before the bar is shown
	start     time.Time
	shownText string // the text that the bar and the results show now
}

// startMeter starts the meter of some work. Until stop is called, a goroutine calls getState for the progress.
func startMeter(title string, getState func(elapsed time.Duration) workProgress) *meter {
	m := &meter{title: title, getState: getState, output: display(), quit: make(chan struct{}), start: time.Now()}
	if !gonb.InNotebook() {
		m.log = os.Stderr
	}
	m.updaterEnded.Go(func() {
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
	text := m.title + ": " + s.progressText
	if s.timeLeft > 0 {
		text += ", about " + viz.FormatDuration(s.timeLeft) + " left"
	}
	if text+s.resultsPage.text == m.shownText {
		return
	}
	m.shownText = text + s.resultsPage.text
	if m.log != nil && elapsed >= max(m.nextLogTime, firstLogTime) {
		fmt.Fprintln(m.log, text)
		m.nextLogTime = elapsed * 3 / 2
	}
	p := page{
		text: text,
		html: fmt.Sprintf(`<div class="mkl-progress"><progress aria-label="%s" value="%.3f" max="1"></progress> %s</div>`,
			html.EscapeString(m.title), s.finishedShare, html.EscapeString(text)),
	}
	if s.resultsPage.text != "" {
		p = p.append(s.resultsPage)
	}
	m.show(p)
}

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
	m.updaterEnded.Wait()
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
	timeOfFirstGap     time.Duration // the time from the start to the first iterate with a finite gap
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
		m.firstGap, m.leastGap, m.timeOfFirstGap = gap, gap, elapsed
	}
	m.leastGap = min(m.leastGap, gap)
}

// estimateProgress returns the progress after the given time of work.
func (m *stepMeter) estimateProgress(elapsed time.Duration) workProgress {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := workProgress{progressText: viz.FormatCount(m.stepCount, m.stepNoun)}
	secondsLeft := math.Inf(1)
	if m.stepCount > 0 {
		secondsLeft = elapsed.Seconds() / float64(m.stepCount) * float64(m.maxSteps-m.stepCount)
		s.finishedShare = float64(m.stepCount) / float64(m.maxSteps)
	}
	if m.firstGap > 0 {
		s.progressText += ", relative gap " + viz.FormatNumber(viz.RoundSignificant(m.leastGap, 2))
		logRemainingRatio, logDecreaseRatio := math.Log(m.leastGap/m.goalGap), math.Log(m.firstGap/m.leastGap)
		switch {
		case logRemainingRatio <= 0:
			s.finishedShare, secondsLeft = 1, 0
		case logDecreaseRatio > 0:
			s.finishedShare = max(s.finishedShare, logDecreaseRatio/(logDecreaseRatio+logRemainingRatio))
			secondsSinceFirstGap := (elapsed - m.timeOfFirstGap).Seconds()
			secondsLeft = min(secondsLeft, secondsSinceFirstGap*logRemainingRatio/logDecreaseRatio)
		}
	}
	if secondsLeft > 0 && secondsLeft < 1e6 {
		s.timeLeft = time.Duration(secondsLeft * float64(time.Second))
	}
	return s
}
