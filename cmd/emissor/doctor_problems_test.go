package main

import (
	"crypto/tls"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/operate"
	"emissor/issuing/doctor"
	"emissor/store"
	"emissor/test/simulators/fiorilli"
	"emissor/test/simulators/issnet"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// For what live notes would wait or be refused it ends with 2, of the installation.
func TestDoctor_Installation(t *testing.T) {
	t.Parallel()
	c := newDoctorCase(t)
	for name, one := range map[string]struct {
		settings settings
		check    doctor.Name
		seen     string
		others   []doctor.Name // for which the same is a reason
	}{
		"no engine": {c.settings.withoutTemporal(), doctor.Engine, "Temporal does not answer", nil},
		"no keyset": {c.settings.with("EMISSOR_KEYSET_FILE", ""), doctor.Keyset, "No keyset is configured", nil},
		"another keyset": {withKeyset(t, c.settings), doctor.Keyset, "2 sealed secrets are under keys that",
			[]doctor.Name{doctor.Certificate, doctor.Webhooks}},
		"no address": {c.settings.with("EMISSOR_NATIONAL_RESTRICTED_URL", ""), doctor.Question,
			"is not called from here in restricted", []doctor.Name{doctor.Host}},
		"a server that is not trusted": {c.settings.with("EMISSOR_AUTHORITY_CA", ""), doctor.Host, "cannot be reached",
			[]doctor.Name{doctor.Question}},
		"a wrong setting": {c.settings.with("EMISSOR_SMTP_FROM", doctorsWord), doctor.Settings, "EMISSOR_SMTP_FROM", nil},
		"a value that is none": {c.settings.with("EMISSOR_AUTHORITY_TIMEOUT", doctorsWord), doctor.Settings,
			"EMISSOR_AUTHORITY_TIMEOUT is not a valid", nil},
		"a database that loses": {c.settings.with("EMISSOR_DATABASE_URL",
			c.settings["EMISSOR_DATABASE_URL"]+"&synchronous_commit=off"), doctor.Database, "synchronous_commit is off", nil},
		"no database": {c.settings.with("EMISSOR_DATABASE_URL",
			"postgres://user:"+doctorsWord+"@127.0.0.1:1/emissor?sslmode=disable"), doctor.Database,
			"The database cannot be used", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := c.examine(t, one.settings, 2)
			report.expect(t, one.check, doctor.Problem, one.seen)
			report.expectOnly(t, append(one.others, one.check)...)
		})
	}
}

// A schema that is older than the program is what has to be corrected first: nothing is read by it.
func TestDoctor_OlderSchema(t *testing.T) {
	t.Parallel()
	c := newDoctorCase(t)
	c.database.Exec(t, `DELETE FROM schema_migrations WHERE version_id = $1`, store.ProgramSchema())
	report := c.examine(t, c.settings, 2)
	report.expect(t, doctor.Database, doctor.Problem, "and this program needs")
	report.expect(t, doctor.Existence, doctor.Skipped, "what is wrong above")
	report.expectOnly(t, doctor.Database)
}

// What is wrong with a company is found, of it alone.
func TestDoctor_Organization(t *testing.T) {
	t.Parallel()
	c := newDoctorCase(t)
	certificates := printed[[]struct{ ID string }](t, c.asOwner(), "certificate", "list")
	remove := func() {
		t.Helper()
		for _, one := range certificates {
			succeeds(t, c.asOwner(), "certificate", "remove", one.ID, "--organization", c.organization)
		}
		certificates = printed[[]struct{ ID string }](t, c.asOwner(), "certificate", "list")
	}
	c.addCertificate(t, sefin.Subject{TaxID: string(issuerTaxID), NotAfter: time.Now().Add(10*24*time.Hour + time.Hour)})
	ends := c.examine(t, c.settings, 1)
	ends.expect(t, doctor.Certificate, doctor.Warning, "in 10 days")
	ends.expectOnly(t, doctor.Certificate)

	certificates = printed[[]struct{ ID string }](t, c.asOwner(), "certificate", "list")
	remove()
	c.examine(t, c.settings, 2).expect(t, doctor.Certificate, doctor.Problem, "No certificate can be used")
	c.addCertificate(t, sefin.Subject{TaxID: string(issuerTaxID), Foreign: true}, "--unverified-chain")
	chain := c.examine(t, c.settings, 2)
	chain.expect(t, doctor.Certificate, doctor.Problem, "It is not known who issued")

	succeeds(t, c.asOwner(), "service", "classify", c.service, "--organization", c.organization, "--remove")
	c.examine(t, c.settings, 2).expect(t, doctor.Services, doctor.Problem, c.service+" (unclassified)")
	c.classify(t)

	// The company's profile names another issuer than the certificate does.
	c.database.Exec(t, `UPDATE fiscal_profiles SET profile = jsonb_set(profile, '{tax_id}', '"99888777000133"')`)
	holder := c.examine(t, c.settings, 2)
	holder.expect(t, doctor.Certificate, doctor.Problem, "No certificate can be used")
	holder.expect(t, doctor.TaxID, doctor.Problem, "It is not shown that")

	gone := c.examine(t, c.settings, 2, "--organization", "org_01m7yv5g08ef688dg9093ee0f7")
	gone.expect(t, doctor.Existence, doctor.Problem, "no such organization")
	other := newOrganization(t, c.database)
	c.examine(t, c.settings, 2, "--organization", other.ID).expect(t, doctor.Profile, doctor.Problem, "no fiscal profile")
}

// A company whose certificate is broken, or whose profile cannot be read, keeps nobody from being examined.
func TestDoctor_PoisonHarmsNoNeighbour(t *testing.T) {
	t.Parallel()
	c := newDoctorCase(t)
	broken, unreadable := newOrganization(t, c.database).ID, newOrganization(t, c.database).ID
	c.database.Exec(t, `INSERT INTO fiscal_profiles (organization_id, authority, profile) SELECT $1, authority,
		jsonb_set(profile, '{organization_id}', to_jsonb($1::text)) FROM fiscal_profiles WHERE organization_id = $2`,
		broken, c.organization)
	c.database.Exec(t, `INSERT INTO fiscal_profiles (organization_id, authority, profile)
		VALUES ($1, 'national', '{"series": "one"}')`, unreadable)
	pfx, err := c.authority.NewPFX(sefin.Subject{TaxID: string(issuerTaxID)}, doctorsWord)
	must(t, err)
	succeeds(t, c.asOwner(), "certificate", "add", "--organization", broken, "--unverified-chain", "--password-file",
		write(t, "password", []byte(doctorsWord+"\n")), write(t, "a1.pfx", pfx))
	c.database.Exec(t, `UPDATE certificates SET sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 255)
		WHERE organization_id = $1`, broken)
	report := c.examine(t, c.settings, 2)
	of := func(organization string, check doctor.Name) (results []doctor.Result) {
		for _, one := range report.Findings {
			if one.OrganizationID == organization && (check == "" || one.Check == check) {
				results = append(results, one.Result)
			}
		}
		return results
	}
	if found := of(broken, doctor.Certificate); !slices.Equal(found, []doctor.Result{doctor.Problem}) {
		t.Errorf("the broken certificate is %q", found)
	}
	if found := of(unreadable, doctor.Profile); !slices.Equal(found, []doctor.Result{doctor.Problem}) {
		t.Errorf("the unreadable profile is %q", found)
	}
	if found := of(c.organization, ""); len(found) < 8 || slices.ContainsFunc(found, func(r doctor.Result) bool {
		return r != doctor.OK
	}) {
		t.Errorf("the neighbour's findings are %q", found)
	}
}

// A clock that differs is found by the Date of the authority's own answer, and a server that never answers
// does not hang the command.
func TestDoctor_Clock(t *testing.T) {
	t.Parallel()
	c := newDoctorCase(t)
	standIn := func(answer http.HandlerFunc) settings {
		server := httptest.NewUnstartedServer(answer)
		server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
		server.StartTLS()
		t.Cleanup(server.Close)
		roots := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
		return c.settings.with("EMISSOR_NATIONAL_RESTRICTED_URL", server.URL).
			with("EMISSOR_AUTHORITY_CA", write(t, "roots.pem", roots))
	}
	ahead := standIn(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusNotFound)
	})
	report := c.examine(t, ahead, 2)
	report.expect(t, doctor.Clock, doctor.Problem, "s ahead of that of the national system")
	report.expectOnly(t, doctor.Clock, doctor.Question)

	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	silent := standIn(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}).with("EMISSOR_AUTHORITY_TIMEOUT", "5s")
	waits := c.examine(t, silent, 2)
	waits.expect(t, doctor.Question, doctor.Problem, "did not answer the question")
	waits.expect(t, doctor.Clock, doctor.Skipped, "No authority has answered")
}

// Where the setting does not let SEFIN ask for the certificate by renegotiation, the doctor names it: by what the
// question came to, and of a server that asks for none when a connection begins.
func TestDoctor_Renegotiation(t *testing.T) {
	t.Parallel()
	c := newDoctorCase(t)
	strict := c.settings.with("EMISSOR_AUTHORITY_TLS", "1.3")
	report := c.examine(t, strict, 2)
	report.expect(t, doctor.Question, doctor.Problem, "by TLS renegotiation, which EMISSOR_AUTHORITY_TLS does not allow")
	report.expectOnly(t, doctor.Question)

	server := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	roots := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	strict = strict.with("EMISSOR_NATIONAL_RESTRICTED_URL", server.URL).
		with("EMISSOR_AUTHORITY_CA", write(t, "roots.pem", roots))
	c.examine(t, strict, 2).expect(t, doctor.Host, doctor.Warning, "asks for no certificate when a connection begins")
	c.examine(t, strict.with("EMISSOR_AUTHORITY_TLS", "auto"), 2).expect(t, doctor.Host, doctor.OK, "TLS 1.2")
}

// A next number that another program has used at the authority is a problem.
func TestDoctor_UsedNumber(t *testing.T) {
	t.Parallel()
	c := newDoctorCase(t)
	other := newDoctorCaseAt(t, c.authority)
	start(t, other.asOwner(), "worker")
	api := start(t, other.asOwner().withoutTemporal(), "api").api
	id := caller{api, other.key}.post(t, "/v1/nfse", testkit.Issuance(other.service, "order"),
		http.StatusAccepted)["id"].(string)
	eventuallyShows(t, other.asOwner(), id, "1 of series 1 is issued")
	other.examine(t, other.settings, 0).expect(t, doctor.Question, doctor.OK, "the number 2 of the series 1 is free")
	c.examine(t, c.settings, 2).expect(t, doctor.Question, doctor.Problem, "the next number 1 of the series 1 is used")
}

// expectFree expects that an installation is well, and its authority was asked about a number.
func expectFree(t *testing.T, of settings, organization, key, seen string) examined {
	t.Helper()
	engineMigrated(t, of)
	c := doctorCase{organization: organization, key: key, endpoint: operate.PrintedEndpoint{Secret: doctorsWord}}
	report := c.examine(t, of, 0)
	report.expect(t, doctor.Question, doctor.OK, seen)
	return report
}

// São Paulo is asked about a number too.
func TestDoctor_SaoPaulo(t *testing.T) {
	t.Parallel()
	c := newCityCase(t)
	c.setProfile(t)
	c.addCertificate(t)
	c.classify(t, c.newService(t, start(t, c.settings.withoutTemporal(), "api").api,
		testkit.Body{"municipal_tax_code": "2919", "municipal_taxation": "T", "iss_rate": 2.9}))
	report := expectFree(t, c.settings, c.organization, c.key, "(sao-paulo) answers: the number 1 of the series 1 is free")
	report.expect(t, doctor.Clock, doctor.OK, "(sao-paulo)")
}

// So are the cities of the table, of whose servers those are looked at by which somebody issues.
func TestDoctor_CityOfDSF(t *testing.T) {
	t.Parallel()
	c := newCitySystem(t)
	c.settings = c.settings.with("EMISSOR_CITIES", "true")
	c.importTable(t, c.rowOf("3552205", "sorocaba", "on"), c.rowOf("3548500", "santos", "on"))
	company, service := c.newCompany(t, start(t, c.settings.withoutTemporal(), "api").api, "sorocaba", "3552205", "10001")
	cityCase{settings: c.settings, organization: company.organization}.classify(t, service)
	report := expectFree(t, c.settings, company.organization, company.key,
		"(sorocaba) answers: the number 1 of the series 10001 is free")
	servers := 0
	for _, one := range report.Findings {
		if one.Check == doctor.Host {
			servers++
		}
	}
	if servers != 2 {
		t.Errorf("%d servers were looked at, of the national system and the one city", servers)
	}
}

func TestDoctor_CityOfISSNet(t *testing.T) {
	t.Parallel()
	city, err := issnet.Start(issnet.Options{})
	must(t, err)
	t.Cleanup(func() { _ = city.Close() })
	c, _ := newISSNetCase(t, city)
	expectFree(t, c.settings, c.organization, c.key, "(brasilia) answers: the number 1 of the series 1 is free")
}

// The question that doctor asks shows by what a city of Fiorilli says that there is no note, which its row has to say.
func TestDoctor_CityOfFiorilli(t *testing.T) {
	t.Parallel()
	city, err := fiorilli.Start(fiorilli.Options{Behaviour: fiorilli.Behaviour{NotFound: "N15"}})
	must(t, err)
	t.Cleanup(func() { _ = city.Close() })
	row := doorRow("3503406", "arealva", "fiorilli", city.URL(), "")
	c, _ := newDoorCase(t, city.Simulator, strings.Replace(row, " rate=", " not-found=N15 rate=", 1), "arealva",
		"3503406")
	expectFree(t, c.settings, c.organization, c.key, "(arealva) answers: the number 1 of the series 1 is free")
	citySystem{city.Simulator, c.database, c.settings}.importTable(t, row)
	of := doctorCase{organization: c.organization, key: c.key, endpoint: operate.PrintedEndpoint{Secret: doctorsWord}}
	of.examine(t, c.settings, 2).expect(t, doctor.Question, doctor.Problem, "N15")
	if len(city.Posts())+len(city.Ledger()) != 0 {
		t.Errorf("the city was sent %+v", city.Posts())
	}
}

// Where a city wants a user and a password the question is asked with those that the company has given, once they open.
func TestDoctor_CityLogin(t *testing.T) {
	t.Parallel()
	city, err := fiorilli.Start(fiorilli.Options{Behaviour: fiorilli.Behaviour{NotFound: "N15", Password: doctorsWord}})
	must(t, err)
	t.Cleanup(func() { _ = city.Close() })
	row := strings.Replace(doorRow("3503406", "arealva", "fiorilli", city.URL(), ""), " rate=", " not-found=N15 rate=", 1)
	c, _ := newDoorCase(t, city.Simulator, row, "arealva", "3503406")
	of := doctorCase{organization: c.organization, key: c.key, endpoint: operate.PrintedEndpoint{Secret: doctorsWord}}
	report := of.examine(t, c.settings, 2)
	report.expect(t, doctor.Login, doctor.OK, "No user and password of the city are kept")
	report.expect(t, doctor.Question, doctor.Problem, "fault")
	succeeds(t, c.settings, "city-login", "set", "--organization", c.organization, "--user", "clinica",
		"--password-file", write(t, "city.password", []byte(doctorsWord)))
	report = of.examine(t, c.settings, 0)
	report.expect(t, doctor.Login, doctor.OK, "open, and go with each call")
	report.expect(t, doctor.Question, doctor.OK, "is free")
	c.database.Exec(t, `UPDATE city_logins SET sealed = sealed || '\x00'`)
	report = of.examine(t, c.settings, 2)
	report.expect(t, doctor.Login, doctor.Problem, "cannot be decrypted here")
	report.expect(t, doctor.Question, doctor.Skipped, "what is wrong above")
	c.database.Exec(t, `DELETE FROM certificates`) // both are said at once
	report = of.examine(t, c.settings, 2)
	report.expect(t, doctor.Certificate, doctor.Problem, "no certificate is usable")
	report.expect(t, doctor.Login, doctor.Problem, "cannot be decrypted here")
}

// newISSNetCase is an organization that is about to issue by a city of that family, and a service of it.
func newISSNetCase(t *testing.T, city *issnet.Simulator) (cityCase, string) {
	t.Helper()
	c, service := newDoorCase(t, city.Simulator, doorRow("5300108", "brasilia", "issnet", city.URL(), "1-10"),
		"brasilia",
		"5300108", "--granted-numbers", "1-1000")
	succeeds(t, c.settings, "service", "tax", service, "--organization", c.organization, "--municipal-code", "1009")
	return c, service
}

// doorRow is the row of a city with a protocol of its own.
func doorRow(code, name, family, url, digits string) string {
	return strings.Join([]string{code, name, family, "on", "2026-01-01", "", "", url, "inclusive-sha1", digits,
		"ask-timeout=5s rate=50 send-timeout=2s grace-period=2s", "a row of the test"}, "\t") + "\n"
}

// newDoorCase is an organization that is about to issue by such a city, and a service of it.
func newDoorCase(t *testing.T, city *sefin.Simulator, row, name, municipality string, profile ...string) (cityCase,
	string) {
	t.Helper()
	roots := write(t, "roots.pem", city.RootsPEM())
	database := testkit.NewDatabase(t)
	c := citySystem{city, database, withKeyset(t, settingsOf(database)).with("EMISSOR_CITIES", "true").
		with("EMISSOR_AUTHORITY_CA", roots).with("EMISSOR_CERTIFICATE_ROOTS", roots)}
	c.importTable(t, row)
	organization, _, key := database.NewOrganization(t, "Clínica Exemplo")
	of := cityCase{settings: c.settings, organization: organization.ID, key: key, database: database}
	of.setProfile(t, append([]string{"--authority", name, "--municipality", municipality}, profile...)...)
	pfx, err := city.NewPFX(sefin.Subject{TaxID: string(issuerTaxID)}, "secret")
	must(t, err)
	succeeds(t, c.settings, "certificate", "add", "--organization", of.organization, "--password-file",
		write(t, "password", []byte("secret\n")), write(t, "a1.pfx", pfx))
	service := of.newService(t, start(t, c.settings.withoutTemporal(), "api").api,
		testkit.Body{"national_tax_code": "01.07.01", "municipality_code": municipality})
	of.classify(t, service)
	return of, service
}
