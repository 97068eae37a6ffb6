package study

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/mklnb/report"
)

// These are the exit statuses of the command.
const (
	exitDone       = 0
	exitError      = 1
	exitUsage      = 2
	exitUnfinished = 3 // some splits have no result yet
)

const usage = `mkl-study runs studies in shards on any machines, stores the results in a folder, and merges folders.

  run    -store DIR [-shard I/N] [-workers N] STUDY   computes the splits I, I+N, … (I from 0)
  list   -store DIR [-shard I/N] STUDY    lists the splits, and which are done
  show   -store DIR STUDY                 shows the tables of the stored results; computes nothing
  merge  -store DIR FROM …                copies the results stored in the folders FROM, and checks them

STUDY is a file that study.Save wrote, with one or more studies and their data. The splits of the second study follow
those of the first, and so on.
If fit.Selection.OnAllData is set, all shards use hyperparameters chosen on all points: first run one shard,
which stores them.
-workers N runs at most N tasks at a time (0: one for each processor).
Status: 0 done, 1 error, 2 wrong use, 3 splits are left: repeat a command that was stopped, or run the other shards.
`

// Main is the command mkl-study, which runs studies in shards and shows the stored results. args are the arguments
// without the name of the program. If studies use kernels or losses of packages that mkl-study does not import, call it
// from a program that imports them:
//
//	func main() { os.Exit(study.Main(os.Args[1:])) }
//
// SIGINT and SIGTERM stop the command. Finished results remain in the store. The result is the exit status.
func Main(args []string) (exitStatus int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	c := &command{stdout: os.Stdout, stderr: os.Stderr}
	return c.main(ctx, args)
}

// command holds the arguments and the outputs of one call of Main.
type command struct {
	stdout, stderr io.Writer

	storeFolder, shardArgument string
	workerCount                int
}

// main runs the verb args[0] with the other arguments and returns the exit status.
func (c *command) main(ctx context.Context, args []string) (exitStatus int) {
	verbFunctions := map[string]func(context.Context, []string) (int, error){
		"run": c.runShard, "list": c.listSplits, "show": c.showTable, "merge": c.mergeFolders}
	verb := ""
	if len(args) > 0 {
		verb = args[0]
	}
	runVerb, ok := verbFunctions[verb]
	if !ok {
		fmt.Fprint(c.stderr, usage)
		if verb == "help" || verb == "-h" || verb == "-help" || verb == "--help" {
			return exitDone
		}
		return exitUsage
	}
	f := flag.NewFlagSet("mkl-study "+verb, flag.ContinueOnError)
	f.SetOutput(c.stderr)
	f.Usage = func() { fmt.Fprint(c.stderr, usage) }
	f.StringVar(&c.storeFolder, "store", "", "folder in which the results are stored")
	if verb == "run" || verb == "list" {
		f.StringVar(&c.shardArgument, "shard", "0/1", "shard I/N: the splits I, I+N, … (I from 0)")
	}
	if verb == "run" {
		f.IntVar(&c.workerCount, "workers", 0, "largest number of tasks at a time; 0 means the number of processors")
	}
	switch err := f.Parse(args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		return exitUsage
	case c.storeFolder == "" || f.NArg() == 0 || verb != "merge" && f.NArg() != 1:
		fmt.Fprintf(c.stderr, "mkl-study %s: wrong arguments: %q; give -store DIR and one STUDY or, for merge, "+
			"folders\n", verb, args[1:])
		return exitUsage
	}
	status, err := runVerb(ctx, f.Args())
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		status, err = exitUnfinished, errors.New("the command was stopped; run it again to continue")
	}
	if err != nil {
		fmt.Fprintf(c.stderr, "mkl-study %s: %v\n", verb, err)
	}
	return status
}

// loadShards reads the studies at studyPath with the splits of -shard I/N: I, I+N, … of all studies, one after another.
// If err is not nil, exitStatus is the exit status of the command.
func (c *command) loadShards(studyPath string) (shards []shard, exitStatus int, err error) {
	i, n, ok := strings.Cut(cmp.Or(c.shardArgument, "0/1"), "/")
	shardIndex, err := strconv.Atoi(i)
	shardCount, countErr := strconv.Atoi(n)
	if !ok || err != nil || countErr != nil || shardIndex < 0 || shardIndex >= shardCount {
		return nil, exitUsage, fmt.Errorf("-shard %q is not a shard; write I/N, for example 0/3, 1/3 and 2/3 for "+
			"three shards", c.shardArgument)
	}
	shards, err = openShard(studyPath, shardIndex, shardCount)
	for _, s := range shards {
		s.StoreFolder, s.Workers = c.storeFolder, c.workerCount
	}
	return shards, exitError, err
}

// forEach calls f with each of shards, its stored table, and the splits that lack results, as indices of its splits. It
// returns how many splits the shards have, and how many of them are unfinished.
func forEach(ctx context.Context, shards []shard, f func(s shard, stored *compare.Table, unfinished []int) error) (
	unfinishedCount, splitCount int, err error) {
	for _, s := range shards {
		stored, unfinished, err := s.StoredTable(ctx)
		if err == nil {
			err = f(s, stored, unfinished)
		}
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", s.Data.Name, err)
		}
		unfinishedCount, splitCount = unfinishedCount+len(unfinished), splitCount+len(s.Splits)
	}
	return unfinishedCount, splitCount, nil
}

// runShard runs those splits of a shard that lack results in the store, and returns the exit status.
func (c *command) runShard(ctx context.Context, args []string) (exitStatus int, err error) {
	shards, exitStatus, err := c.loadShards(args[0])
	if err != nil {
		return exitStatus, err
	}
	fmt.Fprintf(c.stderr, "Results are stored in %s. Linear algebra: %s\n", c.storeFolder, linalg.Backend().ID())
	readCtx := context.WithoutCancel(ctx)
	// If another process runs the same splits, one of two results that are stored at once may be lost. So what was run
	// is read again, and what is lost runs again.
	for round := 0; ; round++ {
		var left []shard
		unfinishedCount, _, err := forEach(readCtx, shards, func(s shard, _ *compare.Table, unfinished []int) error {
			if round == 0 || len(unfinished) > 0 {
				fmt.Fprintf(c.stderr, "%s: %d of %d splits of this shard are to be run; the study has %d splits\n",
					s.Data.Name, len(unfinished), len(s.Splits), s.splitCount)
			}
			if len(unfinished) > 0 {
				left = append(left, s.withSplits(unfinished))
			}
			return nil
		})
		switch {
		case err != nil:
			return exitError, err
		case unfinishedCount == 0:
			return exitDone, nil
		case ctx.Err() != nil:
			return exitUnfinished, fmt.Errorf("stopped with %d splits left; finished results are stored: run it again",
				unfinishedCount)
		case round == 10:
			return exitUnfinished, fmt.Errorf("stopped with %d splits left, because other processes store results of "+
				"the same splits; run it again", unfinishedCount)
		}
		for _, s := range left {
			if ctx.Err() != nil {
				break
			}
			if err := c.runStudy(ctx, s.Study); err != nil {
				return exitError, fmt.Errorf("%s: %w", s.Data.Name, err)
			}
		}
		shards = left
	}
}

// runStudy runs a study, and prints the progress.
func (c *command) runStudy(ctx context.Context, s *compare.Study) error {
	var lastReport time.Time
	var storeError error
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	table, err := s.Run(ctx, func(p compare.Progress) {
		if p.StoreError != nil {
			storeError = p.StoreError
			stop() // a result could not be stored, so later ones could not be either
		}
		if time.Since(lastReport) > 5*time.Second || p.Done == p.Total {
			lastReport = time.Now()
			fmt.Fprintf(c.stderr, "%d of %d tasks (%d were stored); about %v remain\n", p.Done, p.Total, p.Stored,
				p.Left.Round(time.Second))
		}
	})
	if err != nil {
		return err
	}
	for _, note := range table.Notes {
		fmt.Fprintln(c.stderr, note)
	}
	if storeError != nil {
		return fmt.Errorf("stopped, since results cannot be stored in %s: %w; free space there, or make the folder "+
			"writable, and run the command again", c.storeFolder, storeError)
	}
	return nil
}

// listSplits prints for each split of a shard whether all its results are stored ("done") or not ("left").
func (c *command) listSplits(ctx context.Context, args []string) (exitStatus int, err error) {
	shards, exitStatus, err := c.loadShards(args[0])
	if err != nil {
		return exitStatus, err
	}
	return c.exitStatus(forEach(ctx, shards, func(s shard, _ *compare.Table, unfinished []int) error {
		for i, number := range s.SplitNumbers {
			state := "done"
			if _, isLeft := slices.BinarySearch(unfinished, i); isLeft {
				state = "left"
			}
			fmt.Fprintf(c.stdout, "%s\t%s: split %d\n", state, s.Data.Name, number)
		}
		return nil
	}))
}

// exitStatus prints how many splits have no result yet, if any, and returns the exit status.
func (c *command) exitStatus(unfinishedCount, splitCount int, err error) (exitStatus int, _ error) {
	switch {
	case err != nil:
		return exitError, err
	case unfinishedCount == 0:
		return exitDone, nil
	}
	fmt.Fprintf(c.stderr, "%d of %d splits are left; results of another program, library or study do not count\n",
		unfinishedCount, splitCount)
	return exitUnfinished, nil
}

// showTable prints the table of the stored results of each study and, if there are several studies with the same
// methods, the ranking of the methods.
func (c *command) showTable(ctx context.Context, args []string) (exitStatus int, err error) {
	shards, exitStatus, err := c.loadShards(args[0])
	if err != nil {
		return exitStatus, err
	}
	if _, err := os.Stat(c.storeFolder); err != nil {
		return exitError, fmt.Errorf("no results are stored; first run mkl-study run: %w", err)
	}
	var tables []*compare.Table
	unfinishedCount, splitCount, err := forEach(ctx, shards, func(s shard, t *compare.Table, _ []int) error {
		if tables = append(tables, t); len(tables) > 1 {
			fmt.Fprintln(c.stdout)
		}
		fmt.Fprint(c.stdout, report.Text(t))
		for _, doubt := range s.Data.Doubts {
			fmt.Fprintf(c.stdout, "Warning: %s: %s\n", s.Data.Name, doubt)
		}
		return nil
	})
	if err == nil && unfinishedCount == 0 && len(tables) > 1 {
		if ranking, err := report.RankTables(tables); err != nil {
			fmt.Fprintf(c.stdout, "\nThere is no ranking: %v\n", err)
		} else {
			fmt.Fprintf(c.stdout, "\n%s", report.Text(ranking))
		}
	}
	return c.exitStatus(unfinishedCount, splitCount, err)
}

// mergeFolders copies the results in folders into the store.
func (c *command) mergeFolders(ctx context.Context, folders []string) (exitStatus int, err error) {
	s, err := store.Open(c.storeFolder)
	if err != nil {
		return exitError, err
	}
	copiedCount, fileErrors, err := s.Merge(ctx, folders...)
	fmt.Fprintf(c.stdout, "results in %d files copied to %s\n", copiedCount, c.storeFolder)
	for _, b := range fileErrors {
		fmt.Fprintf(c.stderr, "a file was not copied: %v\n", b)
	}
	fileErrors = slices.DeleteFunc(fileErrors, func(b error) bool { return errors.Is(b, store.ErrStray) })
	if err == nil && len(fileErrors) > 0 {
		err = fmt.Errorf("%d result files are damaged and were not copied; run list to see the missing splits",
			len(fileErrors))
	}
	if err != nil {
		return exitError, err
	}
	return exitDone, nil
}
