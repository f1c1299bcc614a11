# shellcheck shell=bash disable=SC2034
# What the commands of Tests/run share: steps that are timed and counted. It is sourced, never run.
#
# A step is a function or a command. It counts as one test, or as those in the reports that it writes to
# $results/NAME*.xml. Status 69 is "cannot run here": it is counted as skipped, and its sentence is shown at the end.
# Status 75 is "the time was over first, and nothing was found until then": it has passed.
# What a step prints is kept in $results/NAME.log, and is shown when it fails.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
results=$root/.build/results
python=$root/.build/venv/bin/python
unavailable=69

begin() {
  cd "$root" || exit 1
  rm -rf "$results"
  mkdir -p "$results"
  # Each program of the bench is compiled once, not at each start.
  unset PYTHONDONTWRITEBYTECODE
  export LENKER_LOAD_LOG=$results/load.txt PYTHONPYCACHEPREFIX=$root/.build/pycache
  [ ! -t 1 ] || trap 'printf "\r\033[K"' EXIT
  Boards/install host bench tests || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }
}

# step NAME COMMAND [ARGUMENT ...]: prints one line with its seconds, and with those of the processors (user + sys).
step() {
  local name=$1 verdict spent real user sys status=0 TIMEFORMAT='%0R %0U %0S'
  shift
  # On a terminal, what runs is shown until the next line is.
  [ ! -t 1 ] || printf '\r\033[K%s …' "$name"
  spent=$({ time "$@" >"$results/$name.log" 2>&1; } 2>&1) || status=$?
  case $status in
    0 | 75) verdict=passed ;;
    "$unavailable") verdict=skipped ;;
    *) verdict=failed ;;
  esac
  [ ! -t 1 ] || printf '\r\033[K'
  echo "$verdict $name" >>"$results/steps"
  read -r real user sys <<<"$spent"
  printf '%-8s%-32s%5s s%6s s of processors\n' "$verdict" "$name" "$real" $((user + sys))
  if [ "$verdict" = failed ]; then
    said "$name"
    return 1
  fi
}

# What a step printed, without what says nothing.
said() {
  grep -v '^remark: Incremental compilation has been disabled' "$results/$1.log" | sed 's/^/  /'
}

# The same in the background, until `finish`.
beside() {
  step "$@" &
}

# lane FUNCTION: the same for several steps, one behind the other.
lane() {
  "$1" &
}

# Waits for all that runs beside.
finish() {
  wait
}

# cannot SENTENCE: why a step cannot run on this machine; `cannot "…" || return`.
cannot() {
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

# What two sizes and a night share.
build_units() { swift build --quiet --build-tests; }

# Where an error was thrown is not looked for: the units throw so many that this is a fifth of their time.
units() {
  SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0 "$@" swift test --quiet --skip-build --xunit-output "$results/units.xml"
}

build_armv6() {
  needs boards "the build for the Pi Zero W needs Debian's cross compilers" || return
  Boards/pi-zero-w/build
}
