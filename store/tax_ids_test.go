package store_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
)

func (n tenancy) expectTaxID(t *testing.T, what string, profile nfse.FiscalProfile, expected error) {
	t.Helper()
	profile.OrganizationID = n.scope.OrganizationID
	if err := n.Store.Companies.CheckTaxID(t.Context(), profile); !errors.Is(err, expected) {
		t.Errorf("%s: %v, expected %v", what, err, expected)
	}
}

// An issuer is the first organization's that claims it, in each environment of each authority
// and for each branch apart; the operator lets others use it, and takes it from them.
func TestTaxID_FirstOwnsIt(t *testing.T) {
	first := newTenant(t).inLive(t)
	second := addTenant(t, first.Database, true)
	profile := first.profile()
	key := profile.IssuerKey()
	first.expectTaxID(t, "nobody's", profile, companies.ErrTaxIDNotShown)
	for _, n := range []tenancy{first, second, first} {
		must(t, n.Changes().Companies.ClaimTaxID(t.Context(), n.scope.OrganizationID, key))
	}
	first.expectTaxID(t, "the first's", profile, nil)
	second.expectTaxID(t, "another's, to who has shown nothing", profile, companies.ErrTaxIDNotShown)
	shown := second.certificate("second", 100)
	shown.ChainVerified = true
	second.addCertificate(t, shown)
	second.expectTaxID(t, "another's", profile, companies.ErrTaxIDOfAnother)
	for what, change := range map[string]func(*nfse.FiscalProfile){
		"the other environment": func(p *nfse.FiscalProfile) { p.Production = !p.Production },
		"another authority":     func(p *nfse.FiscalProfile) { p.Authority = "sao-paulo" },
		"a branch":              func(p *nfse.FiscalProfile) { p.TaxID = "11222333000262" },
	} {
		apart := profile
		change(&apart)
		first.expectTaxID(t, what, apart, companies.ErrTaxIDNotShown)
		must(t, second.Changes().Companies.ClaimTaxID(t.Context(), second.scope.OrganizationID, apart.IssuerKey()))
		second.expectTaxID(t, what, apart, nil)
	}

	held := second.hold(t, "waits")
	allowed, err := second.Changes().Companies.AllowTaxID(t.Context(), second.scope.OrganizationID, key)
	if must(t, err); allowed.Owner || allowed.Source != companies.ClaimedByOperator {
		t.Errorf("allowed is %+v", allowed)
	}
	second.expectTaxID(t, "allowed", profile, nil)
	if woken := second.resumed(t); len(woken) != 1 || woken[0] != held {
		t.Errorf("%v are woken up, expected %s", woken, held)
	}
	for _, n := range []tenancy{second, first} {
		_, err = n.Changes().Companies.RevokeTaxID(t.Context(), n.scope.OrganizationID, key)
		must(t, err)
	}
	second.expectTaxID(t, "taken away", profile, companies.ErrTaxIDNotShown) // and nobody's
	must(t, second.Changes().Companies.ClaimTaxID(t.Context(), second.scope.OrganizationID, key))
	first.expectTaxID(t, "the next's", profile, companies.ErrTaxIDNotShown)
	if _, err := first.Changes().Companies.RevokeTaxID(t.Context(), first.scope.OrganizationID, key); !nfse.IsCode(err,
		nfse.CodeNotFound) {
		t.Errorf("what is not there was taken away: %v", err)
	}
}

// An organization that was allowed an issuer before the issuer had an owner becomes the owner by a certificate, and
// stays the owner no matter what the operator allows.
func TestTaxID_AllowedBeforeItIsOwned(t *testing.T) {
	n := newTenant(t)
	key := n.profile().IssuerKey()
	allow := func() companies.TaxIDClaim {
		t.Helper()
		claim, err := n.Changes().Companies.AllowTaxID(t.Context(), n.scope.OrganizationID, key)
		must(t, err)
		return claim
	}
	if claim := allow(); claim.Owner {
		t.Errorf("the operator makes an owner: %+v", claim)
	}
	must(t, n.Changes().Companies.ClaimTaxID(t.Context(), n.scope.OrganizationID, key))
	if claim := allow(); !claim.Owner || claim.Source != companies.ClaimedByCertificate {
		t.Errorf("the owner was changed: %+v", claim)
	}
}

// Of many that show a certificate at the same time one owns the issuer.
func TestTaxID_ClaimedAtOnce(t *testing.T) {
	n := newTenant(t)
	tenants := []tenancy{n}
	for range 5 {
		tenants = append(tenants, addTenant(t, n.Database, true))
	}
	var all sync.WaitGroup
	for _, one := range tenants {
		all.Go(func() {
			if err := one.Changes().Companies.ClaimTaxID(t.Context(), one.scope.OrganizationID,
				n.profile().IssuerKey()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if claims := n.Count(t, `SELECT count(*) FROM tax_id_claims`); claims != 1 {
		t.Errorf("%d claims were made", claims)
	}
	if entries := n.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'tax_id.claim'`); entries != 1 {
		t.Errorf("%d claims are in the audit log", entries)
	}
}

// What is not an organization's to use is not shown to it, set by it, numbered or asked for
// it; with it everything is.
func TestTaxID_NothingOfAnothers(t *testing.T) {
	n := newTenant(t).inLive(t)
	stranger := addTenant(t, n.Database, true)
	profile := stranger.profile()
	must(t, stranger.Changes().Companies.SetFiscalProfile(t.Context(), profile))
	must(t, stranger.Changes().Companies.ClaimTaxID(t.Context(), n.scope.OrganizationID, profile.IssuerKey()))
	n.Exec(t, `INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series, registration,
			held_reason, held_at)
		VALUES ('national', true, $1, '3304557', 900, '12.345-6', '{"code": "x"}', now())`, string(issuer))
	n.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, next_fetch_at)
		VALUES ('national', true, '3304557', now() - interval '1 hour')`)
	stranger.addCertificate(t, stranger.certificate("stranger", 100))
	id := stranger.begin(t, "order-1")
	by := stranger.Changes()

	refused := func(err error) int {
		if errors.Is(err, companies.ErrTaxIDNotShown) || errors.Is(err, companies.ErrTaxIDOfAnother) {
			return 0
		}
		must(t, err)
		return 1
	}
	had := func(found int, err error) int {
		t.Helper()
		must(t, err)
		return found
	}
	next := func() int64 { // the doors are tried in any order
		number, _ := n.Store.Lifecycle.NextNumber(t.Context(), profile)
		return number
	}
	doors := map[string]func() int{
		"the next number shown": func() int { return refused(second(n.Store.Lifecycle.NextNumber(t.Context(), profile))) },
		"the next number set": func() int {
			return refused(by.Lifecycle.SetNextNumber(t.Context(), profile,
				next()+500))
		},
		"the next number replaced": func() int {
			return refused(by.Lifecycle.ReplaceNextNumber(t.Context(), profile, next(), next()+500))
		},
		"series": func() int {
			series, err := n.Store.Numbers.AllSeries(t.Context(), profile.OrganizationID)
			return had(len(series), err)
		},
		"held series": func() int {
			series, err := n.Store.Numbers.HeldSeries(t.Context(), profile.OrganizationID)
			return had(len(series), err)
		},
		"a number taken": func() int {
			taken, err := n.Store.Lifecycle.TakeNumber(t.Context(), id, profile, fiscal.Capabilities{}, issuing)
			if (taken == nil) != (err != nil) {
				t.Errorf("%+v is taken, %v", taken, err)
			}
			return refused(err)
		},
		"what happened outside": func() int {
			started, err := n.Store.Received.StartDistributions(t.Context(), stranger.served(true))
			return had(started, err)
		},
		"what is asked of outside": func() int {
			all, err := n.Store.Received.Distributions(t.Context(), profile.OrganizationID)
			return had(len(all), err)
		},
		"cities": func() int {
			due, err := n.Store.Companies.CitiesDue(t.Context(), "national", 10)
			return had(len(due), err)
		},
	}
	for what, door := range doors {
		if door() != 0 {
			t.Errorf("%s, of another's issuer", what)
		}
	}
	if err := by.Numbers.ReleaseSeries(t.Context(), profile.OrganizationID, profile.SeriesKey()); refused(err) != 0 {
		t.Errorf("another's series was released")
	}
	if first, err := n.Store.Lifecycle.TakeNumber(t.Context(), stranger.accept(t, "order-2"), profile,
		fiscal.Capabilities{}, issuing); refused(err) != 0 || first != nil {
		t.Errorf("a queued note took a number: %+v, %v", first, err)
	}
	if taken := n.Count(t, `SELECT count(*) FROM fiscal_exchanges`) +
		n.Count(t, `SELECT count(*) FROM fiscal_sequences`); taken != 0 {
		t.Error("a number was taken")
	}
	_, err := by.Companies.AllowTaxID(t.Context(), profile.OrganizationID, profile.IssuerKey())
	must(t, err)
	for what, door := range doors {
		if door() != 1 {
			t.Errorf("%s: not of its own", what)
		}
	}
}

// A claim outlasts its certificate.
func TestTaxID_ExpiredCertificateKeepsIt(t *testing.T) {
	n := newTenant(t)
	expiring := n.certificate("expiring", 1)
	expiring.ChainVerified = true
	added := n.addCertificate(t, expiring)
	must(t, n.Changes().Companies.ClaimTaxID(t.Context(), n.scope.OrganizationID, n.profile().IssuerKey()))
	n.Exec(t, `UPDATE certificates SET not_after = now() - interval '1 day'`)
	n.expectTaxID(t, "expired", n.profile(), nil)
	must(t, second(n.Changes().Companies.RemoveCertificate(t.Context(), n.scope.OrganizationID, added.ID)))
	n.expectTaxID(t, "removed", n.profile(), nil)
}

// A certificate of another establishment signs where the authority says so, and nowhere else.
func TestUsableCertificates_ExactHolder(t *testing.T) {
	n := newTenant(t)
	branch := n.certificate("branch", 100)
	branch.TaxID = "11222333000262"
	branch = n.addCertificate(t, branch)
	usable := func(of fiscal.Holder) ([]companies.Certificate, error) {
		return n.Store.Companies.UsableCertificates(t.Context(), n.scope.OrganizationID, of, time.Now())
	}
	if found, err := usable(fiscal.Holder{TaxID: issuer}); err != nil || len(found) != 1 || found[0].ID != branch.ID {
		t.Errorf("for the company: %+v, %v", found, err)
	}
	found, err := usable(fiscal.Holder{TaxID: issuer, Exact: true})
	var none *companies.NoUsableCertificate
	if !errors.As(err, &none) || !none.Reason.Equal(fact.NoUsableCertificate.With("why",
		fact.CertificateOfOtherEstablishment.Fact())) {
		t.Errorf("for the establishment: %+v, %v", found, err)
	}
	own := n.addCertificate(t, n.certificate("own", 100))
	if found, err := usable(fiscal.Holder{TaxID: issuer, Exact: true}); err != nil || len(found) != 1 ||
		found[0].ID != own.ID {
		t.Errorf("with its own: %+v, %v", found, err)
	}
}

// A certificate that was not let in to ask is so for an hour, or until it works.
func TestCertificate_ShutOut(t *testing.T) {
	n := newTenant(t)
	added := n.addCertificate(t, n.certificate("a", 100))
	worker := n.worker(t)
	expect := func(what string, at time.Time, shutOut, worked bool) {
		t.Helper()
		one, err := n.Store.Companies.CertificateByID(t.Context(), added.ID)
		must(t, err)
		if one.ShutOut(at) != shutOut || (one.WorkedAt != nil) != worked {
			t.Errorf("%s: %+v", what, one)
		}
	}
	expect("unused", time.Now(), false, false)
	must(t, worker.Companies.CertificateShutOut(t.Context(), added.ID))
	expect("shut out", time.Now(), true, false)
	expect("an hour later", time.Now().Add(time.Hour+time.Minute), false, false)
	must(t, worker.Companies.CertificateWorked(t.Context(), added.ID))
	expect("worked", time.Now(), false, true)
	must(t, worker.Companies.CertificateShutOut(t.Context(), added.ID))
}

// What is asked of outside for the owner of an issuer is not asked with, nor listed for,
// another organization that only says that it is the same company.
func TestTaxID_DistributionIsItsOwners(t *testing.T) {
	n := newTenant(t)
	stranger := addTenant(t, n.Database, true)
	n.SetProfile(t, n.profile())
	must(t, stranger.Changes().Companies.SetFiscalProfile(t.Context(), stranger.profile()))
	must(t, second(n.Store.Received.StartDistributions(t.Context(), n.served(true))))
	expect := func(strangers int) {
		t.Helper()
		_, organizations, err := n.Store.Received.Distribution(t.Context(), n.Text(t, `SELECT id FROM distributions`))
		must(t, err)
		listed, err := n.Store.Received.Distributions(t.Context(), stranger.scope.OrganizationID)
		must(t, err)
		if len(organizations) != 1+strangers || len(listed) != strangers {
			t.Errorf("it is asked with certificates of %v, and the stranger sees %+v", organizations, listed)
		}
	}
	expect(0)
	must(t, second(n.Changes().Companies.AllowTaxID(t.Context(), stranger.scope.OrganizationID,
		stranger.profile().IssuerKey())))
	expect(1)
}

// An organization whose certificates are all shut out is not chosen to ask about cities.
func TestCitiesDue_ShutOut(t *testing.T) {
	n := newTenant(t)
	second := addTenant(t, n.Database, true)
	worker := n.worker(t)
	var certificates []string
	for _, one := range []tenancy{n, second} {
		n.SetProfile(t, one.profile())
		certificates = append(certificates, one.addCertificate(t, one.certificate("a", 100)).ID)
	}
	must(t, worker.Companies.UseProfileCities(t.Context(), "national"))
	expect := func(expected ...tenancy) {
		t.Helper()
		due, err := worker.Companies.CitiesDue(t.Context(), "national", 10)
		must(t, err)
		if len(due) != len(expected) || len(due) == 1 && due[0].OrganizationID != expected[0].scope.OrganizationID {
			t.Errorf("due is %+v", due)
		}
	}
	expect(n)
	must(t, worker.Companies.CertificateShutOut(t.Context(), certificates[0]))
	expect(second)
	must(t, worker.Companies.CertificateShutOut(t.Context(), certificates[1]))
	expect()
	must(t, worker.Companies.CertificateWorked(t.Context(), certificates[0]))
	expect(n)
}

// The certificate of another establishment is no successor: not every authority takes it.
func TestCertificate_WarningWithAnotherEstablishments(t *testing.T) {
	n := newTenant(t)
	branch := n.certificate("branch", 300)
	branch.TaxID = "11222333000262"
	n.addCertificate(t, branch)
	ending := n.addCertificate(t, n.certificate("ending", 10))
	warned, _, err := n.Store.Companies.CertificatesToWarn(t.Context(), time.Now(), companies.ExpiryWarnings, 10)
	if must(t, err); len(warned) != 1 || warned[0].ID != ending.ID {
		t.Errorf("warned of are %+v", warned)
	}
}
