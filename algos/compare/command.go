package compare

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
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
	exitDone      = 0
	exitError     = 1
	exitUsage     = 2
	exitUnitsLeft = 3 // units are left
)

const usage = `mkl-study runs a study in shards, on any machines, stores the results in a folder, and merges such folders.

  run    -store DIR [-shard I/N] [-only-choice] [-workers N] STUDY   computes the units I, I+N, … (I from 0)
  list   -store DIR [-shard I/N] STUDY    lists the units, and which are done
  show   -store DIR STUDY                 shows the table of the stored results; computes nothing
  merge  -store DIR FROM …                copies the results stored in the folders FROM, and checks them

STUDY is a file that compare.Study.Save wrote. Its data is the registered dataset of that name, or FILE with the option
-data FILE, and must have the same numbers. With Selection.Once, the study begins with the unit choice, which chooses
the hyperparameters. A shard computes it if it is not in the store; run -only-choice computes only this unit.
-workers N runs at most N tasks at a time (0: one for each processor).
Status: 0 done, 1 error, 2 wrong use, 3 units are left: run it again if it was stopped, or run the other shards.
`

// Main is the command mkl-study, which runs a study in shards and shows the stored results. It reads the arguments,
// without the program's name, and returns the status to exit with. text formats the table that it shows. A program can
// call Main to link its own types, and to pass its own datasets that its studies use:
//
//	func main() { os.Exit(compare.Main(report.Text, os.Args[1:], mine)) }
//
// SIGINT and SIGTERM stop the command. Finished results remain in the store.
func Main(text func(table any) string, args []string, known ...*data.Dataset) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	return (&command{out: os.Stdout, err: os.Stderr, text: text, knownData: known}).main(ctx, args)
}

// command is one call of Main.
type command struct {
	out, err  io.Writer
	text      func(table any) string
	knownData []*data.Dataset

	folder, shard, data string
	onlyChoice          bool
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
		fmt.Fprint(c.err, usage)
		if verb == "help" || verb == "-h" || verb == "-help" || verb == "--help" {
			return exitDone
		}
		return exitUsage
	}
	f := flag.NewFlagSet("mkl-study "+verb, flag.ContinueOnError)
	f.SetOutput(c.err)
	f.Usage = func() { fmt.Fprint(c.err, usage) }
	f.StringVar(&c.folder, "store", "", "folder that stores the results")
	if verb != "merge" {
		f.StringVar(&c.data, "data", "", "file of the study's data")
	}
	if verb == "run" || verb == "list" {
		f.StringVar(&c.shard, "shard", "0/1", "shard I/N: the units I, I+N, … (I from 0)")
	}
	if verb == "run" {
		f.BoolVar(&c.onlyChoice, "only-choice", false, "compute only the unit choice")
		f.IntVar(&c.workers, "workers", 0, "largest number of tasks at a time; 0 means the number of processors")
	}
	switch err := f.Parse(args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		return exitUsage
	case c.folder == "" || f.NArg() == 0 || verb != "merge" && f.NArg() != 1:
		fmt.Fprintf(c.err, "mkl-study %s: wrong arguments: %q; give -store DIR, then one STUDY (merge: folders)\n",
			verb, args[1:])
		return exitUsage
	}
	status, err := runVerb(ctx, f.Args())
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		status, err = exitUnitsLeft, errors.New("stopped; call it again")
	}
	if err != nil {
		fmt.Fprintf(c.err, "mkl-study %s: %v\n", verb, err)
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

// shardUnits returns the units of s that belong to the shard of the option -shard.
func (c *command) shardUnits(s *Study) ([]Unit, error) {
	i, n, ok := strings.Cut(c.shard, "/")
	shard, err := strconv.Atoi(i)
	shards, countErr := strconv.Atoi(n)
	if !ok || err != nil || countErr != nil {
		return nil, fmt.Errorf("-shard %q is not a shard; write I/N, for example 0/3, 1/3 and 2/3 for three shards",
			c.shard)
	}
	return Shard(s.Units(), shard, shards)
}

// loadShard reads a study and returns it with the units of the shard. If err is not nil, status is the exit status.
func (c *command) loadShard(path string) (s *Study, units []Unit, status int, err error) {
	if s, err = c.loadStudy(path); err != nil {
		return nil, nil, exitError, err
	}
	if units, err = c.shardUnits(s); err != nil {
		return nil, nil, exitUsage, err
	}
	return s, units, exitDone, nil
}

// run runs the units of a shard whose results are not all in the store, and returns the exit status.
func (c *command) run(ctx context.Context, args []string) (int, error) {
	s, units, status, err := c.loadShard(args[0])
	if err != nil {
		return status, err
	}
	if c.onlyChoice {
		if !s.Selection.Once {
			return exitUsage, fmt.Errorf("-only-choice: %s chooses its hyperparameters in each split, not once; "+
				"leave the option out", args[0])
		}
		units = []Unit{Choice}
	}
	reading := context.WithoutCancel(ctx)
	pending, err := s.Pending(reading, units)
	if err != nil {
		return exitError, err
	}
	fmt.Fprintf(c.err, "%d of %d units of this shard are to be run (%d in all); %s keeps them, of %s\n", len(pending),
		len(units), len(s.Units()), c.folder, linalg.Backend().ID())
	var last time.Time
	work, stop := context.WithCancel(ctx)
	defer stop()
	table, err := s.RunUnits(work, pending, func(p Progress) {
		if p.NotKept != nil {
			stop() // results of later tasks would be lost
		}
		if time.Since(last) > 5*time.Second || p.Done == p.Total {
			last = time.Now()
			fmt.Fprintf(c.err, "%d of %d tasks (%d were stored), %v left\n", p.Done, p.Total, p.Stored,
				p.Left.Round(time.Second))
		}
	})
	if err != nil {
		return exitError, err
	}
	for _, note := range table.Notes {
		if strings.Contains(note, notKeptNote) || strings.Contains(note, damagedNote) {
			fmt.Fprintln(c.err, note)
		}
	}
	pending, err = s.Pending(reading, units) // checks the files that were written
	switch {
	case err != nil:
		return exitError, err
	case ctx.Err() != nil && len(pending) > 0:
		return exitUnitsLeft, fmt.Errorf("stopped with %d units left; finished results are stored: run it again",
			len(pending))
	case len(pending) > 0:
		return exitError, fmt.Errorf("stopped with %d units left, since results cannot be stored: "+
			"correct this and run it again", len(pending))
	}
	return exitDone, nil
}

// list prints for each unit of a shard whether all its results are stored ("done") or not ("left").
func (c *command) list(ctx context.Context, args []string) (int, error) {
	s, units, status, err := c.loadShard(args[0])
	if err != nil {
		return status, err
	}
	pending, err := s.Pending(ctx, units)
	if err != nil {
		return exitError, err
	}
	for _, u := range units {
		state := "done"
		if slices.Contains(pending, u) {
			state = "left"
		}
		fmt.Fprintf(c.out, "%s\t%v\n", state, u)
	}
	return c.printLeft(s, pending, len(units))
}

// printLeft prints how many of total units are left, and the origins of the results in the store. If no unit is left,
// it prints nothing. It returns the exit status.
func (c *command) printLeft(s *Study, left []Unit, total int) (int, error) {
	if len(left) == 0 {
		return exitDone, nil
	}
	own, err := s.describeOrigin(s.Data.Digest())
	if err != nil {
		return exitError, err
	}
	fmt.Fprintf(c.err, "%d of %d units are left for %s\n", len(left), total, own)
	folder, err := store.Open(c.folder)
	if err != nil {
		return exitError, err
	}
	origins, err := folder.Origins()
	if err != nil {
		return exitError, err
	}
	for _, origin := range slices.Sorted(maps.Keys(origins)) {
		fmt.Fprintf(c.err, "%s has %d results of %s\n", c.folder, origins[origin], origin)
	}
	return exitUnitsLeft, nil
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
	table, pending, err := s.StoredTable(ctx)
	if err != nil {
		return exitError, err
	}
	fmt.Fprint(c.out, c.text(table))
	return c.printLeft(s, pending, len(s.Units()))
}

// merge copies the results in folders into the store.
func (c *command) merge(ctx context.Context, folders []string) (int, error) {
	s, err := store.Open(c.folder)
	if err != nil {
		return exitError, err
	}
	copied, invalid, err := s.Merge(ctx, folders...)
	fmt.Fprintf(c.out, "%d results copied to %s\n", copied, c.folder)
	for _, b := range invalid {
		fmt.Fprintf(c.err, "not copied: %v\n", b)
	}
	invalid = slices.DeleteFunc(invalid, func(b error) bool { return errors.Is(b, store.ErrStray) })
	if err == nil && len(invalid) > 0 {
		err = fmt.Errorf("%d files are damaged results; run list to see the missing units", len(invalid))
	}
	if err != nil {
		return exitError, err
	}
	return exitDone, nil
}
