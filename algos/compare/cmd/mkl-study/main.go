// Mkl-study runs a study in shards, on any machines, and shows what is kept: compare.Main. It computes in pure Go,
// whose results and keys are the same on all machines; a program of two lines that imports algos/linalg/openblas too
// computes with that library, and keeps its results under other keys.
//
//	go build ./algos/compare/cmd/mkl-study
//	./mkl-study run -shard 0/3 -store results study.json
//
// (go run makes status 1 of every one but 0, and does not hand SIGTERM on.)
// The folder algos/compare/spark has a Spark job and examples for SLURM, Kubernetes and Snakemake.
package main

import (
	"os"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/mklnb/report"
)

func main() { os.Exit(compare.Main(report.Text, os.Args[1:])) }
