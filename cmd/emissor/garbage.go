package main

import (
	"os"
	"runtime/debug"
)

// collectSeldom lets the heap grow to five times what is in use before garbage is
// collected, unless GOGC says otherwise. A process uses some ten megabytes, and a note
// leaves one behind: at Go's default the collector is a sixth of a worker's CPU time.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
