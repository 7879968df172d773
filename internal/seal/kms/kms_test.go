package kms

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/internal/seal"
)

const (
	awsKey = "aws-kms://arn:aws:kms:sa-east-1:123456789012:key/5f5c1d62-7c52-4b9b-9d0f-8f7f3a0c7d10"
	gcpKey = "gcp-kms://projects/p/locations/southamerica-east1/keyRings/r/cryptoKeys/k"
)

// fake plays the two services on loopback. What it "encrypts" it turns around: the
// tests are about what goes over the wire, not about the cipher.
type fake struct {
	url   string
	calls atomic.Int32
	out   atomic.Bool // it answers 503

	damages atomic.Bool // its checksums are wrong
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.url = server.URL
	t.Setenv("AWS_ENDPOINT_URL_KMS", f.url)
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIATEST")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "s3cret")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_MAX_ATTEMPTS", "1")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", f.credentials(t))
	return f
}

// open opens a key as the program does, but for the address of Google's service,
// which no variable changes.
func (f *fake) open(t *testing.T, uri string) seal.KEK {
	t.Helper()
	kek, err := Open(t.Context(), uri)
	must(t, err)
	if key, ok := kek.(*googleKey); ok {
		key.url = strings.Replace(key.url, googleEndpoint, f.url, 1)
	}
	return kek
}

// credentials returns the credentials of a service account, whose tokens the fake gives out.
func (f *fake) credentials(t *testing.T) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	content, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "emissor@example.com", "token_uri": f.url + "/token",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY",
			Bytes: x509.MarshalPKCS1PrivateKey(key)})),
	})
	must(t, err)
	file := filepath.Join(t.TempDir(), "credentials.json")
	must(t, os.WriteFile(file, content, 0o600))
	return file
}

// ServeHTTP implements http.Handler.
func (f *fake) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	f.calls.Add(1)
	if f.out.Load() {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if request.URL.Path == "/token" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"token","token_type":"Bearer","expires_in":3600}`)
		return
	}
	body, _ := io.ReadAll(request.Body)
	var asked map[string]any
	if json.Unmarshal(body, &asked) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var answer map[string]any
	if target := request.Header.Get("X-Amz-Target"); target != "" {
		answer = f.aws(request, target, asked)
	} else {
		answer = f.gcp(request, asked)
	}
	if answer == nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func (f *fake) aws(request *http.Request, target string, asked map[string]any) map[string]any {
	arn := strings.TrimPrefix(awsKey, awsPrefix)
	if asked["KeyId"] != arn || !strings.Contains(request.Header.Get("Authorization"), "Credential=AKIATEST/") ||
		!strings.Contains(request.Header.Get("Authorization"), "/sa-east-1/kms/aws4_request") {
		return nil
	}
	switch target {
	case "TrentService.Encrypt":
		return map[string]any{"KeyId": arn, "CiphertextBlob": turned(asked["Plaintext"])}
	case "TrentService.Decrypt":
		return map[string]any{"KeyId": arn, "Plaintext": turned(asked["CiphertextBlob"])}
	}
	return nil
}

func (f *fake) gcp(request *http.Request, asked map[string]any) map[string]any {
	if request.Header.Get("Authorization") != "Bearer token" {
		return nil
	}
	var answer map[string]any
	switch path := "/v1/" + strings.TrimPrefix(gcpKey, googlePrefix); request.URL.Path {
	case path + ":encrypt":
		ciphertext := turned(asked["plaintext"])
		answer = map[string]any{"ciphertext": ciphertext, "ciphertextCrc32c": checksumOf(ciphertext),
			"verifiedPlaintextCrc32c": asked["plaintextCrc32c"] == checksumOf(asked["plaintext"])}
	case path + ":decrypt":
		if asked["ciphertextCrc32c"] != checksumOf(asked["ciphertext"]) {
			return nil
		}
		plaintext := turned(asked["ciphertext"])
		answer = map[string]any{"plaintext": plaintext, "plaintextCrc32c": checksumOf(plaintext)}
	}
	if f.damages.Load() {
		answer["ciphertextCrc32c"], answer["plaintextCrc32c"] = "1", "1"
	}
	return answer
}

// turned decodes a text, changes every byte and encodes them.
func turned(text any) string {
	content := decoded(text)
	for i := range content {
		content[i] ^= 0x5a
	}
	return base64.StdEncoding.EncodeToString(content)
}

func decoded(text any) []byte {
	encoded, _ := text.(string)
	content, _ := base64.StdEncoding.DecodeString(encoded)
	return content
}

func checksumOf(text any) string {
	return strconv.FormatUint(uint64(crc32.Checksum(decoded(text), crc32.MakeTable(crc32.Castagnoli))), 10)
}

// A keyset that a KMS encrypts: made, opened, rotated, and the service asked only
// for that.
func TestOpen_EncryptsAKeyset(t *testing.T) {
	for name, uri := range map[string]string{"AWS": awsKey, "GCP": gcpKey, "Vault": ""} {
		t.Run(name, func(t *testing.T) {
			service := newFake(t)
			if uri == "" {
				vault := newVault(t)
				service, uri = &vault.fake, vault.uri
			}
			file := seal.File{Path: filepath.Join(t.TempDir(), "keyset.json"), KEK: service.open(t, uri)}
			must(t, file.Create())
			sealer, err := seal.Open(seal.Source{File: file.Path, KEK: file.KEK})
			must(t, err)
			sealed, err := sealer.Seal([]byte("x"), "a")
			must(t, err)

			// A service that is out stops nothing that runs.
			asked := service.calls.Load()
			service.out.Store(true)
			must(t, sealer.Reload())
			if _, err := sealer.Unseal(sealed, "a"); err != nil || service.calls.Load() != asked {
				t.Errorf("%v, after %d calls instead of %d", err, service.calls.Load(), asked)
			}
			if _, err := seal.Open(seal.Source{File: file.Path, KEK: file.KEK}); err == nil {
				t.Error("it opens while the service is out")
			}
			service.out.Store(false)

			must(t, file.Change(func(keyset *seal.Keyset) error {
				_, err := keyset.AddKey()
				return err
			}))
			must(t, sealer.Reload())
			if keys := sealer.Keys(); len(keys) != 2 {
				t.Errorf("the keys are %+v", keys)
			}
			if _, err := seal.Open(seal.Source{File: file.Path}); err == nil ||
				!strings.Contains(err.Error(), "the keyset is encrypted: EMISSOR_KEYSET_KEK must name") {
				t.Errorf("without the KMS: %v", err)
			}
		})
	}
}

// A keyset in clear text is encrypted where it is; its keys stay.
func TestOpen_EncryptsWhatWasInClearText(t *testing.T) {
	service := newFake(t)
	clearText := seal.File{Path: filepath.Join(t.TempDir(), "keyset.json")}
	must(t, clearText.Create())
	sealer, err := seal.Open(seal.Source{File: clearText.Path})
	must(t, err)
	sealed, err := sealer.Seal([]byte("x"), "a")
	must(t, err)
	encrypted := seal.File{Path: clearText.Path, KEK: service.open(t, awsKey)}
	if _, err := encrypted.Read(); err == nil || !strings.Contains(err.Error(), "`emissor keyset encrypt` does") {
		t.Error(err)
	}
	must(t, encrypted.Encrypt())
	opened, err := seal.Open(seal.Source{File: encrypted.Path, KEK: encrypted.KEK})
	must(t, err)
	_, err = opened.Unseal(sealed, "a")
	must(t, err)
	if err := sealer.Reload(); err == nil {
		t.Error("a process without the KMS's key reads it")
	}
	_, err = sealer.Unseal(sealed, "a")
	must(t, err)
	if err := encrypted.Encrypt(); err == nil {
		t.Error("it was encrypted twice")
	}
}

func TestGoogle_DamagedOnTheWay(t *testing.T) {
	service := newFake(t)
	kek := service.open(t, gcpKey)
	sealed, err := kek.Encrypt([]byte("keyset"), nil)
	must(t, err)
	service.damages.Store(true)
	if _, err := kek.Encrypt([]byte("keyset"), nil); !errors.Is(err, errDamaged) {
		t.Error(err)
	}
	if _, err := kek.Decrypt(sealed, nil); !errors.Is(err, errDamaged) {
		t.Error(err)
	}
	service.out.Store(true)
	if _, err := kek.Decrypt(sealed, nil); err == nil ||
		!strings.Contains(err.Error(), "KMS to decrypt is 503 Service Unavailable: without a reason") {
		t.Error(err)
	}
}

func TestOpen_WrongURI(t *testing.T) {
	for _, uri := range []string{"hunter2", "aws-kms://hunter2", "vault://x", "gcp-kms", "gcp-kms://hunter2",
		"hcvault://hunter2", "hcvault://host:8200/transit/encrypt/hunter2", "hcvault://host/hunter2/keys/",
		"hcvault://user:hunter2@host/transit/keys/key", "hcvault://host/keys/hunter2",
		"hcvault://host/transit/keys/key?token=hunter2"} {
		if _, err := Open(context.Background(), uri); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if kek, err := Open(context.Background(), ""); kek != nil || err != nil {
		t.Errorf("without a URI there is %v %v", kek, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
