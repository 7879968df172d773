package companies

import (
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/nfse"
)

// ChangingProfile is the act of a change by which the next notes have another fiscal value,
// issuer or series. Any other change of the profile can be undone.
func ChangingProfile(r *frame.Request) (*frame.Act, error) {
	change, err := typedProfile(r)
	if err != nil || change.looks || !change.page.Form.Good() || change.page.Version != change.version {
		return nil, err
	}
	before, after := change.before, change.profile
	if !change.page.HasProfile {
		before.TaxID, before.Series = after.TaxID, after.Series
	}
	var means []string
	if before.Production != after.Production {
		means = append(means, r.Language.Say("act.profile."+nfse.EnvironmentName(after.Production)))
	}
	movesBefore, movesAfter := movesText(r.Language, before.Moves), movesText(r.Language, after.Moves)
	if before.TaxID != after.TaxID || before.Series != after.Series || movesBefore != movesAfter {
		means = append(means, r.Language.Say("act.profile.numbers"))
	}
	if means == nil {
		return nil, nil
	}
	environment := func(profile nfse.FiscalProfile) string {
		return r.Language.Say("company.environment." + nfse.EnvironmentName(profile.Production))
	}
	facts := []frame.Line{
		{Label: "company.environment", Text: changed(environment(before), environment(after))},
		{Label: "customer.tax_id", Text: changed(format.TaxID(before.TaxID), format.TaxID(after.TaxID))},
		{Label: "company.series", Text: changed(strconv.Itoa(before.Series), strconv.Itoa(after.Series))},
	}
	if movesBefore != movesAfter {
		facts = append(facts, frame.Line{Label: "company.moves", Text: changed(movesBefore, movesAfter)})
	}
	return &frame.Act{Title: "act.profile", Means: strings.Join(means, " "), Back: r.Link("/company"), Facts: facts}, nil
}

// changed writes a value before and after a change; once where it stays the same.
func changed(before, after string) string {
	if before == after {
		return after
	}
	return before + " → " + after
}
