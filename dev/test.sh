#!/usr/bin/env bash
# Runs all tests, each phase on a stack of its own that leaves nothing behind, and prints how long each took.
# With LONG_TESTS set it runs what takes long: the race detector, more faults, more cases. With RACE set what has
# goroutines runs under the race detector, and with GATE what has to pass beside make test before a change lands. With
# DATE all of it happens on that day. Arguments are flags for go test.
set -euo pipefail
cd "$(dirname "$0")/.."
devstack=$PWD/.dev/bin/devstack
# Another value each time, so that go test does not take from its cache what it skipped the last time.
SKIPPED_TESTS=$(mktemp)
export SKIPPED_TESTS
trap 'rm -f "$SKIPPED_TESTS" "${times:-}"' EXIT

# All is compiled once for the programs and the tests of them: without cgo, but under the race detector, which needs it.
export CGO_ENABLED=0

if [ -n "${DATE:-}" ]; then
	. dev/date.sh
fi

# The programs that tests run, built once for all packages.
export BUILT_PROGRAMS=$PWD/.dev/${DATE:+date/}test-programs
go build -buildvcs=false -ldflags='-s -w' -o "$BUILT_PROGRAMS/" \
	./cmd/emissor ./cmd/sefin-simulator ./cmd/saopaulo-simulator
timing=$PWD/.dev/bin/timing
(cd dev && go build -buildvcs=false -o "$timing" ./timing)

# make check vets.
flags=(-vet=off "$@")

# spend sets spent to the processor time of all that ended below this shell so far, in seconds: of a shell in between
# times would tell its own.
times=$(mktemp)
spend() {
	times >"$times"
	spent=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); sum += t[1] * 60 + t[2] } printf "%d", sum }' "$times")
}

# budget NAME: the seconds that a phase may take, which CONTRIBUTING.md has; nothing where it has none.
budget() { awk -F' *[|] *' -v name="$1" '$2 == name { print $3 + 0 }' CONTRIBUTING.md; }

# phase NAME COMMAND...: runs it, and adds its duration and processor time to the table, and whether that is too long.
table=''
phase() {
	local name=$1 began=$SECONDS before took most over=''
	spend
	before=$spent
	most=$(budget "$name")
	shift
	"$@"
	took=$((SECONDS - began))
	spend
	[ -z "$most" ] || [ "$took" -le "$most" ] || over="  OVER its budget of $most s"
	table+=$(printf '\n  %-46s %4d s, processor %4d s%s' "$name" "$took" $((spent - before)) "$over")
}

# The packages that take longest come first, so that none of them is the last one alone. Their tests wait more than
# they compute, so there are more of them at once than processors.
packages() {
	"$devstack" -log .dev/test.log -- "$timing" -parallel 5 -timeout 40m "${flags[@]}" "$@"
}

# The tests of the development module that start nothing, those of what the gate runs (every planted bug has its place,
# every block of the handbook is drilled), and those of the Helm chart.
development() {
	local flags=(-count=1 "${flags[@]}") # they read files of the product's module, of which go test's cache knows nothing
	(cd dev && DEVSTACK="$devstack" go test "${flags[@]}" ./deployment ./licences ./supply)
	go test -C test/system "${flags[@]}" ./chaos ./drill
	# On another day half of Kubernetes would be compiled once more, for a chart that knows no days.
	[ -n "${DATE:-}" ] || (cd dev/kubernetes && go test "${flags[@]}" .)
}

# The tests of the module test/system that kill nothing.
system() {
	"$devstack" -log .dev/test.log -- go test -C test/system -timeout 20m "${flags[@]}" ./...
}

# What has goroutines of its own, or state that they share, under the race detector. Fiscal documents and pages of the
# dashboard have none.
raced=(./activities/... ./workflows ./worker/dispatch ./fiscal/mtls ./fiscal/authorities
	./fiscal/cities ./fiscal/certificate ./fiscal/national/sefin ./fiscal/national/classification ./worker/admission
	./issuing/doctor ./internal/limit ./dashboard/listening/... ./client/mcpserver ./internal/metrics
	./internal/municipality ./internal/packed ./internal/recent ./internal/seal ./internal/trace ./internal/web
	./test/simulators/shared/...)

# names FILE...: a pattern of the tests that they list.
names() { echo "^($(grep -hv '^#' "$@" | paste -sd'|'))\$"; }

# The largest of them have more tests that do one thing after the other.
partly_raced=(./worker ./store ./api)

# What takes longest, and has tests that are left to make test-long (dev/long_tests.txt).
largest=(./worker ./store ./dashboard ./cmd/emissor)

race() {
	CGO_ENABLED=1 packages -race -run "$(names dev/raced_tests.txt)" "${partly_raced[@]}"
	CGO_ENABLED=1 packages -race "${raced[@]}"
}

unraced() { go list ./... | grep -vxF -f <(go list "${raced[@]}"); }

# All the others.
others() {
	packages -skip "$(names dev/raced_tests.txt dev/long_tests.txt)" "${largest[@]}" $(unraced)
}

# The same with all that is left to make test-long. Random requests go through the whole of the program under the race
# detector too, though fewer of them: it doubles what they cost.
long_race() {
	race
	LONG_TESTS='' CGO_ENABLED=1 packages -race ./test/generated
}

long_others() {
	packages -skip "$every_page|$(names dev/raced_tests.txt)" ./test/generated "${largest[@]}" $(unraced)
	go test "${flags[@]}" -run TestExchange_ExactlyOne ./fiscal -rapid.checks=300000
}

# The dashboard in every language, size and scheme, and with every hostile text.
every_page='^(TestBrowser_Matrix|TestHostile_EveryPageAndForm)$'
pages() {
	"$devstack" -log .dev/test.log -- go test -timeout 20m "${flags[@]}" -run "$every_page" ./dashboard
}

# together COMMAND...: runs functions at once, each with its words, and prints what they said one after the other. For
# what waits more than it computes, each on a stack of its own.
together() {
	local name status=0
	local -A pids=()
	for name in "$@"; do
		$name >".dev/${name// /-}.out" 2>&1 &
		pids[$name]=$!
	done
	for name in "$@"; do
		wait "${pids[$name]}" || status=1
		cat ".dev/${name// /-}.out"
	done
	return $status
}

# faults TEST: it kills the servers of its own stack.
faults() {
	"$devstack" -no-ui -log ".dev/faults-$1.log" -- \
		go test -C test/system -tags faults -timeout 25m -run "TestFaults_$1" "${flags[@]}" ./faults
}

# The tests of the development stack.
stack() {
	(cd dev && DEVSTACK="$devstack" go test "${flags[@]}" -count=1 $(go list ./... | grep -v '/release$'))
}

# A real Prometheus watches while one thing after another is out.
alarms() {
	"$devstack" -no-ui -log .dev/alarms.log -- \
		go test -C test/system -tags faults -timeout 25m -run TestAlarms_Fire "${flags[@]}" ./watch
}

# Chaos for a minute; and it must find each planted bug.
chaos() {
	go build -buildvcs=false -o .dev/bin/ ./cmd/emissor ./cmd/sefin-simulator ./cmd/saopaulo-simulator
	(cd test/system && go build -buildvcs=false -o ../../.dev/bin/ ./chaos)
	"$devstack" -no-ui -log .dev/chaos.log -- .dev/bin/chaos -notes 400 -faults 12 \
		-emissor .dev/bin/emissor -simulator .dev/bin/sefin-simulator -sao-paulo .dev/bin/saopaulo-simulator
}

planted() {
	"$devstack" -no-ui -log .dev/planted.log -- \
		go test -C test/system -tags planted -count=1 -parallel 3 -timeout 15m -run TestPlanted "${flags[@]}" ./chaos
}

# From the first version to the tree as it is, under load, and back.
upgrade() {
	"$devstack" -no-ui -log .dev/upgrade.log -- \
		go test -C test/system -tags upgrade -count=1 -timeout 30m "${flags[@]}" ./upgrade
}

# What make release makes, twice: the second time without anything of the first.
release() {
	(cd dev && go test -timeout 30m -count=1 "${flags[@]}" ./release)
}

# The handbook on a machine of its own, where make containers has made one: its parts take a quarter of an hour.
containers() {
	if [ -d .dev/containers/parts ]; then
		dev/containers/run.sh "${flags[@]}"
	else
		echo 'SKIPPED: docker-compose.yml was not run, and nobody followed the pages about it: make containers does'
	fi
}

# The Helm chart: what it makes of values and, where make kubernetes has built one, what becomes of it on a cluster.
helm_chart() {
	(cd dev/kubernetes && go test "${flags[@]}" .)
	if [ -e .dev/kubernetes/built ]; then
		dev/kubernetes/cluster.sh "${flags[@]}"
	else
		echo 'SKIPPED: the chart on a real API server: make kubernetes does'
	fi
}

# on_day DAY: what make test runs, on that day.
on_day() { LONG_TESTS='' DATE=$1 dev/test.sh; }

# The database is lost and restored, and a replica takes over: once each.
drill() {
	(cd test/system && go build -buildvcs=false -o ../../.dev/bin/ ./drill)
	"$devstack" -no-ui -log .dev/drill.log -- \
		.dev/bin/drill -rounds 1 -failovers 1 -load 20s -programs "$BUILT_PROGRAMS"
}

chaos_and_drill() {
	chaos
	drill
}

if [ -n "${LONG_TESTS:-}" ]; then
	phase 'what has goroutines, under the race detector' long_race
	phase 'all other packages, random cases beyond the first' long_others
	phase 'test/system' system
	[ -e .dev/bin/vacuum ] || echo 'SKIPPED: vacuum did not lint api/openapi.yaml: make lint-api builds it, and does'
	phase 'all packages, on the first day of a year' on_day 2027-01-01
	phase 'all packages, on 29 February' on_day 2028-02-29
	phase 'faults, many; the development stack' together \
		'faults SandboxNotes' 'faults LiveNotes' 'faults SaoPaulo' 'faults AllAuthorities' stack
	phase 'every page; alarms; an upgrade; chaos, restore' together pages alarms upgrade chaos_and_drill
	phase 'chaos sees every planted bug' planted
	phase 'a release, made twice' release
	phase 'PostgreSQL 14 to 18' dev/postgres.sh "${flags[@]}"
	phase 'containers, by the handbook' containers
	phase 'the Helm chart on a real API server' helm_chart
elif [ -n "${GATE:-}" ]; then
	phase 'faults' faults AllAuthorities
	phase 'chaos' chaos
	phase 'chaos sees planted bugs' planted
else
	if [[ " $* " == *' -run'* ]]; then # also what the lists leave out
		phase 'all packages' packages "${largest[@]}" ./...
	elif [ -n "${RACE:-}" ]; then
		phase 'what has goroutines, under the race detector' race
		phase 'all other packages' others
	else
		phase 'all packages' packages -skip "$(names dev/long_tests.txt)" "${largest[@]}" ./...
	fi
	phase 'the development modules' development
	left="$(cat <(grep -rh --include='*_test.go' '^	long\.Only(t' .) <(grep -v '^#' dev/long_tests.txt) | wc -l)"
	left+=' tests are left to make test-long'
fi
echo "where the time went:$table"
if [ -n "${LONG_TESTS:-}" ] && [ $# = 0 ] && [ -z "$(git status --porcelain)" ]; then
	git rev-parse HEAD >>.dev/green # which make release asks for; a run of some tests is none
fi
[ -z "${left:-}" ] || echo "$left, and random cases beyond the first (LONG_TESTS=1 go test runs all)"
if [ -s "$SKIPPED_TESTS" ]; then
	echo "$(wc -l <"$SKIPPED_TESTS") tests were SKIPPED: the official material of the authorities is not here" \
		"(NATIONAL_REFERENCE names its folder; CONTRIBUTING.md says where it is published)"
fi
