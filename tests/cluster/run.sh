#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A campaign on a real cluster: as a Slurm job array over two nodes, with a task killed and resumed, and under mpirun; merged,
# each is compared with the same campaign on one machine. The cluster is this machine's own: private daemons on loopback, in a
# temporary folder, stopped at the end. Installs Debian's packages where it may.
# Usage: tests/cluster/run.sh   (after ./test.sh or ./run.sh, which build the program)
# Status: 0 passed, 1 failed, 77 the packages are not there and cannot be installed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../cmake/setup.sh"
export STARLOOM=${STARLOOM:-$root/build/release/sc_main/starloom}
shard=$root/testbenches/campaigns/cluster/shard.sh
tell() { echo "cluster: $*" >&2; }

packages=(slurmctld slurmd slurm-client munge openmpi-bin)
has_all() { command -v slurmctld slurmd sbatch munged mpirun >/dev/null; }
if ! has_all; then
  if $(as_root) true 2>/dev/null; then
    { apt_get update && apt_get install --yes --no-install-recommends "${packages[@]}"; } || tell "$apt_error"
  fi
  if ! has_all; then
    tell "skipped: needs the Debian packages ${packages[*]}"
    exit 77
  fi
fi
PATH=$PATH:/usr/sbin

work=$(mktemp -d)
pids=()
stop() {
  local status=$? pid
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  if ((status)); then
    tell "failed; the last lines of the logs:"
    tail -n 5 "$work"/*.log "$work"/slurm-*.out >&2 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap stop EXIT
cd "$work"

start_munge() {
  dd if=/dev/urandom bs=1024 count=1 status=none >munge.key
  chmod 400 munge.key
  munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
    --log-file="$work/munge.log" --seed-file="$work/munge.seed" 2>munged.log &
  pids+=($!)
}

start_slurm() {
  local host port
  host=$(hostname -s)
  port=$((20000 + RANDOM % 20000))
  mkdir state spool-node0 spool-node1
  cat >slurm.conf <<END
ClusterName=starloom
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/linear
ReturnToService=2
KillWait=1
MinJobAge=300
NodeName=node0 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
END
  export SLURM_CONF=$work/slurm.conf
  slurmctld -D -i 2>ctld.log &
  pids+=($!)
  for node in node0 node1; do
    slurmd -D -N "$node" 2>"$node.err.log" &
    pids+=($!)
  done
  for _ in {1..60}; do
    if [[ $(sinfo --noheader --format=%D --states=idle 2>/dev/null) == 2 ]]; then return; fi
    sleep 0.5
  done
  tell "the private Slurm has no two idle nodes after 30 s"
  exit 1
}

cat >campaign.yaml <<'END'
schema: 1
name: on a cluster
base:
  schema: 1
  network: {topology: mesh, shape: [16, 16]}
  routing: {algorithm: greedy}
  traffic: {pattern: random-permutation}
axes: {routing.discipline: [fifo, furthest-destination]}
runs: 300
keep: [steps, queue.max, latency.mean]
END

# The report of a store, byte by byte.
points() {
  "$STARLOOM" report campaign.yaml --store "$1" --out "report-$1" >/dev/null
  cat "report-$1/points.csv"
}
rows() { "$STARLOOM" campaign campaign.yaml --store "$1" --dry-run 2>/dev/null | tail -n 1; }
same_as_one_machine() {
  "$STARLOOM" campaign merge "$1"/*.sqlite --into "$1.sqlite" >&2
  [[ $(rows "$1.sqlite") == *" 600 of 600 runs done" ]] || { tell "$1: $(rows "$1.sqlite")"; exit 1; }
  cmp <(points one.sqlite) <(points "$1.sqlite") || { tell "$1 differs from one machine"; exit 1; }
}

tell "one machine"
"$STARLOOM" campaign campaign.yaml --store one.sqlite >&2

tell "two nodes of Slurm, an array of four tasks, of which one is killed"
start_munge
start_slurm
mkdir -p testbenches slurm
ln -s "$root/testbenches/campaigns" testbenches/campaigns
submit() { sbatch --parsable --array=0-3 testbenches/campaigns/cluster/campaign.slurm campaign.yaml slurm; }
job=$(submit)
while ! compgen -G 'slurm/*.sqlite' >/dev/null; do sleep 0.05; done
scancel --signal=KILL --full "${job}_0"
scancel "${job}_0"
while [[ -n $(squeue --noheader --job "$job" 2>/dev/null) ]]; do sleep 0.2; done
killed=$(rows slurm/campaign.shard-0-of-4.sqlite)
tell "the killed task left $killed"
[[ ! $killed =~ ,\ ([0-9]+)\ of\ 600 || ${BASH_REMATCH[1]} -lt 150 ]] || { tell "it was not killed in time"; exit 1; }
job=$(submit)
while [[ -n $(squeue --noheader --job "$job" 2>/dev/null) ]]; do sleep 0.2; done
same_as_one_machine slurm

tell "three processes of mpirun"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 3 "$shard" campaign.yaml mpi >&2
same_as_one_machine mpi
tell "the same bytes"
