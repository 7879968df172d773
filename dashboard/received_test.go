package dashboard_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/frame"
	"emissor/fiscal/certificate"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/worker"
)

// receivedTestKey is the access key of a note that another issuer has issued.
const receivedTestKey = "33045572242498733000148000000000000926110000000017"

// received puts a note of another issuer on record, with the event of a rejection by the taker.
func (s *site) received(t *testing.T, organizationID, key string) {
	t.Helper()
	xml, err := os.ReadFile("../fiscal/danfse/testdata/full.xml")
	must(t, err)
	hash := sha256.Sum256(xml)
	s.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id, tells_of_all)
		SELECT 'dst_received', 'national', false, $1, true WHERE NOT EXISTS (SELECT FROM distributions)`,
		string(testkit.Issuer))
	s.Exec(t, `INSERT INTO received_notes (organization_id, livemode, production, distribution_id, position,
			access_key, role, issuer_tax_id, issuer_name, number, competence, issued_at, service_code, description, place_code,
			totals, amount_cents, iss_withheld_by, iss_cents, federal_cents, problem, xml, xml_hash)
		VALUES ($1, true, false, (SELECT min(id) FROM distributions), 1, $2, 'taker', '42498733000148',
			'Limpeza Exemplo Ltda', '9', '2026-11-20', '2026-11-20T12:00:00Z', '071001', 'Limpeza do escritório',
			'3304557', '{"service_cents": 250000, "iss_withheld_cents": 12500, "irrf_cents": 3750}', 250000, 2, 12500,
			3750, '{"code": "external_signature_fails"}', $3, $4)`, organizationID, key, xml, hash[:])
	s.Exec(t, `INSERT INTO received_events (organization_id, livemode, production, distribution_id, position, access_key,
			type, sequence, title, effect, reason_text, replacement, happened_at, content, content_hash)
		VALUES ($1, true, false, (SELECT min(id) FROM distributions), 2, $2, '203206', 1,
			'{"code": "external_rejected_by_taker"}', 'none', 'Serviço não contratado', $2, now(), '<evento/>', $3)`,
		organizationID, key, hash[:])
}

// What an accountant reads of a received note: list, sums, page, documents, files.
func TestReceived_Pages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	accountant := s.signedIn(t, "contadora@example.com", s.Organization.ID, nfse.RoleAccountant)
	accountant.get(t, s.live("/received")).expect(t, http.StatusOK, "Aqui aparecem as notas", "ainda não começou")
	accountant.get(t, s.at("/received")).expect(t, http.StatusOK, "só no ambiente de produção")
	s.received(t, s.Organization.ID, receivedTestKey)
	accountant.get(t, s.live("/received")).expect(t, http.StatusOK, "Limpeza Exemplo Ltda", "42.498.733/0001-48",
		"R$\u00a02.500,00")
	for query, expected := range map[string]string{
		"&month=2026-11":                "R$\u00a0125,00",
		"&month=2026-10":                "Nenhuma nota recebida",
		"&number=9":                     "Limpeza Exemplo",
		"&number=8":                     "Nenhuma nota recebida",
		"&issuer=42.498.733%2F0001-48":  "Limpeza Exemplo",
		"&issuer=limpeza&month=2026-11": "Limpeza Exemplo",
		"&state=cancelled":              "Nenhuma nota recebida",
		"&pay=on":                       "Limpeza Exemplo",
	} {
		accountant.get(t, s.live("/received")+query).expect(t, http.StatusOK, expected)
	}
	for query, expected := range map[string]string{"&month=x": "Escreva o mês", "&issuer=limpeza": "escolha o mês",
		"&state=x": "state"} {
		accountant.get(t, s.live("/received")+query).expect(t, http.StatusUnprocessableEntity, expected)
	}
	accountant.get(t, s.live("/received/"+receivedTestKey)).expect(t, http.StatusOK, "ISS é retido por esta empresa",
		"tributos federais retidos", "Serviço não contratado", "Abrir o portal nacional", "sem valor fiscal", "Rio de Janeiro",
		"A assinatura do documento não foi confirmada")
	xml := accountant.get(t, s.live("/received/"+receivedTestKey+"/xml")).expect(t, http.StatusOK, "<NFSe")
	if pdf := accountant.get(t, s.live("/received/"+receivedTestKey+"/danfse")); !strings.HasPrefix(pdf.body, "%PDF-") {
		t.Errorf("the DANFSe is %d, %.80s", pdf.status, pdf.body)
	}
	accountant.get(t, s.live("/received.csv")).expect(t, http.StatusOK, "Limpeza do escritório", receivedTestKey,
		"2500,00;125,00;37,50")
	expectReceivedZIP(t, accountant.get(t, s.live("/received.zip")+"&month=2026-11"), xml.body)
	accountant.get(t, s.live("/received.zip")).expect(t, http.StatusUnprocessableEntity, "O ZIP é de um mês")
	s.Exec(t, `UPDATE received_notes SET xml = '<other/>'`)
	accountant.get(t, s.live("/received/"+receivedTestKey+"/danfse")).expect(t, http.StatusNotFound,
		"não pode ser desenhado")
}

// expectReceivedZIP expects the document, its event, its DANFSe and a list with their digests.
func expectReceivedZIP(t *testing.T, sent page, xml string) {
	t.Helper()
	files := receivedFiles(t, sent)
	hash := sha256.Sum256([]byte(xml))
	if len(files) != 4 || files[receivedTestKey+".xml"] != xml || files[receivedTestKey+"-event-01.xml"] != "<evento/>" ||
		!strings.HasPrefix(files[receivedTestKey+".pdf"], "%PDF-") ||
		!strings.Contains(files["index.csv"], receivedTestKey+".xml,"+hex.EncodeToString(hash[:])) {
		t.Errorf("the files are %v", files)
	}
}

// receivedFiles are the files of a ZIP of received notes, by name.
func receivedFiles(t *testing.T, sent page) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(strings.NewReader(sent.body), int64(len(sent.body)))
	if err != nil {
		t.Fatalf("the ZIP is %d, %v", sent.status, err)
	}
	files := map[string]string{}
	for _, file := range archive.File {
		reader, err := file.Open()
		must(t, err)
		content, err := io.ReadAll(reader)
		must(t, err)
		files[file.Name] = string(content)
	}
	return files
}

// A document that cannot be drawn is in the ZIP as XML, its DANFSe is named in the list, and the notes
// before and after it are complete.
func TestReceived_ZIPWithoutOneDANFSe(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	accountant := s.signedIn(t, "contadora@example.com", s.Organization.ID, nfse.RoleAccountant)
	var keys [3]string
	for i := range keys {
		keys[i] = fmt.Sprintf("%050d", i)
		s.received(t, s.Organization.ID, keys[i])
		s.Exec(t, `UPDATE received_events SET content_hash = access_key::bytea`)
	}
	s.Exec(t, `UPDATE received_notes SET xml = '<other/>' WHERE access_key = $1`, keys[1])
	files := receivedFiles(t, accountant.get(t, s.live("/received.zip")+"&month=2026-11"))
	for i, key := range keys {
		if files[key+".xml"] == "" || strings.HasPrefix(files[key+".pdf"], "%PDF-") == (i == 1) {
			t.Errorf("note %d has %d bytes of XML and %d of PDF", i, len(files[key+".xml"]), len(files[key+".pdf"]))
		}
	}
	if !strings.Contains(files["index.csv"], keys[1]+".pdf,,O DANFSe desta nota") {
		t.Errorf("the list is %s", files["index.csv"])
	}
}

// A received note is of its organization alone, and of live.
func TestReceived_Tenancy(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Outra")
	s.received(t, s.Organization.ID, receivedTestKey)
	theirs := s.signedIn(t, "outra@example.com", other.ID, nfse.RoleOwner)
	ours := s.signedIn(t, "nossa@example.com", s.Organization.ID, nfse.RoleViewer)
	for _, after := range []string{"", "/xml", "/danfse"} {
		path := "/received/" + receivedTestKey + after
		ours.get(t, s.live(path)).expect(t, http.StatusOK)
		ours.get(t, s.at(path)).expect(t, http.StatusNotFound)
		theirs.get(t, s.of(path, other.ID, "live")).expect(t, http.StatusNotFound)
	}
	for _, path := range []string{"/received", "/received.csv", "/received.zip"} {
		page := theirs.get(t, s.of(path, other.ID, "live")+"&month=2026-11").expect(t, http.StatusOK)
		if strings.Contains(page.body, receivedTestKey) || strings.Contains(page.body, "Limpeza") {
			t.Errorf("%s shows another's note", path)
		}
	}
}

// A list has pages, both ways.
func TestReceived_ListHasPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	for i := range 51 {
		s.received(t, s.Organization.ID, fmt.Sprintf("%050d", i))
		s.Exec(t, `UPDATE received_events SET content_hash = access_key::bytea`)
	}
	first := viewer.get(t, s.live("/received")).expect(t, http.StatusOK, "older=")
	if strings.Contains(first.body, fmt.Sprintf("%050d", 0)) {
		t.Error("the oldest is on the first page")
	}
	viewer.get(t, s.live("/received")+fmt.Sprintf("&older=%050d", 1)).expect(t, http.StatusOK,
		fmt.Sprintf("/received/%050d", 0), "newer=")
}

// Another company issues to ours, and events happen to its note: a worker reads them from the ADN,
// and the page shows them. What is read again changes nothing.
func TestReceived_FromTheADN(t *testing.T) {
	t.Parallel()
	authority, err := sefin.Start(sefin.Options{})
	must(t, err)
	t.Cleanup(func() { _ = authority.Close() })
	signers, err := national.ParseSigners("CN=" + sefin.SignerName)
	must(t, err)
	client, err := national.New(national.Options{Software: "emissor-test", GracePeriod: 2 * time.Second,
		Connection: national.Connection{
			DocumentSigners: signers, EventSigners: signers, RestrictedURL: authority.URL(),
			RestrictedADNURL: authority.ADNURL(), SignerRoots: authority.SignerRoots(), Logger: testkit.Logger(t),
			Transport: mtls.Options{ServerRoots: authority.Roots(), Timeout: 5 * time.Second},
		},
	})
	must(t, err)
	s := newSiteOf(t, testkit.Options{
		Worker: true, Authorities: []worker.Authority{{Authority: client, Rate: 1000}},
	}, func(*frame.Options) {})
	certify := func(organization string, issuer nfse.TaxID) {
		pfx, err := authority.NewPFX(sefin.Subject{TaxID: string(issuer)}, "secret")
		must(t, err)
		bundle, err := certificate.ReadPFX(pfx, "secret")
		must(t, err)
		s.AddCertificateOf(t, organization, issuer, bundle)
	}
	profile := s.NewProfile(t, national.Name)
	certify(s.Organization.ID, testkit.Issuer)
	taker, _, _ := s.NewOrganization(t, "A tomadora")
	const takerID nfse.TaxID = "42498733000148"
	profile.OrganizationID, profile.TaxID = taker.ID, takerID
	s.SetProfile(t, profile)
	certify(taker.ID, takerID)
	service := s.Call(t, http.MethodPost, "/v1/services", s.LiveKey, testkit.Body{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": "3304557",
		"default_amount_cents": 15000, "national_tax_code": "01.07.01", "iss_rate": 2,
	}).Expect(t, http.StatusCreated).Text("id")
	body := testkit.Issuance(service, "para a tomadora")
	body["customer"].(testkit.Body)["document"], body["customer"].(testkit.Body)["name"] = string(takerID), "A tomadora"
	key := s.Await(t, s.LiveKey, s.Issue(t, s.LiveKey, body), nfse.StatusIssued).Text("authority", "access_key")

	viewer := s.signedIn(t, "viewer@example.com", taker.ID, nfse.RoleViewer)
	list := s.of("/received", taker.ID, "live")
	testkit.Eventually(t, "the note is received", func() bool {
		return strings.Contains(viewer.get(t, list).body, key)
	})
	note := s.of("/received/"+key, taker.ID, "live")
	viewer.get(t, note).expect(t, http.StatusOK, "Tomador", "Emitida", "R$\u00a0150,00", "010701",
		"Suporte técnico em informática", "Nenhum evento")
	xml := viewer.get(t, s.of("/received/"+key+"/xml", taker.ID, "live")).expect(t, http.StatusOK)
	if !bytes.Contains([]byte(xml.body), []byte(key)) {
		t.Error("the XML is another")
	}
	if pdf := viewer.get(t, s.of("/received/"+key+"/danfse", taker.ID, "live")); !strings.HasPrefix(pdf.body, "%PDF-") {
		t.Errorf("the DANFSe is %d", pdf.status)
	}
	must(t, authority.RegisterEvent(key, "203206"))
	must(t, authority.RegisterEvent(key, "305101"))
	testkit.Eventually(t, "its events are received", func() bool {
		page := viewer.get(t, note).body
		return strings.Contains(page, "Cancelada") && strings.Contains(page, "Servico nunca foi contratado")
	})
	before := s.Text(t, `SELECT string_agg(id || status, ' ') FROM received_notes`)
	_, err = s.Changes().Received.ReadReceivedAgain(t.Context(), taker.ID, 0)
	must(t, err)
	testkit.Eventually(t, "all is read again", func() bool {
		return s.Count(t, `SELECT count(*) FROM distributions WHERE tax_id = $1 AND taken >= 3 AND position > 0`,
			string(takerID)) == 1
	})
	if after := s.Text(t, `SELECT string_agg(id || status, ' ') FROM received_notes`); after != before ||
		s.Count(t, `SELECT count(*) FROM received_events`) != 2 {
		t.Errorf("before %s, afterwards %s", before, after)
	}
	issuer := s.signedIn(t, "emitente@example.com", s.Organization.ID, nfse.RoleViewer)
	issuer.get(t, s.live("/received/"+key)).expect(t, http.StatusNotFound)
}
