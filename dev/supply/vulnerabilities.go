package main

import (
	"bytes"
	"context"
	"encoding/json"
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

// mostAge is how old a database may be by which a release is looked at.
const mostAge = 30 * 24 * time.Hour

// vulnerabilities is one run of govulncheck.
type vulnerabilities struct {
	database string   // folder or URL
	tool     string   // package@version
	bin      string   // where it is built
	modules  []string // folders of the modules to look at
	must     bool     // for a release: they are looked for, in a database of these days
	day      string   // the file that holds the day of the database by which they were looked for last
}

// check prints the output of govulncheck, and fails for a vulnerability that the code
// reaches. Without database or tool it prints, in one line, that they were not looked for and since when;
// where they must be, it fails then.
func (v vulnerabilities) check(ctx context.Context, out io.Writer) error {
	database, modified, err := reach(ctx, v.database, reachTimeout)
	if err != nil {
		return v.skip(out, fmt.Errorf("the database cannot be had (GOVULNDB names a folder or URL): %w", err))
	}
	if v.must && time.Since(modified) > mostAge {
		return fmt.Errorf("vulnerabilities: the database is of %s, more than 30 days ago (GOVULNDB names another)",
			modified.Format(time.DateOnly))
	}
	program, err := v.install(ctx)
	if err != nil {
		return v.skip(out, fmt.Errorf("govulncheck cannot be built: %w", err))
	}
	if err := scanAll(ctx, out, program, database, v.modules); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return v.skip(out, err)
		}
		return err
	}
	return os.WriteFile(v.day, []byte(modified.Format(time.DateOnly)), 0o644)
}

func (v vulnerabilities) skip(out io.Writer, why error) error {
	if v.must {
		return fmt.Errorf("vulnerabilities were not looked for: %w", why)
	}
	since := "never yet on this machine"
	if day, err := os.ReadFile(v.day); err == nil {
		since = fmt.Sprintf("the last time with the database of %s", day)
	}
	fmt.Fprintf(out, "vulnerabilities were NOT LOOKED FOR (%s): %v\n", since, why)
	return nil
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
		return fmt.Errorf("govulncheck in %s: %w", module, ctx.Err())
	}
	fmt.Fprintf(out, "govulncheck in %s, with the database %s:\n%s", module, database, said)
	if err != nil {
		return fmt.Errorf("govulncheck in %s: %w", module, err)
	}
	return nil
}

// reach returns the URL of a database that answers, and when it was made.
func reach(ctx context.Context, database string, timeout time.Duration) (
	address string, modified time.Time, err error,
) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var index []byte
	folder, isFile := strings.CutPrefix(database, "file://")
	if isFile || !strings.Contains(database, "://") {
		if folder, err = filepath.Abs(folder); err == nil {
			index, err = os.ReadFile(filepath.Join(folder, indexFile))
		}
		database = "file://" + folder
	} else {
		index, err = download(ctx, strings.TrimRight(database, "/")+"/"+indexFile)
	}
	if err != nil {
		return "", modified, err
	}
	var said struct {
		Modified time.Time `json:"modified"`
	}
	err = json.Unmarshal(index, &said)
	return database, said.Modified, err
}

// indexFile says of a database when it was made.
const indexFile = "index/db.json"

func download(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New(answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, 1<<20))
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
