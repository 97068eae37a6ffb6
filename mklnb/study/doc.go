// Package study runs a study of package compare in shards on any machines. Save and Open write it to a file and read
// it. Main is the command mkl-study, which any scheduler can call; the folder clusters has examples for SLURM,
// Snakemake, Kubernetes and Apache Spark.
package study
