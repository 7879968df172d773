#!/usr/bin/env bash
# Writes client/types.go, the records of api/openapi.yaml in Go; with --check it compares instead. Of the description
# only the schemas are given to oapi-codegen, without examples, without null among values, and with the order of
# properties, which it would otherwise lose.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
made=$(mktemp)
trap 'rm -f "$made"' EXIT

awk '
	/^paths:/ { skip = 1; print "paths: {}\ncomponents:" }
	/^  schemas:/ { skip = 0 }
	/^      example:/ { example = 1; next }
	!/^       / { example = 0 }
	/^      properties:/ { order = 1; print; next }
	!/^        / { order = 0 }
	skip || example { next }
	{ sub(/, null\]/, "]") }
	order && /^        [a-z_]+:/ { if (!sub(/: [{]/, ": {x-order: " order ", ")) $0 = $0 "\n          x-order: " order; order++ }
	{ print }
' api/openapi.yaml |
	CGO_ENABLED=0 go -C dev/clients tool oapi-codegen -config "$root/client/oapi-codegen.yaml" /dev/stdin |
	sed '1,2d; 3G' >"$made" # without its comment of the package

if [ "${1:-}" = --check ]; then
	diff client/types.go "$made" || { echo 'client/types.go is not of api/openapi.yaml: go generate ./client makes it'; exit 1; }
else
	cat "$made" >client/types.go
fi
