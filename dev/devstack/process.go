package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// process is a child that is being waited for.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed once the child has ended and been reaped
}

// startProcess starts cmd, whose SysProcAttr must set its process group and how it ends with devstack.
func startProcess(cmd *exec.Cmd) (*process, error) {
	if err := startOnLastingThread(cmd); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is in cmd.ProcessState
		close(p.done)
	}()
	return p, nil
}

// signalAll signals a process and its children. PostgreSQL's are no members of its process group.
func signalAll(p *process, signal syscall.Signal) error {
	pid := p.cmd.Process.Pid
	pids := []string{strconv.Itoa(pid)}
	if children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)); err == nil {
		pids = append(pids, strings.Fields(string(children))...)
	}
	for i, text := range pids {
		pid, err := strconv.Atoi(text)
		if err == nil {
			err = syscall.Kill(pid, signal)
		}
		if err != nil && i == 0 { // a child may have ended
			return err
		}
	}
	return nil
}

var (
	startRequests = make(chan func())
	startThread   sync.Once
)

// startOnLastingThread starts cmd from a thread that ends only with devstack: the kernel sends a child
// its Pdeathsig when the thread that forked it ends, and Go may end any other thread at any time.
func startOnLastingThread(cmd *exec.Cmd) error {
	startThread.Do(func() {
		go func() {
			runtime.LockOSThread()
			for start := range startRequests {
				start()
			}
		}()
	})
	result := make(chan error)
	startRequests <- func() { result <- cmd.Start() }
	return <-result
}

// exitCode is as of a shell: the code the process ended with, or 128 and the signal that ended it.
func exitCode(cmd *exec.Cmd) int {
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return cmd.ProcessState.ExitCode()
}
