#!/usr/bin/env bash
# A study as a SLURM job array of 20 shards with one folder of results that all nodes see:
#
#   export STUDY=study.json STORE=/shared/results
#   sbatch slurm.sh
#   mkl-study show -store "$STORE" "$STUDY"
#
# SLURM sends SIGTERM before it kills: what is finished is kept, and the task is put into the queue again. mkl-study in
# PATH is one program for all nodes (go build ./mklnb/study/mkl-study), so that they share its keys.
#SBATCH --job-name=mkl-study
#SBATCH --array=0-19
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
set -euo pipefail

mkl-study run -shard "${SLURM_ARRAY_TASK_ID}/${SLURM_ARRAY_TASK_COUNT}" -workers "${SLURM_CPUS_PER_TASK:-0}" \
  -store "${STORE}" "${STUDY}" &
trap 'kill -TERM $!' TERM
status=0
wait $! || status=$?
if [[ ${status} == 143 ]]; then # the signal ended this wait; the program has its own status
  status=0
  wait $! || status=$?
fi
if [[ ${status} == 3 ]]; then # something is left
  scontrol requeue "${SLURM_JOB_ID}"
fi
exit "${status}"
