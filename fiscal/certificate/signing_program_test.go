package certificate_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const holder nfse.TaxID = "11222333000181"

// elsewhere issues a certificate whose key is in a token.
func elsewhere(t *testing.T) (*certificate.Bundle, certificatetest.Token) {
	t.Helper()
	token := certificatetest.NewToken(t, certificatetest.Key())
	bundle := certificatetest.NewChain(t).Issue(t, certificatetest.Template(holder))
	return certificatetest.Elsewhere(t, bundle, certificatetest.SigningProgram(t), token), token
}

// signEverything asks for every signature that there may be. Sign itself verifies each.
func signEverything(t *testing.T, key crypto.Signer) {
	t.Helper()
	for _, hash := range []crypto.Hash{crypto.SHA1, crypto.SHA256, crypto.SHA384, crypto.SHA512} {
		digest := make([]byte, hash.Size())
		for _, options := range []crypto.SignerOpts{hash,
			&rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: hash}} {
			if signature, err := key.Sign(rand.Reader, digest, options); err != nil || len(signature) != 256 {
				t.Errorf("%s, %T: %d bytes, %v", hash, options, len(signature), err)
			}
		}
		if _, err := key.Sign(rand.Reader, digest[1:], hash); err == nil {
			t.Errorf("%s: a digest of another length is signed", hash)
		}
	}
}

func TestExternalKey_Signs(t *testing.T) {
	t.Parallel()
	bundle, _ := elsewhere(t)
	signEverything(t, bundle.Key)
	if err := bundle.Prove(); err != nil {
		t.Error(err)
	}
}

// Whatever the program does, there is a signature of the certificate's key, or a reason.
func TestExternalKey_NoSignature(t *testing.T) {
	t.Parallel()
	bundle, token := elsewhere(t)
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	expect := func(name string, err error, why fact.Fact) {
		t.Helper()
		if got := fact.OfError(err); !got.Equal(fact.SigningProgramFailed.With("why", why)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for behaviour, why := range map[string]fact.Code{
		certificatetest.SaysGarbage: fact.SigningProgramUnclear, certificatetest.SaysTooMuch: fact.SigningProgramSilent,
		certificatetest.Ends: fact.SigningProgramSilent,
	} {
		token.Hold(t, certificatetest.Key(), behaviour)
		expect(behaviour, bundle.Prove(), why.Fact())
	}
	token.Hold(t, other, "")
	expect("another key", bundle.Prove(), fact.SigningProgramOtherKey.Fact())
	token.Hold(t, certificatetest.Key(), certificatetest.WithoutPSS)
	expect("no PSS", bundle.Prove(), fact.InWords("the token has no PSS"))
	if err := os.Remove(string(token)); err != nil {
		t.Fatal(err)
	}
	expect("no token", bundle.Prove(), fact.InWords("the token is[2J not there"))

	hanging := certificatetest.SigningProgram(t)
	hanging.Within = 50 * time.Millisecond
	token.Hold(t, certificatetest.Key(), certificatetest.Hangs)
	expect("hangs", certificatetest.Elsewhere(t, bundle, hanging, token).Prove(), fact.SigningProgramTooSlow.Fact())
	none := certificate.SigningProgram{}
	expect("not set", certificatetest.Elsewhere(t, bundle, none, token).Prove(), fact.SigningProgramNone.Fact())
	none.Path = filepath.Join(t.TempDir(), "none")
	expect("not there", certificatetest.Elsewhere(t, bundle, none, token).Prove(), fact.SigningProgramSilent.Fact())
}

// The program sees nothing of this process's secrets.
func TestExternalKey_Environment(t *testing.T) {
	t.Setenv("EMISSOR_KEYSET", "s3cret")
	t.Setenv("EMISSOR_SIGNER", "s3cret")
	t.Setenv("SIGNER_PIN_FILE", "/x")
	t.Setenv("HOME", "/y")
	t.Setenv("PATH", "/z")
	bundle, token := elsewhere(t)
	token.Hold(t, certificatetest.Key(), certificatetest.SaysItsNames)
	said := bundle.Prove().Error()
	for name, seen := range map[string]bool{"s3cret": false, "EMISSOR_KEYSET": false, "SIGNER_PIN_FILE=/x": true,
		"HOME=/y": true, "PATH=/z": true} {
		if strings.Contains(said, name) != seen {
			t.Errorf("%s: the program sees %s", name, said)
		}
	}
}

// What is kept of it holds no key, and is read back.
func TestExternalBundle_KeptAndRead(t *testing.T) {
	t.Parallel()
	bundle, token := elsewhere(t)
	content, err := bundle.Marshal()
	if err != nil || strings.Contains(string(content), "PRIVATE KEY") {
		t.Fatalf("kept is %s, %v", content, err)
	}
	read, err := certificate.Parse("crt_1", content, certificatetest.SigningProgram(t))
	if err != nil || certificate.External(read) == nil || !read.Certificate.Leaf.Equal(bundle.Leaf) ||
		len(read.Certificate.Certificate) != 2 {
		t.Fatalf("read is %v, %v", read, err)
	}
	opened, err := certificate.Opened(read)
	if err != nil || opened.Check(certificate.Checks{At: time.Now(), UnverifiedChain: true}) != nil ||
		opened.Prove() != nil {
		t.Errorf("opened is %v, %v", opened, err)
	}
	again, err := opened.Marshal()
	if err != nil || string(again) != string(content) {
		t.Errorf("kept again is %s, %v", again, err)
	}
	for wrong, content := range map[string]string{
		"no certificate": "-----BEGIN EMISSOR KEY REFERENCE-----\nYQ==\n-----END EMISSOR KEY REFERENCE-----\n",
		"no reference":   strings.Replace(string(content), string(token), "", 1)[:60],
	} {
		if _, err := certificate.Parse("crt_1", []byte(content), certificate.SigningProgram{}); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}

func TestExternalBundle_Refused(t *testing.T) {
	t.Parallel()
	chain := certificatetest.NewChain(t)
	good := certificatetest.PEM(chain.Issue(t, certificatetest.Template(holder)))
	authority := certificatetest.PEM(&certificate.Bundle{Leaf: chain.Authority})
	for name, c := range map[string]struct {
		file, reference string
		words           string
	}{
		"no reference":     {string(good), "", "reference"},
		"two lines":        {string(good), "a\nhash sha1", "reference"},
		"a long reference": {string(good), strings.Repeat("a", 1025), "reference"},
		"no certificates":  {"PFX", "a", "no certificates in PEM"},
		"what is none": {"-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n", "a",
			"no certificates in PEM"},
		"only an authority's": {string(authority), "a", "certification authority's"},
	} {
		if _, err := certificate.ExternalBundle([]byte(c.file), certificate.SigningProgram{}, c.reference); err == nil ||
			!strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The order of the file is nothing.
	bundle, err := certificate.ExternalBundle(append(authority, good...), certificate.SigningProgram{}, "a")
	if err != nil || bundle.Leaf.IsCA || len(bundle.Chain) != 1 {
		t.Errorf("another order: %v, %v", bundle, err)
	}
}

// The example for tokens signs by SoftHSM, where that is installed.
func TestExternalKey_SoftHSM(t *testing.T) {
	libraries, _ := filepath.Glob("/usr/lib/softhsm/libsofthsm2.so")
	_, noTool := exec.LookPath("pkcs11-tool")
	if len(libraries) == 0 || noTool != nil {
		t.Skip("not tried: softhsm2 and opensc are not installed")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	file := func(name, content string) string {
		t.Helper()
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	run := func(program string, arguments ...string) {
		t.Helper()
		if output, err := exec.Command(program, arguments...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", program, err, output)
		}
	}
	file("tokens/.keep", "")
	file(".config/softhsm2/softhsm2.conf", "directories.tokendir = "+filepath.Join(home, "tokens")+"\n")
	t.Setenv("SIGNER_MODULE", libraries[0])
	t.Setenv("SIGNER_PIN_FILE", file("pin", "24680\n"))

	bundle := certificatetest.NewChain(t).Issue(t, certificatetest.Template(holder))
	content, err := bundle.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	key, _, _ := strings.Cut(string(content), "-----BEGIN CERTIFICATE")
	run("softhsm2-util", "--init-token", "--free", "--label", "clinica", "--so-pin", "13579", "--pin", "24680")
	run("softhsm2-util", "--import", file("key.pem", key), "--token", "clinica", "--label", "a3 2026", "--id", "01",
		"--pin", "24680")

	script, err := filepath.Abs("../../deploy/signer/emissor-signer-pkcs11")
	if err != nil {
		t.Fatal(err)
	}
	program := certificate.SigningProgram{Path: script}
	external, err := certificate.ExternalBundle(certificatetest.PEM(bundle), program, "clinica/a3 2026")
	if err != nil {
		t.Fatal(err)
	}
	signEverything(t, external.Key)
	file("pin", "wrong\n")
	if err := external.Prove(); err == nil || !strings.Contains(err.Error(), "the token does not sign") {
		t.Errorf("with a wrong PIN: %v", err)
	}
}
