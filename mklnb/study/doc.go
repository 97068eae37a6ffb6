// Package study runs studies of package compare in shards on any machines. Save and Open write them to a file and
// read them. Main is the command mkl-study, which any scheduler can call; the folder clusters has examples for Slurm,
// Snakemake, Kubernetes and Apache Spark.
//
//	err := study.Save("study.jsonl", &compare.Study{Data: d, Splits: splits, Methods: methods})
//
//	mkl-study run -shard 0/3 -store results study.jsonl  # the first of three shards
//	mkl-study show -store results study.jsonl            # the table, when all have run
package study
