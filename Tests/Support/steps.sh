# shellcheck shell=bash disable=SC2034
# What the commands of Tests/run share: steps that are timed and counted. It is sourced, never run.
#
# A step is a function or a command. It counts as one test, or as those in the reports that it writes to
# $results/NAME*.xml. Status 69 is "cannot run here": it is counted as skipped, and its sentence is shown at the end.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
results=$root/.build/results
python=$root/.build/venv/bin/python
unavailable=69

begin() {
  cd "$root" || exit 1
  rm -rf "$results"
  mkdir -p "$results"
  export LENKER_LOAD_LOG=$results/load.txt PYTHONDONTWRITEBYTECODE=1
}

# step NAME COMMAND [ARGUMENT ...]
step() {
  local name=$1 verdict start=$SECONDS status=0
  shift
  echo "== $name"
  "$@" || status=$?
  case $status in
    0) verdict=passed ;;
    "$unavailable") verdict=skipped ;;
    *) verdict=failed ;;
  esac
  echo "$verdict $name" >>"$results/steps"
  echo "== $name: $verdict after $((SECONDS - start)) s"
}

# The same in the background: what it says is shown by `finish`.
beside() {
  step "$@" >"$results/$1.log" 2>&1 &
}

# lane NAME FUNCTION: the same for several steps, one behind the other.
lane() {
  "$2" >"$results/$1.log" 2>&1 &
}

# Waits for all that runs beside, and shows what it said.
finish() {
  wait
  local log
  for log in "$results"/*.log; do
    [ -e "$log" ] || continue
    cat "$log"
    rm "$log"
  done
}

# cannot SENTENCE: why a step cannot run on this machine; `cannot "…" || return`.
cannot() {
  echo "skipped: $1"
  echo "$1" >>"$results/skipped"
  return "$unavailable"
}

# needs PART SENTENCE: installs that part of Boards/install, or says that the step cannot run without it.
needs() {
  Boards/install "$1" || cannot "$2"
}

# The last lines: what was skipped and why, what depended on this machine's load, what failed, and the count.
count() {
  "$python" Tests/Support/python/count.py "$results"
}
