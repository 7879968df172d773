package store_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/test/testkit"
)

const issuer nfse.TaxID = "11222333000181"

// certificate is one of the issuer that is valid now and ends in so many days.
func (n tenancy) certificate(name string, days int) companies.Certificate {
	fingerprint := sha256.Sum256([]byte(name))
	now := time.Now()
	return companies.Certificate{
		ID: nfse.NewID(nfse.PrefixCertificate), OrganizationID: n.scope.OrganizationID, TaxID: issuer,
		Subject: name, Issuer: "AC de Teste", Serial: "1f", Fingerprint: fingerprint[:],
		Sealed:    []byte("sealed " + name),
		NotBefore: nfse.Timestamp{Time: now.AddDate(0, 0, -300)},
		NotAfter:  nfse.Timestamp{Time: now.Add(time.Duration(days) * 24 * time.Hour)},
	}
}

func (n tenancy) addCertificate(t *testing.T, certificate companies.Certificate) companies.Certificate {
	t.Helper()
	added, err := n.Changes().Companies.AddCertificate(t.Context(), certificate)
	must(t, err)
	return added
}

// hold makes a live note that waits for a person, and forgets its first start.
func (n tenancy) hold(t *testing.T, reference string) string {
	t.Helper()
	id := n.begin(t, reference)
	n.Exec(t, `UPDATE notes SET held_reason = $2, held_since = now() WHERE id = $1`, id, fact.NoFiscalProfile.Fact())
	n.Exec(t, `DELETE FROM outbox WHERE subject_id = $1`, id)
	return id
}

// resumed are the notes that are to be woken up.
func (n tenancy) resumed(t *testing.T) (ids []string) {
	t.Helper()
	must(t, n.SQL.Select(&ids, `SELECT subject_id FROM outbox WHERE kind = 'resume' AND livemode
		AND reference IS NOT NULL
		AND next_attempt_at <= now() AND token IS NULL ORDER BY subject_id`))
	return ids
}

func (n tenancy) expectUnusable(t *testing.T, document nfse.TaxID, why fact.Fact) {
	t.Helper()
	_, err := n.Store.Companies.UsableCertificates(t.Context(), n.scope.OrganizationID, fiscal.Holder{TaxID: document},
		time.Now())
	var none *companies.NoUsableCertificate
	if !errors.As(err, &none) || !none.Reason.Equal(fact.NoUsableCertificate.With("why", why)) {
		t.Errorf("the certificate is answered %v, expected that none is usable: %s", err, why)
	}
}

func (n tenancy) expectUsable(t *testing.T, document nfse.TaxID, id string) {
	t.Helper()
	usable, err := n.Store.Companies.UsableCertificates(t.Context(), n.scope.OrganizationID,
		fiscal.Holder{TaxID: document},
		time.Now())
	must(t, err)
	if usable[0].ID != id {
		t.Errorf("the usable certificate is %s, expected %s", usable[0].ID, id)
	}
}

func TestCertificate_KeptAndListed(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	given := tenant.certificate("a", 100)
	added := tenant.addCertificate(t, given)
	if added.TaxID != issuer || added.Subject != "a" || added.Issuer != "AC de Teste" || added.Serial != "1f" ||
		!bytes.Equal(added.Fingerprint, given.Fingerprint) || string(added.Sealed) != "sealed a" ||
		!added.NotAfter.Equal(given.NotAfter.Truncate(time.Millisecond)) ||
		!added.NotBefore.Equal(given.NotBefore.Truncate(time.Millisecond)) ||
		added.CreatedAt.IsZero() || added.RemovedAt != nil || added.WarnedDays != nil || added.RefusedAt != nil {
		t.Errorf("added is %+v", added)
	}
	second := tenant.addCertificate(t, tenant.certificate("b", 200))
	foreign := other.addCertificate(t, other.certificate("a", 100)) // the same one, of two organizations
	for organization, expected := range map[string][]string{
		tenant.scope.OrganizationID: {second.ID, added.ID}, other.scope.OrganizationID: {foreign.ID},
		"": {second.ID, added.ID, foreign.ID}, "org_x": nil,
	} {
		list, err := tenant.Store.Companies.Certificates(t.Context(), organization)
		must(t, err)
		var ids []string
		for _, one := range list {
			ids = append(ids, one.ID)
		}
		if !slices.Equal(ids, expected) {
			t.Errorf("of %q are listed %v, expected %v", organization, ids, expected)
		}
	}
	if read, err := tenant.Store.Companies.CertificateByID(t.Context(), added.ID); err != nil || read.Subject != "a" {
		t.Errorf("read is %+v, %v", read, err)
	}
	if _, err := tenant.Store.Companies.CertificateByID(t.Context(), "crt_x"); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("an unknown one is answered %v", err)
	}
}

func TestCertificate_UsableIsTheLastAdded(t *testing.T) {
	tenant := newTenant(t)
	tenant.expectUnusable(t, issuer, fact.CertificateMissing.Fact())
	first := tenant.addCertificate(t, tenant.certificate("a", 300))
	second := tenant.addCertificate(t, tenant.certificate("b", 200))
	tenant.expectUsable(t, issuer, second.ID)
	tenant.expectUsable(t, "11222333000262", second.ID) // another branch of the company
	tenant.expectUnusable(t, "12ABC34501DE35", fact.CertificateMissing.Fact())
	tenant.expectUnusable(t, "11222333000", fact.CertificateMissing.Fact()) // a person is no root of a company
	addTenant(t, tenant.Database, false).expectUnusable(t, issuer, fact.CertificateMissing.Fact())

	future := tenant.certificate("c", 400)
	future.NotBefore = nfse.Timestamp{Time: time.Now().AddDate(0, 0, 10)}
	tenant.addCertificate(t, future)
	tenant.expectUsable(t, issuer, second.ID) // until the other one begins
	later, err := tenant.Store.Companies.UsableCertificates(t.Context(), tenant.scope.OrganizationID,
		fiscal.Holder{TaxID: issuer},
		time.Now().AddDate(0, 0, 11))
	must(t, err)
	if later[0].ID != future.ID {
		t.Errorf("in eleven days it is %s", later[0].ID)
	}

	must(t, tenant.Store.Companies.RefuseCertificate(t.Context(), second.ID, "E1207"))
	tenant.expectUsable(t, issuer, first.ID)
	person := tenant.certificate("p", 100)
	person.TaxID = "52998224725"
	tenant.addCertificate(t, person)
	tenant.expectUsable(t, "52998224725", person.ID)
	tenant.expectUsable(t, issuer, first.ID)
}

func TestCertificate_WhyUnusable(t *testing.T) {
	tenant := newTenant(t)
	expired := tenant.addCertificate(t, tenant.certificate("a", -1))
	tenant.expectUnusable(t, issuer, fact.CertificateExpired.With("certificate", expired.ID, "on", expired.NotAfter))
	future := tenant.certificate("b", 100)
	future.NotBefore = nfse.Timestamp{Time: time.Now().AddDate(0, 0, 10)}
	future = tenant.addCertificate(t, future)
	tenant.expectUnusable(t, issuer,
		fact.CertificateNotYetValid.With("certificate", future.ID, "from", future.NotBefore))
	refused := tenant.addCertificate(t, tenant.certificate("c", 100))
	must(t, tenant.Store.Companies.RefuseCertificate(t.Context(), refused.ID, "E1207"))
	must(t, tenant.Store.Companies.RefuseCertificate(t.Context(), refused.ID, "E1203")) // the first code stays
	tenant.expectUnusable(t, issuer, fact.CertificateRefused.With("certificate", refused.ID, "code", "E1207"))
}

func TestCertificate_Removed(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	added := tenant.addCertificate(t, tenant.certificate("a", 100))
	_, err := tenant.Changes().Companies.RemoveCertificate(t.Context(), other.scope.OrganizationID, added.ID)
	if !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("the removal by another organization is answered %v", err)
	}
	tenant.expectUsable(t, issuer, added.ID)
	removed, err := tenant.Changes().Companies.RemoveCertificate(t.Context(), tenant.scope.OrganizationID, added.ID)
	if err != nil || removed.State(time.Now()) != companies.CertificateRemoved || len(removed.Sealed) != 0 {
		t.Errorf("removed is %+v, %v", removed, err)
	}
	again, err := tenant.Changes().Companies.RemoveCertificate(t.Context(), tenant.scope.OrganizationID, added.ID)
	if err != nil || !again.RemovedAt.Equal(removed.RemovedAt.Time) {
		t.Errorf("removed again it is %+v, %v", again, err)
	}
	tenant.expectUnusable(t, issuer, fact.CertificateMissing.Fact())
}

func TestCertificate_AddedAgain(t *testing.T) {
	tenant := newTenant(t)
	first := tenant.addCertificate(t, tenant.certificate("a", 100))
	second := tenant.addCertificate(t, tenant.certificate("b", 100))
	must(t, tenant.Store.Companies.RefuseCertificate(t.Context(), first.ID, "E1207"))
	_, err := tenant.Changes().Companies.RemoveCertificate(t.Context(), tenant.scope.OrganizationID, first.ID)
	must(t, err)

	id, err := tenant.Store.Companies.CertificateID(t.Context(), tenant.scope.OrganizationID, first.Fingerprint)
	if err != nil || id != first.ID {
		t.Fatalf("it is on record as %s, %v", id, err)
	}
	again := tenant.certificate("a", 100)
	again.ID, again.Sealed = id, []byte("sealed anew")
	renewed := tenant.addCertificate(t, again)
	if renewed.ID != first.ID || renewed.State(time.Now()) != companies.CertificateUsable ||
		renewed.RefusedReason != nil ||
		string(renewed.Sealed) != "sealed anew" || !renewed.CreatedAt.After(second.CreatedAt.Time) {
		t.Errorf("renewed is %+v", renewed)
	}
	tenant.expectUsable(t, issuer, first.ID)

	// Sealed for an id that is not the one on record, it would never open.
	if _, err := tenant.Changes().Companies.AddCertificate(t.Context(), tenant.certificate("a", 100)); !nfse.IsCode(err,
		nfse.CodeInvalidRequest) {
		t.Errorf("under another id it is answered %v", err)
	}
	if list, err := tenant.Store.Companies.Certificates(t.Context(), tenant.scope.OrganizationID); err != nil ||
		len(list) != 2 || string(list[0].Sealed) != "sealed anew" {
		t.Errorf("listed are %+v, %v", list, err)
	}
	other := addTenant(t, tenant.Database, false)
	if id, err := other.Store.Companies.CertificateID(t.Context(), other.scope.OrganizationID,
		first.Fingerprint); err != nil ||
		id == first.ID || !nfse.IsID(nfse.PrefixCertificate, id) {
		t.Errorf("of another organization it would be %s, %v", id, err)
	}
}

func TestCertificate_WakesUpHeldNotes(t *testing.T) {
	tenant := newTenant(t)
	live, other := tenant.inLive(t), addTenant(t, tenant.Database, true)
	live.accept(t, "0") // not begun
	waiting := []string{live.hold(t, "a"), live.hold(t, "b"),
		live.begin(t, "c")} // the last perhaps for its next attempt
	other.hold(t, "a")    // of somebody else
	tenant.begin(t, "t1") // of the test environment
	if resumed := live.resumed(t); resumed != nil {
		t.Fatalf("woken up are %v", resumed)
	}
	tenant.addCertificate(t, tenant.certificate("a", 100))
	if resumed := live.resumed(t); !slices.Equal(resumed, waiting) {
		t.Errorf("woken up are %v, expected %v", resumed, waiting)
	}

	// A wake-up that is being handed over may come too early for what is new: it is given again.
	live.Exec(t, `UPDATE outbox SET token = gen_random_uuid(), next_attempt_at = now() + interval '1 hour'
		WHERE kind = 'resume'`)
	if resumed := live.resumed(t); resumed != nil {
		t.Fatalf("due are %v", resumed)
	}
	tenant.addCertificate(t, tenant.certificate("b", 100))
	if resumed := live.resumed(t); !slices.Equal(resumed, waiting) {
		t.Errorf("woken up again are %v, expected %v", resumed, waiting)
	}
}

func (n tenancy) warned(t *testing.T, now time.Time) (names []string) {
	t.Helper()
	certificates, _, err := n.Store.Companies.CertificatesToWarn(t.Context(), now, companies.ExpiryWarnings, 10)
	must(t, err)
	for _, one := range certificates {
		names = append(names, one.Subject)
	}
	slices.Sort(names)
	return names
}

func TestCertificate_EachWarningOnce(t *testing.T) {
	tenant := newTenant(t)
	added := tenant.addCertificate(t, tenant.certificate("a", 100))
	end := added.NotAfter.Time
	before := func(days int) time.Time { return end.Add(-time.Duration(days) * 24 * time.Hour) }
	for _, step := range []struct {
		at    time.Time
		warns bool
		days  int
	}{
		{before(61), false, 0}, {before(60).Add(-time.Second), false, 0}, {before(60), true, 60},
		{before(59), false, 60}, {before(31), false, 60},
		{before(20), true, 30}, {before(20), false, 30}, {before(2), true, 3}, // 15 and 7 passed while nobody asked
		{before(8), false, 3}, // a clock that was set back
		{before(1), true, 1}, {end, false, 1}, {end.Add(time.Hour), false, 1},
	} {
		warned := tenant.warned(t, step.at)
		if (len(warned) == 1) != step.warns {
			t.Errorf("%s before the end the warnings are %v", end.Sub(step.at), warned)
		}
		if one, err := tenant.Store.Companies.CertificateByID(t.Context(), added.ID); err != nil ||
			(step.days != 0) != (one.WarnedDays != nil) || step.days != 0 && *one.WarnedDays != step.days {
			t.Errorf("%s before the end it is marked %v, %v", end.Sub(step.at), one.WarnedDays, err)
		}
	}
}

func TestCertificate_WarnedOnceHoweverManyAsk(t *testing.T) {
	tenant := newTenant(t)
	for _, name := range []string{"a", "b", "c"} {
		one := tenant.certificate(name, 10)
		one.TaxID = nfse.TaxID(strings.Repeat(name, 14)) // of three companies: none succeeds another
		tenant.addCertificate(t, one)
	}
	var workers sync.WaitGroup
	warnings := make(chan string, 100)
	for range 8 {
		workers.Go(func() {
			certificates, _, err := tenant.Store.Companies.CertificatesToWarn(t.Context(), time.Now(),
				companies.ExpiryWarnings, 10)
			if err != nil {
				t.Error(err)
			}
			for _, one := range certificates {
				warnings <- one.Subject
			}
		})
	}
	workers.Wait()
	close(warnings)
	var given []string
	for warning := range warnings {
		given = append(given, warning)
	}
	if slices.Sort(given); !slices.Equal(given, []string{"a", "b", "c"}) {
		t.Errorf("given are %v", given)
	}
}

func TestCertificate_NoWarningWithSuccessor(t *testing.T) {
	tenant := newTenant(t)
	now := time.Now()
	ending := tenant.addCertificate(t, tenant.certificate("ending", 10))
	successor := tenant.certificate("successor", 300)
	successor.NotBefore = nfse.Timestamp{Time: now.AddDate(0, 0, 5)} // soon enough
	successor = tenant.addCertificate(t, successor)
	person := tenant.certificate("person", 300)
	person.TaxID = "52998224725"
	tenant.addCertificate(t, person)
	if warned := tenant.warned(t, now); warned != nil {
		t.Errorf("with a successor, the warnings are %v", warned)
	}
	for _, lost := range []func(){
		func() { must(t, tenant.Store.Companies.RefuseCertificate(t.Context(), successor.ID, "E1207")) },
		func() {
			tenant.Exec(t, `UPDATE certificates SET refused_at = NULL, refused_reason = NULL, warned_days = NULL,
				removed_at = now() WHERE id = $1`, successor.ID)
		},
		func() {
			tenant.Exec(t, `UPDATE certificates SET removed_at = NULL, not_before = $2 WHERE id = $1`, successor.ID,
				now.AddDate(0, 0, 20))
		},
		func() {
			tenant.Exec(t, `UPDATE certificates SET not_before = $2, tax_id = '12ABC34501DE35' WHERE id = $1`,
				successor.ID, now.AddDate(0, 0, -20))
		},
	} {
		tenant.Exec(t, `UPDATE certificates SET warned_days = NULL WHERE id = $1`, ending.ID)
		lost()
		if warned := tenant.warned(t, now); !slices.Equal(warned, []string{"ending"}) {
			t.Errorf("without a successor, the warnings are %v", warned)
		}
	}
	must(t, tenant.Store.Companies.RefuseCertificate(t.Context(), ending.ID, "E1207"))
	tenant.Exec(t, `UPDATE certificates SET warned_days = NULL`)
	if warned := tenant.warned(t, now); warned != nil {
		t.Errorf("of a refused one the warnings are %v", warned)
	}
}

func TestGauges_Certificates(t *testing.T) {
	tenant := newTenant(t)
	lasting := tenant.addCertificate(t, tenant.certificate("a", 10))
	expired := tenant.addCertificate(t, tenant.certificate("b", -10))
	refused := tenant.addCertificate(t, tenant.certificate("c", 10))
	must(t, tenant.Store.Companies.RefuseCertificate(t.Context(), refused.ID, "E1207"))
	removed := tenant.addCertificate(t, tenant.certificate("d", 10))
	_, err := tenant.Changes().Companies.RemoveCertificate(t.Context(), tenant.scope.OrganizationID, removed.ID)
	must(t, err)
	gauges, err := tenant.Store.Operate.Gauges(t.Context())
	must(t, err)
	seconds := map[string]float64{}
	for _, one := range gauges.Certificates {
		if one.OrganizationID != tenant.scope.OrganizationID {
			t.Errorf("the gauges have %+v", one)
		}
		seconds[one.CertificateID] = one.Seconds
	}
	const day = 86400
	if left := seconds[lasting.ID]; len(seconds) != 2 || left < 9*day || left > 10*day ||
		seconds[expired.ID] > -10*day {
		t.Errorf("the gauges have %v", seconds)
	}
}

// Adding a certificate wakes up notes whose rows of the outbox others hold in
// another order. It loses the deadlock, and does it again.
func TestAddCertificate_DeadlockWithTheOutbox(t *testing.T) {
	tenant := newTenant(t).inLive(t)
	first, second := tenant.hold(t, "first"), tenant.hold(t, "second")
	// Who has waited so long looks once for a deadlock, and loses it. The test has that time to make one.
	losing := testkit.OpenStore(t, tenant.URL+"&deadlock_timeout=10000")
	resumed, err := tenant.Changes().Lifecycle.RedriveHeldNotes(t.Context(), tenant.scope.OrganizationID)
	if err != nil || resumed != 2 {
		t.Fatalf("%d, %v", resumed, err)
	}
	other, err := tenant.SQL.Beginx()
	must(t, err)
	defer func() { _ = other.Rollback() }()
	_, err = other.Exec(`SET LOCAL deadlock_timeout = '1min'`)
	must(t, err)
	lock := func(id string) {
		t.Helper()
		_, err := other.Exec(`UPDATE outbox SET attempts = attempts + 1 WHERE subject_id = $1`, id)
		must(t, err)
	}
	lock(max(first, second)) // rows are woken up in the order of their ids
	added := make(chan error, 1)
	go func() {
		_, err := losing.By(testkit.Operator).Companies.AddCertificate(t.Context(), tenant.certificate("a", 100))
		added <- err
	}()
	testkit.Eventually(t, "the certificate waits for the row", func() bool {
		return tenant.Count(t, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	})
	lock(min(first, second))
	must(t, other.Commit())
	if err := <-added; err != nil {
		t.Error(err)
	}
	if n := tenant.Count(t, `SELECT count(*) FROM certificates`); n != 1 {
		t.Errorf("%d certificates", n)
	}
}
