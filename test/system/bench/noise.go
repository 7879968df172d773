package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// noise is what else the machine did between two moments.
type noise struct {
	busy, others, stolen float64 // shares of all cores
}

// String says it in words.
func (n noise) String() string {
	return fmt.Sprintf("the cores were busy for %.0f %% of the time, "+
		"for %.1f %% with programs that do not belong to it, "+
		"and %.1f %% were stolen by other guests of the host", 100*n.busy, 100*n.others, 100*n.stolen)
}

// noiseMeter measures noise from one moment on.
type noiseMeter struct {
	ticks cpuTicks
	ours  time.Duration
}

func startNoise() (m noiseMeter, err error) {
	if m.ticks, err = readTicks(); err != nil {
		return m, err
	}
	m.ours, err = oursUsed(os.Getppid())
	return m, err
}

func (m noiseMeter) noise() (noise, error) {
	now, err := startNoise()
	if err != nil {
		return noise{}, err
	}
	all := float64(max(1, now.ticks.all-m.ticks.all))
	busy := float64(now.ticks.all-m.ticks.all) - float64(now.ticks.idle-m.ticks.idle) -
		float64(now.ticks.stolen-m.ticks.stolen)
	return noise{
		busy:   busy / all,
		others: max(0, busy-float64((now.ours-m.ours)/tick)) / all,
		stolen: float64(now.ticks.stolen-m.ticks.stolen) / all,
	}, nil
}

// oursUsed is the CPU time of devstack and of all that it and its children
// started, also of what has ended.
func oursUsed(devstack int) (sum time.Duration, err error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	children := map[int][]int{}
	stats := map[int]stat{}
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return 0, err
		}
		if stat, err := readStat(pid); err == nil { // it may have ended meanwhile
			stats[pid] = stat
			children[stat.parent] = append(children[stat.parent], pid)
		}
	}
	var add func(pid int)
	add = func(pid int) {
		sum += stats[pid].own + stats[pid].children
		for _, child := range children[pid] {
			add(child)
		}
	}
	add(devstack)
	return sum, nil
}

// cpuTicks are the kernel's sums over all cores since its start.
type cpuTicks struct{ all, idle, stolen int64 }

func readTicks() (t cpuTicks, err error) {
	file, err := os.Open("/proc/stat")
	if err != nil {
		return t, err
	}
	defer file.Close()
	line, err := bufio.NewReader(file).ReadString('\n')
	if err != nil {
		return t, err
	}
	// cpu user nice system idle iowait irq softirq steal, and guests, which are in user already
	for i, field := range strings.Fields(line)[1:9] {
		value, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return t, err
		}
		t.all += value
		switch i {
		case 3, 4:
			t.idle += value
		case 7:
			t.stolen = value
		}
	}
	return t, nil
}
