package frame

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"emissor/nfse"
	"emissor/store/access"
)

// Keyholder is a user with their passkeys, as the library needs them.
type Keyholder struct {
	nfse.User
	Credentials []webauthn.Credential
}

// WebAuthnID implements webauthn.User: an authenticator keeps it beside the passkey.
func (k Keyholder) WebAuthnID() []byte { return []byte(k.ID) }

// WebAuthnName implements webauthn.User.
func (k Keyholder) WebAuthnName() string { return k.Email }

// WebAuthnDisplayName implements webauthn.User.
func (k Keyholder) WebAuthnDisplayName() string { return k.Email }

// WebAuthnCredentials implements webauthn.User.
func (k Keyholder) WebAuthnCredentials() []webauthn.Credential { return k.Credentials }

// Keyholder reads the passkeys of a user.
func (r *Request) Keyholder(user nfse.User) (Keyholder, error) {
	passkeys, err := r.D.Store.Access.Passkeys(r.Context(), user.ID)
	if err != nil {
		return Keyholder{}, err
	}
	holder := Keyholder{User: user}
	for _, passkey := range passkeys {
		var credential webauthn.Credential
		if err := json.Unmarshal(passkey.Credential, &credential); err != nil {
			return holder, err
		}
		holder.Credentials = append(holder.Credentials, credential)
	}
	return holder, nil
}

// ceremony is what the answer of an authenticator must match, and its purpose. It is kept
// in the session.
type ceremony struct {
	Purpose Purpose `json:"purpose"`
	webauthn.SessionData
}

// BeginCeremony answers the script with what it must ask the authenticator for.
func (r *Request) BeginCeremony(what Purpose, options any, begun *webauthn.SessionData) error {
	encoded, err := json.Marshal(ceremony{what, *begun})
	if err != nil {
		return err
	}
	r.Put(sessionCeremony, string(encoded))
	return r.WriteJSON(http.StatusOK, options)
}

// Ceremony takes what was begun in this session, which must be for this purpose. It can be
// taken once, even where it was for another purpose.
func (r *Request) Ceremony(what Purpose) (webauthn.SessionData, error) {
	var begun ceremony
	if err := json.Unmarshal([]byte(r.Pop(sessionCeremony)), &begun); err != nil || begun.Purpose != what {
		return webauthn.SessionData{}, errPasskey
	}
	return begun.SessionData, nil
}

// errPasskey is the answer to every passkey that is refused, for any reason.
var errPasskey = Problem{http.StatusForbidden, "passkey.failed"}

// UsedPasskey stores the counter of a passkey that was used. Where it went back, the passkey
// was copied and is refused.
func (r *Request) UsedPasskey(userID, how string, credential *webauthn.Credential) error {
	if credential.Authenticator.CloneWarning {
		r.D.Logger.WarnContext(r.Context(), "a passkey seems to have been copied", "request_id", r.ID)
		return r.RefusePasskey(userID, how, errors.New("it seems to have been copied"))
	}
	encoded, err := json.Marshal(credential)
	if err != nil {
		return err
	}
	return r.D.Store.Access.PasskeyUsed(r.Context(), credential.ID, encoded)
}

// MadePasskey stores a new passkey.
func (r *Request) MadePasskey(credential *webauthn.Credential, label string) error {
	encoded, err := json.Marshal(credential)
	if err != nil {
		return err
	}
	_, err = r.Changes().Access.AddPasskey(r.Context(), access.Passkey{
		UserID: r.User.ID, CredentialID: credential.ID, Credential: encoded, Label: label, Session: r.TokenHash(),
	})
	if errors.Is(err, access.ErrSessionEnded) {
		return Problem{http.StatusUnauthorized, "sign_in.again"}
	}
	return err
}

// Excluding keeps an authenticator from making a second passkey for the same account.
func Excluding(holder Keyholder) webauthn.RegistrationOption {
	var known []protocol.CredentialDescriptor
	for _, credential := range holder.Credentials {
		known = append(known, credential.Descriptor())
	}
	return webauthn.WithExclusions(known)
}

// Purpose is why a passkey is used, or somebody signs in at the provider. The answer counts
// for the purpose that it was asked for only.
type Purpose string

const (
	ToSignIn  Purpose = "sign in"
	ToConfirm Purpose = "confirm" // who they are, again
	ToGoOn    Purpose = "go on"   // after a while, by the company's sign-on
	ToEnrol   Purpose = "enrol"   // a passkey that is made
	ToLink    Purpose = "link"    // their account to the provider
)
