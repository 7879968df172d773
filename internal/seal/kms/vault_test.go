package kms

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"emissor/internal/seal"
)

// vault plays the Transit engine as its documentation has it: a key by AES-GCM, a token, a namespace, and errors as a
// list of texts.
type vault struct {
	fake
	uri       string
	token     string
	namespace string
	elsewhere string // it sends there, as a server of a cluster does that forwards nothing
	key       cipher.AEAD
}

func newVault(t *testing.T) *vault {
	t.Helper()
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	block, err := aes.NewCipher(key)
	must(t, err)
	v := &vault{token: "hvs.test"}
	v.key, err = cipher.NewGCM(block)
	must(t, err)
	server := httptest.NewTLSServer(http.HandlerFunc(v.serve))
	t.Cleanup(server.Close)
	v.uri = vaultPrefix + server.Listener.Addr().String() + "/team/transit/keys/emissor"
	file := filepath.Join(t.TempDir(), "roots.pem")
	root := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	must(t, os.WriteFile(file, root, 0o600))
	t.Setenv("VAULT_CACERT", file)
	t.Setenv("VAULT_TOKEN", v.token)
	return v
}

func (v *vault) open(t *testing.T) seal.KEK {
	t.Helper()
	kek, err := Open(t.Context(), v.uri)
	must(t, err)
	return kek
}

func (v *vault) serve(w http.ResponseWriter, request *http.Request) {
	v.calls.Add(1)
	answer := func(status int, content any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(content)
	}
	refuse := func(status int, why ...string) { answer(status, map[string]any{"errors": why}) }
	var asked struct {
		Plaintext  []byte
		Ciphertext string
		Associated []byte `json:"associated_data"`
	}
	verb, ours := strings.CutPrefix(request.URL.Path, "/v1/team/transit/")
	verb, ours2 := strings.CutSuffix(verb, "/emissor")
	body, _ := io.ReadAll(request.Body)
	switch {
	case v.out.Load():
		refuse(http.StatusServiceUnavailable, "Vault is sealed")
	case v.elsewhere != "":
		http.Redirect(w, request, v.elsewhere+request.URL.Path, http.StatusTemporaryRedirect)
	case request.Header.Get("X-Vault-Token") != v.token || request.Header.Get("X-Vault-Namespace") != v.namespace:
		refuse(http.StatusForbidden, "1 error occurred:\n\t* permission denied\n\n")
	case !ours || !ours2 || request.Method != http.MethodPost:
		refuse(http.StatusNotFound)
	case json.Unmarshal(body, &asked) != nil:
		refuse(http.StatusBadRequest, "failed to parse JSON input")
	case verb == "encrypt":
		nonce := make([]byte, v.key.NonceSize())
		_, _ = rand.Read(nonce)
		sealed := v.key.Seal(nonce, nonce, asked.Plaintext, asked.Associated)
		answer(http.StatusOK, map[string]any{"request_id": "x", "data": map[string]any{
			"ciphertext": "vault:v1:" + base64.StdEncoding.EncodeToString(sealed), "key_version": 1}})
	default:
		sealed, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(asked.Ciphertext, "vault:v1:"))
		if err != nil || len(sealed) < v.key.NonceSize() {
			refuse(http.StatusBadRequest, "invalid ciphertext: no prefix")
			return
		}
		text, err := v.key.Open(nil, sealed[:v.key.NonceSize()], sealed[v.key.NonceSize():], asked.Associated)
		if err != nil {
			refuse(http.StatusBadRequest, "cipher: message authentication failed")
			return
		}
		answer(http.StatusOK, map[string]any{"request_id": "x", "data": map[string]any{"plaintext": text}})
	}
}

func TestVault_AssociatedData(t *testing.T) {
	kek := newVault(t).open(t)
	sealed, err := kek.Encrypt([]byte("keyset"), []byte("a"))
	must(t, err)
	if text, err := kek.Decrypt(sealed, []byte("a")); err != nil || string(text) != "keyset" {
		t.Errorf("it opens as %q, %v", text, err)
	}
	for _, wrong := range [][]byte{nil, []byte("b")} {
		if _, err := kek.Decrypt(sealed, wrong); err == nil ||
			err.Error() != "the answer of Vault to decrypt is 400 Bad Request: cipher: message authentication failed" {
			t.Errorf("with %q: %v", wrong, err)
		}
	}
	if _, err := kek.Decrypt(bytes.TrimPrefix(sealed, []byte("vault:v1:"))[:4], nil); err == nil {
		t.Error("it opens what is no ciphertext")
	}
}

// A token may be renewed in the file of an agent while the program runs; namespaces are Vault's own.
func TestVault_TokenOfAFile(t *testing.T) {
	service := newVault(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("VAULT_TOKEN", "")
	kek := service.open(t)
	if _, err := kek.Encrypt([]byte("keyset"), nil); err == nil || !strings.Contains(err.Error(), "neither VAULT_TOKEN") {
		t.Error(err)
	}
	for _, token := range []string{"hvs.first", "hvs.second"} {
		service.token = token
		if _, err := kek.Encrypt([]byte("keyset"), nil); err == nil || strings.Contains(err.Error(), "hvs.") {
			t.Errorf("with an old token: %v", err)
		}
		must(t, os.WriteFile(filepath.Join(home, ".vault-token"), []byte(token+"\n"), 0o600))
		_, err := kek.Encrypt([]byte("keyset"), nil)
		must(t, err)
	}
	service.namespace = "finance"
	if _, err := kek.Encrypt([]byte("keyset"), nil); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Error(err)
	}
	t.Setenv("BAO_NAMESPACE", "finance")
	_, err := kek.Encrypt([]byte("keyset"), nil)
	must(t, err)
}

// Nobody else gets the token: not a server that is redirected to, not one for whom no known authority vouches.
func TestVault_TokenGoesNowhereElse(t *testing.T) {
	other := newVault(t)
	service := newVault(t)
	service.elsewhere = strings.Replace(other.uri, vaultPrefix, "https://", 1)
	if _, err := service.open(t).Encrypt([]byte("keyset"), nil); err == nil ||
		!strings.Contains(err.Error(), "307 Temporary Redirect: without a reason") {
		t.Error(err)
	}
	t.Setenv("VAULT_CACERT", "")
	if _, err := other.open(t).Encrypt([]byte("keyset"), nil); err == nil ||
		!strings.Contains(err.Error(), "certificate") {
		t.Errorf("by an unknown authority: %v", err)
	}
	if calls := other.calls.Load(); calls != 0 {
		t.Errorf("the other one was asked %d times", calls)
	}
	t.Setenv("VAULT_CACERT", filepath.Join(t.TempDir(), "missing.pem"))
	if _, err := Open(t.Context(), service.uri); err == nil || !strings.Contains(err.Error(), "VAULT_CACERT") {
		t.Error(err)
	}
}
