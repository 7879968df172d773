package catalogue

import (
	"context"
	"errors"
	"time"

	"emissor/nfse"
	"emissor/store/companies"
	"emissor/store/lifecycle"
)

// CompetenceDays are the first and the last day of competence that a person may set
// today, or the day when it was Asked, for an organization: no later one than today, as no document may be dated
// before its competence (E0015), and no earlier one than its fiscal profile lets.
// Whether a city or a company issued on a day already (E0016, E0018, E0020, E0023, E0025)
// only the authorities' registers know, and they are not asked before: a note that is
// refused for it waits for a person.
func (c *Catalogue) CompetenceDays(ctx context.Context, organizationID string) (first, last nfse.Day, err error) {
	profile, err := c.store.Companies.FiscalProfile(ctx, organizationID)
	if err != nil && !errors.Is(err, companies.ErrNoFiscalProfile) {
		return "", "", err
	}
	today := nfse.DayOf(time.Now())
	if !c.asked.IsZero() {
		today = nfse.DayOf(c.asked)
	}
	return today.Before(profile.DaysBack()), today, nil
}

// checkCompetence refuses a day of competence that may not be set. That of a note which replaces
// another stays, and the rules of replacements look at it.
func (c *Catalogue) checkCompetence(ctx context.Context, note lifecycle.NewNote) error {
	if note.Competence == "" || note.Details.Replaces != nil {
		return nil
	}
	return c.mayBe(ctx, note.Key.OrganizationID, note.Competence)
}

func (c *Catalogue) mayBe(ctx context.Context, organizationID string, day nfse.Day) error {
	first, last, err := c.CompetenceDays(ctx, organizationID)
	if err == nil && (day < first || day > last) {
		err = nfse.Invalid("competence", "must be a day from %s to %s", first, last)
	}
	return err
}

// CheckDay refuses a day of competence that may not be set for a note of an organization, where the
// authority refuses the one that it has (store.Changes.SetCompetence).
func (c *Catalogue) CheckDay(ctx context.Context, organizationID string, day nfse.Day) error {
	if _, err := nfse.ParseDay(string(day)); err != nil {
		return nfse.Invalid("competence", "%s", err)
	}
	return c.mayBe(ctx, organizationID, day)
}
