#!/usr/bin/env bash
# Runs every fuzz target of the root module for the time given, one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."

found=0
while IFS=: read -r file target; do
	found=1
	go test -run '^$' -fuzz "^${target#func }\$" -fuzztime "$1" "./$(dirname "$file")"
done < <(grep -rEo --include='*_test.go' --exclude-dir=dev --exclude-dir=.dev '^func Fuzz\w+' . | sed 's|^\./||' | sort)
# And FUZZ_BODIES bodies through the whole handler, in one process.
FUZZ_BODIES=${FUZZ_BODIES:-100000} go test -timeout 0 -count=1 -run '^TestHandler_ManyBodies$' -v ./api
[ $found = 1 ] || echo 'there are no fuzz targets'
