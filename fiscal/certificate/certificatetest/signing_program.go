package certificatetest

import (
	"bufio"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/certificate"
)

// programName is that of the program that signs: a test's own binary that is run by it, without its tests.
const programName = "emissor-test-signer"

func init() {
	if filepath.Base(os.Args[0]) == programName {
		fmt.Print(signed(request()))
		os.Exit(0)
	}
}

// SigningProgram returns a program that signs with the key in the file that a reference names: see Token.
func SigningProgram(t testing.TB) certificate.SigningProgram {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	path := filepath.Join(t.TempDir(), programName)
	must(t, os.Symlink(self, path))
	return certificate.SigningProgram{Path: path}
}

// Token is the file of a key of SigningProgram. Its path is the reference.
type Token string

// NewToken makes one of a key.
func NewToken(t testing.TB, key crypto.PrivateKey) Token {
	t.Helper()
	token := Token(filepath.Join(t.TempDir(), "token"))
	token.Hold(t, key, "")
	return token
}

// The behaviours of a token that signs not, or not as it is asked.
const (
	Hangs        = "hangs"
	SaysGarbage  = "garbage"
	SaysTooMuch  = "too much"
	SaysItsNames = "names" // of the variables that the program sees
	Ends         = "ends"
	WithoutPSS   = "without pss"
	givesSome    = "gives some"
)

// Give has it hold a key from now on, and give so many signatures.
func (token Token) Give(t testing.TB, key crypto.PrivateKey, signatures int) {
	t.Helper()
	must(t, os.WriteFile(string(token)+".left", fmt.Append(nil, signatures), 0o600))
	token.Hold(t, key, givesSome)
}

// Hold has it hold a key from now on, and behave so.
func (token Token) Hold(t testing.TB, key crypto.PrivateKey, behaviour string) {
	t.Helper()
	content, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	file := append([]byte(behaviour+"\n"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: content})...)
	must(t, os.WriteFile(string(token)+".new", file, 0o600))
	must(t, os.Rename(string(token)+".new", string(token)))
}

// request reads what the program is asked.
func request() map[string]string {
	asked := map[string]string{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() && lines.Text() != "" {
		word, value, _ := strings.Cut(lines.Text(), " ")
		asked[word] = value
	}
	return asked
}

func signed(asked map[string]string) string {
	file, err := os.ReadFile(asked["key"])
	behaviour, content, _ := strings.Cut(string(file), "\n")
	switch {
	case asked["emissor-signer"] != "1" || err != nil:
		return "error the token is\x1b[2J not there\n"
	case behaviour == Hangs:
		time.Sleep(time.Hour)
	case behaviour == SaysGarbage:
		return "signature ~~~\n"
	case behaviour == SaysTooMuch:
		return "signature " + strings.Repeat("A", 1<<20) + "\n"
	case behaviour == Ends:
		os.Exit(3)
	case behaviour == SaysItsNames:
		return "error " + strings.Join(os.Environ(), " ") + "\n"
	case behaviour == WithoutPSS && asked["padding"] == "pss":
		return "error the token has no PSS\n"
	case behaviour == givesSome:
		left, _ := os.ReadFile(asked["key"] + ".left")
		n, _ := strconv.Atoi(string(left))
		if n == 0 {
			return "error the token signs no more\n"
		}
		_ = os.WriteFile(asked["key"]+".left", fmt.Append(nil, n-1), 0o600)
	}
	block, _ := pem.Decode([]byte(content))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "error the key cannot be read\n"
	}
	hash := map[string]crypto.Hash{"sha1": crypto.SHA1, "sha256": crypto.SHA256, "sha384": crypto.SHA384,
		"sha512": crypto.SHA512}[asked["hash"]]
	options := crypto.SignerOpts(hash)
	if asked["padding"] == "pss" {
		options = &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: hash}
	}
	digest, _ := base64.StdEncoding.DecodeString(asked["digest"])
	signature, err := key.(crypto.Signer).Sign(rand.Reader, digest, options)
	if err != nil {
		return "error it does not sign\n"
	}
	return "signature " + base64.StdEncoding.EncodeToString(signature) + "\n"
}

// PEM writes the certificates of a bundle, without its key.
func PEM(bundle *certificate.Bundle) (out []byte) {
	for _, one := range append([]*x509.Certificate{bundle.Leaf}, bundle.Chain...) {
		out = append(out, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: one.Raw})...)
	}
	return out
}

// Elsewhere returns a bundle whose key is in a token.
func Elsewhere(t testing.TB, bundle *certificate.Bundle, program certificate.SigningProgram,
	token Token) *certificate.Bundle {
	t.Helper()
	external, err := certificate.ExternalBundle(PEM(bundle), program, string(token))
	must(t, err)
	return external
}
