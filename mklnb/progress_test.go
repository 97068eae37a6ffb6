package mklnb

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
)

// TestMeter: a bar appears after a second and not before, moves when something changed, and ends as
// a line in the same place.
func TestMeter(t *testing.T) {
	r := &recorder{}
	now := workProgress{finishedShare: 0.25, timeLeft: 30 * time.Second, progressText: "step 3"}
	var log strings.Builder
	m := &meter{title: "SPG", output: r, log: &log, quit: make(chan struct{}), start: time.Now(),
		getState: func(time.Duration) workProgress { return now }}
	for _, after := range []time.Duration{0, 200, 999} {
		m.update(m.start.Add(after * time.Millisecond))
	}
	if len(r.updated) != 0 {
		t.Fatalf("a bar after less than a second: %v", r.updated)
	}
	m.update(m.start.Add(time.Second))
	m.update(m.start.Add(1200 * time.Millisecond)) // nothing changed
	now.finishedShare, now.progressText = 0.5, "step <4>"
	m.update(m.start.Add(1400 * time.Millisecond))
	if len(r.updated) != 2 || r.updated[0].text != "SPG: step 3, about 30 s left" {
		t.Fatalf("bars %v, want 2", r.updated)
	}
	if bar := `<progress aria-label="SPG" value="0.500" max="1">`; !containsEvery(r.updated[1].html, bar,
		"step &lt;4&gt;") {
		t.Errorf("the bar is %s", r.updated[1].html)
	}
	for k := 2; k < 60; k++ { // a pipe gets lines at 5, 7.5, … seconds
		now.progressText = fmt.Sprint("step ", k)
		m.update(m.start.Add(time.Duration(k) * time.Second))
	}
	want := ""
	for _, k := range []int{5, 8, 12, 18, 27, 41} {
		want += fmt.Sprintf("SPG: step %d, about 30 s left\n", k)
	}
	if got := log.String(); got != want {
		t.Errorf("the pipe has %q, want %q", got, want)
	}
	m.stop(func() string { return "done." })
	slices.Sort(r.ids)
	if r.updated[len(r.updated)-1].text != "done." || len(slices.Compact(r.ids)) != 1 || r.ids[0] == "" {
		t.Errorf("ended as %v in %v", r.updated, r.ids)
	}
	quick := &recorder{}
	m = &meter{title: "SPG", output: quick, quit: make(chan struct{}), start: time.Now(), getState: m.getState}
	m.stop(func() string { return "done." })
	if len(quick.updated) != 0 {
		t.Error("work that showed no bar showed its end")
	}
}

// TestTimeLeft: of a gap that falls evenly on a logarithmic scale the rest is known; without a gap it
// is what the steps left take.
func TestTimeLeft(t *testing.T) {
	m := newStepMeter(&mkl.Settings{Gap: 1e-6, Iterations: 1000}, "step")
	if s := m.estimateProgress(0); s.timeLeft != 0 || s.finishedShare != 0 {
		t.Errorf("before the first step: %+v", s)
	}
	at := func(k int) time.Duration { return time.Duration(k) * 100 * time.Millisecond }
	last := 0.0
	for k := range 20 { // halved every tenth of a second: 1e-6 is reached after log₂10⁶ = 19.9 steps
		m.record(k, math.Pow(0.5, float64(k)), at(k))
		if k == 0 {
			continue
		}
		s := m.estimateProgress(at(k))
		want := time.Duration((math.Log2(1e6) - float64(k)) * float64(100*time.Millisecond))
		if d := s.timeLeft - want; d.Abs() > 10*time.Millisecond || s.finishedShare <= last || s.finishedShare > 1 {
			t.Errorf("step %d: %v left, want %v; done %.3f after %.3f", k, s.timeLeft, want, s.finishedShare, last)
		}
		last = s.finishedShare
	}
	m.record(20, 1e-7, at(20))
	if s := m.estimateProgress(at(20)); s.finishedShare != 1 || s.timeLeft != 0 ||
		!strings.Contains(s.progressText, "20 steps, relative gap 10⁻⁷") {
		t.Errorf("at the goal: %+v", s)
	}
	m = newStepMeter(&mkl.Settings{Iterations: 10}, "pass")
	m.record(4, math.Inf(1), at(4)) // no bound yet
	if s := m.estimateProgress(at(4)); s.timeLeft != at(6) || s.finishedShare != 0.4 || s.progressText != "4 passes" {
		t.Errorf("4 of 10 steps in %v: %+v", at(4), s)
	}
	m.record(5, math.NaN(), at(5))
	m.record(6, 1e300, at(6))
	if s := m.estimateProgress(at(6)); s.finishedShare < 0 || s.finishedShare > 1 || s.timeLeft < 0 {
		t.Errorf("odd gaps: %+v", s)
	}
}

// watched are Grams that say before each θ how many were asked for.
type watched struct {
	kernel.Grams
	at func(n int)
	n  *int
}

func (g watched) New() kernel.Gram { return watchedGram{g.Grams.New(), g} }

type watchedGram struct {
	kernel.Gram
	g watched
}

func (g watchedGram) SetTheta(theta []float64) {
	*g.g.n++
	g.g.at(*g.g.n)
	g.Gram.SetTheta(theta)
}

// crawl is a solver that needs many evaluations.
var crawl = mkl.PGD{Rule: mkl.Constant, Eta: 1e-9}
