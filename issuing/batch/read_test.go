package batch

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"emissor/internal/panics"
)

// The parts of a workbook that say where its sheet is.
const (
	relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	relation  = `<Relationship Id="%s" Target="%s"
		Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s"/>`
)

// workbookOf makes a workbook of what stands in its sheet, and of its shared strings.
func workbookOf(t *testing.T, rows string, shared ...string) []byte {
	t.Helper()
	var written bytes.Buffer
	archive := zip.NewWriter(&written)
	for name, content := range map[string]string{
		"_rels/.rels": relations + fmt.Sprintf(relation, "a", "/xl/workbook.xml", "officeDocument") + `</Relationships>`,
		"xl/workbook.xml": `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">
			<sheets><sheet name="Notas" sheetId="1" r:id="b"/><sheet name="Outra" sheetId="2" r:id="d"/></sheets>
			</workbook>`,
		"xl/_rels/workbook.xml.rels": relations + fmt.Sprintf(relation, "b", "worksheets/Sheet1.xml", "worksheet") +
			fmt.Sprintf(relation, "c", "sharedStrings.xml", "sharedStrings") + `</Relationships>`,
		"xl/worksheets/sheet1.xml": `<worksheet><cols><col min="1" max="2"/></cols><sheetData>` + rows +
			`</sheetData><mergeCells>` + strings.Repeat(`<mergeCell ref="A1:B2"/>`, 3) + `</mergeCells></worksheet>`,
		"xl/sharedStrings.xml": `<sst>` + strings.Join(shared, "") + `</sst>`,
	} {
		part, err := archive.Create(name)
		if err == nil {
			_, err = part.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return written.Bytes()
}

// said writes rows as texts: a line each, its cells apart, = before formulas and # before numbers.
func said(rows []row) string {
	var all strings.Builder
	for _, one := range rows {
		fmt.Fprint(&all, one.line)
		for i, cell := range one.cells {
			mark := ""
			if one.hasFormula(i) {
				mark = "="
			} else if one.isNumber(i) && cell != "" {
				mark = "#"
			}
			all.WriteString("|" + mark + cell)
		}
		all.WriteString("\n")
	}
	return all.String()
}

// What programs write differently is read the same, and only a cell with a formula is one.
func TestRead_Workbook(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ rows, want string }{
		"shared strings": {`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v> 1 </v></c></row>`,
			"1|João||em duas\npartes\n"},
		"texts in their places": {`<row><c t="inlineStr"><is><t>a</t></is></c><c t="str"><v>b_x0041_</v></c></row>`,
			"1|a|bA\n"},
		"numbers": {`<row r="2"><c r="A2"><v>0.10000000000000001</v></c><c r="B2" t="n"><v>52998224725</v></c>
			<c r="C2"><v>1E2</v></c><c r="D2" t="b"><v>1</v></c></row>`, "2|#0.1|#52998224725|#100|1\n"},
		"formulas": {`<row><c t="str"><f>A2</f><v>b</v></c><c><f t="shared" si="0"/><v>2</v></c><c><f>X1</f></c></row>`,
			"1|=b|=2|=\n"},
		"what has only a format": {`<row r="1"><c r="A1"><v>1</v></c><c r="XFD1" s="3"/></row>
			<row r="1048576"><c r="A1048576" s="3"/></row>`, "1|#1\n"},
		"names with prefixes": {`<x:row xmlns:x="u" r="3"><x:c r="B3"><x:v>4</x:v></x:c></x:row>`, "3||#4\n"},
	} {
		rows, err := read(t.Context(), workbookOf(t, c.rows, `<si><t>João</t></si>`,
			`<si><r><rPr><b/></rPr><t xml:space="preserve">em duas
</t></r><r><t>partes</t></r><rPh sb="0" eb="1"><t>not said</t></rPh></si>`))
		if got := said(rows); err != nil || got != c.want {
			t.Errorf("%s: read as %q, %v, want %q", name, got, err, c.want)
		}
	}
}

// What is small in the file and large in memory is refused, and what is damaged is said to be.
func TestRead_WorkbookRefused(t *testing.T) {
	t.Parallel()
	many := func(what string, n int) string { return strings.Repeat(what, n) }
	for name, c := range map[string]struct {
		rows string
		want FileProblem
	}{
		"a value far to the right":   {`<row r="1"><c r="XFD1"><v>1</v></c></row>`, FileTooLong},
		"a formula far to the right": {`<row r="1"><c r="A1"/><c r="BM1"><f>A1</f></c></row>`, FileTooLong},
		"a value far below":          {`<row r="1048576"><c><v>1</v></c></row>`, FileTooLong},
		"too many lines":             {many(`<row><c><v>1</v></c></row>`, MaxLines+2), FileTooLong},
		"too many empty cells":       {`<row>` + many(`<c/>`, 4<<20) + `</row>`, FileTooLarge},
		"too many bytes":             {many(" ", maxUnpacked), FileTooLarge},
		"a text too long":            {`<row><c t="str"><v>` + many("x", 2<<20) + `</v></c></row>`, FileTooLarge},
		"one text too often":         {`<row>` + many(`<c t="s"><v>0</v></c>`, 60) + `</row>`, FileTooLarge},
		"nested elements":            {many(`<x>`, 65), FileTooLarge},
		"cells out of order":         {`<row><c r="Z1"><v>1</v></c><c r="C1"><v>2</v></c></row>`, FileUnreadable},
		"rows out of order":          {`<row r="2"/><row r="1"/>`, FileUnreadable},
		"a row in a row":             {`<row><row/></row>`, FileUnreadable},
		"a cell in a cell":           {`<row><c r="A1"><c r="B1"/></c></row>`, FileUnreadable},
		"a row in a cell":            {`<row><c r="A1"><row/></c></row>`, FileUnreadable},
		"a cell outside":             {`<c r="A1"><v>1</v></c>`, FileUnreadable},
		"a cell without a column":    {`<row><c r="1"><v>1</v></c></row>`, FileUnreadable},
		"a row without a number":     {`<row r="a"/>`, FileUnreadable},
		"a string that is not":       {`<row><c t="s"><v>1</v></c></row>`, FileUnreadable},
		"a negative string":          {`<row><c t="s"><v>-1</v></c></row>`, FileUnreadable},
		"unfinished":                 {`<row><c>`, FileUnreadable},
	} {
		rows, err := read(t.Context(), workbookOf(t, c.rows, `<si><t>`+many("x", 1<<20-1)+`</t></si>`))
		if problem, _ := IsFileProblem(err); problem != c.want {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}

// Ten thousand rows that each have an empty cell in the last column are ten thousand rows of a cell.
func TestRead_WideRows(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat(`<row><c><v>1</v></c><c r="XFD1" s="1"/></row>`, MaxLines)
	rows, err := read(t.Context(), workbookOf(t, wide))
	if err != nil || len(rows) != MaxLines {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, one := range rows {
		if cap(one.cells) > maxColumns {
			t.Fatalf("line %d takes %d cells", one.line, cap(one.cells))
		}
	}
}

func TestRead_WithoutParts(t *testing.T) {
	t.Parallel()
	var empty bytes.Buffer
	archive := zip.NewWriter(&empty)
	if _, err := archive.Create("a"); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	whole := workbookOf(t, `<row><c><v>1</v></c></row>`)
	for name, content := range map[string][]byte{
		"no parts": empty.Bytes(), "no archive": []byte("PK\x03\x04 nothing"), "cut off": whole[:len(whole)/2],
	} {
		if _, err := read(t.Context(), content); !errors.Is(err, FileUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// mine panics wherever the reading asks whether its time is over.
type mine struct{ context.Context }

func (mine) Err() error { panic("a mine") }

// The reading ends with its context, and a panic in it is the file's problem.
func TestRead_Ends(t *testing.T) {
	t.Parallel()
	content := workbookOf(t, `<row><c><v>1</v></c></row>`)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := read(ended, content); !errors.Is(err, context.Canceled) {
		t.Errorf("after its time: %v", err)
	}
	_, err := read(mine{t.Context()}, content)
	if _, panicked := errors.AsType[*panics.Error](err); !panicked || !errors.Is(err, FileUnreadable) {
		t.Errorf("a panic became %v", err)
	}
}

// Lines are numbered as spreadsheets do: one that goes on within a cell is one.
func TestRead_CSVLines(t *testing.T) {
	t.Parallel()
	rows, err := read(t.Context(), []byte("a;b\n\n\"1\n2\r\n3\";=4\n;\n5;6\n"))
	if want := "1|a|b\n3|1\n2\n3|==4\n5|5|6\n"; err != nil || said(rows) != want {
		t.Errorf("read as %q, %v", said(rows), err)
	}
}
