package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Everything that may wait for a network has a timeout.
const (
	reachTimeout   = 10 * time.Second
	installTimeout = 5 * time.Minute
	scanTimeout    = 10 * time.Minute
)

// vulnerabilities is one run of govulncheck.
type vulnerabilities struct {
	database string   // folder or URL
	tool     string   // package@version
	bin      string   // where it is built
	modules  []string // folders of the modules to look at
}

// check prints the output of govulncheck, and fails for a vulnerability that the code
// reaches. Without database or tool it prints SKIPPED.
func (v vulnerabilities) check(ctx context.Context, out io.Writer) error {
	database, err := reach(ctx, v.database, reachTimeout)
	if err != nil {
		return skipped(out, "its database cannot be had (GOVULNDB names a folder or URL): %v", err)
	}
	program, err := v.install(ctx)
	if err != nil {
		return skipped(out, "it cannot be built: %v", err)
	}
	return scanAll(ctx, out, program, database, v.modules)
}

func scanAll(ctx context.Context, out io.Writer, program, database string, modules []string) error {
	var found []error
	for _, module := range modules {
		found = append(found, scan(ctx, out, program, database, module))
	}
	return errors.Join(found...)
}

// scan prints what govulncheck says of the module in a folder, and fails if that is a vulnerability.
func scan(ctx context.Context, out io.Writer, program, database, module string) error {
	ctx, cancel := context.WithTimeout(ctx, scanTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, program, "-db", database, "./...")
	command.Dir = module
	said, err := command.CombinedOutput()
	if ctx.Err() != nil {
		return skipped(out, "it took more than %s in %s", scanTimeout, module)
	}
	fmt.Fprintf(out, "govulncheck in %s, with the database %s:\n%s", module, database, said)
	if err != nil {
		return fmt.Errorf("govulncheck in %s: %w", module, err)
	}
	return nil
}

func skipped(out io.Writer, format string, args ...any) error {
	fmt.Fprintf(out, "govulncheck was SKIPPED: "+format+"\n", args...)
	return nil
}

// reach returns the URL of a database that answers.
func reach(ctx context.Context, database string, timeout time.Duration) (address string, err error) {
	const index = "index/db.json"
	folder, isFile := strings.CutPrefix(database, "file://")
	if isFile || !strings.Contains(database, "://") {
		if folder, err = filepath.Abs(folder); err == nil {
			_, err = os.Stat(filepath.Join(folder, index))
		}
		return "file://" + folder, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(database, "/")+"/"+index, nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", errors.New(answer.Status)
	}
	return database, nil
}

func (v vulnerabilities) install(ctx context.Context) (program string, err error) {
	ctx, cancel := context.WithTimeout(ctx, installTimeout)
	defer cancel()
	bin, err := filepath.Abs(v.bin)
	if err != nil {
		return "", err
	}
	install := exec.CommandContext(ctx, "go", "install", v.tool)
	install.Env = append(os.Environ(), "GOBIN="+bin, "CGO_ENABLED=0")
	if said, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, bytes.TrimSpace(said))
	}
	return filepath.Join(bin, "govulncheck"), nil
}
