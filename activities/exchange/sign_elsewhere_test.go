package exchange

import (
	"context"
	"crypto/tls"
	"errors"
	"testing"

	"go.temporal.io/sdk/testsuite"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/fiscal/certificate/certificatetest"
)

// Signatures by a key that is kept elsewhere are made at the queue, a few of a certificate at a time: a token that
// hangs keeps nobody else waiting. A key that is here takes no slot, and one that does not sign is said before anything
// is done.
func TestSignElsewhere(t *testing.T) {
	t.Parallel()
	all := &Exchanges{Certificates: activities.NewCertificateCache(nil, nil, nil)}
	sign := func(first bool, by *fiscal.Credentials) (*exchangeAttempt, error) {
		attempt := &exchangeAttempt{Exchanges: all, exchangeLease: &exchangeLease{}}
		attempt.gate = &queueGate{attempt: attempt}
		if first {
			attempt.gate = &firstGate{attempt: attempt}
		}
		err := attempt.signElsewhere(t.Context(), by)
		return attempt, err
	}
	token := certificatetest.NewToken(t, certificatetest.Key())
	bundle := certificatetest.NewChain(t).Issue(t, certificatetest.Template("11222333000181"))
	program := certificatetest.SigningProgram(t)
	key := certificatetest.Elsewhere(t, bundle, program, token).Key
	away := func(id string) *fiscal.Credentials {
		return &fiscal.Credentials{ID: id, Certificate: tls.Certificate{PrivateKey: key}}
	}
	if _, err := sign(true, away("crt_1")); !errors.Is(err, errQueued) {
		t.Errorf("in the first attempt: %v", err)
	}
	attempt, err := sign(false, away("crt_1"))
	for range 3 {
		_, another := sign(false, away("crt_1"))
		err = errors.Join(err, another)
	}
	if err != nil || attempt.signElsewhere(t.Context(), away("crt_1")) != nil {
		t.Errorf("four at once: %v", err)
	}
	var suite testsuite.WorkflowTestSuite
	engine := suite.NewTestActivityEnvironment()
	fifth := func(ctx context.Context) (busy bool, _ error) {
		_, err := all.Certificates.TakeSlot(ctx, "crt_1")
		return errors.As(err, new(activities.RetryLater)), nil
	}
	engine.RegisterActivity(fifth)
	var busy bool
	if result, err := engine.ExecuteActivity(fifth); err != nil || result.Get(&busy) != nil || !busy {
		t.Errorf("a fifth is let: %v", err)
	}
	for name, by := range map[string]*fiscal.Credentials{"another": away("crt_2"), "one that is here": {ID: "crt_1"}} {
		if _, err := sign(false, by); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, end := range attempt.ends {
		end()
	}
	if _, err := sign(false, away("crt_1")); err != nil {
		t.Errorf("once one has ended: %v", err)
	}
	token.Hold(t, certificatetest.Key(), certificatetest.Ends)
	key = certificatetest.Elsewhere(t, bundle, program, token).Key
	if _, err := sign(false, away("crt_3")); !errors.As(err, new(*activities.ActionRequired)) {
		t.Errorf("a key that does not sign: %v", err)
	}
}
