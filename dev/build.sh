#!/usr/bin/env bash
# Builds devstack into the file given. The Temporal server and its UI are large: where they have not been
# built before, this takes minutes, so it shows progress.
set -euo pipefail
target=$(realpath -m "$1")
cd "$(dirname "$0")"

echo 'building the development stack: the first time takes several minutes'
SECONDS=0
# Without cgo, so that what is built is the same, and built once, with and without a C compiler.
CGO_ENABLED=0 go build -buildvcs=false -o "$target.new" ./devstack &
build=$!
trap 'kill $build 2>/dev/null || true' EXIT # a background job does not get Ctrl-C
while kill -0 $build 2>/dev/null; do
	sleep 1
	[ $((SECONDS % 30)) != 0 ] || echo "still building the development stack ($SECONDS s)"
done
wait $build
mv "$target.new" "$target"
echo "built in $SECONDS s"
