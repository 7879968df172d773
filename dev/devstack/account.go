package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user that PostgreSQL runs as. It refuses to run as root: root runs it as the user that
// its package made, anybody else as themselves.
type account struct {
	credential *syscall.Credential // nil: the user who runs devstack
	abilities  []uintptr
}

// capDACOverride is the number of Linux's capability to pass through directories regardless of their mode.
const capDACOverride = 1

// postgresAccount finds the account.
func postgresAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return &account{}, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL refuses to run as root, and its own account is missing: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &account{credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// own gives a file or directory to the account.
func (a *account) own(path string) error {
	if a.credential == nil {
		return nil
	}
	return os.Chown(path, int(a.credential.Uid), int(a.credential.Gid))
}

// reach makes sure that the account can get to dir. Where a directory above is closed to others, as the
// home of root usually is, the account is given the capability to pass.
func (a *account) reach(ctx context.Context, dir string) error {
	err := a.visit(ctx, dir)
	if err == nil || a.credential == nil {
		return err
	}
	a.abilities = []uintptr{capDACOverride}
	if a.visit(ctx, dir) == nil {
		return nil
	}
	return fmt.Errorf("the account that PostgreSQL runs as cannot reach %s: "+
		"open the directories above it (chmod o+x), or choose another with -state", dir)
}

// visit enters dir, in a shell: an ambient capability counts only after a program has been executed.
func (a *account) visit(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", `cd "$1"`, "sh", dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = a.attributes()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot reach %s: %w: %s", dir, err, out)
	}
	return nil
}

// attributes make a command run as the account.
func (a *account) attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential, AmbientCaps: a.abilities}
}
