#!/usr/bin/env bash
# A study as a Slurm job array of 20 shards with one folder of results that all nodes see:
#
#   export STUDY=study.jsonl STORE=/shared/results
#   sbatch slurm.sh
#   mkl-study show -store "$STORE" "$STUDY"
#
# A shard that runs out of time or loses its node is put into the queue again, and keeps what is finished. scancel ends
# the job for good; sbatch continues it. mkl-study in PATH is the same program on all nodes. README.md says how to build
# it, and how many shards and processors to ask for.
#SBATCH --job-name=mkl-study
#SBATCH --array=0-19
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
set -euo pipefail
if [[ ${SLURM_ARRAY_TASK_MIN:-0} != 0 || ${SLURM_ARRAY_TASK_MAX:-0} != $((SLURM_ARRAY_TASK_COUNT - 1)) ]]; then
  echo "slurm.sh: the array must be 0-(N-1) for N shards, such as --array=0-9" >&2
  exit 2
fi

late=
trap 'late=1' USR1
mkl-study run -shard "${SLURM_ARRAY_TASK_ID}/${SLURM_ARRAY_TASK_COUNT}" -workers "${SLURM_CPUS_PER_TASK:-0}" \
  -store "${STORE}" "${STUDY}" &
trap 'kill -TERM $!' TERM
trap 'late=1; kill -TERM $!' USR1 # two minutes before the time limit
if [[ ${late} ]]; then # the signal came before the program had started
  kill -TERM $! || true
fi
status=0
wait $! || status=$?
while kill -0 $! 2>/dev/null; do # a signal ended the wait before the program had ended
  status=0
  wait $! || status=$?
done
if [[ ${late} && (${status} == 3 || ${status} == 143) ]]; then # something is left, or nothing had begun
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
exit "${status}"
