package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// between is the pause between two looks at the processes: what a program uses after the last one is not seen.
const between = 200 * time.Millisecond

// ticks is how many ticks of /proc are a second: 100 on every Linux that Go runs on.
const ticks = 100

// binaries watches how much processor time test programs use, with the programs that they start. go test does not
// say it, and -exec, which could, would end its cache.
type binaries struct {
	enough chan struct{}
	result chan map[string]time.Duration
}

// watchBinaries watches those that a process of go test starts.
func watchBinaries(starter int) *binaries {
	b := &binaries{make(chan struct{}), make(chan map[string]time.Duration, 1)}
	go b.watch(strconv.Itoa(starter))
	return b
}

// stop ends the watching, and returns the processor time by the folder of the package.
func (b *binaries) stop() map[string]time.Duration {
	close(b.enough)
	return <-b.result
}

func (b *binaries) watch(starter string) {
	clock := time.NewTicker(between)
	defer clock.Stop()
	used := map[string]time.Duration{} // by process
	folders := map[string]string{}     // likewise: where it runs, which is its package's folder
	for {
		select {
		case <-b.enough:
			total := map[string]time.Duration{}
			for process, folder := range folders {
				total[folder] += used[process]
			}
			b.result <- total
			return
		case <-clock.C:
			look(starter, used, folders)
		}
	}
}

// look reads what each test program has used.
func look(starter string, used map[string]time.Duration, of map[string]string) {
	folders, _ := filepath.Glob("/proc/[0-9]*") // a pattern that is right
	for _, folder := range folders {
		program, err := os.Readlink(folder + "/exe")
		if err != nil || !strings.HasSuffix(program, ".test") {
			continue
		}
		stat, err := os.ReadFile(folder + "/stat")
		if err != nil {
			continue
		}
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after) // from the third one on (proc_pid_stat(5)): ppid is 4, utime to cstime 14 to 17
		if len(fields) < 20 || fields[1] != starter {
			continue
		}
		process := folder + " " + fields[19] // when it began
		if _, known := of[process]; !known {
			at, err := os.Readlink(folder + "/cwd")
			if err != nil {
				continue
			}
			of[process] = at
		}
		sum := 0
		for _, field := range fields[11:15] {
			number, _ := strconv.Atoi(field)
			sum += number
		}
		used[process] = time.Duration(sum) * time.Second / ticks
	}
}
