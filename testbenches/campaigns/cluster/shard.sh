#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one shard of a campaign as a task of a Slurm job array or as a process of mpirun.
# Usage: shard.sh FILE [FOLDER]   the store becomes FOLDER/<file stem>.shard-<i>-of-<n>.sqlite (FOLDER: out)
# STARLOOM names the program, if it is not on the PATH.
set -euo pipefail
file=${1:?usage: shard.sh FILE [FOLDER]}
folder=${2:-out}
if [[ -n ${SLURM_ARRAY_TASK_ID:-} ]]; then
  if [[ ${SLURM_ARRAY_TASK_MIN:-0} != 0 || $((SLURM_ARRAY_TASK_MAX + 1)) != "$SLURM_ARRAY_TASK_COUNT" ]]; then
    echo "shard.sh: the job array must be 0-$((SLURM_ARRAY_TASK_COUNT - 1)), every index once" >&2
    exit 2
  fi
  i=$SLURM_ARRAY_TASK_ID
  n=$SLURM_ARRAY_TASK_COUNT
elif [[ -n ${OMPI_COMM_WORLD_RANK:-} ]]; then
  i=$OMPI_COMM_WORLD_RANK
  n=$OMPI_COMM_WORLD_SIZE
elif [[ -n ${PMI_RANK:-} ]]; then
  i=$PMI_RANK
  n=$PMI_SIZE
else
  echo "shard.sh: neither a Slurm job array nor mpirun started this; use starloom campaign $file" >&2
  exit 2
fi
stem=$(basename "$file")
stem=${stem%.*}
exec "${STARLOOM:-starloom}" campaign "$file" --shard "$i/$n" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
  --store "$folder/$stem.shard-$i-of-$n.sqlite"
