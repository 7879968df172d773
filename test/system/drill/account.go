package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// postgresAccount is the user that PostgreSQL runs as, which refuses to run as root: root runs it as the
// user that its package made, anybody else (nil) as themselves.
func postgresAccount() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
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
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// postgresPrograms is the folder of PostgreSQL's programs.
func postgresPrograms() (string, error) {
	if path, err := exec.LookPath("postgres"); err == nil {
		// initdb lies beside the program, not beside a link to it
		path, err = filepath.EvalSymlinks(path)
		return filepath.Dir(path), err
	}
	for major := 40; major >= 14; major-- {
		folder := fmt.Sprintf("/usr/lib/postgresql/%d/bin", major)
		if _, err := os.Stat(filepath.Join(folder, "postgres")); err == nil {
			return folder, nil
		}
	}
	return "", fmt.Errorf("no PostgreSQL in PATH or /usr/lib/postgresql: install PostgreSQL 14 or newer")
}

// scriptPatience is the longest that a step takes.
const scriptPatience = 3 * time.Minute

// runScript runs a script of bash as an account, and returns what it printed.
func runScript(ctx context.Context, account *syscall.Credential, environment []string, script string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, scriptPatience)
	defer cancel()
	var output, failure bytes.Buffer
	command := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	command.Dir = "/" // the account may not be able to enter the present one
	command.Env = append(os.Environ(), environment...)
	command.Stdout, command.Stderr = &output, &failure
	command.SysProcAttr = &syscall.SysProcAttr{Credential: account}
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("%w\n%s%s\nof\n%s", err, output.String(), failure.String(), script)
	}
	return output.String(), nil
}
