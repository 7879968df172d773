#!/usr/bin/env bash
# Follows docs/operations on a machine of its own that has nothing but Docker (machine.sh). Arguments are flags for go
# test. As root on Linux; the first time it makes the machine's parts, which takes minutes, and keeps them in .dev.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/../.dev/containers
mkdir -p "$folder"
exec 9>"$folder/lock"
flock --nonblock 9 || {
	echo 'containers: they run already' >&2
	exit 1
}

echo 'containers: base images are stand-ins, of Debian packages and Go modules: no registry is asked'
containers/parts.sh "$folder"
GOPROXY=$(go env GOPROXY)
export GOPROXY
images=$(sed -n 's/^FROM \([^ ]*:[^ ]*\).*/\1/p' ../Dockerfile)
images+=" $(sed -n 's/^ *image: \(.*:.*\)/\1/p' ../docker-compose.yml | sort -u)"
# shellcheck disable=SC2016,SC2086 # the inner shell expands it; images are words
containers/machine.sh "$folder" bash -euc '
	nsenter --all --target "$MACHINE" bash -s -- '"$(echo $images)"' <containers/images.sh
	CGO_ENABLED=0 go test -tags containers -count=1 -timeout 60m -v "$@" ./containers
' run "$@"
