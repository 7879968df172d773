#!/usr/bin/env bash
# Runs all tests TIMES times (10) while another program takes a processor, in random order and with other seeds each
# time, and prints what failed and how often: nothing, if no test passes or fails by luck. Arguments are flags for go
# test. What each run said is left in .dev/flaky.
set -euo pipefail
cd "$(dirname "$0")/.."
times=${TIMES:-10}
rm -rf .dev/flaky
mkdir -p .dev/flaky
while :; do :; done &
busy=$!
trap 'kill $busy' EXIT
for run in $(seq "$times"); do
	dev/test.sh -count=1 -shuffle=on "$@" >".dev/flaky/$run.log" 2>&1 && said=passed || said=failed
	echo "run $run of $times $said after $SECONDS s"
done
failed=$(grep -hE '^ *--- FAIL|^panic: test timed out' .dev/flaky/*.log | sed -E 's/^ *//; s/ \([0-9.]+s\)$//' | sort | uniq -c || true)
if [ -z "$failed" ] && ! grep -qE '^FAIL' .dev/flaky/*.log; then
	echo "all $times runs said the same: everything passed"
	exit
fi
echo "failed, and in how many of $times runs:"
echo "$failed"
exit 1
