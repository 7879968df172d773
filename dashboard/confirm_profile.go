package dashboard

import (
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/nfse"
)

// changingProfile is the act of a change by which the next notes have another fiscal value,
// issuer or series. Any other change of the profile can be undone.
func (r *request) changingProfile() (*act, error) {
	change, err := r.typedProfile()
	if err != nil || change.looks || !change.page.Form.good() || change.page.Version != change.version {
		return nil, err
	}
	before, after := change.before, change.profile
	if !change.page.HasProfile {
		before.TaxID, before.Series = after.TaxID, after.Series
	}
	var means []string
	if before.Production != after.Production {
		means = append(means, r.language.Say("act.profile."+nfse.EnvironmentName(after.Production)))
	}
	movesBefore, movesAfter := movesText(r.language, before.Moves), movesText(r.language, after.Moves)
	if before.TaxID != after.TaxID || before.Series != after.Series || movesBefore != movesAfter {
		means = append(means, r.language.Say("act.profile.numbers"))
	}
	if means == nil {
		return nil, nil
	}
	environment := func(profile nfse.FiscalProfile) string {
		return r.language.Say("company.environment." + nfse.EnvironmentName(profile.Production))
	}
	facts := []line{
		{"company.environment", changed(environment(before), environment(after))},
		{"customer.tax_id", changed(format.TaxID(before.TaxID), format.TaxID(after.TaxID))},
		{"company.series", changed(strconv.Itoa(before.Series), strconv.Itoa(after.Series))},
	}
	if movesBefore != movesAfter {
		facts = append(facts, line{"company.moves", changed(movesBefore, movesAfter)})
	}
	return &act{Title: "act.profile", Means: strings.Join(means, " "), Back: r.link("/company"), Facts: facts}, nil
}

// changed writes a value before and after a change; once where it stays the same.
func changed(before, after string) string {
	if before == after {
		return after
	}
	return before + " → " + after
}
