# Moves the clock of everything that dev/test.sh starts to noon of a day: DATE, as 2027-01-05. To be sourced.
#
# Programs in Go read the clock of the processor themselves. They are built with a package time that adds the seconds
# that EMISSOR_MOVED_CLOCK says, by go build -overlay, so that they are built once for all days. PostgreSQL, the shell
# and the tools that tests call load date.c before the C library. (With libfaketime no time-out of PostgreSQL's ends
# anything.) What elapses is not touched. Temporal's UI and browsers keep the machine's clock.
mkdir -p .dev/date
now=$(date +%s)
export EMISSOR_MOVED_CLOCK=$(($(date -u -d "$DATE 12:00" +%s) - now))
std=$(go env GOROOT)/src/time
cat >.dev/date/moved.go <<'END'
package time

import "syscall"

// moved is by how many seconds the clock is moved.
var moved = func() (seconds int64) {
	text, _ := syscall.Getenv("EMISSOR_MOVED_CLOCK")
	for _, digit := range []byte(text) {
		if digit != '-' {
			seconds = seconds*10 + int64(digit-'0')
		}
	}
	if text != "" && text[0] == '-' {
		return -seconds
	}
	return seconds
}()
END
sed 's/^\tsec, nsec, mono := runtimeNow()$/&\n\tsec += moved/' "$std/time.go" >.dev/date/time.go
[ "$(grep -c '^	sec += moved$' .dev/date/time.go)" = 1 ] ||
	{ echo "this Go has another time.Now: dev/date.sh"; exit 1; }
printf '{"Replace": {"%s/time.go": "%s/.dev/date/time.go", "%s/moved.go": "%s/.dev/date/moved.go"}}\n' \
	"$std" "$PWD" "$std" "$PWD" >.dev/date/overlay.json
export GOFLAGS="-overlay=$PWD/.dev/date/overlay.json"
[ .dev/date/engine -nt dev/go.mod ] || dev/build-engine.sh .dev/date/engine
cp .dev/bin/devstack .dev/bin/engine-ui .dev/date/ # it takes the engine and the UI beside it
devstack=$PWD/.dev/date/devstack
gcc -O2 -shared -fPIC -o .dev/date/date.so dev/date.c
export LD_PRELOAD=$PWD/.dev/date/date.so
