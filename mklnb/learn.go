package mklnb

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/mklnb/report"
	"github.com/mklnb/mkl/mklnb/setup"
	"github.com/mklnb/mkl/viz"
)

// Learn learns a kernel for d in one call. It selects learned weights, uniform weights or the best single kernel,
// whichever predicts best inside the data: see learn.Learn. It prints a summary of the selection as soon as there is a
// model. Then it compares the three methods and the constant baseline on splits of the data. The comparison takes a few
// times as long as the model, and the stop button ends it without loss of the model. Show prints how good the model is
// on held-out points, the result, and every default that was used, with the option that changes it.
//
//	l := nb.Learn(nb.Load("sonar"), learn.WithSeed(2))
//	nb.Show(l)
//
// Finished parts are stored, so the same call is answered at once the second time. If Learn is stopped before there
// is a model, it returns a result without one, marked as stopped.
func Learn(d *data.Dataset, opts ...learn.Option) *learn.Learned {
	if d == nil {
		fail(fmt.Errorf("mklnb: learn: no data"))
	}
	for i, o := range opts {
		if o == nil {
			fail(fmt.Errorf("mklnb: learn: option %d of %d is nil", i+1, len(opts)))
		}
	}
	var l *learn.Learned
	long("Learn "+d.Name, func(ctx context.Context, progress func(compare.Progress)) (err error) {
		l, err = learn.Learn(ctx, d, append([]learn.Option{learn.WithStore(storage()), learn.WithProgress(progress),
			learn.WithFitted(fitted)}, opts...)...)
		if l == nil && ctx.Err() != nil {
			return nil
		}
		return err
	})
	if l == nil { // stopped before anything was finished
		l = &learn.Learned{Data: d.Name, Table: &compare.Table{Data: d.Name, Stopped: true}}
	}
	return l
}

// fitted shows what Learn selected, before its comparison, and its warnings.
func fitted(l *learn.Learned) { put(reportPage(report.Fitted(l))) }

// Run runs a study and returns its table: see compare.Study. Finished parts are stored in the cache folder unless
// s.Store names another one, so a run that was stopped or killed continues from there. Work that takes more than a
// second shows a bar, and below it the table so far. After the stop button, Run shows and returns that table, marked as
// stopped. The same cell, run again, continues from there.
func Run(s *compare.Study) *compare.Table {
	if s == nil || s.Data == nil {
		fail(fmt.Errorf("mklnb: run: no study, or one without data"))
	}
	q := *s
	if q.Store == "" {
		q.Store = storage()
	}
	var t *compare.Table
	long("Study of "+s.Data.Name, func(ctx context.Context, progress func(compare.Progress)) (err error) {
		t, err = q.Run(ctx, progress)
		return err
	})
	if t == nil {
		t = &compare.Table{Data: s.Data.Name, Stopped: true}
	}
	return t
}

// storage returns the folder for finished parts of studies. If the folder cannot be used, it shows a note and returns
// "".
func storage() string {
	dir, err := setup.CacheDir()
	folder := filepath.Join(dir, "studies")
	if err == nil {
		_, err = store.Open(folder)
	}
	if err != nil {
		put(note(fmt.Sprintf("Nothing is kept for the next time: %v.", err)))
		return ""
	}
	return folder
}

// tasks returns, for example, "18 tasks".
func tasks(n int) string { return viz.Count(n, "task") }

// calm is the shortest time between two changes of the table below a bar.
const calm = 2 * time.Second

// long runs work that consists of many tasks. It shows a bar and the table of the finished tasks. If the work is
// stopped, long shows a warning with the number of finished tasks.
func long(title string, work func(ctx context.Context, progress func(compare.Progress)) error) {
	ctx, release := interrupt.hold()
	defer release()
	var mu sync.Mutex
	var last compare.Progress
	var at, drawn time.Duration // at: time of last; drawn: time of more
	var more page
	begun := time.Now()
	m := startMeter(title, func(elapsed time.Duration) state {
		mu.Lock()
		defer mu.Unlock()
		s := state{text: "starting"}
		if last.Total > 0 {
			s.done = float64(last.Done) / float64(last.Total)
			s.text = fmt.Sprintf("%d of %s done%s%s", last.Done, tasks(last.Total), kept(last), rate(last))
			s.left = max(0, last.Left-(elapsed-at))
			if last.Doing != "" {
				s.text, s.done = last.Doing, min(1, float64(elapsed-at)/float64(last.Left+1))
			}
		}
		if more.text == "" || elapsed-drawn >= calm {
			more, drawn = soFar(last), elapsed
		}
		s.more = more
		return s
	})
	err := work(ctx, func(p compare.Progress) {
		mu.Lock()
		defer mu.Unlock()
		last, at = p, time.Since(begun)
	})
	if ctx.Err() != nil {
		m.end(func() string { return title + ": stopped." })
		put(warning(fmt.Sprintf("%s: stopped after %d of %s%s; what was finished is kept.", title, last.Done,
			tasks(last.Total), kept(last))).and(soFar(last)))
		return
	}
	if err != nil {
		m.end(nil)
		fail(err)
	}
	m.end(func() string { return fmt.Sprintf("%s: %s done%s.", title, tasks(last.Total), kept(last)) })
}

// kept states how many of the finished parts came from a store. It returns "" for none.
func kept(p compare.Progress) string {
	if p.Stored == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them kept from before", p.Stored)
}

// rate states how many parts are computed in a second, a minute or an hour. It returns "" before the first part.
func rate(p compare.Progress) string {
	n, unit := float64(p.Done-p.Stored)/p.Elapsed.Seconds(), "a second"
	if !(n > 0) || p.Elapsed == 0 {
		return ""
	}
	if n < 1 {
		n, unit = 60*n, "a minute"
	}
	if n < 1 {
		n, unit = 60*n, "an hour"
	}
	return fmt.Sprintf(", %s %s", viz.FormatNumber(viz.Rounded(n, 2)), unit)
}

// soFar returns the table of the finished parts. It is empty before the first part.
func soFar(p compare.Progress) page {
	if p.Table == nil {
		return page{}
	}
	t := p.Table()
	if !slices.ContainsFunc(t.Rows, func(r compare.Row) bool { return len(r.Runs) > 0 }) {
		return page{}
	}
	return reportPage(report.Report{{Figure: new(report.Comparison(t))}})
}
