package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"emissor/dev/licences"
)

// program is what is released.
const program = "./cmd/emissor"

type options struct {
	repository string
	commit     string
	out        string
	platforms  []string
	registry   string // host and path that image and chart are published to; empty for nowhere
}

// makeRelease makes the files of a release, publishes image and chart where that is asked for, and returns the folder
// that the files are in.
func makeRelease(ctx context.Context, o options) (folder string, err error) {
	tree, err := os.MkdirTemp("", "emissor-source")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tree)
	s, err := checkOut(ctx, o.repository, o.commit, tree)
	if err != nil {
		return "", err
	}
	folder = filepath.Join(o.out, "emissor-"+s.version)
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return "", err
	}
	for _, platform := range o.platforms {
		fmt.Printf("%s of %s for %s\n", s.version, s.commit[:12], platform)
		if err := s.makePlatform(ctx, folder, platform); err != nil {
			return "", fmt.Errorf("%s: %w", platform, err)
		}
	}
	if err := writeChecksums(folder); err != nil || o.registry == "" {
		return folder, err
	}
	published, err := s.publish(o.registry, folder, o.platforms)
	for _, reference := range published {
		fmt.Println("published", reference)
	}
	return folder, err
}

// fileOf is how the names of a platform's files begin.
func (s source) fileOf(folder, platform string) string {
	return filepath.Join(folder, "emissor-"+s.version+"-"+strings.ReplaceAll(platform, "/", "-"))
}

// makePlatform makes the files of a platform.
func (s source) makePlatform(ctx context.Context, folder, platform string) error {
	name := s.fileOf(folder, platform)
	if err := s.build(ctx, name, platform); err != nil {
		return err
	}
	modules, err := licences.Of(ctx, s.folder, program, s.environment(platform))
	if err != nil {
		return err
	}
	texts, err := s.licenceTexts(ctx, modules)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".licences.txt", []byte(texts), 0o644); err != nil {
		return err
	}
	if err := s.writeBill(name+".cdx.json", name, modules); err != nil {
		return err
	}
	return s.writeImage(name+".image.tar", platform, name, texts)
}

// build builds the program, without anything of this machine in it.
func (s source) build(ctx context.Context, target, platform string) error {
	target, err := filepath.Abs(target)
	if err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -X main.linkedCommit="+s.commit, "-o", target, program)
	build.Dir, build.Env = s.folder, s.environment(platform)
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	return nil
}

// licenceTexts returns the licence texts of Emissor, of the modules that are linked, and of Go itself.
func (s source) licenceTexts(ctx context.Context, modules []licences.Module) (string, error) {
	root := exec.CommandContext(ctx, "go", "env", "GOROOT")
	root.Dir, root.Env = s.folder, s.environment(runtime.GOOS+"/"+runtime.GOARCH)
	output, err := root.Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	own, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(output)), "LICENSE"))
	if err != nil {
		return "", err
	}
	product, err := os.ReadFile(filepath.Join(s.folder, "LICENSE"))
	if err != nil {
		return "", err
	}
	var texts strings.Builder
	add := func(name, text string) {
		fmt.Fprintf(&texts, "%s\n%s\n\n%s\n\n", name, strings.Repeat("=", len(name)), strings.TrimSpace(text))
	}
	add("Emissor "+s.version, string(product))
	add("Go and its standard library "+s.toolchain, string(own))
	for _, m := range modules {
		if !m.Usable {
			return "", fmt.Errorf("%s is linked under a licence that is not known, or asks for the source (%s)", m.Path,
				m.Names)
		}
		add(m.Path+" "+m.Version+" ("+m.Names+")", m.Text+m.Notices)
	}
	return texts.String(), nil
}

// checksumFile has the SHA-256 of every other file, as `sha256sum -c` reads it.
const checksumFile = "SHA256SUMS"

func writeChecksums(folder string) error {
	entries, err := os.ReadDir(folder) // by name
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(content), entry.Name())
	}
	return os.WriteFile(filepath.Join(folder, checksumFile), []byte(lines.String()), 0o644)
}
