package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// The guard leads the command's process group and ends the whole group, itself included, when the pipe
// it reads from closes: that is, when devstack has ended, however it did. Because it leads the group and
// ends after the command, the group's number cannot be reused before.
const guardScript = `trap '' HUP INT QUIT TERM; read -r _; kill -KILL 0`

// command is the program devstack was started for, and everything that program starts.
type command struct {
	*process
	guard *exec.Cmd
}

// startCommand runs args with env added to devstack's own environment.
func startCommand(args, env []string) (*command, error) {
	guard := exec.Command("/bin/sh", "-c", guardScript)
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if _, err := guard.StdinPipe(); err != nil { // held open until the guard is waited for
		return nil, err
	}
	if err := guard.Start(); err != nil {
		return nil, fmt.Errorf("cannot guard the command: %w", err)
	}
	c := &command{guard: guard}

	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: guard.Process.Pid, Pdeathsig: syscall.SIGKILL}
	var err error
	if c.process, err = startProcess(cmd); err != nil {
		c.endGroup()
		return nil, fmt.Errorf("cannot run the command: %w", err)
	}
	return c, nil
}

// signal passes a signal on to the whole group, as a terminal does.
func (c *command) signal(sig syscall.Signal) {
	_ = syscall.Kill(-c.guard.Process.Pid, sig)
}

// exitCode is how the command ended.
func (c *command) exitCode() int { return exitCode(c.cmd) }

// end ends what is left of the command's group.
func (c *command) end() {
	c.endGroup()
	<-c.done
}

func (c *command) endGroup() {
	c.signal(syscall.SIGKILL)
	_ = c.guard.Wait() // it was killed
}
