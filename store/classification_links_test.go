package store_test

import (
	"errors"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

// mayClassify makes an account that may change the catalogue.
func (n tenancy) mayClassify(t *testing.T, userID string) {
	t.Helper()
	n.Exec(t, `INSERT INTO users (id, email) VALUES ($1, $1 || '@example.com')`, userID)
	n.Exec(t, `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'editor')`,
		n.scope.OrganizationID, userID)
}

func (n tenancy) byUser(userID string) *store.Changes {
	return n.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: userID, From: "192.0.2.1", RequestID: "req_x"})
}

// askToClassify makes a link of that text to the service.
func (n tenancy) askToClassify(t *testing.T, email, text string) catalogues.ClassificationLink {
	t.Helper()
	n.mayClassify(t, "usr_asking")
	link, err := n.byUser("usr_asking").Catalogues.AskToClassify(t.Context(), n.scope, n.service.ID, email, text,
		true, time.Hour)
	must(t, err)
	return link
}

// A link is used once, of however many at once, and then with one classification.
func TestClassifyByLink_AtTheSameTime(t *testing.T) {
	tenant := newTenant(t)
	tenant.askToClassify(t, "conta@example.com", "text")
	version := nfse.VersionOf((*nfse.Classification)(nil))
	errs := together(8, func(int) error {
		return tenant.byUser("lnk_x").Catalogues.ClassifyByLink(t.Context(), "text", usualClassification(), version)
	})
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !nfse.IsCode(err, nfse.CodeNotFound):
			t.Error(err)
		}
	}
	if records := tenant.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'service.answer'`); won != 1 ||
		records != 1 {
		t.Errorf("%d use it up, with %d entries", won, records)
	}
}

// Nothing is used up where the classification has changed, and who confirms what is on record is on record.
func TestClassifyByLink_Version(t *testing.T) {
	tenant := newTenant(t)
	tenant.askToClassify(t, "conta@example.com", "text")
	tenant.classify(t, usualClassification())
	use := func(version string) error {
		return tenant.byUser("lnk_x").Catalogues.ClassifyByLink(t.Context(), "text", usualClassification(), version)
	}
	if err := use("seen before"); !errors.Is(err, postgres.ErrChanged) {
		t.Errorf("another version: %v", err)
	}
	now := usualClassification()
	must(t, use(nfse.VersionOf(&now)))
	if records := tenant.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'service.answer'`); records != 1 {
		t.Errorf("there are %d entries", records)
	}
}

// A link does no more than who made it may, and ends with its service.
func TestClassificationLink_Ends(t *testing.T) {
	for name, end := range map[string]string{
		"viewer":      `UPDATE memberships SET role = 'viewer'`,
		"no member":   `DELETE FROM memberships`,
		"removed":     `UPDATE users SET removed_at = now(), operator = true`,
		"expired":     `UPDATE classification_links SET expires_at = now()`,
		"used":        `UPDATE classification_links SET used_at = now()`,
		"service":     `UPDATE services SET expires_at = now()`,
		"service too": `UPDATE services SET retired_at = now()`,
		"another's":   `UPDATE classification_links SET hash = ''`,
	} {
		t.Run(name, func(t *testing.T) {
			tenant := newTenant(t)
			tenant.askToClassify(t, "conta@example.com", "text")
			must(t, second(tenant.Store.Catalogues.ClassificationLink(t.Context(), "text")))
			tenant.Exec(t, end)
			if _, err := tenant.Store.Catalogues.ClassificationLink(t.Context(), "text"); !nfse.IsCode(err,
				nfse.CodeNotFound) {
				t.Errorf("it is found: %v", err)
			}
			err := tenant.byUser("lnk_x").Catalogues.ClassifyByLink(t.Context(), "text", usualClassification(), "")
			if !nfse.IsCode(err, nfse.CodeNotFound) {
				t.Errorf("it is used: %v", err)
			}
		})
	}
	t.Run("operator", func(t *testing.T) {
		tenant := newTenant(t)
		tenant.askToClassify(t, "conta@example.com", "text")
		tenant.Exec(t, `DELETE FROM memberships`)
		tenant.Exec(t, `UPDATE users SET operator = true`)
		must(t, tenant.byUser("lnk_x").Catalogues.ClassifyByLink(t.Context(), "text", usualClassification(), ""))
	})
}
