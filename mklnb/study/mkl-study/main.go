// Mkl-study calls study.Main: it runs a study in shards, on any machines, and shows the table of the
// stored results. It computes in pure Go, with equal results and keys on all machines. A program of two lines that
// imports algos/linalg/openblas too computes with OpenBLAS, and stores its results under other keys.
//
//	CGO_ENABLED=0 go build ./mklnb/study/mkl-study            # one file for all machines of one system and processor
//	./mkl-study run -shard 0/3 -store results study.jsonl     # computes the first of three shards
//	./mkl-study list -store results study.jsonl               # lists the splits, and which are done
//	./mkl-study show -store results study.jsonl               # shows the table of the stored results
//	./mkl-study merge -store results results1 results2       # copies the results of other folders
//
// Exit status: 0 done, 1 error, 2 wrong use, 3 splits are left. mkl-study help lists all flags.
// (go run turns each status except 0 into 1, and does not pass SIGTERM on.)
// The folder mklnb/study/clusters has a Spark job and examples for Slurm, Kubernetes and Snakemake.
package main

import (
	"os"

	"github.com/mklnb/mkl/mklnb/study"
)

func main() { os.Exit(study.Main(os.Args[1:])) }
