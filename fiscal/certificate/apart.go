package certificate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"emissor/nfse"
)

// What is sent to the process that opens a file, and what it answers.
type (
	apartRequest struct {
		PFX      []byte `json:"pfx"`
		Password string `json:"password"`
	}
	apartAnswer struct {
		PEM   []byte      `json:"pem,omitempty"` // as Marshal writes it
		Error *nfse.Error `json:"error,omitempty"`
	}
)

// ReadPFXApart is ReadPFX in a process of its own, which ends at the latest when ctx
// does: the file itself says how much work opening it takes, in part where that cannot be
// checked before, and nothing else ends the work. The process runs program, which calls
// ServeApart, and is given no environment. If ctx ends, its error is returned.
func ReadPFXApart(ctx context.Context, program []string, pfx []byte, password string) (*Bundle, error) {
	if len(program) == 0 {
		return nil, errors.New("certificate: there is no program that opens PFX files")
	}
	child := exec.CommandContext(ctx, program[0], program[1:]...)
	child.Env, child.WaitDelay = []string{}, time.Second
	input, err := child.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, fmt.Errorf("certificate: the program that opens PFX files does not start: %w", err)
	}
	go func() { // a process that ends before it has read everything gives no answer
		_ = json.NewEncoder(input).Encode(apartRequest{pfx, password})
		_ = input.Close()
	}()
	var answer apartAnswer
	unread := json.NewDecoder(io.LimitReader(output, 4*maxPFX)).Decode(&answer)
	ended := child.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case unread != nil || ended != nil:
		return nil, errNotPFX // the process failed by this file, perhaps with a panic
	case answer.Error != nil:
		return nil, answer.Error
	}
	return unmarshalBundle(answer.PEM)
}

// ServeApart is the other side of ReadPFXApart: it opens the file that it is sent, and
// answers with what is in it.
func ServeApart(in io.Reader, out io.Writer) error {
	var request apartRequest
	if err := json.NewDecoder(in).Decode(&request); err != nil {
		return errors.New("certificate: what was sent is no file and its password") // not err, which may quote it
	}
	var answer apartAnswer
	bundle, err := ReadPFX(request.PFX, request.Password)
	if err == nil {
		answer.PEM, err = bundle.Marshal()
	}
	if err != nil && !errors.As(err, &answer.Error) {
		return err
	}
	return json.NewEncoder(out).Encode(answer)
}

// unmarshalBundle reads what Marshal wrote.
func unmarshalBundle(content []byte) (*Bundle, error) {
	credentials, err := Parse("", content, SigningProgram{})
	if err != nil {
		return nil, errNotPFX
	}
	return Opened(credentials)
}
