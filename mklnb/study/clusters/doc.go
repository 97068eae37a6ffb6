// Package clusters has no Go API. Its folder holds mkl_study_spark.py, a job that runs a study on a
// Spark cluster (README.md has the steps), and examples that run the shards of a study on Slurm (slurm.sh), Kubernetes
// (kubernetes.yaml) and Snakemake (Snakefile). Each of them calls the command mkl-study for one shard per task.
package clusters
