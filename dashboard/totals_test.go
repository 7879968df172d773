package dashboard_test

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/format"
	"emissor/nfse"
)

// issuedWithTotals puts a live note on record as issued, with totals of its document.
func (s *site) issuedWithTotals(t *testing.T, reference, totals string) (id string) {
	t.Helper()
	id = s.noteOf(t, s.LiveKey, reference)
	s.Exec(t, `UPDATE notes SET status = 'issued', issued_at = now(), processing_at = now(),
		authority_issued_at = now(), authority_number = '7', amount_cents = 1000000,
		authority_totals = nullif($2, '')::jsonb WHERE id = $1`, id, totals)
	return id
}

// csvRows are the rows of a file, a map each by the names of its columns.
func csvRows(t *testing.T, file page) (rows []map[string]string) {
	t.Helper()
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.expect(t, http.StatusOK).body, "\ufeff")))
	reader.Comma = ';'
	lines, err := reader.ReadAll()
	must(t, err)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// The totals of the authority's document are on the note's page, in both downloads and in the
// ledger, in both languages; what the document does not state is left out.
func TestTotals_Shown(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	some := s.issuedWithTotals(t, "com-totais", `{"service_cents": 1000000, "net_cents": 918500,
		"total_cents": 918501, "iss_cents": 20000, "iss_withheld_cents": 20000, "irrf_cents": 15000,
		"csrf_cents": 46500, "inss_cents": null, "ibs_cents": 944, "cbs_cents": 8492}`)
	none := s.issuedWithTotals(t, "sem-totais", "")

	viewer.reads(t, s.live("/notes/"+some), "pt-BR").has(t, "Valores no documento da autoridade",
		"<dt>Valor líquido</dt><dd class=\"amount\">R$\u00a09.185,00</dd>",
		"<dt>A pagar pelo tomador</dt><dd class=\"amount\">R$\u00a09.185,01</dd>", "R$\u00a0200,00", "IRRF retido",
		"PIS, COFINS e CSLL retidos", "R$\u00a0465,00", "R$\u00a09,44", "R$\u00a084,92")
	viewer.reads(t, s.live("/notes/"+some), "en").has(t, "Amounts in the authority's document",
		"<dt>Net amount</dt><dd class=\"amount\">R$\u00a09,185.00</dd>", "IRRF withheld")
	viewer.reads(t, s.live("/notes/"+some), "pt-BR").hasNot(t, "INSS")
	viewer.reads(t, s.live("/notes/"+none), "pt-BR").hasNot(t, "Valores no documento", "Valor líquido")

	charged, net, withheld := "A pagar pelo tomador", "Valor líquido", "Total retido"
	taxes := []string{"ISS", "ISS retido", "IRRF retido", "PIS, COFINS e CSLL retidos", "INSS retido", "IBS", "CBS"}
	each := func(row map[string]string) (cells []string) {
		for _, tax := range taxes {
			cells = append(cells, row[tax])
		}
		return cells
	}
	for _, row := range csvRows(t, viewer.get(t, s.live("/notes.csv"))) {
		cells := []string{row[charged], row[net], row[withheld]}
		want := map[string][]string{some: {"9185,01", "9185,00", "815,00"}, none: {"", "", ""}}[row["Id"]]
		if !slices.Equal(cells, want) {
			t.Errorf("%s has %q", row["Referência"], cells)
		}
		want = map[string][]string{some: {"200,00", "200,00", "150,00", "465,00", "", "9,44", "84,92"},
			none: make([]string, 7)}[row["Id"]]
		if !slices.Equal(each(row), want) {
			t.Errorf("%s has %q", row["Referência"], each(row))
		}
	}

	now := time.Now().In(format.Zone)
	for _, note := range []string{some, none} {
		s.entry(t, note, "issued", 1000000, now.Add(-time.Second))
		s.entry(t, note, "reversed", -1000000, now)
	}
	day := "&since=" + now.Add(-time.Second).Format(time.DateOnly) + "&until=" + now.Format(time.DateOnly)
	rows := csvRows(t, viewer.get(t, s.live("/ledger.csv")+day))
	if len(rows) != 4 {
		t.Fatalf("the ledger has %q", rows)
	}
	for _, row := range rows {
		cells := []string{row["Valor"], row[charged], row[net], row[withheld]}
		want := map[string][]string{
			some + "Emitida": {"10000,00", "9185,01", "9185,00", "815,00"}, none + "Emitida": {"10000,00", "", "", ""},
			some + "Estornada": {"-10000,00", "-9185,01", "-9185,00", "-815,00"},
			none + "Estornada": {"-10000,00", "", "", ""},
		}[row["Id da nota"]+row["Lançamento"]]
		if !slices.Equal(cells, want) {
			t.Errorf("%s has %q", row["Referência"], cells)
		}
		reversed := row["Id da nota"] == some && row["Lançamento"] == "Estornada"
		if reversed != (each(row)[3] == "-465,00") {
			t.Errorf("%s has %q", row["Referência"], each(row))
		}
	}
	viewer.reads(t, s.live("/ledger")+day, "pt-BR").has(t, withheld, "R$\u00a09.185,01", "−R$\u00a0815,00")
	viewer.reads(t, s.live("/ledger")+day, "en").has(t, "Charged to the customer", "−R$\u00a09,185.00")
}
