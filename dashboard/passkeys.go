package dashboard

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"emissor/nfse"
	"emissor/store/access"
)

// ceremonyLasts is how long an authenticator may take: a later answer does not show who
// holds it now.
const ceremonyLasts = 5 * time.Minute

// newPasskeys makes what checks passkeys. They belong to the host of the dashboard's
// address, are stored by the authenticator, and need a finger, a face or a PIN.
func newPasskeys(address *url.URL) (*webauthn.WebAuthn, error) {
	timeout := webauthn.TimeoutConfig{Enforce: true, Timeout: ceremonyLasts, TimeoutUVD: ceremonyLasts}
	return webauthn.New(&webauthn.Config{
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
		RPID:     address.Hostname(), RPDisplayName: "Emissor",
		RPOrigins: []string{address.Scheme + "://" + address.Host},
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		AttestationPreference: protocol.PreferNoAttestation,
	})
}

// keyholder is a user with their passkeys, as the library needs them.
type keyholder struct {
	nfse.User
	credentials []webauthn.Credential
}

// WebAuthnID implements webauthn.User: an authenticator keeps it beside the passkey.
func (k keyholder) WebAuthnID() []byte { return []byte(k.ID) }

// WebAuthnName implements webauthn.User.
func (k keyholder) WebAuthnName() string { return k.Email }

// WebAuthnDisplayName implements webauthn.User.
func (k keyholder) WebAuthnDisplayName() string { return k.Email }

// WebAuthnCredentials implements webauthn.User.
func (k keyholder) WebAuthnCredentials() []webauthn.Credential { return k.credentials }

// keyholder reads the passkeys of a user.
func (r *request) keyholder(user nfse.User) (keyholder, error) {
	passkeys, err := r.d.store.Access.Passkeys(r.Context(), user.ID)
	if err != nil {
		return keyholder{}, err
	}
	holder := keyholder{User: user}
	for _, passkey := range passkeys {
		var credential webauthn.Credential
		if err := json.Unmarshal(passkey.Credential, &credential); err != nil {
			return holder, err
		}
		holder.credentials = append(holder.credentials, credential)
	}
	return holder, nil
}

// ceremony is what the answer of an authenticator must match, and its purpose. It is kept
// in the session.
type ceremony struct {
	Purpose purpose `json:"purpose"`
	webauthn.SessionData
}

// beginCeremony answers the script with what it must ask the authenticator for.
func (r *request) beginCeremony(what purpose, options any, begun *webauthn.SessionData) error {
	encoded, err := json.Marshal(ceremony{what, *begun})
	if err != nil {
		return err
	}
	r.put(sessionCeremony, string(encoded))
	return r.writeJSON(http.StatusOK, options)
}

// ceremony takes what was begun in this session, which must be for this purpose. It can be
// taken once, even where it was for another purpose.
func (r *request) ceremony(what purpose) (webauthn.SessionData, error) {
	var begun ceremony
	if err := json.Unmarshal([]byte(r.pop(sessionCeremony)), &begun); err != nil || begun.Purpose != what {
		return webauthn.SessionData{}, errPasskey
	}
	return begun.SessionData, nil
}

// errPasskey is the answer to every passkey that is refused, whatever the reason.
var errPasskey = problem{http.StatusForbidden, "passkey.failed"}

// usedPasskey stores the counter of a passkey that was used. Where it went back, the passkey
// was copied and is refused.
func (r *request) usedPasskey(userID, how string, credential *webauthn.Credential) error {
	if credential.Authenticator.CloneWarning {
		r.d.Logger.WarnContext(r.Context(), "a passkey seems to have been copied", "request_id", r.id)
		return r.refusePasskey(userID, how, errors.New("it seems to have been copied"))
	}
	encoded, err := json.Marshal(credential)
	if err != nil {
		return err
	}
	return r.d.store.Access.PasskeyUsed(r.Context(), credential.ID, encoded)
}

// madePasskey stores a new passkey.
func (r *request) madePasskey(credential *webauthn.Credential, label string) error {
	encoded, err := json.Marshal(credential)
	if err != nil {
		return err
	}
	_, err = r.changes().Access.AddPasskey(r.Context(), access.Passkey{
		UserID: r.user.ID, CredentialID: credential.ID, Credential: encoded, Label: label, Session: r.tokenHash(),
	})
	if errors.Is(err, access.ErrSessionEnded) {
		return problem{http.StatusUnauthorized, "sign_in.again"}
	}
	return err
}

// excluding keeps an authenticator from making a second passkey for the same account.
func excluding(holder keyholder) webauthn.RegistrationOption {
	var known []protocol.CredentialDescriptor
	for _, credential := range holder.credentials {
		known = append(known, credential.Descriptor())
	}
	return webauthn.WithExclusions(known)
}
