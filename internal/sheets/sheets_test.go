package sheets_test

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"

	"emissor/internal/sheets"
)

// Texts stay texts, no matter what they look like, and amounts are numbers that a spreadsheet adds up.
func TestBook(t *testing.T) {
	t.Parallel()
	book, err := sheets.New()
	if err != nil {
		t.Fatal(err)
	}
	const key = "35503082212345678000199000000000000126100000000001"
	if err := book.Sheet("Somas", "a"); err != nil {
		t.Fatal(err)
	}
	if err := book.Sheet("Notas", "chave", "valor", "fórmula", "nada"); err != nil {
		t.Fatal(err)
	}
	var none *int64
	if err := book.Row(key, sheets.Cents(123456), "=1+1", none); err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if err := book.Write(&written); err != nil {
		t.Fatal(err)
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := excelize.OpenReader(&written)
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[string]string{"A1": "chave", "A2": key, "B2": "1234.56", "C2": "=1+1", "D2": ""} {
		if got, err := read.GetCellValue("Notas", cell, excelize.Options{RawCellValue: true}); got != want || err != nil {
			t.Errorf("%s is %q (%v), want %q", cell, got, err, want)
		}
	}
	if formula, _ := read.GetCellFormula("Notas", "C2"); formula != "" {
		t.Errorf("a text became the formula %s", formula)
	}
	if kind, _ := read.GetCellType("Notas", "B2"); kind != excelize.CellTypeUnset && kind != excelize.CellTypeNumber {
		t.Errorf("the amount is of type %d", kind)
	}
}
