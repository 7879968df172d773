package exchange

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/internal/metrics"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
)

// answers is a store of answers that says what becomes of each.
type answers struct {
	saved   lifecycle.Saved
	err     error
	refused []string // certificates
}

func (a *answers) SaveDecision(context.Context, *exchanges.Exchange, exchanges.Lease, int64, fiscal.Answer,
	fiscal.Decision,
	lifecycle.DecisionExtras) (lifecycle.Saved, error) {
	return a.saved, a.err
}

func (a *answers) RefuseCertificate(_ context.Context, id, _ string) error {
	a.refused = append(a.refused, id)
	return nil
}

func newSaver(kept *answers, log *bytes.Buffer) *saver {
	return &saver{store: kept, certificates: kept, exchangeLease: &exchangeLease{store: &leases{}, leased: true},
		metrics: metrics.New(), logger: slog.New(slog.NewTextHandler(log, nil))}
}

func TestSave_TheLeaseGoesOnWithTheExchange(t *testing.T) {
	for name, c := range map[string]struct {
		action fiscal.Action
		kept   answers
		leased bool
		later  bool
	}{
		"it goes on":       {action: fiscal.Ask, leased: true},
		"it waits":         {action: fiscal.Wait},
		"it has ended":     {action: fiscal.Settle},
		"another took it":  {action: fiscal.Wait, kept: answers{saved: lifecycle.Saved{Lost: true}}, later: true},
		"database is out ": {action: fiscal.Wait, kept: answers{err: errors.New("out")}, leased: true},
	} {
		s := newSaver(&c.kept, &bytes.Buffer{})
		_, err := s.save(t.Context(), &exchanges.Exchange{}, 1, fiscal.Answer{}, fiscal.Decision{Action: c.action},
			lifecycle.DecisionExtras{})
		var later activities.RetryLater
		failed := c.later || c.kept.err != nil
		if s.exchangeLease.leased != c.leased || errors.As(err, &later) != c.later || (err != nil) != failed {
			t.Errorf("%s: leased %v, %v", name, s.exchangeLease.leased, err)
		}
	}
}

func TestSave_TellsOfAnAlarm(t *testing.T) {
	log := &bytes.Buffer{}
	s := newSaver(&answers{}, log)
	for _, alarm := range []fact.Fact{{}, fact.InWords("two notes stand under one RPS")} {
		log.Reset()
		e, decision := &exchanges.Exchange{NoteID: "nfse_1"}, fiscal.Decision{Alarm: alarm}
		_, err := s.save(t.Context(), e, 1, fiscal.Answer{}, decision, lifecycle.DecisionExtras{})
		if err != nil || strings.Contains(log.String(), "nfse_1") != !alarm.None() {
			t.Errorf("%v is logged as %q, %v", alarm, log, err)
		}
	}
}

// Only the certificate that signed what was refused is refused, not one that came since.
func TestSave_RefusesTheCertificateThatSigned(t *testing.T) {
	refused := fiscal.Answer{Rejection: &nfse.Rejection{Code: "E1207"}}
	access := fiscal.Access{Credentials: &fiscal.Credentials{ID: "crt_1"}}
	for _, c := range []struct {
		decision fiscal.Decision
		signer   string
		refused  int
	}{
		{fiscal.Decision{RefuseCertificate: true}, "crt_1", 1},
		{fiscal.Decision{RefuseCertificate: true}, "crt_0", 0},
		{fiscal.Decision{}, "crt_1", 0},
	} {
		kept := &answers{}
		err := newSaver(kept, &bytes.Buffer{}).refuseCertificate(t.Context(), c.decision, refused, c.signer, access)
		if err != nil || len(kept.refused) != c.refused {
			t.Errorf("%+v, %s: refused are %v, %v", c.decision, c.signer, kept.refused, err)
		}
	}
}
