#!/usr/bin/env bash
# Runs all tests TIMES times (10) while another program takes a processor, in random order and with other seeds each
# time, and prints what failed and how often: nothing, if no test passes or fails by luck. Arguments are flags for go
# test. What each run said is left in .dev/flaky.
set -euo pipefail
cd "$(dirname "$0")/.."
times=${TIMES:-10} bad=0
rm -rf .dev/flaky
mkdir -p .dev/flaky
while :; do :; done &
busy=$!
trap 'kill $busy' EXIT
for run in $(seq "$times"); do
	dev/test.sh -count=1 -shuffle=on "$@" >".dev/flaky/$run.log" 2>&1 && said=passed || { said=failed && bad=$((bad + 1)); }
	echo "run $run of $times $said after $SECONDS s"
done
failed=$(grep -hE '^ *--- FAIL|^panic: test timed out' .dev/flaky/*.log | sed -E 's/^ *//; s/ \([0-9.]+s\)$//' | sort | uniq -c || true)
if [ "$bad" = 0 ]; then
	echo "all $times runs said the same: everything passed"
	exit
fi
echo "$bad of $times runs failed, and these tests in so many of them:"
echo "$failed"
exit 1
