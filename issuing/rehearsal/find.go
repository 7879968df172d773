package rehearsal

import (
	"errors"
	"reflect"

	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Outcome is what would become of a note.
type Outcome string

// The outcomes.
const (
	Refused Outcome = "refused" // it would be rejected, by the authority's rules
	Held    Outcome = "held"    // it would wait for a person
	Changed Outcome = "changed" // it would be issued, and say something else
	Warned  Outcome = "warned"  // it would be sent, and the authority may refuse it
)

// finding is one thing that is found of a note.
type finding struct {
	Outcome Outcome
	Rule    string // the rule's code, the fact's, or a word for what changes
	Field   string // that it is about; empty where it is about none
	Why     string

	ChangeCents int64 // of Changed: by how much an amount is more, or with a minus less
}

func lacksProfile() finding {
	lacking := fact.NoFiscalProfile.Fact()
	return finding{Outcome: Held, Rule: string(lacking.Code), Why: lacking.English()}
}

// objected is what an authority's check objects to.
func objected(objection fiscal.Objection) finding {
	if rejection := objection.Rejection; rejection != nil {
		return finding{Outcome: Refused, Rule: rejection.Code, Field: fieldOf(rejection), Why: rejection.Message}
	}
	found := finding{Outcome: Held, Rule: string(objection.Hold.Code), Why: objection.Hold.English()}
	if rule, names := objection.Hold.Arguments["rule"].(string); names {
		found.Rule = rule
	}
	found.Field, _ = objection.Hold.Arguments["field"].(string)
	return found
}

func fieldOf(rejection *nfse.Rejection) string {
	if field, names := rejection.Reason.Arguments["field"].(string); names {
		return field
	}
	if rejection.Field != nil {
		return *rejection.Field
	}
	return ""
}

// notBuilt is that no message can be built of a declaration, which then waits for the operator.
// The error may quote the note, so that it is not told.
func notBuilt(err error) finding {
	why := fact.MessageNotBuilt.Fact()
	var layout *fiscal.LayoutError
	if errors.As(err, &layout) {
		why = fact.LayoutUnknown.With("layout", layout.Layout)
	}
	return finding{Outcome: Held, Rule: string(why.Code), Why: why.English()}
}

func change(rule, why string, cents int64) finding {
	return finding{Outcome: Changed, Rule: rule, Why: why, ChangeCents: cents}
}

// federalChanges are the federal taxes that a note would state otherwise.
func federalChanges(then, now taxes.Federal) (changes []finding) {
	for _, one := range []struct {
		rule, name string
		then, now  int64
	}{
		{"irrf", "IRRF", then.IRRF, now.IRRF}, {"pis_withheld", "PIS", then.PIS, now.PIS},
		{"cofins_withheld", "COFINS", then.COFINS, now.COFINS}, {"csll", "CSLL", then.CSLL, now.CSLL},
		{"inss", "INSS", then.INSS, now.INSS},
	} {
		if one.then != one.now {
			why := differs(one.name+" withheld", one.then, one.now)
			changes = append(changes, change(one.rule, why, one.now-one.then))
		}
	}
	thenPIS, thenCOFINS := owned(then)
	nowPIS, nowCOFINS := owned(now)
	if (then.Own == nil) != (now.Own == nil) || thenPIS != nowPIS || thenCOFINS != nowCOFINS {
		sum := nowPIS + nowCOFINS - thenPIS - thenCOFINS
		changes = append(changes, change("own_contributions",
			differs("the sum of the issuer's own PIS and COFINS", thenPIS+thenCOFINS, nowPIS+nowCOFINS), sum))
	}
	return changes
}

func owned(federal taxes.Federal) (pis, cofins int64) {
	if federal.Own == nil {
		return 0, 0
	}
	return federal.Own.PISCents, federal.Own.COFINSCents
}

// totalChanges are the totals that the authority would state otherwise, as far as both are known,
// to an issuer of an option of Simples Nacional.
func totalChanges(then, now nfse.Totals, simples nfse.SimplesOption) (changes []finding) {
	for _, one := range []struct {
		rule, name string
		then, now  *int64
	}{
		{"iss", "the ISS", then.ISSCents, now.ISSCents}, {"net", "the net amount", then.NetCents, now.NetCents},
		{"total", "the total", then.TotalCents, now.TotalCents},
	} {
		if one.then != nil && one.now != nil && *one.then != *one.now {
			changes = append(changes, change(one.rule, differs(one.name, *one.then, *one.now), *one.now-*one.then))
		}
	}
	if then.TotalCents != nil && now.TotalCents == nil && now.NetCents != nil {
		why := fact.IBSCBSOnTop
		if simples != nfse.SimplesNone {
			why = fact.IBSCBSOnTopInSimples
		}
		changes = append(changes, change("charged_on_top", why.Fact().English(), 0))
	}
	return changes
}

// groupChanges is how a note would state IBS and CBS otherwise.
func groupChanges(thenStates, nowStates bool, then, now fiscal.Declaration) []finding {
	switch {
	case nowStates && !thenStates:
		return []finding{change("ibs_cbs", "it states IBS and CBS, and stated none", 0)}
	case thenStates && !nowStates:
		return []finding{change("ibs_cbs", "it states no IBS and CBS, and stated them", 0)}
	case nowStates && !reflect.DeepEqual(then.Classification, now.Classification):
		return []finding{change("classification", "its service is classified otherwise by now", 0)}
	}
	return nil
}

func differs(what string, then, now int64) string {
	switch {
	case then == 0:
		return what + " is added"
	case now == 0:
		return what + " is left out"
	case then < now:
		return what + " is more"
	}
	return what + " is less"
}

// mayRefuse are the kinds of warnings about a classification that a refusal may follow from.
var mayRefuse = map[string]bool{"unlinked": true, "unconfirmed": true}

// warnings are what may be refused although nothing known says so.
func (r *Rehearsal) warnings(authority Authority, now fiscal.Declaration) (warnings []finding) {
	if !authority.StatesIBSCBS(now) {
		return nil
	}
	for _, warning := range r.tables[authority.Name()].WarningsOf(*now.Classification) {
		if mayRefuse[warning.Kind] {
			warnings = append(warnings, finding{Outcome: Warned, Rule: warning.Kind, Why: warning.String()})
		}
	}
	return warnings
}
