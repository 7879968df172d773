package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"emissor/cmd/emissor/operate"
	"emissor/cmd/emissor/serve"
	"emissor/fiscal"
	"emissor/issuing/doctor"
	"emissor/store"
	"emissor/store/companies"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// doctorCase is an installation whose one organization is ready for its first live note, nationally.
type doctorCase struct {
	authority    *sefin.Simulator
	database     *testkit.Database
	receiver     *testkit.Receiver
	settings     settings
	organization string
	key          string // live
	service      string
	endpoint     operate.PrintedEndpoint
}

// doctorsWord is a word that stands in what nobody may see: in passwords, and in the path of a receiver.
const doctorsWord = "hush-4711"

func newDoctorCase(t *testing.T) doctorCase {
	t.Helper()
	authority, err := sefin.Start(sefin.Options{})
	must(t, err)
	t.Cleanup(func() { _ = authority.Close() })
	return newDoctorCaseAt(t, authority)
}

// newDoctorCaseAt is another installation of the same company at an authority.
func newDoctorCaseAt(t *testing.T, authority *sefin.Simulator) doctorCase {
	t.Helper()
	database := testkit.NewDatabase(t)
	organization, _, key := database.NewOrganization(t, "Clínica Exemplo")
	roots := write(t, "roots.pem", authority.RootsPEM())
	c := doctorCase{authority: authority, database: database, receiver: testkit.NewReceiver(t, nil),
		organization: organization.ID, key: key}
	c.settings = withKeyset(t, settingsOf(database)).with("EMISSOR_NATIONAL_RESTRICTED_URL", authority.URL()).
		with("EMISSOR_AUTHORITY_CA", roots).with("EMISSOR_CERTIFICATE_ROOTS", roots).withMail(testkit.NewMailbox(t))
	engineMigrated(t, c.settings)
	c.setProfile(t)
	c.addCertificate(t, sefin.Subject{TaxID: string(issuerTaxID)})
	api := start(t, c.settings.withoutTemporal(), "api").api
	c.service = caller{api, key}.post(t, "/v1/services", testkit.Body{"name": "Suporte", "description": "Suporte técnico",
		"municipality_code": "3304557", "default_amount_cents": 15000, "national_tax_code": "01.07.01",
	}, http.StatusCreated)["id"].(string)
	c.classify(t)
	c.endpoint = addEndpoint(t, c.settings, c.organization, c.receiver.URL+"/"+doctorsWord)
	worker := testkit.OpenStore(t, database.As(testkit.Roles.Worker))
	must(t, worker.Companies.UseProfileCities(t.Context(), "national"))
	must(t, worker.Companies.SaveCity(t.Context(), companies.CityKey{Authority: "national", MunicipalityCode: "3304557"},
		fiscal.City{Active: true, AderenteEmissorNacional: new(true)}, 0))
	_, c.settings["EMISSOR_DATABASE_URL"] = database.NewLogin(t, testkit.Roles.Worker)
	return c
}

// engineMigrated makes the search attributes of the engine's namespace, as an installation has them.
func engineMigrated(t *testing.T, owner settings) {
	t.Helper()
	if result := execute(t, owner, "migrate"); result.code != 0 {
		t.Fatalf("migrate ended with %+v", result)
	}
}

// asOwner are the settings of commands that change something.
func (c doctorCase) asOwner() settings {
	return c.settings.with("EMISSOR_DATABASE_URL", c.database.URL)
}

func (c doctorCase) setProfile(t *testing.T, more ...string) {
	t.Helper()
	succeeds(t, c.asOwner(), append([]string{"fiscal-profile", "set", "--organization", c.organization, "--document",
		string(issuerTaxID), "--municipality", "3304557", "--simples", "none", "--series", "1", "--environment",
		"restricted", "--tax-federal", "13.45", "--tax-municipal", "2.90"}, more...)...)
}

func (c doctorCase) addCertificate(t *testing.T, subject sefin.Subject, more ...string) {
	t.Helper()
	pfx, err := c.authority.NewPFX(subject, doctorsWord)
	must(t, err)
	succeeds(t, c.asOwner(), append([]string{"certificate", "add", "--organization", c.organization, "--password-file",
		write(t, "password", []byte(doctorsWord+"\n")), write(t, "a1.pfx", pfx)}, more...)...)
}

func (c doctorCase) classify(t *testing.T) {
	t.Helper()
	succeeds(t, c.asOwner(), "service", "classify", c.service, "--organization", c.organization, "--nbs", "115022000",
		"--cindop", "100301", "--cclasstrib", "000001", "--indfinal", "false")
}

// examined is what a script reads of `emissor doctor`.
type examined struct {
	Version  string
	Result   doctor.Result
	Counts   map[doctor.Result]int
	Findings []serve.PrintedFinding
}

// examine runs the doctor, which must end with a status.
func (c doctorCase) examine(t *testing.T, settings settings, status int, more ...string) (report examined) {
	t.Helper()
	result := execute(t, settings, append([]string{"doctor", "--json"}, more...)...)
	strict := json.NewDecoder(strings.NewReader(result.stdout))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&report); err != nil || result.stderr != "" {
		t.Fatalf("%v: it ended with %+v", err, result)
	}
	if result.code != status {
		t.Errorf("it ended with %d instead of %d\n%s", result.code, status, result.stdout)
	}
	c.expectNothingSecret(t, settings, result.stdout)
	return report
}

// expectNothingSecret expects that a report has nothing of a secret, a tax id or a certificate.
func (c doctorCase) expectNothingSecret(t *testing.T, settings settings, report string) {
	t.Helper()
	keyset := strings.Repeat("0", 90) // where there is none
	if file := settings["EMISSOR_KEYSET_FILE"]; file != "" {
		content, err := os.ReadFile(file)
		must(t, err)
		keyset = string(content)
	}
	account, _, _ := strings.Cut(settings["EMISSOR_DATABASE_URL"], "@")
	for what, secret := range map[string]string{
		"the tax id": string(issuerTaxID), "the tax id as people write it": "11.222.333/0001-81", "a word": doctorsWord,
		"a secret of an endpoint": c.endpoint.Secret, "an API key": c.key, "a key": "PRIVATE", "a certificate": "BEGIN",
		"the keyset": keyset[len(keyset)/3 : len(keyset)/2], "the database's account": account,
		"the name of the holder": "EMPRESA",
	} {
		if secret == "" || strings.Contains(report, secret) {
			t.Errorf("%s (%q) stands in\n%s", what, secret, report)
		}
	}
}

// expect expects a finding of the organization, or of the installation, and no worse one of the check.
func (e examined) expect(t *testing.T, check doctor.Name, result doctor.Result, seen string) {
	t.Helper()
	if !slices.ContainsFunc(e.Findings, func(f serve.PrintedFinding) bool {
		return f.Check == check && f.Result == result && strings.Contains(f.Seen, seen) &&
			(f.Do != "") == (f.Page != "") && (f.Do != "" || result == doctor.OK || result == doctor.Skipped)
	}) {
		t.Errorf("it is not said %s of %s, with %q, but\n%+v", result, check, seen, e.Findings)
	}
}

// expectOnly expects that all is well but for what is named.
func (e examined) expectOnly(t *testing.T, wrong ...doctor.Name) {
	t.Helper()
	for _, f := range e.Findings {
		if f.Result != doctor.OK && f.Result != doctor.Skipped && !slices.Contains(wrong, f.Check) {
			t.Errorf("%s of %s: %s", f.Result, f.Check, f.Seen)
		}
	}
}

// Where all is well it ends with 0, says so of each check, and has issued and posted nothing.
func TestDoctor_AllWell(t *testing.T) {
	t.Parallel()
	c := newDoctorCase(t)
	report := c.examine(t, c.settings, 0)
	report.expectOnly(t)
	receiver, err := url.Parse(c.receiver.URL)
	must(t, err)
	for check, seen := range map[doctor.Name]string{
		doctor.Database: fmt.Sprintf("schema is at version %d", store.ProgramSchema()),
		doctor.Engine:   "Temporal answers", doctor.Keyset: "all 2 sealed secrets", doctor.Mail: "no message was sent",
		doctor.Host: " (SEFIN) answers by TLS", doctor.Clock: "agrees with that of the national system",
		doctor.Profile: "the national system (national), series 1, restricted", doctor.TaxID: "the organization's",
		doctor.Certificate: "leads to ICP-Brasil's roots", doctor.Series: "Nothing holds the series 1",
		doctor.City: "takes notes of this company", doctor.Services: "All 1 active live services are ready",
		doctor.Question: "the number 1 of the series 1 is free",
		doctor.Webhooks: "at " + receiver.Host + " is reached",
	} {
		report.expect(t, check, doctor.OK, seen)
	}
	if report.Result != doctor.OK || report.Counts[doctor.OK] != len(report.Findings) || report.Version == "" {
		t.Errorf("in all it is %s, %+v", report.Result, report.Counts)
	}
	if calls := c.receiver.Calls(); len(calls) != 0 {
		t.Errorf("the receiver was sent %+v", calls)
	}
	if posts := c.authority.Posts(); len(posts) != 0 || len(c.authority.Ledger()) != 0 {
		t.Errorf("the authority was sent %+v", posts)
	}
	people := execute(t, c.settings, "doctor", "--organization", c.organization)
	if people.code != 0 || people.stderr != "" || !strings.Contains(people.stdout, "0 warnings, 0 problems\n") {
		t.Errorf("for people it ended with %+v", people)
	}
	for _, row := range cells(people.stdout)[1:] {
		if len(row) == 4 && row[2] != "-" && row[2] != c.organization {
			t.Errorf("a finding is of the organization %s, not %s", row[2], c.organization)
		}
	}
	c.expectNothingSecret(t, c.settings, people.stdout)
}

// A command that is wrong has examined nothing, which is not what a script reads of 1.
func TestDoctor_WrongUsage(t *testing.T) {
	t.Parallel()
	for why, args := range map[string][]string{
		"unknown flag: --organisation":                 {"--organisation", "org_01m7yv5g08ef688dg9093ee0f7"},
		"flag needs an argument: --organization":       {"--organization"},
		`invalid argument "perhaps" for "--json" flag`: {"--json=perhaps"},
		`"all" is one argument too many`:               {"all"},
	} {
		result := execute(t, nil, append([]string{"doctor"}, args...)...)
		if result.code != 2 || result.stdout != "" || !strings.HasPrefix(result.stderr, "emissor: "+why) {
			t.Errorf("emissor doctor %q ended with %+v", args, result)
		}
	}
}

// The example of the page is of the schema that there is.
func TestDoctor_PageNamesSchema(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operations/doctor.md")
	must(t, err)
	schema := fmt.Sprintf("its schema is at version %d.", store.ProgramSchema())
	if !strings.Contains(string(page), schema) {
		t.Errorf("doctor.md does not say that %s", schema)
	}
}

// What makes something late or missing is a warning, and it ends with 1.
func TestDoctor_Warnings(t *testing.T) {
	t.Parallel()
	c := newDoctorCase(t)
	refused := c.settings.with("EMISSOR_SMTP_URL",
		fmt.Sprintf("smtp://user:%s@127.0.0.1:%d", doctorsWord, closedPort(t)))
	mail := c.examine(t, refused, 1)
	mail.expect(t, doctor.Mail, doctor.Warning, "127.0.0.1:")
	mail.expectOnly(t, doctor.Mail)

	succeeds(t, c.asOwner(), "webhook", "set", c.endpoint.ID, "--url",
		fmt.Sprintf("https://127.0.0.1:%d/%s", closedPort(t), doctorsWord))
	webhook := c.examine(t, c.settings, 1)
	webhook.expect(t, doctor.Webhooks, doctor.Warning, "is not reached: the connection was refused")
	webhook.expectOnly(t, doctor.Webhooks)
	succeeds(t, c.asOwner(), "webhook", "disable", c.endpoint.ID)
	c.examine(t, c.settings, 1).expect(t, doctor.Webhooks, doctor.Warning, "is disabled")

	succeeds(t, c.asOwner(), "webhook", "enable", c.endpoint.ID)
	c.database.Exec(t, `UPDATE webhook_endpoints SET secret = set_byte(secret, 20, get_byte(secret, 20) # 255)`)
	c.examine(t, c.settings, 1).expect(t, doctor.Webhooks, doctor.Warning, "does not open")

	c.examine(t, c.settings.with("EMISSOR_CERTIFICATE_ROOTS", ""), 1).
		expect(t, doctor.Certificate, doctor.Warning, "It is not known who issued")
}

// closedPort is a port of this machine where nobody listens, nor can while the test runs: it is taken.
func closedPort(t *testing.T) int {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	must(t, err)
	t.Cleanup(func() { _ = syscall.Close(socket) })
	must(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	address, err := syscall.Getsockname(socket)
	must(t, err)
	return address.(*syscall.SockaddrInet4).Port
}
