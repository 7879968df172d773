package dashboard_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/test/testkit"
)

// thisMonth is the month of today, as pages name it.
func thisMonth() string { return string(nfse.DayOf(time.Now()))[:7] }

// thisMonthNamed is the month of today in words.
func thisMonthNamed() string { return format.Month(words.Portuguese, nfse.Month(thisMonth())) }

// The closing counts what documents state, is exact before and after it is rolled up, and names what
// is open.
func TestClosing(t *testing.T) {
	t.Parallel()
	s, _, issued, _ := newSettled(t)
	accountant := s.signedIn(t, "contadora@example.com", s.Organization.ID, nfse.RoleAccountant)
	s.Exec(t, `UPDATE notes SET authority_totals = '{"service_cents": 15000, "net_cents": 14000, "total_cents": 14100,
		"iss_cents": 750, "iss_withheld_cents": 250, "irrf_cents": 225, "csrf_cents": 698, "inss_cents": 1650,
		"ibs_cents": 15, "cbs_cents": 135}' WHERE id = $1`, issued)
	month := s.at("/closing") + "&month=" + thisMonth()
	for range 2 {
		accountant.get(t, month).expect(t, http.StatusOK, "R$\u00a0150,00", "R$\u00a0141,00", "R$\u00a0140,00",
			"R$\u00a05,00", "R$\u00a02,50", "R$\u00a02,25", "R$\u00a06,98", "R$\u00a016,50", "R$\u00a00,15",
			"R$\u00a01,35", `<p class="printed">`+s.Organization.Name+`</p>`, "Fechamento do mês: "+thisMonthNamed(),
			"não têm valor fiscal", "São Paulo", "Nenhuma nota em aberto", "Simulada, sem regime")
		must(t, s.workerStore(t).Books.RollUpClosings(t.Context()))
	}
	if left := s.Count(t, `SELECT count(*) FROM closing_moves`); left != 0 {
		t.Errorf("%d moves are not rolled up", left)
	}
	accountant.get(t, s.at("/closing")).expect(t, http.StatusOK, "Nenhuma nota emitida neste mês")
	accountant.get(t, s.at("/closing")+"&month=2026-13").expect(t, http.StatusUnprocessableEntity, `href="#month"`)
	accountant.get(t, s.at("/closing")+"&month=2019-01").expect(t, http.StatusOK, "Nenhuma nota emitida neste mês")

	s.Exec(t, `UPDATE notes SET status = 'cancelled', cancelled_at = now(), cancellation_status = 'accepted',
		cancellation_requested_at = now(), cancellation_resolved_at = now() WHERE id = $1`, issued)
	body := accountant.get(t, month).expect(t, http.StatusOK, "Nenhuma nota emitida neste mês").body
	if !regexp.MustCompile(`Canceladas</th><td[^>]*>1</td><td[^>]*>R\$\x{a0}150,00`).MatchString(body) {
		t.Error("the cancelled note is not listed apart")
	}
	held := s.noteOf(t, s.LiveKey, "em-aberto")
	accountant.get(t, s.live("/closing")+"&month="+thisMonth()).expect(t, http.StatusOK, "em-aberto", "/notes/"+held)

	other, _, _ := s.NewOrganization(t, "Escola")
	theirs := s.signedIn(t, "theirs@example.com", other.ID, nfse.RoleAccountant)
	theirs.get(t, s.of("/closing", other.ID, "test")+"&month="+thisMonth()).expect(t, http.StatusOK,
		"Nenhuma nota emitida neste mês")
}

// Access keys are texts in both files, and amounts numbers.
func TestClosing_Files(t *testing.T) {
	t.Parallel()
	s, _, issued, _ := newSettled(t)
	accountant := s.signedIn(t, "contadora@example.com", s.Organization.ID, nfse.RoleAccountant)
	const key = "35503082212345678000199000000000000126100000000001"
	s.Exec(t, `UPDATE notes SET access_key = $2, customer = customer || '{"name": "=HYPERLINK(1)"}' WHERE id = $1`,
		issued, key)
	query := "&month=" + thisMonth()
	file := accountant.get(t, s.at("/closing.csv")+query).expect(t, http.StatusOK)
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.body, "\ufeff")))
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	must(t, err)
	if len(rows) != 2 || rows[1][2] != "'"+key || rows[1][8] != "'=HYPERLINK(1)" || rows[1][11] != "150,00" {
		t.Errorf("the rows are %q", rows)
	}
	file = accountant.get(t, s.at("/closing.xlsx")+query).expect(t, http.StatusOK)
	book, err := excelize.OpenReader(strings.NewReader(file.body))
	must(t, err)
	notes, err := book.GetRows("Notas", excelize.Options{RawCellValue: true})
	must(t, err)
	if len(notes) != 2 || notes[1][2] != key || notes[1][8] != "=HYPERLINK(1)" || notes[1][11] != "150" {
		t.Errorf("the notes are %q", notes)
	}
	sums, err := book.GetRows("Totais", excelize.Options{RawCellValue: true})
	must(t, err)
	if len(sums) < 3 || sums[1][1] != "1" || sums[2][1] != "150" {
		t.Errorf("the sums are %q", sums)
	}
}

var archiveLink = regexp.MustCompile(`/closing/archive/(zip_[a-z0-9]+)`)

// madeArchive asks for the ZIP of this month and waits until it can be downloaded.
func (p *person) madeArchive(t *testing.T, s *site) (path string, content []byte) {
	t.Helper()
	month := s.at("/closing") + "&month=" + thisMonth()
	p.post(t, s.at("/closing/archive")+"&month="+thisMonth(), form()).expect(t, http.StatusSeeOther)
	testkit.Eventually(t, "the ZIP is ready", func() bool {
		found := archiveLink.FindStringSubmatch(p.get(t, month).expect(t, http.StatusOK).body)
		if found != nil {
			path = "/closing/archive/" + found[1]
		}
		return found != nil
	})
	file := p.get(t, s.at(path)).expect(t, http.StatusOK)
	return path, []byte(file.body)
}

// The ZIP has XML, printed form and index of every note, and is the same bytes when it is made
// again. A note that cannot be printed is named in the index, and its neighbour is there.
func TestClosing_Archive(t *testing.T) {
	t.Parallel()
	s, service, issued, _ := newSettled(t)
	poison := s.Issue(t, s.TestKey, testkit.Issuance(service, "estragada"))
	s.Await(t, s.TestKey, poison, nfse.StatusIssued)
	s.Exec(t, `UPDATE note_documents SET xml = 'not XML', digest = NULL WHERE note_id = $1`, poison)
	accountant := s.signedIn(t, "contadora@example.com", s.Organization.ID, nfse.RoleAccountant)
	path, content := accountant.madeArchive(t, s)
	accountant.get(t, s.at("/closing")+"&month="+thisMonth()).expect(t, http.StatusOK, "1 arquivo não pôde ser feito")

	read, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	must(t, err)
	files := map[string][]byte{}
	for _, file := range read.File {
		opened, err := file.Open()
		must(t, err)
		files[file.Name], err = io.ReadAll(opened)
		must(t, err)
	}
	if !bytes.HasPrefix(files[issued+"/danfse.pdf"], []byte("%PDF-")) || len(files[issued+"/nfse.xml"]) == 0 ||
		string(files[poison+"/nfse.xml"]) != "not XML" || len(files) != 4 {
		t.Fatalf("the ZIP has %d files", len(files))
	}
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(files["indice.csv"], []byte("\ufeff"))))
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	must(t, err)
	problems := 0
	for _, row := range rows[1:] {
		sum := sha256.Sum256(files[row[0]])
		switch {
		case row[10] != "":
			problems++
			if row[4] != poison {
				t.Errorf("the index has a problem of %q", row)
			}
		case row[1] != hex.EncodeToString(sum[:]):
			t.Errorf("the checksum of %s is wrong", row[0])
		}
	}
	if len(rows) != 5 || problems != 1 {
		t.Errorf("the index is %q", rows)
	}

	part := accountant.send(t, http.MethodGet, s.at(path), http.Header{"Range": {"bytes=4-9"}}, "", nil)
	part.expect(t, http.StatusPartialContent)
	if part.body != string(content[4:10]) || part.header.Get("ETag") == "" {
		t.Errorf("the range is %q, with the tag %q", part.body, part.header.Get("ETag"))
	}
	accountant.send(t, http.MethodGet, s.at(path), http.Header{"If-None-Match": {part.header.Get("ETag")}}, "", nil).
		expect(t, http.StatusNotModified)
	recorded := func(by *person) int {
		return s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'archive.download' AND actor_id = $1`, by.id)
	}
	if n := recorded(accountant); n < 1 {
		t.Errorf("the log has %d entries of the download", n)
	}
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	for _, ranges := range []string{"bytes=1-", "bytes=100-199", "bytes=0-"} { // one download, however it begins
		owner.send(t, http.MethodGet, s.at(path), http.Header{"Range": {ranges}}, "", nil).
			expect(t, http.StatusPartialContent)
		if n := recorded(owner); n != 1 {
			t.Errorf("after %s the log has %d entries of the owner's download", ranges, n)
		}
	}
	owner.get(t, s.at(path)).expect(t, http.StatusOK)
	if n := recorded(owner); n != 2 {
		t.Errorf("with a whole download more the log has %d entries", n)
	}
	other, _, _ := s.NewOrganization(t, "Escola")
	theirs := s.signedIn(t, "theirs@example.com", other.ID, nfse.RoleAccountant)
	theirs.get(t, s.of(path, other.ID, "test")).expect(t, http.StatusNotFound)

	anew, same := accountant.madeArchive(t, s)
	if anew == path || !bytes.Equal(content, same) {
		t.Error("made again, the ZIP is another one")
	}
	accountant.get(t, s.at(path)).expect(t, http.StatusNotFound)
}

// A ZIP that lacks what has happened to its month since says so, and a new one is offered first.
func TestClosing_ArchiveOfAMonthThatChanged(t *testing.T) {
	t.Parallel()
	s, service, issued, _ := newSettled(t)
	accountant := s.signedIn(t, "contadora@example.com", s.Organization.ID, nfse.RoleAccountant)
	const said, newer = "O mês mudou depois que este ZIP foi preparado", `<button class="primary">Preparar ZIP atualizado`
	expect := func(stale bool, when string) {
		t.Helper()
		body := accountant.get(t, s.at("/closing")+"&month="+thisMonth()).expect(t, http.StatusOK, "Baixar ZIP").body
		if strings.Contains(body, said) != stale || strings.Contains(body, newer) != stale {
			t.Errorf("%s it is said: %v", when, !stale)
		}
	}
	accountant.madeArchive(t, s)
	expect(false, "as it was made")
	later := s.Issue(t, s.TestKey, testkit.Issuance(service, "depois"))
	s.Await(t, s.TestKey, later, nfse.StatusIssued)
	expect(true, "after another note")
	accountant.madeArchive(t, s)
	expect(false, "made again")
	s.Exec(t, `UPDATE notes SET status = 'cancelled', cancelled_at = now(), cancellation_status = 'accepted',
		cancellation_requested_at = now(), cancellation_resolved_at = now() WHERE id = $1`, issued)
	expect(true, "after a cancellation")
}

// The three books of a month are compared, and each difference is named.
func TestClosing_Books(t *testing.T) {
	t.Parallel()
	s, _, issued, _ := newSettled(t)
	accountant := s.signedIn(t, "contadora@example.com", s.Organization.ID, nfse.RoleAccountant)
	accountant.get(t, s.at("/closing/books")).expect(t, http.StatusOK, "só há as notas")
	address := s.live("/closing/books") + "&month=" + thisMonth()
	if body := accountant.get(t, address).expect(t, http.StatusOK, "Nada foi comparado").body; strings.Contains(body,
		"Os livros conferem") {
		t.Error("books of which none has a note are said to agree")
	}
	note := s.noteOf(t, s.LiveKey, "so-na-nota")
	settle := func(id, registers string) {
		s.Exec(t, `UPDATE notes SET status = 'issued', issued_at = now(), processing_at = now(),
			authority_issued_at = now(), register_ledger = $2::boolean WHERE id = $1`, id, registers)
	}
	settle(note, "true")
	accountant.get(t, address).expect(t, http.StatusOK, "deveria estar nos lançamentos", "so-na-nota", "/notes/"+note)
	s.entry(t, note, "issued", 999, time.Now())
	accountant.get(t, address).expect(t, http.StatusOK, "O valor lançado não é o da nota", "R$\u00a09,99")
	s.entry(t, note, "reversed", -999, time.Now())
	accountant.get(t, address).expect(t, http.StatusOK, "A nota vale e o lançamento foi estornado")
	quiet := s.noteOf(t, s.LiveKey, "nao-lanca")
	settle(quiet, "false")
	page := accountant.get(t, address).expect(t, http.StatusOK, "1 sem lançamento (chave configurada assim)")
	if strings.Contains(page.body, "nao-lanca") || strings.Contains(page.body, issued) {
		t.Error("what is not to be in the ledger counts as a difference")
	}
	accountant.get(t, s.live("/ledger")).expect(t, http.StatusOK, "1 nota emitida neste período não está aqui")

	// A day after it was issued the distribution has to have told of it.
	s.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id, notes_since, succeeded_at)
		VALUES ('dst_1', 'national', true, '11222333000181', now() - interval '9 days', now())`)
	s.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, message_id, access_key, issued_at, xml)
		VALUES ($1, 'issue', 'accepted', 'national', true, '11222333000181', '3550308', 1, 1, '{}', 'DPS1', '1', now(),
			'x')`, quiet)
	s.Exec(t, `UPDATE notes SET authority_issued_at = now() - interval '2 days' WHERE id = $1`, quiet)
	accountant.get(t, address).expect(t, http.StatusOK, "O ADN não distribuiu a nota", "/notes/"+quiet)
	s.Exec(t, `INSERT INTO distributed_notes (note_id, distribution_id, position) VALUES ($1, 'dst_1', 1)`, quiet)
	s.Exec(t, `DELETE FROM ledger_entries`)
	s.Exec(t, `UPDATE notes SET register_ledger = false WHERE id = $1`, note)
	page = accountant.get(t, address).expect(t, http.StatusOK, "Os livros conferem")
	if strings.Contains(page.body, "O ADN não distribuiu a nota") {
		t.Error("a note that was distributed counts as missing")
	}
}
