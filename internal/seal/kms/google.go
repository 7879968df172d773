package kms

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"regexp"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

const (
	googlePrefix   = "gcp-kms://"
	googleEndpoint = "https://cloudkms.googleapis.com"
	googleScope    = "https://www.googleapis.com/auth/cloudkms"
)

var googleName = regexp.MustCompile(`^projects/[\w.:-]+/locations/[\w-]+/keyRings/[\w-]+/cryptoKeys/[\w-]+$`)

// googleKey is a key of Google Cloud KMS, over REST. Google's own client would link
// hundreds of packages for these two calls. What it encrypts, Tink's client for
// the service opens, and the other way round.
type googleKey struct {
	client *http.Client
	url    string
}

func openGoogle(ctx context.Context, name string) (*googleKey, error) {
	credentials, err := google.FindDefaultCredentials(ctx, googleScope)
	if err != nil {
		return nil, err
	}
	client := oauth2.NewClient(ctx, credentials.TokenSource)
	client.Timeout = callTimeout
	return newGoogleKey(client, googleEndpoint, name), nil
}

func newGoogleKey(client *http.Client, endpoint, name string) *googleKey {
	return &googleKey{client, endpoint + "/v1/" + name}
}

// googleMessage is what goes there and comes back. The checksums (CRC32C) tell a
// message that was damaged on its way.
type googleMessage struct {
	Plaintext          []byte `json:"plaintext,omitempty"`
	PlaintextCRC32C    int64  `json:"plaintextCrc32c,string,omitempty"`
	Ciphertext         []byte `json:"ciphertext,omitempty"`
	CiphertextCRC32C   int64  `json:"ciphertextCrc32c,string,omitempty"`
	AssociatedData     []byte `json:"additionalAuthenticatedData,omitempty"`
	AssociatedCRC32C   int64  `json:"additionalAuthenticatedDataCrc32c,string,omitempty"`
	VerifiedPlaintext  bool   `json:"verifiedPlaintextCrc32c,omitempty"`
	VerifiedAssociated bool   `json:"verifiedAdditionalAuthenticatedDataCrc32c,omitempty"`
}

var errDamaged = errors.New("a message of Google Cloud KMS was damaged on its way")

// Encrypt implements seal.KEK.
func (k *googleKey) Encrypt(plaintext, associatedData []byte) ([]byte, error) {
	answer, err := k.call("encrypt", googleMessage{Plaintext: plaintext, PlaintextCRC32C: checksum(plaintext)},
		associatedData)
	if err != nil {
		return nil, err
	}
	if !answer.VerifiedPlaintext || len(associatedData) > 0 && !answer.VerifiedAssociated ||
		answer.CiphertextCRC32C != checksum(answer.Ciphertext) {
		return nil, errDamaged
	}
	return answer.Ciphertext, nil
}

// Decrypt implements seal.KEK.
func (k *googleKey) Decrypt(ciphertext, associatedData []byte) ([]byte, error) {
	answer, err := k.call("decrypt", googleMessage{Ciphertext: ciphertext, CiphertextCRC32C: checksum(ciphertext)},
		associatedData)
	if err != nil {
		return nil, err
	}
	if answer.PlaintextCRC32C != checksum(answer.Plaintext) {
		return nil, errDamaged
	}
	return answer.Plaintext, nil
}

func (k *googleKey) call(verb string, message googleMessage, associatedData []byte) (answer googleMessage, err error) {
	if len(associatedData) > 0 {
		message.AssociatedData, message.AssociatedCRC32C = associatedData, checksum(associatedData)
	}
	body, err := json.Marshal(message)
	if err != nil {
		return answer, err
	}
	response, err := k.client.Post(k.url+":"+verb, "application/json", bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return answer, err
	}
	if response.StatusCode != http.StatusOK {
		return answer, fmt.Errorf("the answer of Google Cloud KMS to %s is %s: %s", verb, response.Status,
			reason(content))
	}
	return answer, json.Unmarshal(content, &answer)
}

// reason is what an answer says of an error.
func reason(content []byte) string {
	var failure struct {
		Error struct{ Message string }
	}
	if json.Unmarshal(content, &failure) != nil || failure.Error.Message == "" {
		return "without a reason"
	}
	return failure.Error.Message
}

func checksum(content []byte) int64 {
	return int64(crc32.Checksum(content, crc32.MakeTable(crc32.Castagnoli)))
}
