package renegotiation_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"emissor/test/simulators/shared/renegotiation"
)

// files writes an identity as OpenSSL reads it.
func files(t *testing.T, identity tls.Certificate) (certificate, key string) {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(identity.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("certificate.pem", "CERTIFICATE", identity.Certificate[0]), write("key.pem", "PRIVATE KEY", der)
}

func lookFor(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed: its side of the protocol is not tried", program)
	}
	return path
}

func TestOpenSSL_Curl(t *testing.T) {
	curl := lookFor(t, "curl")
	for kind, server := range map[string]tls.Certificate{"ECDSA": ecdsaServer(), "RSA": rsaServer()} {
		for _, client := range []tls.Certificate{ecdsaClient(), rsaClient()} {
			roots, _ := files(t, server)
			certificate, key := files(t, client)
			for _, early := range []bool{false, true} {
				url := serve(t, renegotiation.Options{Certificate: server, AskEarly: early}, nil)
				for _, versions := range [][]string{{"--tls-max", "1.2"}, nil} {
					// Twice the same address: the second request goes through the same connection.
					arguments := append([]string{
						"-sS", "--http1.1", "--max-time", "20", "--noproxy", "*", "--cacert", roots, "--cert",
						certificate, "--key", key, "--data", strings.Repeat("a", 2000),
						"-w", " %{http_code} %{num_connects}\n", url, url,
					}, versions...)
					output, err := exec.CommandContext(t.Context(), curl, arguments...).CombinedOutput()
					const want = "client sent 2000 200 1\nclient sent 2000 200 0\n"
					if err != nil || string(output) != want {
						t.Errorf("%s, early %t, %v: %v\n%s", kind, early, versions, err, output)
					}
				}
			}
		}
	}
}

// noExtendedMaster is a configuration of OpenSSL without the extended master secret. No option of s_client does that.
const noExtendedMaster = `openssl_conf = all
[all]
ssl_conf = ssl
[ssl]
system_default = default
[default]
Options = -ExtendedMasterSecret
`

func TestOpenSSL_SClient(t *testing.T) {
	lookFor(t, "openssl")
	url := serve(t, renegotiation.Options{}, nil)
	for _, client := range []tls.Certificate{ecdsaClient(), rsaClient()} {
		expectOfSClient(t, client, url, "client sent 0", "-tls1_2")
		expectOfSClient(t, client, url, "client sent 0", "-curves", "P-256", "-sigalgs", "RSA-PSS+SHA256:ECDSA+SHA256")
		expectOfSClient(t, client, url, "client sent 0", "-sigalgs", "RSA+SHA512:ECDSA+SHA256:ECDSA+SHA384")
		expectOfSClient(t, client, url, "nobody sent 0", "-no_renegotiation")
	}
	path := filepath.Join(t.TempDir(), "openssl.cnf")
	if err := os.WriteFile(path, []byte(noExtendedMaster), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OPENSSL_CONF", path)
	expectOfSClient(t, rsaClient(), url, "client sent 0", "-tls1_2")
}

// expectOfSClient makes two requests at once, and wants two answers.
func expectOfSClient(t *testing.T, client tls.Certificate, url, want string, options ...string) {
	t.Helper()
	certificate, key := files(t, client)
	command := exec.CommandContext(t.Context(), "openssl", append([]string{"s_client", "-quiet", "-no_ign_eof",
		"-cert", certificate, "-key", key, "-connect", strings.TrimPrefix(url, "https://")}, options...)...)
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	const requests = "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
	if _, err := io.WriteString(input, requests); err != nil {
		t.Error(err)
	}
	answer, err := io.ReadAll(output)
	if err != nil || bytes.Count(answer, []byte("HTTP/1.1 200 OK")) != 2 || bytes.Count(answer, []byte(want)) != 2 {
		t.Errorf("%v: %q %v", options, answer, err)
	}
	_ = input.Close()
	_ = command.Wait()
}
