#!/usr/bin/env bash
# Runs a command of spillgate on each file, and ends with the highest exit status. The GitHub Action and the
# pre-commit hooks use it.
#
#   check-each.sh COMMAND [ARGUMENT...] -- FILE...
#
# With the argument `--git REV`, new files are skipped: they change no traffic. A renamed file is compared with the old one.
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

revision='' last=''
for argument in "${arguments[@]}"; do
  if [[ $last == --git ]]; then revision=$argument; fi
  if [[ $argument == --git=* ]]; then revision=${argument#--git=}; fi
  last=$argument
done

# git reads names below the folder that it runs in, so it runs in the folder of the file.
git_of() {
  git -C "$(dirname -- "$1")" "${@:2}" 2> /dev/null
}

has_file() {
  [[ -n $(git_of "$1" ls-tree --name-only "$revision" -- "$(basename -- "$1")") ]] || is_renamed "$1"
}

is_renamed() {
  local name
  name="$(git_of "$1" rev-parse --show-prefix)$(basename -- "$1")"
  git_of "$1" diff --find-renames --diff-filter=R --name-only "$revision" -- :/ | grep --quiet --line-regexp --fixed-strings -- "$name"
}

if [[ -n $revision ]]; then
  for file in "$@"; do
    # A missing file is an error of the command, which names it.
    if [[ -e $file ]] && ! git_of "$file" rev-parse --quiet --verify --end-of-options "$revision^{commit}" > /dev/null; then
      echo "check-each.sh: --git: unknown revision $revision; expected a branch, a tag or a commit of this clone" >&2
      exit 2
    fi
  done
fi

program=${SPILLGATE:-spillgate}
worst=0 number=0
for file in "$@"; do
  if [[ -n $revision && -e $file ]] && ! has_file "$file"; then
    echo "$file: skipped, because $revision does not have it"
    continue
  fi
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
