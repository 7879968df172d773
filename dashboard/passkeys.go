package dashboard

import (
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
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
