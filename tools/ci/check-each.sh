#!/usr/bin/env bash
# Runs a command of spillgate on each file, and ends with the highest exit status. The GitHub Action and the
# pre-commit hooks use it.
#
#   check-each.sh COMMAND [ARGUMENT...] -- FILE...
#
# SPILLGATE: the program (default: the one on PATH).
# SARIF: a folder for the results, one file for each FILE; without it, there is only the text for people.
set -euo pipefail

arguments=()
while [[ $# -gt 0 && $1 != -- ]]; do
  arguments+=("$1")
  shift
done
if [[ ${#arguments[@]} -eq 0 || $# -lt 2 ]]; then
  echo "usage: check-each.sh COMMAND [ARGUMENT...] -- FILE..." >&2
  exit 2
fi
shift

program=${SPILLGATE:-spillgate}
worst=0 number=0
for file in "$@"; do
  status=0
  "$program" "${arguments[@]}" "$file" || status=$?
  if [[ $status -gt $worst ]]; then worst=$status; fi
  # Unusable input (2) has no results; its errors were printed above.
  if [[ -n ${SARIF:-} && $status -le 1 ]]; then
    mkdir -p "$SARIF"
    number=$((number + 1))
    "$program" "${arguments[@]}" "$file" --format sarif > "$SARIF/$number.sarif" 2> /dev/null || true
  fi
done
exit "$worst"
