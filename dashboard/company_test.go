package dashboard_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/dashboard/frame"
	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/testkit"
)

const issuer nfse.TaxID = "11222333000181"

// profileForm is a form of a fiscal profile as a person fills it in.
func profileForm(pairs ...string) url.Values {
	values := form("tax_id", "11.222.333/0001-81", "municipality_code", "3550308", "simples", "none",
		"simples_regime", "", "special_regime", "0", "own_contributions", "none", "series", "7", "environment", "restricted",
		"tax_federal", "13,45", "tax_state", "0", "tax_municipal", "2,5", "version", "none")
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return values
}

// claim makes the site's organization the owner of the forms' issuer.
func (s *site) claim(t *testing.T, authority string, production bool) {
	t.Helper()
	s.ClaimIssuer(t, nfse.FiscalProfile{OrganizationID: s.Organization.ID, Authority: authority,
		Production: production, TaxID: issuer})
}

func TestCompany_Profile(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.claim(t, "national", false)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "Para emitir notas de produção", "Fazer agora")
	for field, value := range map[string]string{"tax_id": "11.222.333/0001-80", "municipality_code": "Nenhures",
		"simples": "", "simples_regime": "2", "special_regime": "8", "series": "50000", "environment": "",
		"municipal_registration": "?", "inactive_municipalities": "1234567",
		"competence_days_back": "1827", "tax_federal": "muito"} {
		owner.post(t, s.at("/company/profile"), profileForm(field, value)).
			expect(t, http.StatusUnprocessableEntity, `href="#`+field+`"`)
	}
	owner.post(t, s.at("/company/profile"), profileForm("municipality_code", "Campinas")).
		expect(t, http.StatusUnprocessableEntity, `value="municipality_code=3509502"`)
	owner.post(t, s.at("/company/profile"), profileForm()).expect(t, http.StatusSeeOther)
	shown := owner.get(t, s.at("/company")).expect(t, http.StatusOK, "Perfil fiscal salvo.", "11.222.333/0001-81",
		"São Paulo/SP", `value="13,45"`,
		`name="competence_days_back" type="text" value="31"`, "A série 7 continua da DPS nº 1 (")
	// A second first one, and a second change of the same, are told.
	owner.post(t, s.at("/company/profile"), profileForm("series", "8")).expect(t, http.StatusConflict,
		"Outra pessoa mudou isto", "<dd>7</dd>", `value="8"`)
	owner.confirms(t, s.at("/company/profile"), profileForm("series", "8", "version", shown.version(t))).
		expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, `name="competence_days_back" type="text" value="31"`)
	if s.entries(t, "fiscal_profile.set", owner.id) != "2" {
		t.Error("the audit log does not say who did it")
	}
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	viewer.get(t, s.at("/company")).expect(t, http.StatusOK, `<fieldset class="whole" disabled>`)
}

// The same page issues by the city of São Paulo, by its rules.
func TestCompany_SaoPaulo(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.claim(t, "sao-paulo", false)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	inCity := func(pairs ...string) url.Values {
		return profileForm(append([]string{"authority", "sao-paulo", "series", "50000", "municipal_registration",
			"31000000", "tax_federal", "", "tax_state", "", "tax_municipal", ""}, pairs...)...)
	}
	for field, value := range map[string]string{"authority": "rio", "municipality_code": "3304557",
		"municipal_registration": "", "series": "100000", "simples": "mei"} {
		owner.post(t, s.at("/company/profile"), inCity(field, value)).
			expect(t, http.StatusUnprocessableEntity, `href="#`+field+`"`)
	}
	owner.post(t, s.at("/company/profile"), inCity()).expect(t, http.StatusSeeOther)
	shown := owner.get(t, s.at("/company")).expect(t, http.StatusOK, `value="sao-paulo" selected`,
		"Prefeitura de São Paulo", "A série 50000 continua da DPS nº 1 (")
	if strings.Contains(shown.body, "Parâmetros do município") {
		t.Error("the page shows what the city has set at the national system")
	}
	// A service needs the city's code, not the national one.
	s.NewService(t, s.TestKey)
	owner.get(t, s.at("/catalogue/services")).expect(t, http.StatusOK, "código municipal (São Paulo)")
	profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
	if err != nil || profile.Authority != "sao-paulo" {
		t.Errorf("the profile is %+v, %v", profile, err)
	}
}

// The letters of taxation are asked for where the city issues, by its rules; what a form
// did not ask for stays.
func TestCompany_TaxationLetters(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	inCity := func(pairs ...string) url.Values {
		return profileForm(append([]string{"authority", "sao-paulo", "series", "50000", "municipal_registration",
			"31000000", "tax_federal", "", "tax_state", "", "tax_municipal", ""}, pairs...)...)
	}
	letters := func() string {
		t.Helper()
		profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
		must(t, err)
		return profile.TaxationInside + "," + profile.TaxationOutside
	}
	if strings.Contains(owner.get(t, s.at("/company")).body, "taxation_inside") {
		t.Error("the page asks for letters where the national system issues")
	}
	owner.post(t, s.at("/company/profile"), inCity()).expect(t, http.StatusSeeOther)
	shown := owner.get(t, s.at("/company")).expect(t, http.StatusOK, `name="taxation_inside"`,
		"A: de São Paulo, isento",
		"R: de São Paulo, imune (objetiva)", `name="taxation_outside"`, "V: de outro município, exigibilidade suspensa")
	for field, value := range map[string]string{"taxation_inside": "B", "taxation_outside": "A"} {
		owner.post(t, s.at("/company/profile"), inCity(field, value, "version", shown.version(t))).
			expect(t, http.StatusUnprocessableEntity, `href="#`+field+`"`)
	}
	owner.post(t, s.at("/company/profile"), inCity("taxation_inside", "D", "taxation_outside", "N",
		"version", shown.version(t))).expect(t, http.StatusSeeOther)
	shown = owner.get(t, s.at("/company")).expect(t, http.StatusOK, `value="D" selected`, `value="N" selected`)
	// Somebody whose page is older is told.
	owner.post(t, s.at("/company/profile"), inCity("taxation_inside", "X", "version", "older")).
		expect(t, http.StatusConflict, "Outra pessoa mudou isto", "<dd>D</dd>")
	// A form that has no letters leaves them, and so does one of the national system.
	owner.post(t, s.at("/company/profile"), inCity("version", shown.version(t))).expect(t, http.StatusSeeOther)
	if letters() != "D,N" {
		t.Errorf("the letters are %s", letters())
	}
	owner.confirms(t, s.at("/company/profile"), profileForm("authority", "national", "taxation_inside", "?",
		"version", shown.version(t))).expect(t, http.StatusSeeOther)
	if letters() != "D,N" {
		t.Errorf("the letters are %s at the national system", letters())
	}
}

// A held series waits for a person: page and overview say why, and whom to ask.
func TestCompany_HeldSeries(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	s.claim(t, "sao-paulo", true)
	owner.confirms(t, s.at("/company/profile"), profileForm("authority", "sao-paulo", "municipal_registration",
		"31000000",
		"tax_federal", "", "tax_state", "", "tax_municipal", "", "environment", "production")).
		expect(t, http.StatusSeeOther)
	live := s.of("/", s.Organization.ID, "live")
	if strings.Contains(owner.get(t, s.at("/company")).body+owner.get(t, live).body, "retida") {
		t.Fatal("a series is held")
	}
	s.Exec(t, `INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series, registration,
			held_reason, held_at)
		VALUES ('sao-paulo', true, $1, '3550308', 7, '31000000', $2, '2026-11-22T12:00:00Z'),
			('sao-paulo', true, '11444777000161', '3550308', 8, '41000000', $2, now())`, string(issuer),
		fact.NumberUsedInLostTime.With("number", 5, "series", 7))
	shown := owner.get(t, s.at("/company")).expect(t, http.StatusOK, "A série 7 está bloqueada", "desde 22/11/2026",
		"o número 5 da série 7 está usado na autoridade, e nossos registros podem ser uma cópia anterior",
		"peça aos operadores do Emissor", "emissor series check --organization "+s.Organization.ID,
		"emissor series release --organization "+s.Organization.ID+" --series 7")
	if strings.Contains(shown.body, "A série 8") {
		t.Error("the page shows the series of another company")
	}
	owner.get(t, live).expect(t, http.StatusOK, "1 série bloqueada", "#numbers")
	owner.get(t, s.at("/")).expect(t, http.StatusOK, "Nenhuma pendência.")
	english := http.Header{"Accept-Language": {"en"}}
	owner.send(t, http.MethodGet, live, english, "", nil).expect(t, http.StatusOK, "1 series is on hold")
	owner.send(t, http.MethodGet, s.at("/company"), english, "", nil).expect(t, http.StatusOK, "The series 7 is on hold",
		"the number 5 of series 7 is used at the authority", "ask the operators of Emissor")
}

func TestCompany_NextNumber(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.post(t, s.at("/company/next-number"), form("next_number", "5")).expect(t, http.StatusNotFound)
	s.claim(t, "national", false)
	owner.post(t, s.at("/company/profile"), profileForm()).expect(t, http.StatusSeeOther)
	version := owner.get(t, s.at("/company")).version(t)
	address := s.at("/company/next-number")
	for _, number := range []string{"", "0", "x", "1000000000000000"} {
		owner.post(t, address, form("next_number", number, "seen", "1", "version", version)).
			expect(t, http.StatusUnprocessableEntity, `href="#next_number"`)
	}
	owner.confirms(t, address, form("next_number", "500", "seen", "1", "version", "older")).expect(t,
		http.StatusConflict,
		"Outra pessoa mudou o perfil")
	shown := owner.get(t, s.at("/company")).expect(t, http.StatusOK, `name="seen" value="1"`)
	// Only an operator may jump, regardless of the number that the form says was seen.
	owner.confirms(t, address, form("next_number", "1002", "seen", "1", "version", version)).
		expect(t, http.StatusUnprocessableEntity, "até 1000 de uma vez", "operadores do Emissor")
	owner.confirms(t, address, form("next_number", "999999999999999", "seen", "999999999999998", "version", version)).
		expect(t, http.StatusConflict, "mudou desde que")
	owner.confirms(t, address, form("next_number", "500", "seen", "1", "version", version)).expect(t,
		http.StatusSeeOther)
	// A second person, whose page shows the number from before, is told.
	owner.confirms(t, address, form("next_number", "900", "seen", "1", "version", shown.version(t))).
		expect(t, http.StatusConflict, "mudou desde que", "continua da DPS nº 500 (", `name="seen" value="500"`,
			`value="900"`)
	owner.confirms(t, address, form("next_number", "900", "version", version)).expect(t, http.StatusConflict)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "continua da DPS nº 500 (", "não se volta")
	owner.confirms(t, address, form("next_number", "3", "seen", "500", "version", version)).
		expect(t, http.StatusUnprocessableEntity, "já foi usado")
	owner.confirms(t, address, form("next_number", "1500", "seen", "500", "version", version)).
		expect(t, http.StatusSeeOther)
	if s.entries(t, "series.next_number", owner.id) != "2" {
		t.Error("the audit log does not say who did it")
	}
}

func TestCompany_City(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.post(t, s.at("/company/city"), form()).expect(t, http.StatusNotFound)
	owner.post(t, s.at("/company/profile"), profileForm()).expect(t, http.StatusSeeOther)
	owner.post(t, s.at("/company/city"), form()).expect(t, http.StatusSeeOther)
	s.Exec(t, `UPDATE municipal_parameters SET city = '{"active": false}', fetched_at = now()`)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "cinco minutos", "não tem convênio ativo", "(E0038)")
}

// The tests are also the program that opens PFX files.
func init() {
	if len(os.Args) == 2 && os.Args[1] == "open-pfx" {
		if err := certificate.ServeApart(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// upload sends a certificate as a browser does.
func (p *person) upload(t *testing.T, path string, pfx []byte, password string) page {
	t.Helper()
	body, kind := certificateForm(t, pfx, password)
	return p.send(t, http.MethodPost, path, nil, kind, body)
}

// certificateForm is the form of a certificate, and its content type.
func certificateForm(t *testing.T, pfx []byte, password string) (body *bytes.Buffer, kind string) {
	t.Helper()
	body = new(bytes.Buffer)
	writer := multipart.NewWriter(body)
	must(t, writer.WriteField("env", "test"))
	must(t, writer.WriteField("password", password))
	file, err := writer.CreateFormFile("certificate", "empresa.pfx")
	must(t, err)
	_, err = file.Write(pfx)
	must(t, err)
	must(t, writer.Close())
	return body, writer.FormDataContentType()
}

// lockedBuffer is a log that a test reads.
type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.String()
}

func TestCertificates_Upload(t *testing.T) {
	t.Parallel()
	chain := certificatetest.NewChain(t)
	logged := &lockedBuffer{}
	s := newSite(t, func(options *frame.Options) {
		options.CertificateRoots, options.Logger = chain.Roots(), slog.New(slog.NewTextHandler(logged, nil))
	})
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.post(t, s.at("/company/profile"), profileForm()).expect(t, http.StatusSeeOther)
	address := s.at("/company/certificates")
	owner.get(t, s.at("/company/certificates/new")).expect(t, http.StatusOK, `enctype="multipart/form-data"`)
	template := certificatetest.Template(issuer)
	template.Subject.CommonName = `<script>alert(1)</script>`
	pfx := certificatetest.PFX(t, chain.Issue(t, template), "senha secreta")
	other := certificatetest.PFX(t, chain.Issue(t, certificatetest.Template("11444777000161")), "x")
	past := certificatetest.Template(issuer)
	past.NotAfter = time.Now().Add(-time.Hour)
	strange := certificatetest.NewChain(t)
	for _, one := range []struct {
		words, field, password string
		pfx                    []byte
	}{
		{"não abre este arquivo", "password", "outra", pfx},
		{"Escolha o arquivo", "certificate", "x", nil},
		{"Não é um arquivo PFX", "certificate", "x", []byte("nothing")},
		{"de outra empresa ou pessoa", "certificate", "x", other},
		{"O certificado venceu em", "certificate", "x", certificatetest.PFX(t, chain.Issue(t, past), "x")},
		{"não leva a uma das raízes", "certificate", "x",
			certificatetest.PFX(t, strange.Issue(t, certificatetest.Template(issuer)), "x")},
	} {
		refused := owner.upload(t, address, one.pfx, one.password).expect(t, http.StatusUnprocessableEntity, one.words,
			`href="#`+one.field+`"`)
		if strings.Contains(refused.body, `value="`+one.password+`"`) {
			t.Error("the password comes back")
		}
	}
	owner.upload(t, address, make([]byte, 2<<20), "x").expect(t, http.StatusRequestEntityTooLarge)
	if s.Text(t, `SELECT count(*) FROM certificates`) != "0" {
		t.Fatal("something wrong was kept")
	}
	owner.upload(t, address, pfx, "senha secreta").expect(t, http.StatusSeeOther)
	shown := owner.get(t, s.at("/company")).expect(t, http.StatusOK, "Certificado salvo", "em uso",
		"&lt;script&gt;alert(1)")
	if strings.Contains(shown.body, "<script>alert") {
		t.Error("the name of the certificate is shown as code")
	}
	id := s.Text(t, `SELECT id FROM certificates`)
	sealed, err := hex.DecodeString(s.Text(t, `SELECT encode(sealed, 'hex') FROM certificates`))
	must(t, err)
	if bytes.Contains(sealed, []byte("PRIVATE KEY")) {
		t.Error("the key is not sealed")
	}
	opened, err := s.Sealer.Unseal(sealed, s.Organization.ID, id)
	must(t, err)
	if !bytes.Contains(opened, []byte("PRIVATE KEY")) {
		t.Error("what is sealed is not the key")
	}
	if strings.Contains(logged.String(), "senha secreta") || strings.Contains(logged.String(), string(issuer)) {
		t.Error("the log has what it must not")
	}
	s.Exec(t, `UPDATE certificates SET refused_at = now(), refused_reason = 'E1203'`)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "recusado pela autoridade", "E1203", "Tentar de novo")
	owner.post(t, s.at("/company/certificates/"+id+"/retry"), form()).expect(t, http.StatusSeeOther)
	owner.confirms(t, s.at("/company/certificates/"+id+"/remove"), form()).expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "a chave foi apagada", "⊘ removido")
	for _, action := range []string{"certificate.add", "certificate.retry", "certificate.remove"} {
		if s.entries(t, action, owner.id) != "1" {
			t.Errorf("the audit log does not say who did %s", action)
		}
	}
}

// Files that would be opened for an hour keep nobody from adding a certificate: their
// time ends, and with it the work.
func TestCertificates_Slow(t *testing.T) {
	t.Parallel()
	chain := certificatetest.NewChain(t)
	s := newSite(t, func(options *frame.Options) { options.CertificateRoots = chain.Roots() })
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	slow, address := certificatetest.SlowPFX(t), s.at("/company/certificates")
	dashboard.SetOpeningTime(s.pages, 100*time.Millisecond)
	for range 3 { // more than are opened at a time
		owner.upload(t, address, slow, "").expect(t, http.StatusUnprocessableEntity, `href="#certificate"`)
	}
	dashboard.SetOpeningTime(s.pages, time.Minute)
	pfx := certificatetest.PFX(t, chain.Issue(t, certificatetest.Template(issuer)), "x")
	owner.upload(t, address, pfx, "x").expect(t, http.StatusSeeOther)
}

// While a file of an organization is opened its next one is refused at once, and another
// organization's is opened.
func TestCertificates_OneOfAnOrganization(t *testing.T) {
	t.Parallel()
	chain := certificatetest.NewChain(t)
	s := newSite(t, func(options *frame.Options) { options.CertificateRoots = chain.Roots() })
	dashboard.SetOpeningTime(s.pages, time.Minute)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	path := "/company/certificates"
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opening := make(chan struct{})
	go func() {
		defer close(opening)
		slow := certificatetest.SlowPFX(t)
		for status := http.StatusServiceUnavailable; status == http.StatusServiceUnavailable && ctx.Err() == nil; {
			body, kind := certificateForm(t, slow, "") // refused while a look below is the one that is opened
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+s.at(path), body)
			if err != nil {
				t.Error(err)
				return
			}
			request.Header.Set("Content-Type", kind)
			response, err := owner.client.Do(request)
			if err != nil {
				return // cancelled, as it is to be
			}
			response.Body.Close()
			if status = response.StatusCode; status != http.StatusServiceUnavailable {
				t.Errorf("the slow file is answered %d", status)
			}
		}
	}()
	pfx := certificatetest.PFX(t, chain.Issue(t, certificatetest.Template(issuer)), "x")
	testkit.Eventually(t, "the next file of the organization is refused", func() bool {
		return owner.upload(t, s.at(path), []byte("pfx"), "").status == http.StatusServiceUnavailable
	})
	other, _, _ := s.NewOrganization(t, "Vizinha")
	neighbour := s.signedIn(t, "neighbour@example.com", other.ID, nfse.RoleOwner)
	neighbour.upload(t, s.of(path, other.ID, "test"), pfx, "x").expect(t, http.StatusSeeOther)
	cancel()
	<-opening
	testkit.Eventually(t, "the organization's next file is opened", func() bool {
		return owner.upload(t, s.at(path), pfx, "x").status == http.StatusSeeOther
	})
}

// Who searches for a city, or fills in by the zip code, is not asked for a passkey.
func TestCompany_SearchesWithoutPasskey(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.addPasskey(t)
	owner.verifiedAt(t, time.Now().Add(-time.Hour))
	owner.post(t, s.at("/company/profile"), profileForm("municipality_code", "campinas", "find", "municipality_code",
		"special_regime", "")).expect(t, http.StatusOK, `value="municipality_code=3509502"`)
}

// A stale passkey keeps neither file nor password: the form is filled in once more.
func TestCertificates_StalePasskey(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.addPasskey(t)
	owner.verifiedAt(t, time.Now().Add(-time.Hour))
	asked := owner.upload(t, s.at("/company/certificates"), []byte("pfx"), "senha secreta").
		expect(t, http.StatusForbidden, "escolha o arquivo de novo", `href="/company/certificates/new?`)
	if strings.Contains(asked.body, "senha secreta") {
		t.Error("the password is in the page")
	}
}

// Another organization's certificate is not found.
func TestCertificates_Anothers(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Escola Vizinha")
	chain := certificatetest.NewChain(t)
	id := s.AddCertificateOf(t, other.ID, issuer, chain.Issue(t, certificatetest.Template(issuer)))
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	for _, act := range []string{"retry", "remove"} {
		owner.post(t, s.at("/company/certificates/"+id+"/"+act), form()).expect(t, http.StatusNotFound)
	}
}
