package compare

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

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
)

// These are the exit statuses of the command.
const (
	exitDone       = 0
	exitError      = 1
	exitUsage      = 2
	exitSplitsLeft = 3 // splits are left
)

const usage = `mkl-study runs a study in shards, on any machines, stores the results in a folder, and merges such folders.

  run    -store DIR [-shard I/N] [-workers N] STUDY   computes the splits I, I+N, … (I from 0)
  list   -store DIR [-shard I/N] STUDY    lists the splits, and which are done
  show   -store DIR STUDY                 shows the table of the stored results; computes nothing
  merge  -store DIR FROM …                copies the results stored in the folders FROM, and checks them

STUDY is a file that compare.Study.Save wrote. Its data is the registered dataset of that name, or FILE with the option
-data FILE, and must have the same numbers. With Selection.Once, a shard first chooses the hyperparameters, unless the
store has this choice: run one shard before the others, so that they find it.
-workers N runs at most N tasks at a time (0: one for each processor).
Status: 0 done, 1 error, 2 wrong use, 3 splits are left: run it again if it was stopped, or run the other shards.
`

// Main is the command mkl-study, which runs a study in shards and shows the stored results. It reads the arguments,
// without the program's name, and returns the status to exit with. formatTable formats the table that it shows. A
// program can call Main to link its own types, and to pass its own datasets that its studies use:
//
//	func main() { os.Exit(compare.Main(report.Text, os.Args[1:], mine)) }
//
// SIGINT and SIGTERM stop the command. Finished results remain in the store.
func Main(formatTable func(table any) string, args []string, known ...*data.Dataset) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	return (&command{stdout: os.Stdout, stderr: os.Stderr, formatTable: formatTable, knownData: known}).main(ctx, args)
}

// command is one call of Main.
type command struct {
	stdout, stderr io.Writer
	formatTable    func(table any) string
	knownData      []*data.Dataset

	folder, shard, data string
	workers             int
}

func (c *command) main(ctx context.Context, args []string) int {
	verbs := map[string]func(context.Context, []string) (int, error){
		"run": c.run, "list": c.list, "show": c.show, "merge": c.merge}
	verb := ""
	if len(args) > 0 {
		verb = args[0]
	}
	runVerb, ok := verbs[verb]
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
	f.StringVar(&c.folder, "store", "", "folder that stores the results")
	if verb != "merge" {
		f.StringVar(&c.data, "data", "", "file of the study's data")
	}
	if verb == "run" || verb == "list" {
		f.StringVar(&c.shard, "shard", "0/1", "shard I/N: the splits I, I+N, … (I from 0)")
	}
	if verb == "run" {
		f.IntVar(&c.workers, "workers", 0, "largest number of tasks at a time; 0 means the number of processors")
	}
	switch err := f.Parse(args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		return exitUsage
	case c.folder == "" || f.NArg() == 0 || verb != "merge" && f.NArg() != 1:
		fmt.Fprintf(c.stderr, "mkl-study %s: wrong arguments: %q; give -store DIR, then one STUDY (merge: folders)\n",
			verb, args[1:])
		return exitUsage
	}
	status, err := runVerb(ctx, f.Args())
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		status, err = exitSplitsLeft, errors.New("stopped; call it again")
	}
	if err != nil {
		fmt.Fprintf(c.stderr, "mkl-study %s: %v\n", verb, err)
	}
	return status
}

// loadStudy reads a study and its data, and sets its Store and Workers.
func (c *command) loadStudy(path string) (*Study, error) {
	s, err := Open(path, c.data, c.knownData...)
	if err != nil {
		return nil, err
	}
	s.Store, s.Workers = c.folder, c.workers
	return s, nil
}

// loadShard reads a study and returns it with the splits of the shard of the option -shard. If err is not nil, status
// is the exit status.
func (c *command) loadShard(path string) (s *Study, splits []int, status int, err error) {
	if s, err = c.loadStudy(path); err != nil {
		return nil, nil, exitError, err
	}
	i, n, ok := strings.Cut(c.shard, "/")
	shard, err := strconv.Atoi(i)
	count, countErr := strconv.Atoi(n)
	if !ok || err != nil || countErr != nil {
		return nil, nil, exitUsage, fmt.Errorf("-shard %q is not a shard; write I/N, for example 0/3, 1/3 and 2/3 for "+
			"three shards", c.shard)
	}
	if splits, err = s.Shard(shard, count); err != nil {
		return nil, nil, exitUsage, err
	}
	return s, splits, exitDone, nil
}

// findLeft returns the splits in the argument splits that lack at least one result in the store.
func findLeft(ctx context.Context, s *Study, splits []int) ([]int, error) {
	_, left, err := s.StoredTable(ctx)
	return slices.DeleteFunc(left, func(i int) bool { return !slices.Contains(splits, i) }), err
}

// run runs the splits of a shard whose results are not all in the store, and returns the exit status.
func (c *command) run(ctx context.Context, args []string) (int, error) {
	s, splits, status, err := c.loadShard(args[0])
	if err != nil {
		return status, err
	}
	readCtx := context.WithoutCancel(ctx)
	left, err := findLeft(readCtx, s, splits)
	if err != nil {
		return exitError, err
	}
	fmt.Fprintf(c.stderr, "%d of %d splits of this shard are to be run (%d in all); %s keeps them, of %s\n", len(left),
		len(splits), len(s.Splits), c.folder, linalg.Backend().ID())
	var last time.Time
	workCtx, stop := context.WithCancel(ctx)
	defer stop()
	table, err := s.RunSplits(workCtx, left, func(p Progress) {
		if p.StoreError != nil {
			stop() // results of later tasks would be lost
		}
		if time.Since(last) > 5*time.Second || p.Done == p.Total {
			last = time.Now()
			fmt.Fprintf(c.stderr, "%d of %d tasks (%d were stored), %v left\n", p.Done, p.Total, p.Stored,
				p.Left.Round(time.Second))
		}
	})
	if err != nil {
		return exitError, err
	}
	for _, note := range table.Notes {
		if strings.Contains(note, notKeptNote) || strings.Contains(note, damagedNote) {
			fmt.Fprintln(c.stderr, note)
		}
	}
	left, err = findLeft(readCtx, s, splits) // checks the files that were written
	switch {
	case err != nil:
		return exitError, err
	case ctx.Err() != nil && len(left) > 0:
		return exitSplitsLeft, fmt.Errorf("stopped with %d splits left; finished results are stored: run it again",
			len(left))
	case len(left) > 0:
		return exitError, fmt.Errorf("stopped with %d splits left, since results cannot be stored: "+
			"correct this and run it again", len(left))
	}
	return exitDone, nil
}

// list prints for each split of a shard whether all its results are stored ("done") or not ("left").
func (c *command) list(ctx context.Context, args []string) (int, error) {
	s, splits, status, err := c.loadShard(args[0])
	if err != nil {
		return status, err
	}
	left, err := findLeft(ctx, s, splits)
	if err != nil {
		return exitError, err
	}
	for _, i := range splits {
		state := "done"
		if slices.Contains(left, i) {
			state = "left"
		}
		fmt.Fprintf(c.stdout, "%s\tsplit %d\n", state, i+1)
	}
	return c.printLeft(len(left), len(splits)), nil
}

// printLeft prints how many of total splits are left. If no split is left, it prints nothing. It returns the exit
// status.
func (c *command) printLeft(left, total int) int {
	if left == 0 {
		return exitDone
	}
	fmt.Fprintf(c.stderr, "%d of %d splits are left; results of another program, library or study do not count\n", left,
		total)
	return exitSplitsLeft
}

// show prints the table of the stored results.
func (c *command) show(ctx context.Context, args []string) (int, error) {
	s, err := c.loadStudy(args[0])
	if err != nil {
		return exitError, err
	}
	if _, err := os.Stat(c.folder); err != nil {
		return exitError, fmt.Errorf("no results are stored: %w", err)
	}
	table, left, err := s.StoredTable(ctx)
	if err != nil {
		return exitError, err
	}
	fmt.Fprint(c.stdout, c.formatTable(table))
	return c.printLeft(len(left), len(s.Splits)), nil
}

// merge copies the results in folders into the store.
func (c *command) merge(ctx context.Context, folders []string) (int, error) {
	s, err := store.Open(c.folder)
	if err != nil {
		return exitError, err
	}
	copied, invalid, err := s.Merge(ctx, folders...)
	fmt.Fprintf(c.stdout, "%d results copied to %s\n", copied, c.folder)
	for _, b := range invalid {
		fmt.Fprintf(c.stderr, "not copied: %v\n", b)
	}
	invalid = slices.DeleteFunc(invalid, func(b error) bool { return errors.Is(b, store.ErrStray) })
	if err == nil && len(invalid) > 0 {
		err = fmt.Errorf("%d files are damaged results; run list to see the missing splits", len(invalid))
	}
	if err != nil {
		return exitError, err
	}
	return exitDone, nil
}
