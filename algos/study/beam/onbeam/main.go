package onbeam

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/mklnb/mkl/algos/compare"
)

// Main is the command that runs a study on Beam and prints its table. It returns the status to exit with: 0 done, 1
// error, 2 wrong use, 3 stopped by SIGINT or SIGTERM: what is finished is kept, run it again. A program that registers
// types of its own calls it too.
func Main() int {
	address := flag.String("store", "", "folder of results that workers share, or address as gs://bucket/results")
	file := flag.String("data", "", "file of the study's data (else the registry's dataset of that name)")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "usage: -store DIR [-data FILE] [flags of Beam] STUDY\n\nSTUDY is a "+
			"file that compare.Study.Save wrote.\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	beam.Init() // a worker never returns from here
	if *address == "" || flag.NArg() != 1 {
		fmt.Fprintf(os.Stderr, "want -store DIR and then one STUDY; got %q\n", os.Args[1:])
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	s, err := compare.Open(flag.Arg(0), *file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	table, err := Study(ctx, s, *address)
	if table != nil {
		fmt.Println(table)
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	case table.Stopped:
		fmt.Fprintln(os.Stderr, "stopped; what is finished is kept: run it again")
		return 3
	}
	return 0
}
