package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"emissor/cmd/emissor/operate"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/classification/imported"
	"emissor/test/reference"
	"emissor/test/testkit"
)

func TestClassificationCommand_ImportAndShow(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	show := func(args ...string) []operate.ListedCode {
		t.Helper()
		return printed[[]operate.ListedCode](t, settings, append([]string{"classification", "show"}, args...)...)
	}
	builtIn := "Annex B v1.01 (built in)"
	if found := show("1.1502.10.00"); len(found) != 1 || found[0].Edition != builtIn ||
		!strings.HasPrefix(found[0].Name, "Serviços de projeto") {
		t.Errorf("the code is shown as %+v", found)
	}
	file := write(t, "nbs 2027.tsv", []byte(nbsTable("Consultoria\x1b[31m em\u202esistemas")))
	output := cells(succeeds(t, settings, "classification", "import", file, "--valid-from", "2027-01-01",
		"--replace-newer"))
	gone := strings.Join(output[len(output)-1], " ")
	if !strings.HasPrefix(gone, "Gone from nbs: 1010") || !strings.HasSuffix(gone, " and 897 more.") {
		t.Errorf("the import says %q", gone)
	}
	output = output[:2]
	expected := [][]string{
		{"TABLE", "EDITION", "VALID FROM", "ROWS", "NEW CODES", "GONE CODES", "FILE"},
		{"nbs", "nbs 2027", "2027-01-01", "900", "899", "917", "nbs 2027.tsv"},
	}
	if !reflect.DeepEqual(output, expected) {
		t.Errorf("the import says %q, expected %q", output, expected)
	}
	if found := show("115021000", "--on", "2026-12-31"); found[0].Edition != builtIn {
		t.Errorf("the day before the code is %+v", found)
	}
	if found := show("115021000", "--on", "2027-01-01"); found[0].Edition != "nbs 2027" {
		t.Errorf("on the day the code is %+v", found)
	}
	// What a file holds moves no cursor and turns no line around.
	text := succeeds(t, settings, "classification", "show", "115021000", "--on", "2027-01-01")
	if !strings.Contains(text, `Consultoria\u001b[31m em\u202esistemas`) {
		t.Errorf("printed is %q", text)
	}

	type state struct {
		Table, Edition string
		InForce        bool
	}
	list := func(day string) (states []state) {
		t.Helper()
		for _, one := range printed[[]operate.ListedEdition](t, settings, "classification", "list", "--on", day) {
			states = append(states, state{one.Table, one.Name, one.InForce})
		}
		return states
	}
	for day, imported := range map[string]bool{"2026-12-31": false, "2027-06-01": true} {
		expected := []state{{"cst", "2026-06 (built in)", true},
			{"cclasstrib", "IT 2025.002 v1.70, 2026-10-01 (built in)", true},
			{"cindop", "Annex C v1.01 (built in)", true},
			{"cindop-sao-paulo", "Annex VII v1.02.00 (built in)", true}, {"nbs", builtIn, !imported},
			{"ctribnac", builtIn, true}, {"nbs", "nbs 2027", imported}}
		if states := list(day); !reflect.DeepEqual(states, expected) {
			t.Errorf("on %s the editions are %+v, expected %+v", day, states, expected)
		}
	}
	// A later import of the same day counts, under the name that it is given.
	succeeds(t, settings, "classification", "import", file, "--valid-from", "2027-01-01", "--edition", "corrected")
	if states := list("2027-06-01"); states[6].InForce || !states[7].InForce || states[7].Edition != "corrected" {
		t.Errorf("the editions are %+v", states)
	}
}

func TestClassificationCommand_Show(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	shown := cells(succeeds(t, settings, "classification", "show"))
	if len(shown) != 1+18+73+26 {
		t.Errorf("%d codes are shown", len(shown)-1)
	}
	shown = cells(succeeds(t, settings, "classification", "show", "515"))
	expected := [][]string{
		{"TABLE", "CODE", "NAME", "DETAILS", "EDITION"},
		{"cst", "515", "deferral with reduced rate", "is computed; reduced; requires a deferral", "2026-06 (built in)"},
		{"cclasstrib", "515001", "deferred agricultural and aquaculture inputs (Annex IX)",
			"reduction IBS 60 %, CBS 60 %; from 2026-01-01", "IT 2025.002 v1.70, 2026-10-01 (built in)"},
	}
	if !reflect.DeepEqual(shown, expected) {
		t.Errorf("515 is shown as %q, expected %q", shown, expected)
	}
	if shown := succeeds(t, settings, "classification", "show", "100301"); !strings.Contains(shown,
		"takes place: the acquirer's main domicile") {
		t.Errorf("100301 is shown as %s", shown)
	}
	fails(t, settings, "no table in force on 2026-12-31 lists 123", "classification", "show", "123", "--on",
		"2026-12-31")
	misused(t, settings, "--on must be a day as 2027-01-01", "classification", "show", "--on", "today")
	misused(t, settings, "--on must be a day as 2027-01-01", "classification", "list", "--on", "2026-13-01")
}

func TestClassificationCommand_ImportRefused(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	content, err := os.ReadFile(reference.National(t, "data", "official", "AnexoVII-IndOp_IBSCBS_V1.02.00.xlsx"))
	must(t, err)
	earlier := write(t, "AnexoVII-IndOp_IBSCBS_V1.01.00.xlsx", content)
	good := write(t, "nbs.tsv", []byte(nbsTable("x")))
	for why, args := range map[string][]string{
		"the table nbs has 1 rows; a whole one has 800 or more": {write(t, "short.tsv",
			[]byte("cNBS\tdescription\n115021000\tx\n"))},
		"the columns of the file are those of no table": {write(t, "other.tsv", []byte("a\tb\n"))},
		"no workbook (xlsx)":                            {write(t, "broken.xlsx", []byte("PK broken"))},
		`the file has no column "cTribNac"`:             {good, "--table", "ctribnac"},
		"--table must be one of cst, cclasstrib":        {good, "--table", "x"},
		"--valid-from must be a day":                    {good, "--valid-from", "01/01/2027"},
		"the table nbs is in another of the files, too": {good, good},
		"other2.tsv: the columns":                       {good, write(t, "other2.tsv", []byte("a\tb\n"))},
		"no such file":                                  {"/nowhere/nbs.tsv"},
		"table links, row 901: cIndOp must be 6 digits, and is": {write(t, "links.tsv",
			[]byte(linksTable()+"115021000\t000001\t“⚑”\t2026-11-03\t\n"))},
		"table links, row 901: dIniVig must be a day": {write(t, "undated.tsv",
			[]byte(linksTable()+"115021000\t000001\t100301\tsoon\t\n"))},
		"the table links has 1 rows; a whole one has 800": {write(t, "cut.tsv",
			[]byte("cNBS\tcClassTrib\tcIndOp\tdIniVig\tdFimVig\n115021000\t000001\t100301\t2026-11-03\t\n"))},
		"000001, whose CST the table cst does not list: imp": {write(t, "cst.tsv", []byte(cstTable())),
			"--replace-newer"},
		`the table nbs of "nbs" is older than "Annex B v1.01 (built in)", which is in force, or lacks`: {good},
		`the table nbs of "v9.99" is older than "Annex B v1.01 (built in)"`: {good, "--edition",
			"v9.99"},
		`the table cindop-sao-paulo of "v9.99" is older than "Annex VII v1.02.00 (built in)"`: {earlier, "--table",
			"cindop-sao-paulo", "--edition", "v9.99"},
	} {
		code := 1
		if why == "--table must be one of cst, cclasstrib" || why == "--valid-from must be a day" {
			code = 2
		}
		failsWith(t, code, settings, why, append([]string{"classification", "import"}, args...)...)
	}
	if listed := printed[[]operate.ListedEdition](t, settings, "classification", "list"); len(listed) != 6 {
		t.Errorf("a refused import left %+v", listed)
	}
}

// linksTable links 115021000 with a reduced rate, and others with full taxation.
func linksTable() string {
	text := "cNBS\tcClassTrib\tcIndOp\tdIniVig\tdFimVig\n1.1502.10.00\t200029\t100301\t2026-11-03\t\n"
	for i := range 899 {
		text += fmt.Sprintf("2%08d\t000001\t100301\t03/11/2026\t\n", i)
	}
	return text
}

// cstTable lists CST of which none is 000.
func cstTable() string {
	text := "CST\tdescription\tind_gIBSCBS\tind_gIBSCBSMono\tind_gRed\tind_gDif\n"
	for i := range 20 {
		text += "1" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + "\tx\t1\t0\t0\t0\n"
	}
	return text
}

// The official files, all at once.
func TestClassificationCommand_ImportOfficial(t *testing.T) {
	t.Parallel()
	var files []string
	for _, name := range []string{"Tabela_Classificacao_Tributaria_IBS_CBS_2026-06-23.xlsx",
		"Tabela_Codigo_Credito_Presumido_IBS_CBS_2026-06-23.xlsx", "ANEXO_B-NBS2-Lista_Servico_Nacional-v1.01.xlsx",
		"ANEXO_C-IndOp_IBSCBS-v1.01.xlsx", "AnexoVII-IndOp_IBSCBS_V1.02.00.xlsx",
		"AnexoVIII-CorrelacaoItemNBSIndOpCClassTrib_IBSCBS_V1.01.00.xlsx"} {
		files = append(files, reference.National(t, "data", "official", name))
	}
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	// The sheet of June is older than what is built in, and lacks the codes of October.
	fails(t, settings, `the table cclasstrib of "Tabela_Classificacao_Tributaria_IBS_CBS_2026-06-23" is older than `+
		`"IT 2025.002 v1.70, 2026-10-01 (built in)", which is in force, or lacks codes of it: gone would be 000006, `+
		`200055, 200056, 400003, 400004, 550026, 550027, 550028, 550029; --replace-newer imports it all the same`,
		append([]string{"classification", "import"}, files...)...)
	rows := map[classification.Table]int{}
	for _, one := range printed[[]imported.Edition](t, settings,
		append([]string{"classification", "import", "--replace-newer"}, files...)...) {
		rows[one.Table] = one.Rows
		if (one.Table == classification.TableClassTrib) != (len(one.GoneCodes) == 9) || len(one.GoneCodes) != one.Gone {
			t.Errorf("of %s go %q", one.Table, one.GoneCodes)
		}
		if one.Edition != strings.TrimSuffix(one.Source, filepath.Ext(one.Source)) || len(one.SHA256) != 64 {
			t.Errorf("imported is %+v", one)
		}
	}
	expected := map[classification.Table]int{"cst": 18, "cclasstrib": 164, "ccredpres": 13, "ctribnac": 338, "nbs": 918,
		"cindop": 26, "cindop-nt009": 39, "correlation": 1521}
	if !reflect.DeepEqual(rows, expected) {
		t.Errorf("imported are %v, expected %v", rows, expected)
	}
	shown := cells(succeeds(t, settings, "classification", "show", "010101"))
	if len(shown) != 4 || shown[1][0] != "cindop-nt009" || shown[2][0] != "cindop-sao-paulo" ||
		shown[3][0] != "ctribnac" || shown[3][2] != "Análise e desenvolvimento de sistemas." {
		t.Errorf("010101 is shown as %q", shown)
	}
	if suggested := cells(succeeds(t, settings, "service", "suggest", "--code", "010101")); len(suggested) < 3 ||
		suggested[1][0] != "115021000" {
		t.Errorf("suggested is %q", suggested)
	}
}
