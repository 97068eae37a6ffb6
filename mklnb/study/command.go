package study

import (
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
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/mklnb/report"
)

// These are the exit statuses of the command.
const (
	exitDone       = 0
	exitError      = 1
	exitUsage      = 2
	exitUnfinished = 3 // some splits have no result yet
)

const usage = `mkl-study runs a study in shards on any machines, stores the results in a folder, and merges folders.

  run    -store DIR [-shard I/N] [-workers N] [-data FILE] STUDY   computes the splits I, I+N, … (I from 0)
  list   -store DIR [-shard I/N] [-data FILE] STUDY    lists the splits, and which are done
  show   -store DIR [-data FILE] STUDY                 shows the table of the stored results; computes nothing
  merge  -store DIR FROM …                             copies the results stored in the folders FROM, and checks them

STUDY is a file that study.Save wrote. Its data is FILE or, without -data, the registered dataset
that STUDY names. The data must have the same values as when STUDY was saved.
If fit.Selection.OnAllData is set, all shards use hyperparameters chosen on all points: first run one shard,
which stores them.
-workers N runs at most N tasks at a time (0: one for each processor).
Status: 0 done, 1 error, 2 wrong use, 3 splits are left: repeat a command that was stopped, or run the other shards.
`

// Main is the command mkl-study, which runs a study in shards and shows the stored results. args are the arguments
// without the name of the program. If studies use ownDatasets, or kernels or losses of packages that mkl-study does not
// import, call it from your program:
//
//	func main() { os.Exit(study.Main(os.Args[1:], myDataset)) }
//
// SIGINT and SIGTERM stop the command. Finished results remain in the store. The result is the exit status.
func Main(args []string, ownDatasets ...*data.Dataset) (exitStatus int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	c := &command{stdout: os.Stdout, stderr: os.Stderr, ownDatasets: ownDatasets}
	return c.main(ctx, args)
}

// command holds the arguments and the outputs of one call of Main.
type command struct {
	stdout, stderr io.Writer
	ownDatasets    []*data.Dataset

	storeFolder, shardArgument, dataPath string
	workerCount                          int
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
	if verb != "merge" {
		f.StringVar(&c.dataPath, "data", "", "file to read the study's data from")
	}
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

// loadStudy reads a study and its data, and sets its StoreFolder and Workers.
func (c *command) loadStudy(studyPath string) (*compare.Study, error) {
	s, err := Open(studyPath, c.dataPath, c.ownDatasets...)
	if err != nil {
		return nil, err
	}
	s.StoreFolder, s.Workers = c.storeFolder, c.workerCount
	return s, nil
}

// loadStudyAndShard reads the study at studyPath. It returns the study and, for -shard I/N, the splits I, I+N, … of the
// shard. If err is not nil, exitStatus is the exit status of the command.
func (c *command) loadStudyAndShard(studyPath string) (s *compare.Study, splits []int, exitStatus int, err error) {
	if s, err = c.loadStudy(studyPath); err != nil {
		return nil, nil, exitError, err
	}
	i, n, ok := strings.Cut(c.shardArgument, "/")
	shardIndex, err := strconv.Atoi(i)
	shardCount, countErr := strconv.Atoi(n)
	if !ok || err != nil || countErr != nil {
		return nil, nil, exitUsage, fmt.Errorf("-shard %q is not a shard; write I/N, for example 0/3, 1/3 and 2/3 for "+
			"three shards", c.shardArgument)
	}
	if splits, err = s.Shard(shardIndex, shardCount); err != nil {
		return nil, nil, exitUsage, err
	}
	return s, splits, exitDone, nil
}

// runShard runs those splits of a shard that lack results in the store, and returns the exit status.
func (c *command) runShard(ctx context.Context, args []string) (exitStatus int, err error) {
	s, shardSplits, exitStatus, err := c.loadStudyAndShard(args[0])
	if err != nil {
		return exitStatus, err
	}
	readCtx := context.WithoutCancel(ctx)
	_, unfinished, err := s.StoredSplits(readCtx, shardSplits)
	if err != nil {
		return exitError, err
	}
	fmt.Fprintf(c.stderr, "%d of %d splits of this shard are to be run; the study has %d splits. "+
		"Results are stored in %s. Linear algebra: %s\n", len(unfinished),
		len(shardSplits), len(s.Splits), c.storeFolder, linalg.Backend().ID())
	if len(unfinished) == 0 {
		return exitDone, nil
	}
	var lastReport time.Time
	workCtx, stop := context.WithCancel(ctx)
	defer stop()
	table, err := s.RunSplits(workCtx, unfinished, func(p compare.Progress) {
		if p.StoreError != nil {
			stop() // a result could not be stored, so later ones could not be either
		}
		if time.Since(lastReport) > 5*time.Second || p.Done == p.Total {
			lastReport = time.Now()
			fmt.Fprintf(c.stderr, "%d of %d tasks (%d were stored); about %v remain\n", p.Done, p.Total, p.Stored,
				p.Left.Round(time.Second))
		}
	})
	if err != nil {
		return exitError, err
	}
	for _, note := range table.Notes {
		fmt.Fprintln(c.stderr, note)
	}
	_, unfinished, err = s.StoredSplits(readCtx, unfinished) // reads the files that were just written
	switch {
	case err != nil:
		return exitError, err
	case ctx.Err() != nil && len(unfinished) > 0:
		return exitUnfinished, fmt.Errorf("stopped with %d splits left; finished results are stored: run it again",
			len(unfinished))
	case len(unfinished) > 0:
		return exitError, fmt.Errorf("stopped with %d splits left, since results cannot be stored in %s: "+
			"make the folder writable and run the command again", len(unfinished), c.storeFolder)
	}
	return exitDone, nil
}

// listSplits prints for each split of a shard whether all its results are stored ("done") or not ("left").
func (c *command) listSplits(ctx context.Context, args []string) (exitStatus int, err error) {
	s, shardSplits, exitStatus, err := c.loadStudyAndShard(args[0])
	if err != nil {
		return exitStatus, err
	}
	_, unfinished, err := s.StoredSplits(ctx, shardSplits)
	if err != nil {
		return exitError, err
	}
	for _, i := range shardSplits {
		state := "done"
		if slices.Contains(unfinished, i) {
			state = "left"
		}
		fmt.Fprintf(c.stdout, "%s\tsplit %d\n", state, i+1)
	}
	return c.printUnfinishedCount(len(unfinished), len(shardSplits)), nil
}

// printUnfinishedCount prints how many of splitCount splits have no result yet, if any. It returns the exit status.
func (c *command) printUnfinishedCount(unfinishedCount, splitCount int) (exitStatus int) {
	if unfinishedCount == 0 {
		return exitDone
	}
	fmt.Fprintf(c.stderr, "%d of %d splits are left; results of another program, library or study do not count\n",
		unfinishedCount, splitCount)
	return exitUnfinished
}

// showTable prints the table of the stored results.
func (c *command) showTable(ctx context.Context, args []string) (exitStatus int, err error) {
	s, err := c.loadStudy(args[0])
	if err != nil {
		return exitError, err
	}
	if _, err := os.Stat(c.storeFolder); err != nil {
		return exitError, fmt.Errorf("no results are stored; first run mkl-study run: %w", err)
	}
	table, unfinishedSplits, err := s.StoredTable(ctx)
	if err != nil {
		return exitError, err
	}
	fmt.Fprint(c.stdout, report.Text(table))
	return c.printUnfinishedCount(len(unfinishedSplits), len(s.Splits)), nil
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
