package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"emissor/cmd/emissor/operate"
	"emissor/fiscal/cities"
	"emissor/fiscal/national/cityserver/rules"
	"emissor/nfse"
	"emissor/test/testkit"
)

// cityFile is the built-in table with more rows, or with other words in it.
func cityFile(replacements ...string) string {
	return strings.NewReplacer(replacements...).Replace(cities.BuiltIn().File)
}

// sorocaba is a row of a city that no version of the program knows, by a family that it knows.
func sorocaba(address, quirks string) string {
	return strings.Join([]string{"3552205", "sorocaba", "dsf", "on", "2026-01-01", "", "", address, "inclusive-sha1",
		"3", quirks, "a row of the test"}, "\t") + "\n"
}

func TestCityCommand_Import(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization, _, _ := database.NewOrganization(t, "Clínica\x1b[31m Exemplo")
	must(t, database.Changes().Companies.SetFiscalProfile(t.Context(),
		nfse.FiscalProfile{OrganizationID: organization.ID, TaxID: issuerTaxID, Authority: "teresina"}))
	row := func(name string) (found operate.CityRow) {
		t.Helper()
		for _, one := range printed[[]operate.CityRow](t, s, "city", "list") {
			if one.Name == name {
				found = one
			}
		}
		return found
	}
	if exported := succeeds(t, s, "city", "list", "--tsv"); exported != cities.BuiltIn().File {
		t.Errorf("the table is exported as %q", exported)
	}
	if teresina := row("teresina"); !teresina.On || teresina.Table.ID != nil || teresina.City != "Teresina/PI" {
		t.Errorf("built in is %+v", teresina)
	}

	file := write(t, "cities.tsv", []byte(cityFile("teresina\tdsf\ton", "teresina\tdsf\toff: holidays",
		"campo-grande\tdsf\toff: nobody has reported a note of this city", "campo-grande\tdsf\ton",
		"send-timeout=120s ", "send-timeout=90s ")+
		sorocaba("https://nfse.example/ws", "rate=2")))
	changes := []cities.Change{
		{Name: "teresina", From: "2026-10-02", Change: cities.TurnedOff, Columns: []string{"state"}},
		{Name: "campinas", From: "2026-09-21", Change: cities.Changed, Columns: []string{"quirks"}},
		{Name: "campo-grande", From: "2026-11-01", Change: cities.TurnedOn, Columns: []string{"state"}},
		{Name: "sorocaba", From: "2026-01-01", Change: cities.Added, Columns: []string{}},
	}
	checked := printed[operate.CityImport](t, s, "city", "check", file)
	if checked.Imported || !reflect.DeepEqual(checked.Changes, changes) || row("sorocaba").Name != "" {
		t.Errorf("checked is %+v", checked)
	}
	said := succeeds(t, s, "city", "import", file)
	for _, words := range []string{fmt.Sprintf("%d rows of cities.tsv were imported", len(cities.BuiltIn().Rows())+1),
		"teresina", "turned off",
		organization.ID, `Clínica\u001b[31m Exemplo`, "holidays"} {
		if !strings.Contains(said, words) {
			t.Errorf("the import says without %q:\n%s", words, said)
		}
	}
	imported, belem := row("sorocaba"), row("belem")
	if !imported.On || *imported.Table.SourceName != "cities.tsv" || imported.Production != nil ||
		imported.Quirks["rate"] != "2" || belem.Table.ID != nil {
		t.Errorf("imported is %+v, unchanged %+v", imported, belem)
	}
	if exported := succeeds(t, s, "city", "list", "--tsv"); !strings.HasSuffix(exported, "a row of the test\n") {
		t.Errorf("the table is exported as %q", exported)
	}
	// Imported again it changes nothing, and rows are as they are since the first time.
	if again := succeeds(t, s, "city", "import", file); !strings.Contains(again, "Nothing in them differs") {
		t.Errorf("the import says %s", again)
	}
	if again := row("sorocaba"); *again.Table.ID != *imported.Table.ID {
		t.Errorf("it is so since %s, want %s", again.Table, imported.Table)
	}
	back := printed[operate.CityImport](t, s, "city", "import", write(t, "back.tsv",
		[]byte(cityFile("teresina", "outra"))))
	if len(back.Companies) != 1 || back.Companies[0].OrganizationID != organization.ID ||
		back.Companies[0].Why != "the table has no such city" {
		t.Errorf("companies that wait are %+v", back.Companies)
	}
}

// A table is refused by which notes that are under way could not be asked about where they were sent.
func TestCityCommand_ImportOfNotesUnderWay(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	key := bookkept(t, database)
	must(t, database.Changes().Companies.SetFiscalProfile(t.Context(),
		nfse.FiscalProfile{OrganizationID: key.OrganizationID, TaxID: issuerTaxID, Authority: "teresina"}))
	note := issueLive(t, database, key, "order")
	database.IssuedNationally(t, note)
	imports := func(refusal, content string, flags ...string) {
		t.Helper()
		for _, command := range []string{"check", "import"} {
			line := append([]string{"city", command, write(t, "cities.tsv", []byte(content))}, flags...)
			if refusal != "" {
				fails(t, s, refusal, line...)
			} else {
				succeeds(t, s, line...)
			}
		}
	}
	renamed := cityFile("teresina\tdsf", "outra\tdsf")
	moved := cityFile("https://nfseapi.teresina.pi.gov.br", "https://nfse.example")

	database.Exec(t, `UPDATE fiscal_exchanges SET authority = 'teresina'`)
	imports("", renamed) // the note has ended
	imports("", cityFile())

	database.Exec(t, `UPDATE notes SET status = 'processing'`)
	database.Exec(t, `UPDATE fiscal_exchanges SET authority = 'teresina', state = 'in_doubt', ambiguous = true`)
	imports("teresina is not in the file, and 1 of its notes are under way", renamed)
	imports("teresina has another family or address in the file, and 1 of its notes are in doubt", moved)
	imports("", cityFile("teresina\tdsf\ton", "teresina\tdsf\toff: holidays"))
	imports("", moved, "--same-servers")

	// One without a number counts where its company issues; one that has a number only where it was taken.
	database.Exec(t, `UPDATE fiscal_exchanges SET authority = 'national'`)
	imports("", cityFile("teresina\tdsf", "outra\tdsf"))
	imports("", cityFile())
	database.Exec(t, `UPDATE fiscal_exchanges SET state = 'unused', ambiguous = false`)
	imports("teresina is not in the file", renamed)
}

// What is wrong is said by line and column, and then nothing is imported.
func TestCityCommand_ImportRefused(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	next := strings.Count(cityFile(), "\n") + 1 // the line behind the last
	for why, content := range map[string]string{
		"line 3, column city: no municipality has the IBGE code": cityFile("2211001\t", "2211999\t"),
		"line 4, column family: must be":                         cityFile("campinas\tdsf", "campinas\tginfes"),
		"line 3, column production: must be an https URL":        cityFile("https://nfseapi.ter", "http://nfseapi.ter"),
		fmt.Sprintf(`line %d, column quirks: "sereis" is no quirk`, next): cityFile() +
			sorocaba("https://nfse.example", "sereis=1"),
		fmt.Sprintf("line %d, column from: overlaps the days of line 3", next): cityFile() +
			strings.Split(cityFile(), "\n")[2] + "\n",
		"must be UTF-8 of at most 1 MiB": strings.Repeat("#\n", 1<<20),
	} {
		fails(t, s, why, "city", "check", write(t, "cities.tsv", []byte(content)))
		fails(t, s, "nothing was imported", "city", "import", write(t, "cities.tsv", []byte(content)))
	}
	fails(t, s, "no such file", "city", "import", "/nowhere/cities.tsv")
	if tables := database.Count(t, `SELECT count(*) FROM city_tables`); tables != 0 {
		t.Errorf("%d tables were imported", tables)
	}
}

// city show puts everything that a row may say into words.
func TestCityCommand_Show(t *testing.T) {
	t.Parallel()
	s := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	families := rules.Quirks()
	for family := range families {
		for quirk, means := range families.Quirks(family) {
			if means.Means == "" {
				t.Errorf("the quirk %s has no words", quirk)
			}
		}
	}
	teresina := succeeds(t, s, "city", "show", "teresina")
	for _, words := range []string{"Teresina/PI (2211001)", "https://nfseapi.teresina.pi.gov.br/notafiscal-ws",
		"inclusive-sha1", "3 digits, wanted of each service", "10001-49999: the series that the city leaves to companies",
		"full: a signature names its certificate", "built in", "yes: a number is asked about before it is sent",
		"after 2 questions that found nothing, each 3m30s after", "at most 1 a second, each of at most 3m0s",
		"not seen: the city's server does not tell of them", "EMISSOR_CITIES"} {
		if !strings.Contains(teresina, words) {
			t.Errorf("without %q:\n%s", words, teresina)
		}
	}
	if campinas := succeeds(t, s, "city", "show", "campinas"); !strings.Contains(campinas, "made on the city's portal") {
		t.Errorf("it is shown as\n%s", campinas)
	}
	if belem := succeeds(t, s, "city", "show", "belem"); !strings.Contains(belem, "off: the address of") ||
		!strings.Contains(belem, "not served") {
		t.Errorf("it is shown as\n%s", belem)
	}
	if shown := printed[operate.ShownServer](t, s, "city", "show", "campinas"); shown.Today.Cancels ||
		len(shown.Rows) != 1 {
		t.Errorf("it is shown as %+v", shown)
	}
	fails(t, s, `has no "atlantis"`, "city", "show", "atlantis")
}

// A table that this version cannot read, as a later one may have imported it, stops no command.
func TestCityCommand_UnreadTable(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	database.Exec(t, `INSERT INTO city_tables (id, source_name, source_sha256, content)
		VALUES ('cit_1', 'later.tsv', repeat('0', 64), 'of a later version')`)
	result := execute(t, s, "city", "list")
	if result.code != 0 || !strings.Contains(result.stdout, "teresina") ||
		!strings.Contains(result.stderr, "the table of cities that is built in is used") {
		t.Errorf("it ended with %d\n%s%s", result.code, result.stdout, result.stderr)
	}
	file := write(t, "cities.tsv", []byte(cityFile()))
	if result := execute(t, s, "city", "import", file); result.code != 0 {
		t.Errorf("an import after it ends with %d\n%s", result.code, result.stderr)
	}
	succeeds(t, s, "city", "list")
	if content, err := os.ReadFile(file); err != nil || succeeds(t, s, "city", "list", "--tsv") != string(content) {
		t.Errorf("the table is not the one that was imported: %v", err)
	}
}

// The status has every authority, and says what became of our calls.
func TestCityCommand_Status(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	none := succeeds(t, s, "city", "status")
	for _, name := range []string{"national", "sao-paulo", "teresina", "belem"} {
		if !strings.Contains(none, name) {
			t.Errorf("without %s:\n%s", name, none)
		}
	}
	key := bookkept(t, database)
	note := issueLive(t, database, key, "order")
	database.IssuedNationally(t, note)
	database.Exec(t, `INSERT INTO fiscal_calls (note_id, what, started_at, ended_at, outcome)
		VALUES ($1, 'issue', now() - interval '2 s', now(), 'accepted')`, note)
	shown := printed[operate.ServerStatuses](t, s, "city", "status")
	national := shown.Authorities[0]
	if national.Authority != "national" || len(national.Environments) != 1 ||
		national.Environments[0].Hour.Answered != 1 || *national.Environments[0].Median != 2000 {
		t.Errorf("the status is %+v", national)
	}
	if text := succeeds(t, s, "city", "status"); !strings.Contains(text, "1 / 0 / 0") || !strings.Contains(text, "2s") {
		t.Errorf("the status is\n%s", text)
	}
}
