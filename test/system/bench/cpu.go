package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of CPU times in /proc, the same on every Linux.
const tick = 10 * time.Millisecond

// Whose CPU time is counted separately.
const (
	cpuAPI              = "api"
	cpuWorker           = "worker"
	cpuSimulator        = "simulator of the authority"
	cpuClient           = "the bare engine's worker and clients"
	cpuEmissorDatabase  = "PostgreSQL, for Emissor"
	cpuTemporalDatabase = "PostgreSQL, for Temporal"
	cpuPostgres         = "PostgreSQL, for itself"
	cpuTemporal         = "Temporal"
)

// cpuOwners are in the order of the table.
var cpuOwners = []string{
	cpuAPI, cpuWorker, cpuSimulator, cpuClient, cpuEmissorDatabase, cpuTemporalDatabase, cpuPostgres, cpuTemporal,
}

// cpuMeter measures CPU time from one moment to another.
type cpuMeter struct {
	b         *bench
	database  string // Emissor's
	processes map[int]string
	begin     cpuSnapshot
}

// cpuSnapshot is the CPU time of processes since their beginning.
type cpuSnapshot struct {
	used map[int]time.Duration
	// backends are PostgreSQL's processes, by whom they work for; those that have ended are counted by their parent.
	backends   map[int]string
	postmaster time.Duration
}

// startCPU begins to measure the stack and the processes of an installation, or of none.
func (b *bench) startCPU(ctx context.Context, i *installation) (*cpuMeter, error) {
	m := &cpuMeter{b: b, processes: map[int]string{}}
	temporal, err := findTemporal()
	if err != nil {
		return nil, err
	}
	m.processes[temporal] = cpuTemporal
	if i != nil {
		m.database = i.databaseName
		m.processes[i.api.PID()] = cpuAPI
		for _, worker := range i.workers {
			m.processes[worker.PID()] = cpuWorker
		}
		if i.simulator != nil {
			m.processes[i.simulator.PID()] = cpuSimulator
		}
		if i.city != nil {
			m.processes[i.city.PID()] = cpuSimulator
		}
	}
	m.begin, err = m.snapshot(ctx)
	return m, err
}

// used is what each has used since the beginning.
func (m *cpuMeter) used(ctx context.Context) (map[string]time.Duration, error) {
	now, err := m.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	used := map[string]time.Duration{}
	for pid, owner := range m.processes {
		used[owner] += now.used[pid] - m.begin.used[pid]
	}
	// What no present backend has used was used by those that have ended.
	used[cpuPostgres] = now.postmaster - m.begin.postmaster
	for pid, owner := range now.backends {
		used[owner] += now.used[pid] - m.begin.used[pid]
	}
	for pid := range m.begin.backends {
		if _, lives := now.backends[pid]; !lives {
			used[cpuPostgres] -= m.begin.used[pid]
		}
	}
	return used, nil
}

func (m *cpuMeter) snapshot(ctx context.Context) (cpuSnapshot, error) {
	s := cpuSnapshot{used: map[int]time.Duration{}, backends: map[int]string{}}
	var backends []struct {
		PID      int
		Database string
		Own      bool
	}
	if err := m.b.database.SQL.SelectContext(ctx, &backends, `SELECT pid, coalesce(datname, '') AS database,
		pid = pg_backend_pid() AS own FROM pg_stat_activity`); err != nil {
		return s, err
	}
	for _, backend := range backends {
		stat, err := readStat(backend.PID)
		if err != nil {
			continue // it has just ended
		}
		if backend.Own {
			postmaster, err := readStat(stat.parent)
			if err != nil {
				return s, err
			}
			s.postmaster = postmaster.own + postmaster.children
		}
		s.used[backend.PID] = stat.own
		s.backends[backend.PID] = m.workingFor(backend.Database)
	}
	for pid := range m.processes {
		stat, err := readStat(pid)
		if err != nil {
			return s, err
		}
		s.used[pid] = stat.own
	}
	return s, nil
}

func (m *cpuMeter) workingFor(database string) string {
	switch {
	case database == m.database && database != "":
		return cpuEmissorDatabase
	case strings.HasPrefix(database, "temporal"):
		return cpuTemporalDatabase
	default:
		return cpuPostgres
	}
}

// stat is what /proc tells of a process.
type stat struct {
	parent        int
	own, children time.Duration // of children that have ended
}

func readStat(pid int) (s stat, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, err
	}
	// What comes before is the program's name, which may hold anything.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 15 {
		return s, fmt.Errorf("/proc/%d/stat is too short", pid)
	}
	var numbers [5]int
	for i, at := range []int{1, 11, 12, 13, 14} {
		if numbers[i], err = strconv.Atoi(fields[at]); err != nil {
			return s, err
		}
	}
	return stat{
		parent: numbers[0], own: time.Duration(numbers[1]+numbers[2]) * tick,
		children: time.Duration(numbers[3]+numbers[4]) * tick,
	}, nil
}

// findTemporal finds the process of the server: devstack, which started this
// program, also started it.
func findTemporal() (pid int, err error) {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		command, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(command, []byte("/engine\x00server\x00")) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return 0, err
		}
		if stat, err := readStat(pid); err == nil && stat.parent == os.Getppid() {
			return pid, nil
		}
	}
	return 0, fmt.Errorf("devstack (process %d) runs no Temporal server", os.Getppid())
}
