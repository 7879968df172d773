package kms

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"emissor/internal/outgoing"
)

const (
	vaultPrefix    = "hcvault://"
	connectTimeout = 10 * time.Second
)

// vaultName is an address and the path of a key of the Transit engine, wherever that is mounted.
var vaultName = regexp.MustCompile(`^[\w.:\[\]-]+/(?:[\w.-]+/)*[\w.-]+/keys/[\w.-]+$`)

// vaultKey is a key of the Transit engine of HashiCorp Vault or OpenBao, over REST, by HTTPS alone. Token, namespace and
// authorities are found as the programs vault and bao find them; a token is read for each call, so that an agent may
// renew it in its file.
type vaultKey struct {
	client *http.Client
	url    string // %s is the verb
}

func openVault(name string) (*vaultKey, error) {
	host, path, _ := strings.Cut(name, "/")
	mount, key, _ := strings.Cut(path, "/keys/")
	roots, err := vaultRoots()
	if err != nil {
		return nil, err
	}
	client := outgoing.Client(connectTimeout, func(transport *http.Transport) {
		transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	})
	client.Timeout = callTimeout
	address := url.URL{Scheme: "https", Host: host, Path: "/v1/" + mount}
	return &vaultKey{client: client, url: address.String() + "/%s/" + key}, nil
}

// vaultVariable is a variable of the programs bao and vault; OpenBao's comes first.
func vaultVariable(name string) string {
	return cmp.Or(os.Getenv("BAO_"+name), os.Getenv("VAULT_"+name))
}

// vaultRoots are the authorities that may vouch for the server; nil: those of the machine.
func vaultRoots() (*x509.CertPool, error) {
	file := vaultVariable("CACERT")
	if file == "" {
		return nil, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("VAULT_CACERT: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(content) {
		return nil, errors.New("VAULT_CACERT: the file has no certificate in PEM")
	}
	return roots, nil
}

// vaultToken is the token of the environment, or that of the file that `vault login` and agents write.
func vaultToken() (string, error) {
	if token := vaultVariable("TOKEN"); token != "" {
		return token, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	content, err := os.ReadFile(filepath.Join(home, ".vault-token"))
	if err != nil {
		return "", fmt.Errorf("there is neither VAULT_TOKEN nor a file of a token: %w", err)
	}
	return strings.TrimSpace(string(content)), nil
}

// vaultMessage is what goes there. The bytes are base64, as encoding/json has them.
type vaultMessage struct {
	Plaintext      []byte `json:"plaintext,omitempty"`
	Ciphertext     string `json:"ciphertext,omitempty"`
	AssociatedData []byte `json:"associated_data,omitempty"`
}

// Encrypt implements seal.KEK.
func (k *vaultKey) Encrypt(plaintext, associatedData []byte) ([]byte, error) {
	answer, err := k.call("encrypt", vaultMessage{Plaintext: plaintext, AssociatedData: associatedData})
	if err == nil && answer.Ciphertext == "" {
		err = errors.New("the answer of Vault to encrypt has no ciphertext")
	}
	return []byte(answer.Ciphertext), err
}

// Decrypt implements seal.KEK.
func (k *vaultKey) Decrypt(ciphertext, associatedData []byte) ([]byte, error) {
	answer, err := k.call("decrypt", vaultMessage{Ciphertext: string(ciphertext), AssociatedData: associatedData})
	return answer.Plaintext, err
}

func (k *vaultKey) call(verb string, message vaultMessage) (answer vaultMessage, err error) {
	token, err := vaultToken()
	if err != nil {
		return answer, err
	}
	body, err := json.Marshal(message)
	if err != nil {
		return answer, err
	}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, fmt.Sprintf(k.url, verb),
		bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	request.Header.Set("X-Vault-Token", token)
	request.Header.Set("X-Vault-Request", "true") // agents that forward calls refuse those without it
	if namespace := vaultVariable("NAMESPACE"); namespace != "" {
		request.Header.Set("X-Vault-Namespace", namespace)
	}
	response, err := k.client.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return answer, err
	}
	var said struct {
		Data   vaultMessage
		Errors []string
	}
	err = json.Unmarshal(content, &said)
	if response.StatusCode != http.StatusOK {
		return answer, fmt.Errorf("the answer of Vault to %s is %s: %s", verb, response.Status,
			cmp.Or(strings.Join(said.Errors, "; "), "without a reason"))
	}
	return said.Data, err
}
