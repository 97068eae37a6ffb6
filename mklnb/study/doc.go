// Package study runs studies of package compare that are too long for one machine: it writes a study with its data to a
// file, from which any number of processes on any machines compute their shares of the splits. The table of all results
// is the same as that of one process.
//
//	err := study.Save("study.jsonl", &compare.Study{Data: d, Splits: splits, Methods: methods})
//
//	mkl-study run -shard 0/3 -store results study.jsonl  # the first of three shards
//	mkl-study show -store results study.jsonl            # the table, when all have run
//
//	Save, Open   write and read the file
//	Main         the command mkl-study, which any scheduler can call, with packages of your own
//
// The folder clusters has examples for Slurm, Snakemake, Kubernetes and Apache Spark.
package study
