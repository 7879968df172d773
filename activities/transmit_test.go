package activities

import (
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// What an authority says of one organization's certificate or account keeps nobody
// else from being answered at once; that it is out does.
func TestTransmit_FailedForAll(t *testing.T) {
	refused := fiscal.Numbers{Reason: fact.CityAnsweredCodes.With("codes", "1054"),
		CertificateRefused: &nfse.Rejection{Code: "1054"}}
	for name, c := range map[string]struct {
		answer fiscal.Answer
		failed bool
	}{
		"issued":                  {fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Status: 201}, false},
		"rejected":                {fiscal.Answer{Outcome: fiscal.OutcomeRejected, Status: 400}, false},
		"no answer":               {fiscal.Answer{Outcome: fiscal.OutcomeUnknown}, true},
		"out":                     {fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Status: 503}, true},
		"not reached":             {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered}, true},
		"too many requests":       {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Status: 429}, true},
		"not let in":              {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Status: 401}, false},
		"not allowed":             {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Status: 403}, false},
		"refused about numbers":   {refused.Answer(), false},
		"nothing said of numbers": {fiscal.Numbers{Reason: fact.CallNoAnswerInTime.Fact()}.Answer(), true},
		"free numbers":            {fiscal.Numbers{Free: []int64{1}}.Answer(), false},
		"its certificate is refused": {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered,
			NeedsPerson: fact.AddCertificateItTakes.With("why", fact.TLSHandshakeFailed.Fact())}, false},
	} {
		if failed := failedForAll(c.answer); failed != c.failed {
			t.Errorf("%s: failed for all is %v", name, failed)
		}
	}
}
