package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/test/testkit"
)

func TestPassword_File(t *testing.T) {
	t.Parallel()
	for content, expected := range map[string]string{
		"": "", "senhação": "senhação", "senha\n": "senha", "senha\r\n": "senha", " senha \n": " senha ",
	} {
		if password, err := cli.ReadPassword(t.Context(), write(t, "password", []byte(content)), ""); err != nil ||
			password != expected {
			t.Errorf("%q is read as %q: %v", content, password, err)
		}
	}
	for content, why := range map[string]string{"senha\noutra\n": "more than one line",
		"senha\n\n": "more than one line", "senha\xe7\xe3o\n": "not UTF-8"} {
		if _, err := cli.ReadPassword(t.Context(), write(t, "password", []byte(content)), ""); err == nil ||
			!strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "senha") {
			t.Errorf("%q is answered %v", content, err)
		}
	}
}

// terminal is a command at a terminal of its own.
type terminal struct {
	person  *os.File // what a person types into
	command *exec.Cmd
	ended   chan error

	mu     sync.Mutex
	screen bytes.Buffer
}

func atTerminal(t *testing.T, s settings, args ...string) *terminal {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	must(t, err)
	t.Cleanup(func() { _ = person.Close() })
	must(t, unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	must(t, err)
	side, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(t, err)
	defer side.Close()

	on := &terminal{person: person, command: exec.Command(binary, args...), ended: make(chan error, 1)}
	on.command.Env, on.command.Stdin, on.command.Stdout, on.command.Stderr = s.environment(), side, side, side
	on.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Pdeathsig: syscall.SIGKILL}
	must(t, on.command.Start())
	t.Cleanup(func() { _ = on.command.Process.Kill() })
	go on.watch()
	go func() { on.ended <- on.command.Wait() }()
	return on
}

func (on *terminal) watch() {
	part := make([]byte, 1024)
	for {
		n, err := on.person.Read(part)
		on.mu.Lock()
		on.screen.Write(part[:n])
		on.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (on *terminal) shown() string {
	on.mu.Lock()
	defer on.mu.Unlock()
	return on.screen.String()
}

// answerPrompt types once the question is there and typing is not shown.
func (on *terminal) answerPrompt(t *testing.T, keys string) {
	t.Helper()
	testkit.Eventually(t, "the password is asked for", func() bool {
		settings, err := unix.IoctlGetTermios(int(on.person.Fd()), unix.TCGETS)
		return err == nil && settings.Lflag&unix.ECHO == 0 && strings.Contains(on.shown(), "Password of ")
	})
	_, err := on.person.WriteString(keys)
	must(t, err)
}

func TestPassword_Prompt(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	file := pfxFile(t, c.chain.Issue(t, certificatetest.Template(issuerTaxID)))
	on := atTerminal(t, c.settings, "certificate", "add", file, "--organization", c.organization)
	on.answerPrompt(t, pfxPassword+"\n")
	if err := <-on.ended; err != nil {
		t.Fatalf("%v\n%s", err, on.shown())
	}
	testkit.Eventually(t, "the certificate is shown", func() bool { return strings.Contains(on.shown(), "usable") })
	if strings.Contains(on.shown(), "senha") {
		t.Errorf("the terminal shows the password:\n%s", on.shown())
	}
}

func TestPassword_PromptInterrupted(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	file := pfxFile(t, c.chain.Issue(t, certificatetest.Template(issuerTaxID)))
	on := atTerminal(t, c.settings, "certificate", "add", file, "--organization", c.organization)
	on.answerPrompt(t, "\x03") // Ctrl-C
	if err := <-on.ended; err == nil || on.command.ProcessState.ExitCode() != 1 {
		t.Errorf("it ended with %v\n%s", err, on.shown())
	}
	settings, err := unix.IoctlGetTermios(int(on.person.Fd()), unix.TCGETS)
	if err != nil || settings.Lflag&unix.ECHO == 0 {
		t.Errorf("typing is still not shown: %v", err)
	}
	if n := c.database.Count(t, `SELECT count(*) FROM certificates`); n != 0 {
		t.Errorf("%d certificates were added", n)
	}
}
