package mklnb

import (
	"context"
	"errors"
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
	"github.com/mklnb/mkl/viz"
)

// Learn learns a kernel for d in one call. It selects learned weights, uniform weights or the best single kernel,
// whichever has the smallest cross-validation error: see learn.Learn. It shows what was selected as soon as there is a
// model. Then it compares the three methods and the constant baseline on splits of the data. The comparison takes a few
// times as long as the model, and the stop button ends it without loss of the model. Show prints how good the model is
// on held-out points, the result, and every default that was used, with the option that changes it.
//
//	l := nb.Learn(nb.Load("sonar"), learn.WithSeed(2))
//	nb.Show(l)
//
// Finished parts are stored, so the same call returns at once the second time. If Learn is stopped before there is a
// model, it returns a result without a model, marked as stopped.
func Learn(d *data.Dataset, opts ...learn.Option) *learn.Learned {
	if d == nil {
		fail(errors.New("mklnb: learn: the dataset is nil; pass a dataset"))
	}
	for i, o := range opts {
		if o == nil {
			fail(fmt.Errorf("mklnb: learn: option %d of %d is nil; omit it", i+1, len(opts)))
		}
	}
	l := runTasks("Learn "+d.Name, func(ctx context.Context, progress func(compare.Progress)) (*learn.Learned, error) {
		return learn.Learn(ctx, d, append([]learn.Option{learn.WithStore(studyFolder()), learn.WithProgress(progress),
			learn.WithFittedCallback(showFitted)}, opts...)...)
	})
	if l == nil { // stopped before anything was finished
		l = &learn.Learned{Data: d.Name, Table: &compare.Table{Data: d.Name, Stopped: true}}
	}
	return l
}

// showFitted shows the method that Learn selected, before the comparison starts.
func showFitted(l *learn.Learned) { showPage(reportPage(report.OfFittedModel(l))) }

// Run runs a study and returns its table: see compare.Study. Finished parts are stored in the cache folder unless
// s.StoreFolder names another one, so a run that was stopped or killed continues from there. Work that takes more than
// a second shows a bar, and below it the table so far. After the stop button, Run returns that table, marked as
// stopped; Show shows it. The same cell, run again, continues from there.
func Run(s *compare.Study) *compare.Table {
	if s == nil || s.Data == nil {
		fail(errors.New("mklnb: run: the study or its dataset is nil; set compare.Study.Data"))
	}
	study := *s
	if study.StoreFolder == "" {
		study.StoreFolder = studyFolder()
	}
	t := runTasks("Study of "+s.Data.Name, study.Run)
	if t == nil {
		t = &compare.Table{Data: s.Data.Name, Stopped: true}
	}
	return t
}

// studyFolder returns the folder for finished parts of studies. If the folder cannot be used, it shows a note and
// returns "".
func studyFolder() string {
	cacheFolder, err := store.CacheDir()
	folder := filepath.Join(cacheFolder, "studies")
	if err == nil {
		_, err = store.Open(folder)
	}
	if err != nil {
		showPage(notePage(fmt.Sprintf("Finished parts are not stored for the next run: %v.", err)))
		return ""
	}
	return folder
}

// tableInterval is the shortest time between two changes of the table below a progress bar.
const tableInterval = 2 * time.Second

// runTasks runs work that consists of many tasks and returns its result. It shows a progress bar and the table
// of the finished tasks. If the work is stopped, it shows a warning with the number of finished tasks. If the work
// fails, it ends the cell.
func runTasks[T any](title string, work func(ctx context.Context, progress func(compare.Progress)) (T, error)) T {
	ctx, endWork := interrupt.beginWork()
	defer endWork()
	var mu sync.Mutex
	var latest compare.Progress
	var latestTime, tableTime time.Duration // the times since start at which latest and table were set
	var table page
	start := time.Now()
	m := startMeter(title, func(elapsed time.Duration) workProgress {
		mu.Lock()
		defer mu.Unlock()
		s := workProgress{progressText: "starting"}
		if latest.Total > 0 {
			s.finishedShare = float64(latest.Done) / float64(latest.Total)
			s.progressText = fmt.Sprintf("%d of %s done%s", latest.Done, viz.FormatCount(latest.Total, "task"),
				noteOnStoredTasks(latest))
			s.timeLeft = max(0, latest.Left-(elapsed-latestTime))
			if latest.FinalStep != "" {
				s.progressText = latest.FinalStep
				s.finishedShare = min(1, float64(elapsed-latestTime)/float64(latest.Left+1))
			}
		}
		if table.text == "" || elapsed-tableTime >= tableInterval {
			table, tableTime = tableOfFinishedTasks(latest), elapsed
		}
		s.resultsPage = table
		return s
	})
	result, err := work(ctx, func(p compare.Progress) {
		mu.Lock()
		defer mu.Unlock()
		latest, latestTime = p, time.Since(start)
	})
	if ctx.Err() != nil {
		m.stop(func() string { return title + ": stopped." })
		showPage(warningPage(fmt.Sprintf("%s: %s%s; finished tasks are stored.", title, whereStopped(latest),
			noteOnStoredTasks(latest))))
		return result
	}
	if err != nil {
		m.stop(nil)
		fail(err)
	}
	m.stop(func() string {
		return fmt.Sprintf("%s: %s done%s.", title, viz.FormatCount(latest.Total, "task"), noteOnStoredTasks(latest))
	})
	return result
}

// whereStopped states how much of the work was finished when it was stopped. After the last task of a list, more tasks
// or a final step can follow.
func whereStopped(p compare.Progress) string {
	tasks := viz.FormatCount(p.Total, "task")
	switch {
	case p.FinalStep != "":
		return fmt.Sprintf("stopped after all %s, in %s", tasks, p.FinalStep)
	case p.Done == p.Total && p.Total > 0:
		return fmt.Sprintf("stopped after %s, in the step that follows them", tasks)
	}
	return fmt.Sprintf("stopped after %d of %s", p.Done, tasks)
}

// noteOnStoredTasks states how many of the finished tasks were stored by an earlier run. It returns "" for none.
func noteOnStoredTasks(p compare.Progress) string {
	if p.Stored == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them stored by an earlier run", p.Stored)
}

// tableOfFinishedTasks returns a page with the table of the finished tasks. The page is empty before the first task is
// finished.
func tableOfFinishedTasks(p compare.Progress) page {
	if p.Table == nil {
		return page{}
	}
	t := p.Table()
	if !slices.ContainsFunc(t.Rows, func(r compare.Row) bool { return len(r.Runs) > 0 }) {
		return page{}
	}
	return reportPage(report.Report{{Figure: new(report.ComparisonTable(t))}})
}
