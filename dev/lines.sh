#!/usr/bin/env bash
# Counts the lines that people write and keep. First the product's Go, by room: outside tests and their packages (…test),
# test programs (test, dev, simulators) and generated files; of rooms within rooms each alone. Then what stands beside
# it, so that nothing is gone by moving.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files -z | xargs -0 -s 1000000 awk '
	FNR == 1 {
		generated = /^\/\/ Code generated/
		room = FILENAME
		if (!sub(/\/[^\/]*$/, "", room)) room = "."
		split(FILENAME, folder, "/")
		kind = ""
		if (FILENAME !~ /\.go$/) {
			if (FILENAME ~ /\.(tsv|sql|txt|html|css|js|md)$/ && folder[1] != "test") kind = toupper(substr(FILENAME, match(FILENAME, /[a-z]+$/)))
		} else if (generated) kind = "generated Go"
		else if (folder[1] == "test" && folder[2] == "system") kind = "Go of the module test/system"
		else if (folder[1] == "dev") kind = "Go of the modules in dev"
		else if (folder[1] == "test" || folder[2] ~ /-simulator$/) kind = "Go of test programs and simulators (test)"
		else if (FILENAME ~ /_test\.go$/ || room ~ /test$/) kind = "Go of tests"
		isProduct = kind == "" && FILENAME ~ /\.go$/
		if (isProduct) files[room]++
	}
	isProduct { lines[room]++; total++ }
	kind != "" { beside[kind]++ }
	END {
		for (room in lines) printf "%7d lines %4d files  %s\n", lines[room], files[room], room | "sort -k5"
		close("sort -k5")
		printf "%7d lines of Go in the product\n\nbeside it:\n", total
		for (kind in beside) printf "%7d lines, %s\n", beside[kind], kind | "sort -rn"
	}'
