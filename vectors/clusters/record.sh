#!/bin/sh
# Prints the /clusters response of an Envoy whose hosts have every flag. The argument is the
# absolute path of its binary.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cp "$here/eds-before.yaml" "$work/eds.yaml"
cp "$here/eds-after.yaml" "$work/after.yaml"
cd "$work"
"$1" --disable-hot-restart --log-level error --config-path "$here/bootstrap.yaml" >&2 &
envoy=$!
trap 'kill "$envoy"; wait "$envoy" || true; rm -r "$work"' EXIT
until curl -fs 127.0.0.1:19890/ready >/dev/null; do sleep 0.2; done
# One request gets a host ejected. After the first checks, one host leaves and another one joins.
curl -s 127.0.0.1:19896 >/dev/null
until curl -s '127.0.0.1:19890/clusters?filter=moving' | grep -q healthy; do sleep 0.2; done
sleep 2 # Let the watch of the file settle.
mv after.yaml eds.yaml
until curl -s '127.0.0.1:19890/clusters?filter=moving' | grep -q pending_dynamic_removal; do sleep 0.2; done
until curl -s '127.0.0.1:19890/clusters?filter=checked' | grep -q active_hc_timeout; do sleep 0.2; done
curl -fs 127.0.0.1:19890/clusters
