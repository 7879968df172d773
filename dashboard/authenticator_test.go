package dashboard_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// authenticator holds a passkey of a person in a test, as a device does.
type authenticator struct {
	key     *ecdsa.PrivateKey
	id      []byte // of the passkey
	user    []byte // whose it is, as the dashboard said
	counter uint32
}

// ceremonyOptions are what the dashboard asks an authenticator for.
type ceremonyOptions struct {
	PublicKey struct {
		Challenge string
		RP        struct{ ID string }
		RPID      string
		User      struct{ ID string }
	}
}

func (p *person) asJSON(t *testing.T, path string, body any) page {
	t.Helper()
	encoded, err := json.Marshal(body)
	must(t, err)
	return p.send(t, http.MethodPost, path, nil, "application/json", strings.NewReader(string(encoded)))
}

func (p *person) options(t *testing.T, path string) (options ceremonyOptions) {
	t.Helper()
	must(t, json.Unmarshal([]byte(p.asJSON(t, path, struct{}{}).expect(t, http.StatusOK).body), &options))
	return options
}

// makesPasskey makes a passkey in the person's session.
func (p *person) makesPasskey(t *testing.T) *authenticator {
	t.Helper()
	a, made := p.beginsPasskey(t)
	p.asJSON(t, "/session/passkeys", made).expect(t, http.StatusOK)
	return a
}

// beginsPasskey is what a new authenticator answers with, before it is sent.
func (p *person) beginsPasskey(t *testing.T) (a *authenticator, made map[string]any) {
	t.Helper()
	return p.makes(t, p.options(t, "/session/passkeys/options"))
}

// makes is what a new authenticator answers to what it is asked for.
func (p *person) makes(t *testing.T, options ceremonyOptions) (a *authenticator, made map[string]any) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	a = &authenticator{key: key, id: []byte(rand.Text()), user: fromText(t, options.PublicKey.User.ID)}
	point, err := key.PublicKey.Bytes()
	must(t, err)
	cose := slices.Concat([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, point[1:33],
		[]byte{0x22, 0x58, 32}, point[33:])
	data := slices.Concat(a.data(options.PublicKey.RP.ID, 0x45), make([]byte, 16), []byte{0, byte(len(a.id))}, a.id,
		cose)
	attestation := slices.Concat([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), []byte{byte(len(data))},
		data)
	return a, a.credential(map[string]string{
		"clientDataJSON":    toText(p.clientData(t, "webauthn.create", options)),
		"attestationObject": toText(attestation),
	})
}

// answers is what the authenticator answers with to what a path asks for.
func (a *authenticator) answers(t *testing.T, p *person, path string) map[string]any {
	t.Helper()
	return a.signs(t, p, p.options(t, path))
}

// signs is what the authenticator answers with to what it is asked for.
func (a *authenticator) signs(t *testing.T, p *person, options ceremonyOptions) map[string]any {
	t.Helper()
	a.counter++
	data, client := a.data(options.PublicKey.RPID, 0x05), p.clientData(t, "webauthn.get", options)
	clientHash := sha256.Sum256(client)
	hash := sha256.Sum256(slices.Concat(data, clientHash[:]))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, hash[:])
	must(t, err)
	return a.credential(map[string]string{
		"clientDataJSON": toText(client), "authenticatorData": toText(data), "signature": toText(signature),
		"userHandle": toText(a.user),
	})
}

// data is the beginning of what an authenticator signs; the flags say that its holder
// was there and verified.
func (a *authenticator) data(rpID string, flags byte) []byte {
	host := sha256.Sum256([]byte(rpID))
	return binary.BigEndian.AppendUint32(append(host[:], flags), a.counter)
}

func (p *person) clientData(t *testing.T, kind string, options ceremonyOptions) []byte {
	t.Helper()
	encoded, err := json.Marshal(map[string]string{"type": kind, "challenge": options.PublicKey.Challenge,
		"origin": p.site.base})
	must(t, err)
	return encoded
}

func (a *authenticator) credential(response map[string]string) map[string]any {
	return map[string]any{"id": toText(a.id), "rawId": toText(a.id), "type": "public-key", "response": response}
}

func toText(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

func fromText(t *testing.T, text string) []byte {
	t.Helper()
	data, err := base64.RawURLEncoding.DecodeString(text)
	must(t, err)
	return data
}
