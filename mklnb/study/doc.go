// Package study runs studies of package compare in shards on any machines. Save and Open write them to a file and
// read them. Main is the command mkl-study, which any scheduler can call; the folder clusters has examples for Slurm,
// Snakemake, Kubernetes and Apache Spark.
package study
