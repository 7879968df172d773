package dashboard_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/test/testkit"
)

// sheetHead is a file's head, and sheetLine a line that can be issued with it.
const sheetHead = "Serviço;CPF/CNPJ;Nome;CEP;Logradouro;Número;Bairro;Valor;Competência;ISS retido\n"

func sheetLine(service, amount string) string {
	return service + ";529.982.247-25;João da Silva;01310-100;Avenida Paulista;1578;Bela Vista;" + amount + ";;não\n"
}

// sendsSheet sends a spreadsheet as a browser does.
func (p *person) sendsSheet(t *testing.T, path string, content []byte) page {
	t.Helper()
	body := new(bytes.Buffer)
	writer := multipart.NewWriter(body)
	must(t, writer.WriteField("env", "test"))
	file, err := writer.CreateFormFile("sheet", "notas.csv")
	must(t, err)
	_, err = file.Write(content)
	must(t, err)
	must(t, writer.Close())
	return p.send(t, http.MethodPost, path, nil, writer.FormDataContentType(), body)
}

// month is the one of today, which a spreadsheet may always be of.
func month() string { return string(nfse.MonthOf(nfse.DayOf(time.Now()))) }

// accepts accepts the spreadsheet that a sent file led to, for this month, and waits for its end. It returns
// the address of its page.
func (p *person) accepts(t *testing.T, sent page) string {
	t.Helper()
	address := sent.expect(t, http.StatusSeeOther).header.Get("Location")
	path, query, _ := strings.Cut(address, "?")
	accepted := p.post(t, path+"/accept?"+query, form("month", month())).expect(t, http.StatusSeeOther)
	address = accepted.header.Get("Location")
	path, _, _ = strings.Cut(address, "?")
	id := strings.TrimPrefix(path, "/batches/")
	testkit.Eventually(t, "the spreadsheet is done", func() bool {
		return p.site.Text(t, `SELECT status FROM batches WHERE id = $1`, id) == "done"
	})
	return address
}

// batchesDone waits until every spreadsheet has the notes of its lines.
func (s *site) batchesDone(t *testing.T) {
	t.Helper()
	testkit.Eventually(t, "no spreadsheet is open", func() bool {
		return s.Count(t, `SELECT count(*) FROM batches WHERE status <> 'done'`) == 0
	})
}

// aBatch is a spreadsheet that was checked.
func (s *site) batch(t *testing.T) string { return s.batchIn(t, false) }

func (s *site) batchIn(t *testing.T, livemode bool) string {
	t.Helper()
	id := nfse.NewID(nfse.PrefixBatch)
	who := s.member(t, strings.ToLower(id)+"@example.com", s.Organization.ID, nfse.RoleEditor)
	s.Exec(t, `INSERT INTO batches (id, organization_id, livemode, user_id, digest, lines, amount_cents)
		VALUES ($1, $2, $4, $3, repeat('a', 38) || $1, 1, 100)`, id, s.Organization.ID, who, livemode)
	s.Exec(t, `INSERT INTO batch_lines (batch_id, line, tax_id, request) VALUES ($1, 2, '52998224725', '{}')`, id)
	return id
}

func aBatch(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string { return "/batches/" + s.batch(t) + after }
}

// A spreadsheet is reviewed, issued once however often it is sent, and its result names each note.
func TestBatches_IssuedOnce(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	s.Call(t, http.MethodPost, "/v1/customers", s.TestKey, testkit.Body{"document": "111.444.777-35",
		"name": "Ana Souza", "address": testkit.Body{"zip_code": "01310100", "street": "Avenida Paulista",
			"number": "1", "district": "Bela Vista"}, "municipality_code": "3550308"}).Text("id")
	content := []byte(sheetHead + sheetLine(service, "1.250,50") + sheetLine("CONSULTA", "1250.5") +
		"Consulta;11144477735;;;;;;R$ 10;" + string(nfse.DayOf(time.Now())) + ";sim\n")
	sent := editor.sendsSheet(t, s.at("/batches"), content)
	editor.get(t, sent.header.Get("Location")).expect(t, http.StatusOK, "Emitir 3 notas", "2.511,00")
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 0 {
		t.Fatalf("there are %d notes before it is confirmed", notes)
	}
	address := editor.accepts(t, sent)
	editor.get(t, address).expect(t, http.StatusOK, "Concluída", "Notas aceitas</dt><dd>3</dd>")
	if notes := s.Count(t, `SELECT count(*) FROM notes WHERE reference LIKE 'planilha-____________-' || $2 || '-_'
		AND user_id = $1`, editor.id, month()); notes != 3 {
		t.Errorf("%d notes are of the person who accepted them", notes)
	}
	if left := s.Count(t, `SELECT count(*) FROM batch_lines WHERE request IS NOT NULL OR tax_id IS NOT NULL`); left != 0 {
		t.Errorf("%d lines still hold what their notes have", left)
	}
	saved := []byte("\ufeff" + strings.ReplaceAll(string(content), ";", "\t")) // by another program
	for _, same := range [][]byte{content, saved} {
		again := editor.sendsSheet(t, s.at("/batches"), same)
		editor.get(t, again.header.Get("Location")).expect(t, http.StatusOK, thisMonthNamed()+": todas as notas",
			"Confirmar não emite nada")
		if again := editor.accepts(t, again); again != address {
			t.Errorf("the same table leads to %s, not to %s", again, address)
		}
	}
	s.Exec(t, `DELETE FROM batch_lines`) // as retention does in time
	s.Exec(t, `DELETE FROM batches`)
	address = editor.accepts(t, editor.sendsSheet(t, s.at("/batches"), saved))
	editor.get(t, address).expect(t, http.StatusOK, "Já existiam</dt><dd>3</dd>")
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 3 {
		t.Errorf("there are %d notes", notes)
	}
	path, query, _ := strings.Cut(address, "?")
	result := editor.get(t, path+"/result.csv?"+query).expect(t, http.StatusOK, "planilha-", ";nfse_")
	if lines := strings.Count(result.body, "\n"); lines != 4 {
		t.Errorf("the result has %d lines:\n%s", lines, result.body)
	}
	editor.get(t, s.at("/audit")).expect(t, http.StatusOK, "mandou emitir a planilha", "enviou a planilha")
}

// A file that was corrected and sent whole issues no line again, unless the person says so.
func TestBatches_Corrected(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	first := sheetHead + sheetLine(service, "1.250,50") + sheetLine(service, "20")
	editor.accepts(t, editor.sendsSheet(t, s.at("/batches"), []byte(first)))
	next := editor.sendsSheet(t, s.at("/batches"), []byte(first+sheetLine(service, "30"))).header.Get("Location")
	const told = "2 linhas pedem o que outra planilha já pediu"
	editor.get(t, next).expect(t, http.StatusOK, told, `name="repeat"`)
	path, query, _ := strings.Cut(next, "?")
	editor.post(t, path+"/accept?"+query, form("email_customer", "on", "month", month())).
		expect(t, http.StatusUnprocessableEntity, told,
			`name="email_customer" checked`, `href="#repeat"`)
	if accepted := s.Count(t, `SELECT count(*) FROM batches WHERE accepted_at IS NOT NULL`); accepted != 1 {
		t.Errorf("%d are accepted", accepted)
	}
	editor.post(t, path+"/accept?"+query, form("repeat", "on", "month", month())).expect(t, http.StatusSeeOther)
	s.batchesDone(t) // a line without its note yet is of today
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 5 {
		t.Errorf("there are %d notes", notes)
	}
	// Longer ago than a spreadsheet's months, of which the first may be two before this one on the first of a month.
	s.Exec(t, `UPDATE notes SET competence = competence - interval '4 months'`)
	sent := editor.sendsSheet(t, s.at("/batches"), []byte(sheetHead+sheetLine(service, "20")))
	if page := editor.get(t, sent.header.Get("Location")).expect(t, http.StatusOK); strings.Contains(page.body,
		`name="repeat"`) {
		t.Error("the same of another month is said to be repeated")
	}
}

// A table without days is of the month that a person says. For the same month it is the same notes, for another
// one new ones, whether its spreadsheet is on record or was removed; and what would issue nothing is said before.
func TestBatches_OfAMonth(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	table := []byte(sheetHead + sheetLine(service, "10") + sheetLine(service, "20"))
	today := nfse.DayOf(time.Now())
	last := nfse.MonthOf(today).FirstDay().Before(1) // of the month before
	reviewed := func() (path, query string, page page) {
		sent := editor.sendsSheet(t, s.at("/batches"), table).expect(t, http.StatusSeeOther)
		path, query, _ = strings.Cut(sent.header.Get("Location"), "?")
		return path, query, editor.get(t, path+"?"+query).expect(t, http.StatusOK, `<select id="month"`,
			`<option value="" selected>escolha o mês`, `<option value="`+month()+`">`)
	}
	issues := func(month string, sum int) {
		t.Helper()
		path, query, _ := reviewed()
		editor.post(t, path+"/accept?"+query, form("month", month, "repeat", "on")).expect(t, http.StatusSeeOther)
		s.batchesDone(t)
		if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != sum {
			t.Errorf("of %s: there are %d notes, expected %d", month, notes, sum)
		}
	}

	// It was issued by a version before, a month ago.
	path, query, _ := reviewed()
	for _, wrong := range []string{"", "2020-01", "x"} {
		editor.post(t, path+"/accept?"+query, form("month", wrong)).expect(t, http.StatusUnprocessableEntity,
			`href="#month"`, "Escolha o mês da planilha.")
	}
	issues(month(), 2)
	s.Exec(t, `UPDATE notes SET reference = replace(reference, $1, '-'), competence = $2`, "-"+month()+"-", last)
	s.Exec(t, `UPDATE note_references SET reference = replace(reference, $1, '-')`, "-"+month()+"-")
	s.Exec(t, `DELETE FROM batch_lines`) // as retention does in time
	s.Exec(t, `DELETE FROM batches`)

	_, _, page := reviewed()
	page.expect(t, http.StatusOK, `<p class="rejection danger">`+
		format.Month(words.Portuguese, nfse.MonthOf(last))+": todas as notas")
	if strings.Contains(page.body, thisMonthNamed()+": todas") {
		t.Error("the notes of another month are taken for those of this one")
	}
	issues(string(nfse.MonthOf(last)), 2) // the same as before
	issues(month(), 4)
	issues(month(), 4) // it is on record
	s.Exec(t, `DELETE FROM batch_lines`)
	s.Exec(t, `DELETE FROM batches`)
	issues(month(), 4)
	if days := s.Text(t, `SELECT string_agg(DISTINCT competence::text, ' ' ORDER BY competence::text) FROM notes`); days !=
		string(last)+" "+string(today) {
		t.Errorf("they are of %s", days)
	}
	if named := s.Count(t, `SELECT count(*) FROM notes WHERE reference LIKE 'planilha-____________-' || $1 || '-_'`,
		month()); named != 2 {
		t.Errorf("%d references name the month", named)
	}
}

// Lines with days are of their own months: nothing is asked, and nothing is issued twice.
func TestBatches_WithDays(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	today := nfse.DayOf(time.Now())
	last := nfse.MonthOf(today).FirstDay().Before(1)
	dated := func(day nfse.Day) string {
		return strings.Replace(sheetLine(service, "10"), ";;não", ";"+string(day)+";não", 1)
	}
	table := []byte(sheetHead + dated(last) + dated(today))
	sent := editor.sendsSheet(t, s.at("/batches"), table)
	address := sent.header.Get("Location")
	if page := editor.get(t, address).expect(t, http.StatusOK, "Emitir 2 notas"); strings.Contains(page.body,
		`name="month"`) {
		t.Error("the month is asked for of lines that have days")
	}
	path, query, _ := strings.Cut(address, "?")
	editor.post(t, path+"/accept?"+query, form()).expect(t, http.StatusSeeOther)
	testkit.Eventually(t, "both are notes", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE to_char(competence, 'YYYY-MM') = substr(reference, 23, 7)`) == 2
	})
	if again := editor.sendsSheet(t, s.at("/batches"), table).header.Get("Location"); again != address {
		t.Errorf("the same table leads to %s, not to %s", again, address)
	}
}

// Nothing is accepted while a line is wrong; what is wrong is said by line and column.
func TestBatches_CheckedWhole(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	for name, test := range map[string]struct {
		content string
		says    []string
	}{
		"cells": {sheetHead + sheetLine("Consulta", "10") + sheetLine("Outro", "dez") + sheetLine("Consulta", "=1+1") +
			"Consulta;123;x;1;;;;1,234;32/13/2026;talvez\n",
			[]string{"<td class=\"number\">3</td><td>Serviço</td>",
				"<td class=\"number\">3</td><td>Valor</td><td>dez</td>",
				"fórmula", "<td class=\"number\">5</td><td>CPF/CNPJ</td>", "<td>Bairro</td>", "<td>ISS retido</td>"}},
		"unknown customer": {"servico,cpf_cnpj,valor\nConsulta,529.982.247-25,10.00\n", []string{"não está no cadastro"}},
		"empty":            {sheetHead, []string{"não tem nenhuma nota"}},
		"no head":          {"a;b;c\n1;2;3\n", []string{"servico, cpf_cnpj e valor"}},
		"no file":          {"", []string{"Escolha o arquivo"}},
		"binary":           {"a\x00b", []string{"Não foi possível ler"}},
		"broken workbook":  {"PK\x03\x04 nothing", []string{"Não foi possível ler"}},
		"too many lines":   {sheetHead + strings.Repeat("x;1\n", 10_001), []string{"linhas ou colunas demais"}},
		"hostile": {sheetHead + sheetLine(`<script>alert("hostile")</script>`, "10"),
			[]string{"Nenhum serviço ativo"}},
	} {
		answer := editor.sendsSheet(t, s.at("/batches"), []byte(test.content))
		if answer.expect(t, http.StatusUnprocessableEntity, test.says...); strings.Contains(answer.body, "<script>alert") {
			t.Errorf("%s: a script is on the page", name)
		}
	}
	if kept := s.Count(t, `SELECT count(*) FROM batches`); kept != 0 {
		t.Errorf("%d spreadsheets are kept", kept)
	}
	editor.sendsSheet(t, s.at("/batches"), bytes.Repeat([]byte("x"), 6<<20)).expect(t, http.StatusRequestEntityTooLarge)
}

// Files as spreadsheets of several countries write them are the same table.
func TestBatches_Forms(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	today := time.Now().UTC().Add(-3 * time.Hour)
	semicolons := sheetHead + strings.Replace(sheetLine("Consulta", "1.250,50"), ";;não", ";"+
		today.Format("02/01/2006")+";não", 1)
	latin, err := charmap.Windows1252.NewEncoder().String(semicolons)
	must(t, err)
	book := excelize.NewFile()
	for i, cell := range strings.Split(strings.TrimSpace(sheetHead), ";") {
		must(t, book.SetCellStr("Sheet1", fmt.Sprintf("%c1", 'A'+i), cell))
	}
	for i, cell := range []any{"Consulta", 52998224725, "João da Silva", 1310100, "Avenida Paulista", 1578, "Bela Vista",
		1250.5, int(today.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24), "não"} {
		must(t, book.SetCellValue("Sheet1", fmt.Sprintf("%c2", 'A'+i), cell))
	}
	workbook, err := book.WriteToBuffer()
	must(t, err)
	files := [][]byte{[]byte("\ufeff" + semicolons), []byte(latin), []byte(strings.ReplaceAll(semicolons, ";", "\t")),
		workbook.Bytes()}
	var read []string
	for _, content := range files {
		address := editor.sendsSheet(t, s.at("/batches"), content).expect(t, http.StatusSeeOther).header.Get("Location")
		id, _, _ := strings.Cut(strings.TrimPrefix(address, "/batches/"), "?")
		read = append(read, s.Text(t, `SELECT request :: text || tax_id FROM batch_lines WHERE batch_id = $1`, id))
	}
	if same := slices.Compact(slices.Clone(read)); len(same) != 1 || !strings.Contains(read[0], "125050") ||
		!strings.Contains(read[0], "João") || !strings.Contains(read[0], today.Format(time.DateOnly)) {
		t.Errorf("they are read as\n%s", strings.Join(read, "\n"))
	}
	if kept := s.Count(t, `SELECT count(*) FROM batches`); kept != 1 {
		t.Errorf("%d spreadsheets are kept of one table", kept)
	}
	must(t, book.SetCellInt("Sheet1", "B2", 191)) // 000.000.001-91 and 00.000.000/0001-91
	workbook, err = book.WriteToBuffer()
	must(t, err)
	editor.sendsSheet(t, s.at("/batches"), workbook.Bytes()).expect(t, http.StatusUnprocessableEntity,
		"<td class=\"number\">2</td><td>CPF/CNPJ</td>", "Formate a célula como texto")
	must(t, book.SetCellFormula("Sheet1", "H2", "=1000+250.5"))
	workbook, err = book.WriteToBuffer()
	must(t, err)
	editor.sendsSheet(t, s.at("/batches"), workbook.Bytes()).expect(t, http.StatusUnprocessableEntity, "fórmula",
		"<td class=\"number\">2</td><td>Valor</td>")
}

// Who is to accept a spreadsheet sees its first lines, its sums by service, what will be withheld, and what the notes
// are worth.
func TestBatches_Review(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	service := s.NewService(t, s.TestKey)
	must(t, s.Changes().Catalogues.TaxService(t.Context(), nfse.Scope{OrganizationID: s.Organization.ID}, service,
		nfse.ServiceTaxation{Withholding: &nfse.Withholding{IRRF: 150}}, ""))
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	company := strings.NewReplacer("529.982.247-25", "11.444.777/0001-61", "João da Silva", "Loja <b>Sol</b>", ";;não",
		";;sim").Replace(sheetLine(service, "2.000,00"))
	sent := editor.sendsSheet(t, s.at("/batches"), []byte(sheetHead+company+strings.Repeat(sheetLine(service, "10"),
		22))).
		expect(t, http.StatusSeeOther)
	page := editor.get(t, sent.header.Get("Location")).expect(t, http.StatusOK, "É uma simulação",
		"E mais 3 linhas", "Loja &lt;b&gt;Sol&lt;/b&gt; 11.444.777/0001-61", "João da Silva 529.982.247-25",
		"Tributos federais retidos: IRRF R$\u00a030,00", `">Consulta</th>`)
	cells := regexp.MustCompile(`<th scope="row">Consulta</th>.*`).FindString(page.body)
	for _, expected := range []string{">23<", ">R$\u00a02.220,00<", ">1<", ">R$\u00a02.000,00<"} {
		if !strings.Contains(cells, expected) {
			t.Errorf("the sums of the service lack %s: %s", expected, cells)
		}
	}
	if rows := strings.Count(page.body, `<td data-label="Linha"`); rows != 20 {
		t.Errorf("%d lines are shown", rows)
	}
}

// A file with errors comes back with them marked, and can be sent once they are corrected there: also a workbook,
// whose days and amounts are numbers.
func TestBatches_Marked(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	today := time.Now().UTC().Add(-3 * time.Hour)
	book := excelize.NewFile()
	for i, cell := range strings.Split(strings.TrimSpace(sheetHead), ";") {
		must(t, book.SetCellStr("Sheet1", fmt.Sprintf("%c1", 'A'+i), cell))
	}
	for row, service := range []string{"Consulta", "Outro"} {
		for i, cell := range []any{service, 52998224725, "=João", 1310100, "Avenida Paulista", 1578, "Bela Vista",
			1250.5,
			int(today.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24), "não"} {
			must(t, book.SetCellValue("Sheet1", fmt.Sprintf("%c%d", 'A'+i, row+2), cell))
		}
	}
	workbook, err := book.WriteToBuffer()
	must(t, err)
	refused := editor.sendsSheet(t, s.at("/batches"), workbook.Bytes()).expect(t, http.StatusUnprocessableEntity,
		"<td>Serviço</td><td>Outro</td>", `download="planilha-marcada.csv"`)
	link := regexp.MustCompile(`href="data:text/csv;base64,([^"]*)"`).FindStringSubmatch(refused.body)
	if link == nil {
		t.Fatal("the file cannot be downloaded")
	}
	marked, err := base64.StdEncoding.DecodeString(html.UnescapeString(link[1]))
	must(t, err)
	lines := strings.Split(string(marked), "\n")
	if len(lines) != 4 || !strings.HasSuffix(lines[0], ";O que há de errado") ||
		!strings.HasSuffix(lines[1], ";não;") ||
		!strings.HasSuffix(lines[2], ";Serviço: Nenhum serviço ativo tem este nome ou id.") ||
		!strings.Contains(lines[1], "Consulta;52998224725;'=João;01310100;") ||
		!strings.Contains(lines[1], ";1250,50;") {
		t.Fatalf("it is\n%s", marked)
	}
	corrected := strings.Replace(string(marked), "Outro;", "Consulta;", 1)
	address := editor.sendsSheet(t, s.at("/batches"), []byte(corrected)).expect(t, http.StatusSeeOther).
		header.Get("Location")
	editor.get(t, address).expect(t, http.StatusOK, "Emitir 2 notas", "R$\u00a02.501,00")
}

// A filled-in template can be sent back as it is, in both forms.
func TestBatches_Template(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	for _, ending := range []string{"csv", "xlsx"} {
		template := editor.get(t, s.at("/batches/template."+ending)).expect(t, http.StatusOK)
		sent := editor.sendsSheet(t, s.at("/batches"), []byte(template.body)).expect(t, http.StatusSeeOther)
		address := sent.header.Get("Location")
		editor.get(t, address).expect(t, http.StatusOK, "Emitir 1 nota", "150,00")
		path, query, _ := strings.Cut(address, "?")
		editor.post(t, path+"/discard?"+query, form()).expect(t, http.StatusSeeOther)
	}
	if kept := s.Count(t, `SELECT count(*) FROM batches`); kept != 0 {
		t.Errorf("%d spreadsheets are kept", kept)
	}
}

// A line that cannot become a note says so; its neighbours go on.
func TestBatches_PoisonLine(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	s.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN IF NEW.amount_cents = 666 THEN RAISE 'poison'; END IF; RETURN NEW; END $$`)
	s.Exec(t, `CREATE TRIGGER refuse BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION refuse()`)
	sent := editor.sendsSheet(t, s.at("/batches"), []byte(sheetHead+sheetLine(service, "1")+sheetLine(service, "6,66")+
		sheetLine(service, "2")+sheetLine(service, "3"))).expect(t, http.StatusSeeOther)
	address := sent.header.Get("Location")
	path, query, _ := strings.Cut(address, "?")
	id := strings.TrimPrefix(path, "/batches/")
	s.Exec(t, `UPDATE batch_lines SET request = '{"AmountCents": "x"}' WHERE line = 4`) // of another version, say
	s.Exec(t, `UPDATE batch_lines SET failures = 7 WHERE line IN (3, 4)`)
	editor.post(t, path+"/accept?"+query, form("month", month())).expect(t, http.StatusSeeOther)
	testkit.Eventually(t, "the spreadsheet is done", func() bool {
		return s.Text(t, `SELECT status FROM batches WHERE id = $1`, id) == "done"
	})
	editor.get(t, address).expect(t, http.StatusOK, "Notas aceitas</dt><dd>2</dd>", "Linhas com erro</dt><dd>2</dd>",
		"<td class=\"number\">3</td>", "<td class=\"number\">4</td>")
}

// Old spreadsheets go, and one that does not move is started again.
func TestBatches_LookedAfter(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	old, young, stuck := s.batch(t), s.batch(t), s.batch(t)
	s.Exec(t, `UPDATE batches SET created_at = now() - interval '25 hours' WHERE id = $1`, old)
	s.Exec(t, `UPDATE batches SET status = 'accepting', accepted_at = now(), accepted_by = user_id,
		requeue_after = now() WHERE id = $1`, stuck)
	worker := s.workerStore(t)
	if _, removed, err := worker.Batches.RemoveOldBatches(t.Context(), 20); err != nil || removed != 1 {
		t.Errorf("%d are removed, %v", removed, err)
	}
	if _, requeued, err := worker.Batches.RequeueBatches(t.Context(), 20); err != nil || requeued != 1 {
		t.Errorf("%d are started again, %v", requeued, err)
	}
	if left := s.Text(t, `SELECT string_agg(id, ' ' ORDER BY id) FROM batches`); left != young+" "+stuck {
		t.Errorf("%s are left", left)
	}
}
