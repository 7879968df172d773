package fiscal_test

import (
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// refusedBy is the decision after a certain refusal by a code, of a declaration that was corrected
// before.
func refusedBy(code string, before ...fiscal.AutoFixMade) fiscal.Decision {
	return fiscal.Decision{Action: fiscal.Sign, Exchange: fiscal.Exchange{
		Kind: fiscal.Issue, State: fiscal.Unsigned, Handling: fiscal.NeedsPerson, AutoFixes: before,
		Rejection: &nfse.Rejection{Code: code},
	}}
}

// Each code is corrected once, at most three times in all, and never against what was corrected before;
// all else waits for a person, with the others behind it, or ends as the caller's own data.
func TestDecision_Repaired(t *testing.T) {
	t.Parallel()
	registration := fiscal.Repair{AutoFix: fiscal.SendRegistration, Scope: fiscal.ScopeCompany}
	address := fiscal.Repair{AutoFix: fiscal.OmitAddress, FinalUnfixed: true}
	nothing := fiscal.Repair{Scope: fiscal.ScopeCompany}
	for name, row := range map[string]struct {
		code   string
		repair fiscal.Repair
		before fiscal.AutoFixes
		cannot bool
		ends   bool
		want   string
	}{
		"corrected": {code: "E0116", repair: registration, want: "corrected"},
		"corrected after another": {code: "E0116", repair: registration, before: fiscal.AutoFixes{{"E0617", fiscal.OmitRate}},
			want: "corrected"},
		"the same code again": {code: "E0116", repair: registration, before: fiscal.AutoFixes{{"E0116", fiscal.OmitRate}},
			want: "waits"},
		"the same change again": {code: "E0240", repair: address, before: fiscal.AutoFixes{{"E0238", fiscal.OmitAddress}},
			want: "ends"},
		"back again": {code: "E0116", repair: registration, before: fiscal.AutoFixes{{"E0120", fiscal.OmitRegistration}},
			want: "waits"},
		"a fourth time": {code: "E0116", repair: registration, before: fiscal.AutoFixes{{"A", "a"}, {"B", "b"}, {"C", "c"}},
			want: "waits"},
		"that cannot be made":          {code: "E0116", repair: registration, cannot: true, want: "waits"},
		"the caller's, not corrected":  {code: "E0240", repair: address, cannot: true, want: "ends"},
		"nothing corrects it":          {code: "E0119", repair: nothing, want: "waits"},
		"the company wants it so":      {code: "E0119", repair: nothing, ends: true, want: "ends"},
		"also what could be corrected": {code: "E0116", repair: registration, ends: true, want: "ends"},
		"what this program has done":   {code: "E0717", repair: fiscal.Repair{Ours: true}, want: "waits, alarm"},
	} {
		can := func(fiscal.AutoFix) bool { return !row.cannot }
		got := refusedBy(row.code, row.before...).Repaired(row.repair, can, row.ends)
		e := got.Exchange
		said := "waits"
		switch {
		case e.State == fiscal.Rejected && got.Action == fiscal.Settle:
			said = "ends"
		case e.Handling == fiscal.AutoFixed && got.Action == fiscal.Sign:
			said = "corrected"
			want := fiscal.AutoFixMade{Code: row.code, AutoFix: row.repair.AutoFix}
			if last := e.AutoFixes[len(e.AutoFixes)-1]; last != want {
				t.Errorf("%s: the change is %+v", name, last)
			}
		case got.SiblingHold != row.repair.Scope || !e.Refused():
			t.Errorf("%s: it holds siblings by %q as %+v", name, got.SiblingHold, e)
		}
		if got.Alarm.Is(fact.RefusedByDefect) {
			said += ", alarm"
		}
		if said != row.want || said != "corrected" && len(e.AutoFixes) != len(row.before) {
			t.Errorf("%s: it is %s, with %+v", name, said, e.AutoFixes)
		}
	}
}

// What is in doubt, what no catalogue has, and what another certificate corrects is no refusal for
// the company's settings: nothing of it is corrected.
func TestDecision_RepairedIsOfRefusals(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*fiscal.Exchange){
		"in doubt":     func(e *fiscal.Exchange) { e.State = fiscal.InDoubt },
		"signed":       func(e *fiscal.Exchange) { e.State = fiscal.Signed },
		"uncatalogued": func(e *fiscal.Exchange) { e.Handling = fiscal.Uncatalogued },
		"certificate":  func(e *fiscal.Exchange) { e.Handling = fiscal.CertificateRefused },
		"cancellation": func(e *fiscal.Exchange) { e.Kind = fiscal.Cancel },
	} {
		decision := refusedBy("E0116")
		change(&decision.Exchange)
		got := decision.Repaired(fiscal.Repair{AutoFix: fiscal.SendRegistration, Scope: fiscal.ScopeCompany},
			func(fiscal.AutoFix) bool { return true }, true)
		if got.Exchange.State != decision.Exchange.State || got.Exchange.AutoFixes != nil || got.SiblingHold != "" ||
			got.Action != decision.Action {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
