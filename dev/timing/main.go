// Command timing runs go test and says where the time went: the packages and tests that took longest, the processor
// time of each package, and how much of all went into compiling and linking.
//
//	timing [flags and packages of go test]
//
// It prints a line for each package, as go test does, and the output of what failed; -v prints all of it. It ends as
// go test ends.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	command := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	command.Stderr = os.Stderr
	events, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "timing:", err)
		os.Exit(1)
	}
	watched := watchBinaries(command.Process.Pid)
	results := newResults(os.Stdout, slices.Contains(os.Args, "-v"))
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var one event
			if json.Unmarshal(line, &one) == nil {
				results.add(one)
			} else {
				os.Stdout.Write(line) // what is no event is said as it is
			}
		}
		if err != nil {
			break
		}
	}
	failed := command.Wait()
	results.print(byPackage(watched.stop()), childrenCPU())
	if exit, is := errors.AsType[*exec.ExitError](failed); is {
		os.Exit(exit.ExitCode())
	} else if failed != nil {
		fmt.Fprintln(os.Stderr, "timing:", failed)
		os.Exit(1)
	}
}

// byPackage names packages by their folders, as go list does from where this program was started.
func byPackage(folders map[string]time.Duration) map[string]time.Duration {
	listed, _ := exec.Command("go", "list", "-f", "{{.Dir}} {{.ImportPath}}", "./...").Output() // none: nothing is known
	packages := map[string]time.Duration{}
	for line := range strings.Lines(string(listed)) {
		if folder, name, has := strings.Cut(strings.TrimSpace(line), " "); has {
			packages[name] = folders[folder]
		}
	}
	return packages
}

// childrenCPU is the processor time of all processes that ended below this one.
func childrenCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
