package main

import (
	"os"
	"runtime/debug"
)

// collectSeldom lets the heap grow to five times what is in use before garbage is
// collected, unless GOGC says otherwise. A process uses some ten megabytes, and each note makes
// one of garbage: at Go's default the collector takes a sixth of a worker's CPU time.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
