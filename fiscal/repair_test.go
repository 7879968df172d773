package fiscal_test

import (
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// refusedBy is the decision after a certain refusal by a code, of a declaration that was mended
// before.
func refusedBy(code string, before ...fiscal.MendMade) fiscal.Decision {
	return fiscal.Decision{Action: fiscal.Sign, Exchange: fiscal.Exchange{
		Kind: fiscal.Issue, State: fiscal.Unsigned, Disposition: fiscal.NeedsPerson, Mends: before,
		Rejection: &nfse.Rejection{Code: code},
	}}
}

// Each code is mended once, at most three times in all, and never against what was mended before;
// all else waits for a person, with the others behind it, or ends as the caller's own data.
func TestDecision_Repaired(t *testing.T) {
	t.Parallel()
	registration := fiscal.Repair{Mend: fiscal.SendRegistration, Scope: fiscal.ScopeCompany}
	address := fiscal.Repair{Mend: fiscal.OmitAddress, FinalUnmended: true}
	nothing := fiscal.Repair{Scope: fiscal.ScopeCompany}
	for name, row := range map[string]struct {
		code   string
		repair fiscal.Repair
		before fiscal.Mends
		cannot bool
		ends   bool
		want   string
	}{
		"mended": {code: "E0116", repair: registration, want: "mended"},
		"mended after another": {code: "E0116", repair: registration, before: fiscal.Mends{{"E0617", fiscal.OmitRate}},
			want: "mended"},
		"the same code again": {code: "E0116", repair: registration, before: fiscal.Mends{{"E0116", fiscal.OmitRate}},
			want: "waits"},
		"the same mend again": {code: "E0240", repair: address, before: fiscal.Mends{{"E0238", fiscal.OmitAddress}},
			want: "ends"},
		"back again": {code: "E0116", repair: registration, before: fiscal.Mends{{"E0120", fiscal.OmitRegistration}},
			want: "waits"},
		"a fourth time": {code: "E0116", repair: registration, before: fiscal.Mends{{"A", "a"}, {"B", "b"}, {"C", "c"}},
			want: "waits"},
		"that cannot be made":        {code: "E0116", repair: registration, cannot: true, want: "waits"},
		"the caller's, not mended":   {code: "E0240", repair: address, cannot: true, want: "ends"},
		"nothing mends it":           {code: "E0119", repair: nothing, want: "waits"},
		"the company wants it so":    {code: "E0119", repair: nothing, ends: true, want: "ends"},
		"also what could be mended":  {code: "E0116", repair: registration, ends: true, want: "ends"},
		"what this program has done": {code: "E0717", repair: fiscal.Repair{Ours: true}, want: "waits, alarm"},
	} {
		can := func(fiscal.Mend) bool { return !row.cannot }
		got := refusedBy(row.code, row.before...).Repaired(row.repair, can, row.ends)
		e := got.Exchange
		said := "waits"
		switch {
		case e.State == fiscal.Rejected && got.Action == fiscal.Settle:
			said = "ends"
		case e.Disposition == fiscal.Mended && got.Action == fiscal.Sign:
			said = "mended"
			if last := e.Mends[len(e.Mends)-1]; last != (fiscal.MendMade{Code: row.code, Mend: row.repair.Mend}) {
				t.Errorf("%s: the mend is %+v", name, last)
			}
		case got.SiblingHold != row.repair.Scope || !e.Refused():
			t.Errorf("%s: it holds siblings by %q as %+v", name, got.SiblingHold, e)
		}
		if got.Alarm.Is(fact.RefusedByDefect) {
			said += ", alarm"
		}
		if said != row.want || said != "mended" && len(e.Mends) != len(row.before) {
			t.Errorf("%s: it is %s, with %+v", name, said, e.Mends)
		}
	}
}

// What is in doubt, what no catalogue has, and what another certificate mends is no refusal for
// the company's settings: nothing of it is mended.
func TestDecision_RepairedIsOfRefusals(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*fiscal.Exchange){
		"in doubt":     func(e *fiscal.Exchange) { e.State = fiscal.InDoubt },
		"signed":       func(e *fiscal.Exchange) { e.State = fiscal.Signed },
		"uncatalogued": func(e *fiscal.Exchange) { e.Disposition = fiscal.Uncatalogued },
		"certificate":  func(e *fiscal.Exchange) { e.Disposition = fiscal.CertificateRefused },
		"cancellation": func(e *fiscal.Exchange) { e.Kind = fiscal.Cancel },
	} {
		decision := refusedBy("E0116")
		change(&decision.Exchange)
		got := decision.Repaired(fiscal.Repair{Mend: fiscal.SendRegistration, Scope: fiscal.ScopeCompany},
			func(fiscal.Mend) bool { return true }, true)
		if got.Exchange.State != decision.Exchange.State || got.Exchange.Mends != nil || got.SiblingHold != "" ||
			got.Action != decision.Action {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
