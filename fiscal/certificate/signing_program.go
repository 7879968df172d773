package certificate

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"emissor/internal/text"
	"emissor/nfse/fact"
)

const (
	signingTime = 10 * time.Second
	provenFor   = time.Minute
	mostAnswer  = 16 << 10 // bytes
	mostWords   = 200      // characters of what the program says went wrong
)

// SigningProgram is the operator's program that signs with keys that are kept elsewhere: on a token, or in a service.
// docs/operations/certificates.md has what it is told and answers.
type SigningProgram struct {
	Path   string        // empty: there is none
	Within time.Duration // for each signature; 10 s when zero
}

// ExternalKey is a key that a SigningProgram signs with.
type ExternalKey struct {
	program   SigningProgram
	reference string // names it to the program
	public    *rsa.PublicKey
	signedAt  atomic.Pointer[time.Time] // when the program signed last; nil when it did not then
}

// Public implements crypto.Signer.
func (k *ExternalKey) Public() crypto.PublicKey { return k.public }

// Sign implements crypto.Signer. No signature is returned that is not of this key. Where the program gives none the
// error is the fact SigningProgramFailed.
func (k *ExternalKey) Sign(_ io.Reader, digest []byte, options crypto.SignerOpts) ([]byte, error) {
	hash, padding := options.HashFunc(), "pkcs1v15"
	verify := func(signature []byte) error { return rsa.VerifyPKCS1v15(k.public, hash, digest, signature) }
	if pss, is := options.(*rsa.PSSOptions); is {
		padding = "pss"
		verify = func(signature []byte) error { return rsa.VerifyPSS(k.public, hash, digest, signature, pss) }
	}
	signature, why := k.program.ask(fmt.Sprintf("emissor-signer 1\nkey %s\nhash %s\npadding %s\ndigest %s\n\n",
		k.reference, strings.ToLower(strings.ReplaceAll(hash.String(), "-", "")), padding,
		base64.StdEncoding.EncodeToString(digest)))
	if why.None() && verify(signature) != nil {
		why = fact.SigningProgramOtherKey.Fact()
	}
	if !why.None() {
		k.signedAt.Store(nil)
		return nil, fact.Failure(fact.SigningProgramFailed.With("why", why))
	}
	k.signedAt.Store(new(time.Now()))
	return signature, nil
}

// Prove has the program sign something random in both paddings: that of documents, and that of TLS 1.3.
func (k *ExternalKey) Prove() error {
	digest := make([]byte, sha256.Size)
	_, _ = rand.Read(digest) // which never fails
	_, err := k.Sign(nil, digest, crypto.SHA256)
	if err == nil {
		_, err = k.Sign(nil, digest, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: crypto.SHA256})
	}
	return err
}

// Ready is Prove, unless the program signed within the last minute.
func (k *ExternalKey) Ready() error {
	if last := k.signedAt.Load(); last != nil && time.Since(*last) < provenFor {
		return nil
	}
	return k.Prove()
}

// ask has the program answer a request, and says why there is no signature.
func (p SigningProgram) ask(request string) (signature []byte, why fact.Fact) {
	if p.Path == "" {
		return nil, fact.SigningProgramNone.Fact()
	}
	within := p.Within
	if within <= 0 {
		within = signingTime
	}
	ctx, stop := context.WithTimeout(context.Background(), within)
	defer stop()
	answer, err := p.run(ctx, request)
	word, value, _ := strings.Cut(strings.TrimSpace(answer), " ")
	switch {
	case ctx.Err() != nil:
		return nil, fact.SigningProgramTooSlow.Fact()
	case word == "error":
		return nil, fact.Said.With("words", text.Shortened(text.Shown(value), mostWords))
	case err != nil:
		return nil, fact.SigningProgramSilent.Fact()
	}
	signature, err = base64.StdEncoding.DecodeString(value)
	if word != "signature" || err != nil {
		return nil, fact.SigningProgramUnclear.Fact()
	}
	return signature, fact.Fact{}
}

// run runs the program, without a shell or an argument, until it ends, or it and what it started are killed.
func (p SigningProgram) run(ctx context.Context, request string) (string, error) {
	var answer boundedBuffer
	child := exec.CommandContext(ctx, p.Path)
	child.Env, child.Stdin, child.Stdout = environment(), strings.NewReader(request), &answer
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	child.Cancel = func() error { return syscall.Kill(-child.Process.Pid, syscall.SIGKILL) }
	child.WaitDelay = time.Second
	err := child.Run()
	return answer.content.String(), err
}

// environment is what the program is told of this process's environment, which has secrets.
func environment() []string {
	kept := []string{} // nil would be all of it
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if name == "PATH" || name == "HOME" || strings.HasPrefix(name, "SIGNER_") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// boundedBuffer keeps at most mostAnswer bytes, and ends who writes more.
type boundedBuffer struct{ content bytes.Buffer }

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.content.Len()+len(p) > mostAnswer {
		return 0, errors.New("certificate: the answer is too long")
	}
	return b.content.Write(p)
}
