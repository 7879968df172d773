#!/usr/bin/env bash
# Builds the engine, which is Temporal, into the file given. Where it has not been built before this takes
# minutes, so it shows progress.
set -euo pipefail
target=$(realpath -m "$1")
cd "$(dirname "$0")"
echo 'building the engine (Temporal): the first time takes some minutes'
SECONDS=0

# Temporal can start workers at Amazon, at Google and in Kubernetes, each by a file that registers itself. What these
# bring is a fifth of all there is to compile, so the engine is built with a copy of that module without them.
module=go.temporal.io/auto-scaled-workers
copy=$target.without-clouds
rm -rf "$copy"
go mod download $module
cp -r --no-preserve=mode "$(go list -m -f '{{.Dir}}' $module)" "$copy"
rm "$copy"/wci/workflow/compute_provider/{aws*,gcp*,k8s}.go
cp go.mod "$copy/engine.mod"
cp go.sum "$copy/engine.sum"
go mod edit -replace "$module=$copy" "$copy/engine.mod"

# Without cgo, so that what is built is the same, and built once, with and without a C compiler.
CGO_ENABLED=0 go build -buildvcs=false -modfile "$copy/engine.mod" -o "$target.new" ./engine &
build=$!
trap 'kill $build 2>/dev/null || true; rm -rf "$copy"' EXIT # a background job does not get Ctrl-C
while kill -0 $build 2>/dev/null; do
	sleep 1
	[ $((SECONDS % 30)) != 0 ] || echo "still building the engine ($SECONDS s)"
done
wait $build
mv "$target.new" "$target"
echo "the engine is built ($SECONDS s)"
