package nationaltest

import (
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"emissor/fiscal"
	"emissor/test/reference"
)

// batch is how many files one process checks.
const batch = 250

// Validator checks messages by xmllint and xmlsec1, many in one process.
type Validator struct {
	t         *testing.T
	directory string
	schema    string
	trusted   string
	files     []string
}

// NewValidator makes one for a file of the official schemas. It skips the test
// where they are not there, and fails it where a program is missing.
func NewValidator(t *testing.T, schema string) *Validator {
	t.Helper()
	return NewValidatorOf(t, reference.National(t, "xsd-1.01", schema))
}

// NewValidatorOf makes one for any schema.
func NewValidatorOf(t *testing.T, schema string) *Validator {
	t.Helper()
	for program, pack := range map[string]string{"xmllint": "libxml2-utils", "xmlsec1": "xmlsec1"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is missing: install Debian's package %s", program, pack)
		}
	}
	v := &Validator{t: t, directory: t.TempDir(), schema: schema}
	v.trusted = filepath.Join(v.directory, "trusted.pem")
	certificate := &pem.Block{Type: "CERTIFICATE", Bytes: Credentials(t).Certificate.Certificate[0]}
	if err := os.WriteFile(v.trusted, pem.EncodeToMemory(certificate), 0o600); err != nil {
		t.Fatal(err)
	}
	return v
}

// Add adds a message to those that are checked.
func (v *Validator) Add(message fiscal.Message) {
	v.t.Helper()
	file := filepath.Join(v.directory, fmt.Sprintf("%05d.xml", len(v.files)))
	if err := os.WriteFile(file, message.XML, 0o600); err != nil {
		v.t.Fatal(err)
	}
	v.files = append(v.files, file)
}

// Validate checks every message by the schema, with xmllint.
func (v *Validator) Validate() {
	v.t.Helper()
	v.run(func(files []string) error {
		arguments := append([]string{"--nonet", "--noout", "--schema", v.schema}, files...)
		out, err := exec.Command("xmllint", arguments...).CombinedOutput()
		if valid := strings.Count(string(out), " validates\n"); err != nil || valid != len(files) {
			return fmt.Errorf("xmllint: %d of %d are valid, %v\n%s", valid, len(files), err, problems(out, "validates"))
		}
		return nil
	})
}

// Verify has xmlsec1 verify the signature of every message's element, with our
// certificate as the only root.
func (v *Validator) Verify(element string) {
	v.t.Helper()
	v.verify("--id-attr:Id", element, "--enabled-reference-uris", "same-doc")
}

// VerifyWhole does so for signatures of whole messages.
func (v *Validator) VerifyWhole() {
	v.t.Helper()
	v.verify("--enabled-reference-uris", "empty")
}

func (v *Validator) verify(options ...string) {
	v.t.Helper()
	v.run(func(files []string) error {
		arguments := slices.Concat([]string{"--verify"}, options, []string{"--trusted-pem", v.trusted}, files)
		out, err := exec.Command("xmlsec1", arguments...).CombinedOutput()
		lines := "\n" + string(out)
		verified := strings.Count(lines, "\nOK\n")
		references := strings.Count(lines, "\nSignedInfo References (ok/all): 1/1\n")
		if err != nil || verified != len(files) || references != len(files) {
			return fmt.Errorf("xmlsec1: %d of %d verify, %v\n%s",
				min(verified, references), len(files), err, problems(out, "OK", "1/1", "0/0"))
		}
		return nil
	})
}

// run checks two batches at a time.
func (v *Validator) run(look func(files []string) error) {
	v.t.Helper()
	batches := make(chan []string)
	var workers sync.WaitGroup
	var mutex sync.Mutex
	var failures []error
	for range 2 {
		workers.Go(func() {
			for files := range batches {
				if err := look(files); err != nil {
					mutex.Lock()
					failures = append(failures, err)
					mutex.Unlock()
				}
			}
		})
	}
	for files := range slices.Chunk(v.files, batch) {
		batches <- files
	}
	close(batches)
	workers.Wait()
	if err := errors.Join(failures[:min(3, len(failures))]...); err != nil {
		v.t.Fatalf("%d batches failed: %v", len(failures), err)
	}
}

// problems returns the first lines of a program that do not end in one of its
// good words.
func problems(out []byte, good ...string) string {
	var bad []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		isGood := slices.ContainsFunc(good, func(word string) bool { return strings.HasSuffix(line, word) })
		if len(bad) < 10 && !isGood {
			bad = append(bad, line)
		}
	}
	return strings.Join(bad, "\n")
}
