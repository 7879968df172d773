package danfse_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/danfse"
	"emissor/nfse"
)

// texts are all that a sheet says, its labels and its marks.
func texts(s danfse.Sheet) (all []string) {
	all = append(slices.Clone(s.Titles), s.Notice)
	for _, block := range s.Blocks {
		all = append(all, block.Title)
		for _, cell := range block.Cells {
			all = append(all, cell.Label, cell.Text)
		}
	}
	return all
}

func sheet(t *testing.T, document danfse.Document) danfse.Sheet {
	t.Helper()
	s, err := danfse.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What a sheet says is on the page that is drawn, which may cut it: both are of one source.
func TestRead_IsTheDrawnPage(t *testing.T) {
	reform, err := os.ReadFile("testdata/ibscbs-2027.xml")
	if err != nil {
		t.Fatal(err)
	}
	for name, document := range map[string]string{"full": full(t), "bare": bare(t), "sandbox": sandbox(t),
		"reform": string(reform)} {
		drawn := strings.Join(strings.Fields(read(t, draw(t, document))), "")
		said := texts(sheet(t, danfse.Document{XML: []byte(document)}))
		if len(said) < 20 {
			t.Errorf("%s: it says only %q", name, said)
		}
		for _, text := range said {
			begins := []rune(strings.Join(strings.Fields(text), ""))
			if begins = begins[:min(len(begins), 24)]; !strings.Contains(drawn, string(begins)) {
				t.Errorf("%s: the drawn page does not say %q\n%s", name, text, drawn)
			}
		}
	}
}

func TestRead_Marks(t *testing.T) {
	live, simulated := []byte(full(t)), []byte(sandbox(t))
	for mark, document := range map[string]danfse.Document{
		"":                             {XML: live},
		"CANCELADA":                    {XML: live, Events: [][]byte{event("101101")}},
		"SUBSTITUÍDA":                  {XML: live, Replaced: true},
		"SEM VALOR FISCAL":             {XML: simulated},
		"CANCELADA - SEM VALOR FISCAL": {XML: simulated, Cancelled: true},
	} {
		if s := sheet(t, document); s.Mark != mark || s.Code == nil || s.Code.Path == "" {
			t.Errorf("it is marked %q, expected %q", s.Mark, mark)
		}
	}
	if _, err := danfse.Read(danfse.Document{XML: []byte("<NFSe/>")}); err == nil {
		t.Error("what is no note has a sheet")
	}
}

// A note without a document says what is declared, and cannot pass for an NFS-e.
func TestDeclared(t *testing.T) {
	of := nfse.Note{Livemode: true, AmountCents: 123456, Competence: "2026-10-31", ISSWithheld: true,
		Customer: nfse.CustomerSnapshot{TaxID: "52998224725", Name: "Maria da Silva",
			Address: nfse.Address{StreetType: new("Avenida"), Street: new("Paulista"), ZipCode: new("01310100")}},
		Service: nfse.ServiceSnapshot{Description: "Consulta\nde retorno", MunicipalityCode: "3304557",
			NationalTaxCode: new("040101")},
		Municipality: nfse.NoteMunicipality{Code: "3550308"}}
	s := danfse.Declared(of, nil, &nfse.FiscalProfile{TaxID: "11222333000181", MunicipalityCode: "3304557"})
	for _, text := range []string{"Não é uma NFS-e", "NFS-e SEM VALIDADE JURÍDICA", "31/10/2026", "11.222.333/0001-81",
		"Rio de Janeiro / RJ", "Maria da Silva", "529.982.247-25", "3550308 / 01.310-100", "Avenida Paulista", "04.01.01",
		"Consulta\nde retorno", "R$ 1.234,56", "Retido pelo Tomador"} {
		if !slices.Contains(texts(s), text) {
			t.Errorf("it does not say %q: %q", text, texts(s))
		}
	}
	if s.Code != nil || s.Mark != "" {
		t.Errorf("it is marked %q, with the code %v", s.Mark, s.Code)
	}
	of.Status, of.Authority = nfse.StatusCancelled, &nfse.Authorization{Number: new("154")}
	if s = danfse.Declared(of, nil, nil); s.Mark != "CANCELADA" {
		t.Errorf("of a cancelled note without a national document it is marked %q", s.Mark)
	}
	of.ReplacedBy = "nfse_x"
	if s = danfse.Declared(of, nil, nil); s.Mark != "SUBSTITUÍDA" {
		t.Errorf("of a replaced one it is marked %q", s.Mark)
	}
	of.Livemode, of.Authority = false, &nfse.Authorization{Number: new("154")}
	s = danfse.Declared(of, nil, nil)
	if said := texts(s); s.Notice != "SIMULAÇÃO - SEM VALOR FISCAL" || !slices.Contains(said, "154") ||
		slices.Contains(said, "Não é uma NFS-e") {
		t.Errorf("of an issued note of the sandbox it says %q", said)
	}
}

// A taker abroad is declared as it was given, and not by what stands in its place on record.
func TestDeclared_Abroad(t *testing.T) {
	taker := nfse.ForeignParty{NIF: "98-7654321", Name: "Acme Inc", Country: "US", Street: "Market Street", Number: "1",
		District: "SoMa", ForeignPlace: nfse.ForeignPlace{PostalCode: "94105", City: "San Francisco", Region: "CA"}}
	of := nfse.Note{Livemode: true, AmountCents: 123456, Customer: nfse.CustomerSnapshot{
		TaxID: nfse.ForeignTaxID(taker), Name: taker.Name}, Municipality: nfse.NoteMunicipality{Code: "3550308"}}
	said := texts(danfse.Declared(of, &nfse.NoteDetails{ForeignTaker: &taker,
		Intermediary: &nfse.Intermediary{WithholdsISS: true}}, nil))
	for _, text := range []string{"98-7654321", "San Francisco", "94105", "Market Street, 1, SoMa",
		"Retido pelo Intermediário"} {
		if !slices.Contains(said, text) {
			t.Errorf("it does not say %q: %q", text, said)
		}
	}
	if words := strings.Join(said, " "); strings.Contains(words, "EX.") || strings.Contains(words, "3550308") {
		t.Errorf("it says what stands in the place of a tax id and address: %q", said)
	}
	taker.NIF, taker.NoNIF = "", 2
	if said = texts(danfse.Declared(of, &nfse.NoteDetails{ForeignTaker: &taker}, nil)); !slices.Contains(said,
		"Não exigência do NIF") {
		t.Errorf("of a taker without a number it says %q", said)
	}
}

func BenchmarkRead(b *testing.B) {
	document := danfse.Document{XML: []byte(full(b))}
	for b.Loop() {
		if _, err := danfse.Read(document); err != nil {
			b.Fatal(err)
		}
	}
}
