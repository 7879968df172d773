package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// versionFile names the version; a released one is a commit that changes this file.
const versionFile = "cmd/emissor/VERSION"

// source is the tree of a commit, apart from the folder in which people work.
type source struct {
	folder    string
	commit    string
	committed time.Time // the time of everything that is made of it
	version   string
	toolchain string // the version of Go that it is built with, as go1.26.8
}

// checkOut writes the tree of a commit into a folder.
func checkOut(ctx context.Context, repository, revision, folder string) (s source, err error) {
	s.folder = folder
	if s.commit, err = git(ctx, repository, "rev-parse", "--verify", revision+"^{commit}"); err != nil {
		return s, err
	}
	seconds, err := git(ctx, repository, "show", "-s", "--format=%ct", s.commit)
	if err != nil {
		return s, err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return s, err
	}
	s.committed = time.Unix(unix, 0).UTC()
	archive := filepath.Join(folder, ".tar")
	if _, err := git(ctx, repository, "archive", "--format=tar", "--output="+archive, s.commit); err != nil {
		return s, err
	}
	if output, err := exec.CommandContext(ctx, "tar", "-xf", archive, "-C", folder).CombinedOutput(); err != nil {
		return s, fmt.Errorf("tar: %w: %s", err, output)
	}
	if err := os.Remove(archive); err != nil {
		return s, err
	}
	if err := s.readVersions(); err != nil {
		return s, err
	}
	return s, s.checkVersion(ctx, repository)
}

// toolchain matches the line of go.mod with the version of Go that releases are built with: the one with today's
// fixes of the library, not the least one that builds the module.
var toolchain = regexp.MustCompile(`(?m)^toolchain (go\S+)$`)

func (s *source) readVersions() error {
	version, err := os.ReadFile(filepath.Join(s.folder, versionFile))
	if err != nil {
		return err
	}
	s.version = strings.TrimSpace(string(version))
	module, err := os.ReadFile(filepath.Join(s.folder, "go.mod"))
	if err != nil {
		return err
	}
	found := toolchain.FindSubmatch(module)
	if found == nil {
		return errors.New("go.mod names no toolchain")
	}
	s.toolchain = string(found[1])
	return nil
}

// checkVersion refuses what would be a second release of the same version: only the commit that says 1.0.0 is 1.0.0.
func (s *source) checkVersion(ctx context.Context, repository string) error {
	if strings.HasSuffix(s.version, "-dev") {
		return nil
	}
	first, err := git(ctx, repository, "log", "-1", "--format=%H", s.commit, "--", versionFile)
	if err == nil && first != s.commit {
		err = fmt.Errorf("%s says %s, which is the commit %s: release that one, or change the version first",
			versionFile, s.version, first)
	}
	return err
}

// environment returns the environment of the go command: nothing of the machine's own changes what is built.
func (s *source) environment(platform string) []string {
	system, architecture, _ := strings.Cut(platform, "/")
	return append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+architecture, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=-mod=readonly", "GOEXPERIMENT=", "GOWORK=off", "GOTOOLCHAIN="+s.toolchain, "GODEBUG=")
}

func git(ctx context.Context, repository string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, "git", append([]string{"-C", repository}, arguments...)...)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", arguments[0], err)
	}
	return strings.TrimSpace(string(output)), nil
}
