package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"emissor/cmd/emissor/cli"
	"emissor/cmd/emissor/company"
	"emissor/fiscal/certificate/certificatetest"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, expected := range map[string]string{
		"nota 1\tação 🙂\n":       "nota 1\tação 🙂\n",
		"\x1b[31mred":            `\u001b[31mred`,
		"bell\a\r\x00\x7f":       `bell\u0007\u000d\u0000\u007f`,
		"C1 \u009b2J":            `C1 \u009b2J`,
		"turned \u202e around":   `turned \u202e around`,
		"nothing \u200b\ufeff":   `nothing \u200b\ufeff`,
		"lines \u2028\u2029":     `lines \u2028\u2029`,
		"a tag \U000e0041":       `a tag \udb40\udc41`,
		"no UTF-8 \xff\x9b":      "no UTF-8 \ufffd\ufffd",
		"a space \u00a0of no 32": "a space \u00a0of no 32",
	} {
		var shown bytes.Buffer
		n, err := (cli.Printable{To: &shown}).Write([]byte(text))
		if n != len(text) || err != nil || shown.String() != expected {
			t.Errorf("%q is shown as %q, %d, %v", text, shown.String(), n, err)
		}
	}
	if shown := cli.Cell("one\ttwo\nthree"); shown != "one two three" {
		t.Errorf("a cell is %q", shown)
	}
}

// What a certificate says of itself reaches a terminal as text, and a script as it
// is.
func TestCertificateCommand_NameOfEscapeSequences(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	const name = "\x1b]0;own\a\x1b[2J\u202eASERPME\u009b31m\tA\nB"
	template := certificatetest.Template(issuerTaxID)
	template.Subject.CommonName = name
	file := pfxFile(t, c.chain.Issue(t, template))
	for _, args := range [][]string{c.add(file), {"certificate", "list"}, {"certificate", "list", "--json"}} {
		output := succeeds(t, c.settings, args...)
		if strings.ContainsAny(output, "\x1b\a\u009b\u202e") || !strings.Contains(output, `\u001b`) {
			t.Errorf("%s printed\n%q", args[:2], output)
		}
	}
	if list := printed[[]company.PrintedCertificate](t, c.settings, "certificate", "list"); list[0].Subject != name {
		t.Errorf("for scripts it is %q", list[0].Subject)
	}
	lines := strings.Split(succeeds(t, c.settings, "certificate", "list"), "\n")
	if len(lines) != 3 {
		t.Errorf("the table has the lines %q", lines)
	}

	template = certificatetest.Template(issuerTaxID)
	template.Subject.CommonName = "EMPRESA\x00EXEMPLO"
	fails(t, c.settings, "holds a NUL", c.add(pfxFile(t, c.chain.Issue(t, template)))...)
	fails(t, c.settings, `\x1b[31m`, "certificate", "remove", "\x1b[31m", "--organization", c.organization)
	misused(t, c.settings, `\x1b[31m`, "\x1b[31m")
	// A log is read at terminals as well.
	result := execute(t, c.settings.with("EMISSOR_LISTEN", "\u009b31m"), "api")
	if strings.Contains(result.stderr, "\u009b") {
		t.Errorf("it logged %q", result.stderr)
	}
}

// Without a chain to a root a certificate is added only when that is said, and shows nothing.
func TestCertificateCommand_Roots(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	c.setProfile(t)
	file := pfxFile(t, c.chain.Issue(t, certificatetest.Template(issuerTaxID)))
	const unknown, unclaimed = "leads to no configured root", "No note is issued with it yet"
	others := c.settings.with("EMISSOR_CERTIFICATE_ROOTS", rootFile(t, certificatetest.NewChain(t)))
	for words, settings := range map[string]settings{
		"no root certificates are configured": c.settings.with("EMISSOR_CERTIFICATE_ROOTS", ""),
		"does not lead to one of the given":   others,
	} {
		fails(t, settings, words, c.add(file)...)
		fails(t, settings, "--unverified-chain adds it all the same", c.add(file)...)
		added := succeeds(t, settings, c.add(file, "--unverified-chain")...)
		if !strings.Contains(added, unknown) || !strings.Contains(added, unclaimed) {
			t.Errorf("unverified, it printed\n%s", added)
		}
	}
	if claims := succeeds(t, c.settings, "organization", "tax-ids", "--json"); claims != "[]\n" {
		t.Errorf("an unverified chain claims %s", claims)
	}
	with := succeeds(t, c.settings, c.add(file)...)
	if strings.Contains(with, unknown) || strings.Contains(with, unclaimed) {
		t.Errorf("with its root it printed\n%s", with)
	}
	claims := printed[[]company.PrintedClaim](t, c.settings, "organization", "tax-ids")
	if len(claims) != 1 || !claims[0].Owner || claims[0].TaxID != issuerTaxID ||
		claims[0].OrganizationID != c.organization {
		t.Errorf("the claims are %+v", claims)
	}
}

// Ctrl-C ends the command at once, no matter what it waits for.
func TestCertificateCommand_Interrupted(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	pipe := filepath.Join(t.TempDir(), "endless.pfx")
	must(t, syscall.Mkfifo(pipe, 0o600))
	var stderr bytes.Buffer
	command := exec.Command(binary, c.add(pipe)...)
	command.Env, command.Stderr = c.settings.environment(), &stderr
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	must(t, command.Start())
	writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the command reads
	must(t, err)
	defer writer.Close()
	must(t, command.Process.Signal(os.Interrupt))
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		_ = command.Process.Kill()
		t.Fatal("it goes on")
	}
	if stderr.String() != "emissor: interrupted\n" {
		t.Errorf("it printed %q", stderr.String())
	}
}

// What is printed as JSON stays JSON.
func TestPrintable_JSON(t *testing.T) {
	t.Parallel()
	var shown bytes.Buffer
	text := "\u009b\x7f\u202e\U000e0041"
	must(t, json.NewEncoder(cli.Printable{To: &shown}).Encode(text))
	var read string
	if err := json.Unmarshal(shown.Bytes(), &read); err != nil || read != text {
		t.Errorf("%s is read as %q, %v", shown.Bytes(), read, err)
	}
}
