package published_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/published"
	"emissor/test/reference"
)

const (
	classTribBook   = "Tabela_Classificacao_Tributaria_IBS_CBS_2026-06-23.xlsx"
	credPresBook    = "Tabela_Codigo_Credito_Presumido_IBS_CBS_2026-06-23.xlsx"
	annexB          = "ANEXO_B-NBS2-Lista_Servico_Nacional-v1.01.xlsx"
	annexC          = "ANEXO_C-IndOp_IBSCBS-v1.01.xlsx"
	annexVII        = "AnexoVII-IndOp_IBSCBS_V1.02.00.xlsx"
	annexVIII       = "AnexoVIII-CorrelacaoItemNBSIndOpCClassTrib_IBSCBS_V1.01.00.xlsx"
	correlationText = "correlation-nbs-indop-cclasstrib.tsv"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path ...string) map[classification.Table][]classification.Record {
	t.Helper()
	file, err := os.Open(reference.National(t, append([]string{"data"}, path...)...))
	must(t, err)
	defer file.Close()
	parts, _, err := published.Read(file, "")
	must(t, err)
	read := map[classification.Table][]classification.Record{}
	for _, part := range parts {
		read[part.Table] = part.Records
		_, err := classification.NewEdition(part.Table, "test", "", part.Records)
		must(t, err)
	}
	return read
}

func workbook(t *testing.T, name string) map[classification.Table][]classification.Record {
	t.Helper()
	return readFile(t, "official", name)
}

// Each workbook, and each text, as it is published.
func TestRead_Counts(t *testing.T) {
	for _, file := range []struct {
		path   []string
		counts map[classification.Table]int
	}{
		{[]string{"official", classTribBook},
			map[classification.Table]int{classification.TableCST: 18, classification.TableClassTrib: 164}},
		{[]string{"official", credPresBook}, map[classification.Table]int{classification.TableCredPres: 13}},
		{[]string{"official", annexB},
			map[classification.Table]int{classification.TableServiceCode: 338, classification.TableNBS: 918}},
		{[]string{"official", annexC}, map[classification.Table]int{classification.TableIndOp: 26}},
		{[]string{"official", annexVII}, map[classification.Table]int{classification.TableIndOpNT009: 39}},
		{[]string{"official", annexVIII}, map[classification.Table]int{classification.TableCorrelation: 1521}},
		{[]string{"cst-ibscbs.tsv"}, map[classification.Table]int{classification.TableCST: 18}},
		{[]string{"cclasstrib.tsv"}, map[classification.Table]int{classification.TableClassTrib: 173}},
		{[]string{"indop.tsv"},
			map[classification.Table]int{classification.TableIndOp: 26, classification.TableIndOpNT009: 40}},
		{[]string{correlationText}, map[classification.Table]int{classification.TableCorrelation: 1521}},
		{[]string{"ctribnac-anexoB-v1.01-20260122.tsv"},
			map[classification.Table]int{classification.TableServiceCode: 338}},
		{[]string{"nbs-anexoB.tsv"}, map[classification.Table]int{classification.TableNBS: 918}},
	} {
		counts := map[classification.Table]int{}
		for table, records := range readFile(t, file.path...) {
			counts[table] = len(records)
		}
		if !reflect.DeepEqual(counts, file.counts) {
			t.Errorf("%v has %v rows, expected %v", file.path, counts, file.counts)
		}
	}
}

// Annex VII is the city's where it is asked for so, as workbook and as text: what is for
// NFS-e.
func TestRead_OfTheCity(t *testing.T) {
	const table = classification.TableIndOpSaoPaulo
	for _, path := range [][]string{{"data", "official", annexVII}, {"data", "indop.tsv"}} {
		file, err := os.Open(reference.National(t, path...))
		must(t, err)
		defer file.Close()
		parts, _, err := published.Read(file, table)
		must(t, err)
		if len(parts) != 1 || parts[0].Table != table {
			t.Fatalf("%v has %+v", path, parts)
		}
		edition, err := classification.NewEdition(table, "test", "", parts[0].Records)
		must(t, err)
		built := classification.NewEditions().On("2026-11-22").Edition(table)
		if more, less := built.Lacks(edition), edition.Lacks(built); len(more)+len(less) != 0 {
			t.Errorf("%v has %q more and %q less than what is built in", path, more, less)
		}
	}
}

// A workbook says the same as the text that others made of it.
func TestRead_WorkbooksEqualTheTexts(t *testing.T) {
	t.Run("Correlation", func(t *testing.T) {
		book := workbook(t, annexVIII)[classification.TableCorrelation]
		text := readFile(t, correlationText)[classification.TableCorrelation]
		distinct := map[string]bool{}
		for i := range text {
			distinct[fmt.Sprint(text[i])] = true
			for column, value := range text[i] {
				if got := book[i][column]; !strings.EqualFold(got, value) {
					t.Errorf("row %d: %s is %q, in the text %q", i+2, column, got, value)
				}
			}
		}
		if len(distinct) != 1514 { // 1518 with the words that are beside the codes
			t.Errorf("%d lines are distinct", len(distinct))
		}
	})
	byCode := func(t *testing.T, book, text []classification.Record, columns ...string) {
		t.Helper()
		rows := map[string]classification.Record{}
		for _, row := range text {
			rows[row[columns[0]]] = row
		}
		for _, row := range book {
			for _, column := range columns {
				if want := rows[row[columns[0]]][column]; row[column] != want {
					t.Errorf("%s: %s is %q, in the text %q", row[columns[0]], column, row[column], want)
				}
			}
		}
	}
	t.Run("CST", func(t *testing.T) {
		byCode(t, workbook(t, classTribBook)[classification.TableCST],
			readFile(t, "cst-ibscbs.tsv")[classification.TableCST], classification.Columns[classification.TableCST]...)
	})
	t.Run("ClassTrib", func(t *testing.T) {
		book := workbook(t, classTribBook)[classification.TableClassTrib]
		for _, row := range book {
			if row["cClassTrib"] == "410028" {
				row["indNFSe"] = "0" // since v1.70
			}
		}
		byCode(t, book, readFile(t, "cclasstrib.tsv")[classification.TableClassTrib], "cClassTrib", "indNFSe",
			"pRedIBS", "pRedCBS", "ind_gTribRegular", "ind_gCredPresOper", "ind_gEstornoCred", "tpRBSN", "dIniVig",
			"dFimVig")
	})
	t.Run("IndOp", func(t *testing.T) {
		byCode(t, workbook(t, annexC)[classification.TableIndOp], readFile(t, "indop.tsv")[classification.TableIndOp],
			"cIndOp", "place")
		for _, row := range workbook(t, annexC)[classification.TableIndOp] {
			if row["name"] == "" {
				t.Errorf("%s has no name: its merge was not expanded", row["cIndOp"])
			}
		}
	})
	t.Run("AnnexB", func(t *testing.T) {
		book := workbook(t, annexB)
		byCode(t, book[classification.TableNBS], readFile(t, "nbs-anexoB.tsv")[classification.TableNBS], "cNBS", "name")
		byCode(t, book[classification.TableServiceCode],
			readFile(t, "ctribnac-anexoB-v1.01-20260122.tsv")[classification.TableServiceCode], "cTribNac", "name")
	})
	t.Run("CredPres", func(t *testing.T) {
		first := workbook(t, credPresBook)[classification.TableCredPres][0]
		if first["cCredPres"] != "01" || first["dIniVigCBS"] != "2027-01-01" || first["dFimVigCBS"] != "" {
			t.Errorf("the first is %v", first)
		}
	})
}

// With the real tables, suggestions keep what belongs together.
func TestSuggest_Official(t *testing.T) {
	edition, err := classification.NewEdition(classification.TableCorrelation, "test", "",
		workbook(t, annexVIII)[classification.TableCorrelation])
	must(t, err)
	tables := classification.NewEditions(edition).On("2026-11-22")
	found := tables.Suggest("010101")
	if len(found) == 0 || found[0].NBS != "115021000" || found[0].CIndOp != "100301" ||
		found[0].CClassTrib != "000001" || found[0].Condition() != "onerous, acquirer in the country" {
		t.Errorf("suggested is %+v", found)
	}
	unusable := 0
	for _, table := range []string{"990401", "150301"} {
		for _, s := range tables.Suggest(table) {
			if s.Unusable != "" {
				unusable++
			}
		}
	}
	if unusable != 81 {
		t.Errorf("%d lines have a cIndOp that Annex C lacks, expected 81", unusable)
	}
}

// made is a workbook of sheets, a row of cells a line.
func made(t *testing.T, sheets map[string][][]any, change func(*excelize.File)) *bytes.Buffer {
	t.Helper()
	file := excelize.NewFile()
	for name, rows := range sheets {
		_, err := file.NewSheet(name)
		must(t, err)
		for i, row := range rows {
			must(t, file.SetSheetRow(name, fmt.Sprintf("A%d", i+1), &row))
		}
	}
	if change != nil {
		change(file)
	}
	written, err := file.WriteToBuffer()
	must(t, err)
	return written
}

// What differs between editions: order of columns, numbers for codes, stray spaces
// and line breaks, columns that are not there yet.
func TestRead_OtherEditions(t *testing.T) {
	book := made(t, map[string][][]any{
		"CST 12-12-2025": {
			{"Descrição\nCST-IBS/CBS", " CST-IBS/CBS ", "ind_gIBSCBS", "ind_gIBSCBSMono", "ind_gRed", "ind_gDif"},
			{"Tributação\n integral", 0, 1, 0, 0, 0}, {"uniforme", 10, 1, 0, 0, 0}, {"0 = Não é permitido"},
		},
		"cClass 12-12-2025": {
			{"cClassTrib", "Nome cClassTrib", "pRedIBS", "pRedCBS", "ind_gTribRegular", "ind_gCredPresOper", "dIniVig",
				"dFimVig", "indNFSe Via", "indNFSe"},
			{1, "full", 0, 0, 0, 0, 46023, "31/12/2026", 1, 0},
		},
	}, nil)
	parts, _, err := published.Read(book, "")
	must(t, err)
	expected := []published.Part{
		{Table: classification.TableCST, Records: []classification.Record{
			cst("000", "Tributação integral"), cst("010", "uniforme")}},
		{Table: classification.TableClassTrib, Records: []classification.Record{{
			"cClassTrib": "000001", "name": "full", "pRedIBS": "0", "pRedCBS": "0", "ind_gTribRegular": "0",
			"ind_gCredPresOper": "0", "ind_gEstornoCred": "", "tpRBSN": "", "dIniVig": "2026-01-01",
			"dFimVig": "2026-12-31", "indNFSe": "0"}}},
	}
	if !reflect.DeepEqual(parts, expected) {
		t.Errorf("read is\n%v\nexpected\n%v", parts, expected)
	}
}

// A row is for NFS-e by the column indNFSe alone, regardless of columns beside it whose names begin the same.
func TestRead_RowsForNFSe(t *testing.T) {
	book := made(t, map[string][][]any{"cIndOp": {
		{"Código indOp", "Tipo de operação", "Local do fornecimento", "indNFe", "indNFSe", "indNFSe Via"},
		{"010101", "x", "x", "", " S ", ""}, {"010104", "x", "x", "S", "", ""}, {"080101", "x", "x", "", "", "S"},
	}}, nil)
	parts, _, err := published.Read(book, classification.TableIndOpSaoPaulo)
	must(t, err)
	if len(parts) != 1 || len(parts[0].Records) != 1 || parts[0].Records[0]["cIndOp"] != "010101" {
		t.Errorf("read is %v", parts)
	}
}

func cst(code, name string) classification.Record {
	return classification.Record{"CST": code, "name": name, "ind_gIBSCBS": "1", "ind_gIBSCBSMono": "0",
		"ind_gRed": "0", "ind_gDif": "0", "ind_gTransfCred": "", "ind_gCredPresIBSZFM": "", "ind_gAjusteCompet": "",
		"ind_RedutorBC": ""}
}

// Every cell of a merge has the value of its top left one.
func TestRead_Merges(t *testing.T) {
	header := []any{"Item LC 116", "NBS", "PS ONEROSA? (S/N)", "ADQ EXTERIOR? (S/N)", "INDOP", "cClassTrib"}
	rows := [][]any{header, {"01.01", "1.1502.10.00", "S", "N", "100301", "1"}, {"07.09", "", "", "", "stale", "2"}}
	book := made(t, map[string][][]any{"tabela geral": rows}, func(file *excelize.File) {
		for _, column := range []string{"A", "E"} {
			must(t, file.MergeCell("tabela geral", column+"2", column+"3"))
		}
	})
	parts, _, err := published.Read(book, "")
	must(t, err)
	if len(parts[0].Records) != 2 {
		t.Fatalf("read are %v", parts[0].Records)
	}
	second := parts[0].Records[1]
	if second["item"] != "0101" || second["cIndOp"] != "100301" || second["cClassTrib"] != "000002" ||
		second["cNBS"] != "" {
		t.Errorf("the second row is %v", second)
	}
}

func TestRead_Refused(t *testing.T) {
	header := []any{"Código indOp", "Tipo de operação"}
	for words, file := range map[string]*bytes.Buffer{
		`the sheet "IndOp" has no column "Local do fornecimento a ser`: made(t,
			map[string][][]any{"IndOp": {header}}, nil),
		`no sheet whose name begins with "CST"`: made(t, map[string][][]any{"cClass 2027": {{"cClassTrib"}}}, nil),
		`["Sheet1"]`:                            made(t, nil, nil),
		`the sheet "IndOp" is empty`:            made(t, map[string][][]any{"IndOp": nil}, nil),
		"or 128 columns":                        made(t, map[string][][]any{"IndOp": {make129()}}, nil),
		"more than 20000 rows": made(t, map[string][][]any{"IndOp": {header}}, func(file *excelize.File) {
			must(t, file.SetCellValue("IndOp", "A20001", "100301"))
		}),
		"unzip size exceeds": bomb(t),
		`item must be 4 or 6 digits, and is "071"`: made(t, map[string][][]any{"tabela geral": {
			{"Item LC 116", "NBS", "PS ONEROSA? (S/N)", "ADQ EXTERIOR? (S/N)", "INDOP", "cClassTrib"}, {7.1}}}, nil),
		"no workbook (xlsx)":          bytes.NewBufferString("PK\x03\x04 and no more"),
		"the file is empty":           bytes.NewBufferString("\ufeff\n# a remark\n"),
		"those of no table":           bytes.NewBufferString("code\tname\n1\tx\n"),
		"the file is larger than 32 ": bytes.NewBuffer(make([]byte, 32<<20+1)),
	} {
		parts, _, err := published.Read(file, "")
		for _, part := range parts {
			if err == nil {
				_, err = classification.NewEdition(part.Table, "test", "", part.Records)
			}
		}
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: answered %v, %v", words, parts, err)
		}
	}
	_, _, err := published.Read(strings.NewReader("cNBS\tname\n"), classification.TableNBS)
	if err == nil || !strings.Contains(err.Error(), `the file has no column "description"`) {
		t.Errorf("the text of a table that was named is answered %v", err)
	}
}

// bomb is a workbook that is small only as long as it is packed.
func bomb(t *testing.T) *bytes.Buffer {
	t.Helper()
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	file, err := archive.Create("xl/worksheets/sheet1.xml")
	must(t, err)
	spaces := bytes.Repeat([]byte{' '}, 1<<20)
	for range 65 {
		_, err := file.Write(spaces)
		must(t, err)
	}
	must(t, archive.Close())
	return &packed
}

func make129() []any {
	row := make([]any, 129)
	for i := range row {
		row[i] = "x"
	}
	return row
}
