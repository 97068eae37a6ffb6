package mklnb

import (
	"context"
	"errors"
	"fmt"
	"html"
	"path/filepath"
	"sync"
	"time"

	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/mklnb/setup"
	"github.com/mklnb/mkl/viz"
)

// Learn learns a kernel for d in one call, beside uniform weights and the best single kernel on the
// same splits: see study.Learn. Show prints what it found and every default it took, with the option
// that changes it.
//
//	l := nb.Learn(nb.Load("sonar"), study.WithSeed(2))
//	nb.Show(l)
//
// Finished parts are stored, so the same question is answered at once the second time. After the
// stop button the result is marked as stopped and has no Model if the last fit was not reached.
func Learn(d *data.Dataset, opts ...study.Option) *study.Learned {
	if d == nil {
		fail(fmt.Errorf("mklnb: learn: no data"))
	}
	for i, o := range opts {
		if o == nil {
			fail(fmt.Errorf("mklnb: learn: option %d of %d is nil", i+1, len(opts)))
		}
	}
	var l *study.Learned
	long("Learn "+d.Name, func(ctx context.Context, progress func(study.Progress)) (err error) {
		l, err = study.Learn(ctx, d, append([]study.Option{study.WithStore(storage()), study.WithProgress(progress)}, opts...)...)
		return err
	})
	if l == nil { // stopped before anything was known
		l = &study.Learned{Data: d.Name, Table: &study.Table{Data: d.Name, Stopped: true}}
	}
	return l
}

// Run runs a study and returns its table: see study.Study. Finished parts are stored in the cache
// folder unless s.Store names another one, so a run that was stopped or killed goes on where it was.
// After the stop button the table holds what was finished and is marked as stopped.
func Run(s *study.Study) *study.Table {
	if s == nil || s.Data == nil {
		fail(fmt.Errorf("mklnb: run: no study, or one without data"))
	}
	q := *s
	if q.Store == "" {
		q.Store = storage()
		if q.Validate() != nil { // a family that cannot be stored, or what Run will say
			q.Store = ""
		}
	}
	var t *study.Table
	long("Study of "+s.Data.Name, func(ctx context.Context, progress func(study.Progress)) (err error) {
		t, err = q.Run(ctx, progress)
		return err
	})
	if t == nil {
		t = &study.Table{Data: s.Data.Name, Stopped: true}
	}
	return t
}

// storage is the folder of finished parts of studies.
func storage() string {
	return filepath.Join(Must(setup.CacheDir()), "studies")
}

// long does some work of many tasks with a bar, and says so if it was stopped.
func long(title string, work func(ctx context.Context, progress func(study.Progress)) error) {
	ctx, release := interrupt.hold()
	defer release()
	var mu sync.Mutex
	var last study.Progress
	var at time.Duration // of the bar, when last came
	begun := time.Now()
	m := startMeter(title, func(elapsed time.Duration) state {
		mu.Lock()
		defer mu.Unlock()
		s := state{text: "starting"}
		if last.Total > 0 {
			s.done = float64(last.Done) / float64(last.Total)
			s.text = fmt.Sprintf("%d of %s done", last.Done, plural(last.Total, "task"))
			s.left = max(0, last.Left-(elapsed-at))
		}
		return s
	})
	err := work(ctx, func(p study.Progress) {
		mu.Lock()
		defer mu.Unlock()
		last, at = p, time.Since(begun)
	})
	if ctx.Err() != nil {
		m.end(func() string { return title + ": stopped." })
		put(warning(fmt.Sprintf("%s: stopped after %d of %s; what was finished is kept.", title, last.Done, plural(last.Total, "task"))))
		return
	}
	if err != nil {
		m.end(nil)
		fail(err)
	}
	m.end(func() string { return fmt.Sprintf("%s: %s done.", title, plural(last.Total, "task")) })
}

// warning is a note that nobody overlooks.
func warning(text string) page {
	return page{text: text, html: `<div class="mkl-note" style="border-left:4px solid #b84600;padding:2px 8px"><b>` + html.EscapeString(text) + `</b></div>`}
}

// tablePage is what a study found, and bars of the metric to look at.
func tablePage(t *study.Table) (page, error) {
	if len(t.Rows) == 0 {
		return warning(t.Data + ": stopped before anything was finished."), nil
	}
	fs := []viz.Figure{t.Figure()}
	m := study.RMSE
	if t.Classes != nil {
		m = study.Accuracy
	}
	for _, r := range t.Rows {
		if len(r.Runs) > 0 {
			fs = append(fs, t.Bars(m))
			break
		}
	}
	p, err := figures(fs...)
	if err == nil && t.Stopped {
		p = join(warning("Stopped: not every split was finished."), p)
	}
	return p, err
}

// learnedPage is the comparison, the model, and the defaults that were taken.
func learnedPage(l *study.Learned) (page, error) {
	if l.Table == nil {
		return page{}, errors.New("mklnb: show: an empty study.Learned, want what Learn returned")
	}
	if len(l.Table.Rows) == 0 {
		return tablePage(l.Table)
	}
	p, err := figures(l.Figures()...)
	if err != nil {
		return page{}, err
	}
	if l.Table.Stopped || l.Model == nil {
		p = join(warning("Stopped: there is no model yet."), p)
	}
	m := study.RMSE
	if l.Table.Classes != nil {
		m = study.Accuracy
	}
	if s := l.Table.Summary(study.LearnedName, m); s.N > 0 {
		p = join(note(fmt.Sprintf("%s of the learned kernel on points it has not seen: %s.", m, s.Text())), p)
	}
	if l.Result != nil {
		p = join(headline(l.Result), p)
	}
	if len(l.Defaults) == 0 {
		return p, nil
	}
	var rows [][]any
	for _, d := range l.Defaults {
		option := "–"
		if d.Option != "" {
			option = "study." + d.Option
		}
		rows = append(rows, []any{d.What, d.Value, option})
	}
	defaults, err := figures(viz.Table("Defaults taken", "Each is changed by its option: nb.Learn(d, study.WithSeed(2)).",
		[]string{"what", "value", "option"}, rows...))
	return join(p, defaults), err
}
