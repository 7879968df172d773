package kms

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/api/option"

	"emissor/seal"
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
	return f
}

// open opens a key as the program does, but for the address of Google's service,
// which no variable changes.
func (f *fake) open(t *testing.T, uri string) seal.KEK {
	t.Helper()
	kek, err := open(t.Context(), uri, option.WithEndpoint(f.url), option.WithoutAuthentication())
	if err != nil {
		t.Fatal(err)
	}
	return kek
}

// ServeHTTP implements http.Handler.
func (f *fake) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	f.calls.Add(1)
	if f.out.Load() {
		w.WriteHeader(http.StatusServiceUnavailable)
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
	switch path := "/v1/" + strings.TrimPrefix(gcpKey, gcpPrefix); request.URL.Path {
	case path + ":encrypt":
		ciphertext := turned(asked["plaintext"])
		return map[string]any{"ciphertext": ciphertext, "ciphertextCrc32c": checksum(ciphertext),
			"verifiedPlaintextCrc32c": true, "verifiedAdditionalAuthenticatedDataCrc32c": true}
	case path + ":decrypt":
		plaintext := turned(asked["ciphertext"])
		return map[string]any{"plaintext": plaintext, "plaintextCrc32c": checksum(plaintext)}
	}
	return nil
}

// turned decodes a text in either alphabet of Base64, turns its bytes around and encodes them.
func turned(text any) string {
	encoded, _ := text.(string)
	content, err := base64.StdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(encoded))
	if err != nil {
		return ""
	}
	for i := range content {
		content[i] ^= 0x5a
	}
	return base64.StdEncoding.EncodeToString(content)
}

func checksum(encoded string) string {
	content, _ := base64.StdEncoding.DecodeString(encoded)
	return strconv.FormatUint(uint64(crc32.Checksum(content, crc32.MakeTable(crc32.Castagnoli))), 10)
}

// A keyset that a KMS encrypts: made, opened, rotated, and the service asked only
// for that.
func TestOpen_EncryptsAKeyset(t *testing.T) {
	for name, uri := range map[string]string{"AWS": awsKey, "GCP": gcpKey} {
		t.Run(name, func(t *testing.T) {
			service := newFake(t)
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

func TestOpen_WrongURI(t *testing.T) {
	for _, uri := range []string{"hunter2", "aws-kms://hunter2", "vault://x", "gcp-kms", "gcp-kms://hunter2"} {
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
