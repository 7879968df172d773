package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// ReadPassword reads a password from a file, which may end with a line break, or
// else asks for it at the terminal, where it is not shown. It is never an
// argument or a variable: others can see those.
func ReadPassword(ctx context.Context, file, prompt string) (string, error) {
	if file == "" {
		return askPassword(ctx, prompt)
	}
	content, err := Interruptible(ctx, func() ([]byte, error) { return os.ReadFile(file) })
	if err != nil {
		return "", Usage("--password-file: %w", err)
	}
	if !utf8.Valid(content) {
		return "", Usage("--password-file: the file is not UTF-8")
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	if strings.ContainsAny(password, "\r\n") {
		return "", Usage("--password-file: the file has more than one line")
	}
	return password, nil
}

// askPassword asks for a password at the terminal. It can be interrupted, and
// leaves the terminal as it found it.
func askPassword(ctx context.Context, prompt string) (string, error) {
	terminal := int(os.Stdin.Fd())
	before, err := term.GetState(terminal)
	if err != nil {
		return "", errors.New("there is no terminal to ask for the password at: give --password-file")
	}
	defer fmt.Fprintln(os.Stderr)
	fmt.Fprint(Printable{os.Stderr}, prompt)

	type answer struct {
		password []byte
		err      error
	}
	answered := make(chan answer, 1)
	go func() {
		password, err := term.ReadPassword(terminal)
		answered <- answer{password, err}
	}()
	select {
	case <-ctx.Done():
		return "", errors.Join(errInterrupted, term.Restore(terminal, before))
	case answer := <-answered:
		return string(answer.password), answer.err
	}
}
