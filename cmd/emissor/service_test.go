package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"emissor/cmd/emissor/company"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/test/testkit"
)

// classified is an organization with services to classify.
type classified struct {
	settings
	database     *testkit.Database
	organization string
}

func newClassified(t *testing.T) classified {
	t.Helper()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	return classified{settings, database, newOrganization(t, database).ID}
}

// addService adds a live service with a national tax code, unless that is empty.
func (c classified) addService(t *testing.T, code string) (id string) {
	t.Helper()
	service := nfse.Service{Name: "Consultoria", Description: "Consultoria em sistemas", MunicipalityCode: "3550308",
		DefaultAmountCents: 15000, Active: true}
	if code != "" {
		service.NationalTaxCode = &code
	}
	created, err := c.database.Store.Catalogues.CreateService(t.Context(),
		nfse.Scope{OrganizationID: c.organization, Livemode: true}, service)
	must(t, err)
	return created.ID
}

func (c classified) classify(service string, flags ...string) []string {
	return append([]string{"service", "classify", service, "--organization", c.organization}, flags...)
}

func (c classified) list(t *testing.T, flags ...string) []company.PrintedService {
	t.Helper()
	return printed[[]company.PrintedService](t, c.settings, append([]string{"service", "list", "--organization",
		c.organization}, flags...)...)
}

var usualFlags = []string{"--nbs", "1.1502.10.00", "--cindop", "100301", "--cclasstrib", "000001"}

func TestServiceCommand_Classify(t *testing.T) {
	t.Parallel()
	c := newClassified(t)
	first, second := c.addService(t, "010101"), c.addService(t, "")
	output := cells(succeeds(t, c.settings, c.classify(first, usualFlags...)...))
	expected := [][]string{
		{"SERVICE", "NAME", "NATIONAL CODE", "MUNICIPAL CODE", "ACTIVE", "NBS", "CINDOP", "CST", "CCLASSTRIB", "DEFECT"},
		{first, "Consultoria", "010101", "-", "true", "115021000", "100301", "000", "000001", "-"},
	}
	if !reflect.DeepEqual(output, expected) {
		t.Errorf("printed is %q, expected %q", output, expected)
	}
	usual := nfse.Classification{NBS: "115021000", CIndOp: "100301", CST: "000", CClassTrib: "000001"}
	if listed := c.list(t); len(listed) != 2 || listed[0].ID != second || listed[0].Classification != nil ||
		!reflect.DeepEqual(listed[1].Classification, &usual) {
		t.Errorf("listed are %+v", listed)
	}
	if listed := c.list(t, "--unclassified"); len(listed) != 1 || listed[0].ID != second {
		t.Errorf("unclassified are %+v", listed)
	}

	// Everything that there is.
	full := printed[company.ClassifiedService](t, c.settings, c.classify(first, "--nbs", "115021000", "--cindop",
		"020101",
		"--cst", "550", "--cclasstrib", "550016", "--indfinal", "false", "--cst-reg", "200",
		"--cclasstrib-reg", "200056", "--tp-ente-gov", "1", "--tp-oper", "5",
		"--property-registration", "12", "--property-zip-code", "01310-100", "--property-street", "Avenida Paulista",
		"--property-number", "1578", "--property-complement", "sala 1", "--property-district", "Bela Vista")...)
	usual = nfse.Classification{NBS: "115021000", CIndOp: "020101", CST: "550", CClassTrib: "550016",
		IndFinal:        new(false),
		RegularTaxation: &nfse.RegularTaxation{CST: "200", CClassTrib: "200056"},
		TpEnteGov:       new(1), TpOper: new(5),
		Property: &nfse.Property{Registration: new("12"), Address: &nfse.PropertyAddress{ZipCode: "01310100",
			Street: "Avenida Paulista", Number: "1578", Complement: new("sala 1"), District: "Bela Vista"}}}
	if !reflect.DeepEqual(full.Classification, &usual) || len(full.Warnings) != 1 ||
		!strings.Contains(full.Warnings[0], "E0958") {
		t.Errorf("classified is %+v", full)
	}
	deferred := printed[company.ClassifiedService](t, c.settings, c.classify(second, "--nbs", "115021000", "--cindop",
		"100301",
		"--cclasstrib", "515001", "--pdif-uf", "40", "--pdif-mun", "0", "--pdif-cbs", "12.5")...)
	if d := deferred.Classification.Deferral; *d != (nfse.Deferral{State: 40_00, Municipal: 0, Federal: 12_50}) {
		t.Errorf("the deferral is %+v", d)
	}
	if output := succeeds(t, c.settings, c.classify(first, "--remove")...); output !=
		first+" is no longer classified\n" {
		t.Errorf("removing says %s", output)
	}
	succeeds(t, c.settings, c.classify(first, usualFlags...)...)
	removed := printed[map[string]any](t, c.settings, c.classify(first, "--remove")...)
	if is, said := removed["classification"]; removed["id"] != first || is != nil || !said {
		t.Errorf("of a removal a script reads %v", removed)
	}
	if listed := c.list(t, "--unclassified"); len(listed) != 1 || listed[0].ID != first {
		t.Errorf("unclassified are %+v", listed)
	}
	warned := succeeds(t, c.settings, c.classify(first, "--nbs", "115021000", "--cindop", "030102", "--cclasstrib",
		"000006")...)
	if strings.Count(warned, "\nWARNING: ") != 2 || !strings.Contains(warned, "cIndOp 030102 means the acquirer's") {
		t.Errorf("printed is %s", warned)
	}
}

// What a later change made wrong shows in the list.
func TestServiceCommand_ListDefects(t *testing.T) {
	t.Parallel()
	c := newClassified(t)
	service := c.addService(t, "010101")
	succeeds(t, c.settings, c.classify(service, usualFlags...)...)
	c.database.Exec(t, `UPDATE services SET national_tax_code = '171201'`)
	listed := c.list(t)
	if listed[0].Defect == nil || !strings.HasPrefix(*listed[0].Defect, "tp-oper must be given") {
		t.Errorf("listed is %+v", listed)
	}
	result := execute(t, c.settings, "service", "list", "--organization", c.organization, "--limit", "1")
	if result.code != 0 || result.stderr != "" {
		t.Errorf("the list of one is %+v", result)
	}
	c.addService(t, "")
	result = execute(t, c.settings, "service", "list", "--organization", c.organization, "--limit", "1")
	if !strings.Contains(result.stderr, "go on with --starting-after srv_") {
		t.Errorf("one of two is listed as %+v", result)
	}
}

func TestServiceCommand_ClassifyRefused(t *testing.T) {
	t.Parallel()
	c := newClassified(t)
	service := c.addService(t, "010101")
	other := newClassified(t)
	foreign := other.addService(t, "010101")
	with := func(flags ...string) []string { return c.classify(service, append(usualFlags, flags...)...) }
	for _, refused := range []struct {
		why  string
		args []string
	}{
		{"--nbs must be 9 digits (schema)", c.classify(service)},
		{"--nbs 104022900 is not in the NBS of Annex B (E0316)", with("--nbs", "104022900")},
		{"--cindop 010101 is not in Annex C, by which layout 1.01 is checked (E0901)", with("--cindop", "010101")},
		{"--cclasstrib 000002 is not for NFS-e (E0958)", with("--cclasstrib", "000002")},
		{"--cclasstrib 000001 is not of the CST 200: its first three digits are (E0959)", with("--cst", "200")},
		{"--cclasstrib-reg must be given, with cst-reg: the cClassTrib 550016 requires it (E0965)",
			with("--cclasstrib", "550016")},
		{"--cst-reg must be 3 digits", with("--cclasstrib-reg", "20")},
		{"--indfinal must be true or false", with("--indfinal", "yes")},
		{"--pdif-mun must be given with the other percentages", with("--pdif-uf", "10", "--pdif-cbs", "10")},
		{"--pdif-uf must be a percentage", with("--pdif-uf", "100.001", "--pdif-mun", "1", "--pdif-cbs", "10")},
		{"--tp-oper must be a digit", with("--tp-oper", "x")},
		{"--tp-oper must be 1, 4 or 5: 2 and 3 refer to another NFS-e", with("--tp-oper", "2", "--tp-ente-gov", "1")},
		{"--property-cib or the address of the property must be given", with("--cindop", "020101")},
		{"the organization has no live service " + foreign, c.classify(foreign, usualFlags...)},
		{"there is no organization", []string{"service", "classify", service, "--organization", "org_x"}},
		{"--environment must be test or live", with("--environment", "prod")},
		{"the organization has no test service " + service, with("--environment", "test")},
		{"say which service, or --csv", []string{"service", "classify", "--organization", c.organization}},
		{"say which service, or --csv", with("--csv", "x.csv")},
		{"neither --csv nor --remove", with("--remove")},
		{"is not classified", c.classify(service, "--remove")},
		{"the organization has no live service srv_1", c.classify("srv_1", "--remove")},
		{"--limit must be 1 or more", []string{"service", "list", "--organization", c.organization, "--limit", "0"}},
		{"--starting-after must be", []string{"service", "list", "--organization", c.organization,
			"--starting-after", "x"}},
	} {
		code := 2
		if strings.HasPrefix(refused.why, "the organization has no") || refused.why == "there is no organization" ||
			refused.why == "is not classified" {
			code = 1
		}
		failsWith(t, code, c.settings, refused.why, refused.args...)
	}
	if listed := c.list(t, "--unclassified"); len(listed) != 1 {
		t.Errorf("unclassified are %+v", listed)
	}
}

func TestServiceCommand_ClassifyFromFile(t *testing.T) {
	t.Parallel()
	c := newClassified(t)
	first, second, third := c.addService(t, "010101"), c.addService(t, ""), c.addService(t, "070201")
	file := func(content string) []string {
		return []string{"service", "classify", "--organization", c.organization, "--csv",
			write(t, "services.csv", []byte(content))}
	}
	header := "service,nbs,cindop,cclasstrib,indfinal\n"
	good := header + first + ",1.1502.10.00,100301,000001,true\n" + second + ",115021000,100301,000006,\n"
	output := succeeds(t, c.settings, file(good)...)
	if !strings.HasPrefix(output, "2 services are classified; 0 were so already\n\nWARNING: line 3, 1 in all: ") {
		t.Errorf("the import says %s", output)
	}
	listed := c.list(t)
	if !*listed[2].Classification.IndFinal || listed[1].Classification.IndFinal != nil {
		t.Errorf("listed are %+v", listed)
	}

	// Excel's way, and one that is new.
	semicolons := "\ufeff" + strings.ReplaceAll(header, ",", ";") + first + ";115021000;100301;000001;true\r\n" +
		third + ";115021000;100301;200052;\r\n"
	if output := succeeds(t, c.settings, file(semicolons)...); output !=
		"1 services are classified; 1 were so already\n" {
		t.Errorf("the import says %s", output)
	}

	// The standard input.
	command := exec.CommandContext(t.Context(), binary, "service", "classify", "--organization", c.organization,
		"--csv", "-", "--json")
	command.Env, command.Stdin = c.settings.environment(), strings.NewReader(good)
	output2, err := command.Output()
	must(t, err)
	var counts struct{ Changed, Unchanged int }
	must(t, json.Unmarshal(output2, &counts))
	if counts.Changed != 0 || counts.Unchanged != 2 {
		t.Errorf("the same once more is answered %s", output2)
	}

	for why, content := range map[string]string{
		"there is no column service":                                "nbs\n115021000\n",
		"the organization has no service srv_1 in this environment": header + "srv_1,115021000,100301,000001,\n",
		"line 2: cclasstrib 000002 is not for NFS-e (E0958)": header + first + ",115021000,100301,000002,\n" + second +
			",115021000,100301,000001,\n",
	} {
		fails(t, c.settings, why, file(content)...)
		fails(t, c.settings, "nothing was changed: ", file(content)...)
	}
	fails(t, c.settings, "no such file", "service", "classify", "--organization", c.organization, "--csv",
		"/nowhere/x.csv")
	if listed := c.list(t); listed[1].Classification.CClassTrib != "000006" {
		t.Errorf("what was refused changed %+v", listed)
	}
}

// nbsTable is a table of the NBS, whose first name is given.
func nbsTable(first string) string {
	var text bytes.Buffer
	fmt.Fprintf(&text, "cNBS\tdescription\n115021000\t%s\n", first)
	for i := range 899 {
		fmt.Fprintf(&text, "2%08d\tother\n", i)
	}
	return text.String()
}

// correlationTable is a correlation table.
func correlationTable() string {
	text := "item_digits\tcNBS\tps_onerosa\tadq_exterior\tcIndOp\tcClassTrib\n"
	text += strings.Repeat("0101\t115021000\tS\tN\t100301\t000001\n", 900)
	return text + "0101\t115021000\tS\tS\t010101\t000001\n"
}

func TestServiceCommand_Suggest(t *testing.T) {
	t.Parallel()
	c := newClassified(t)
	service, without := c.addService(t, "010101"), c.addService(t, "")
	of := func(service string) []string {
		return []string{"service", "suggest", service, "--organization", c.organization}
	}
	succeeds(t, c.settings, "classification", "import", write(t, "annex-viii.tsv", []byte(correlationTable())),
		"--valid-from", "2099-01-01")
	if output := succeeds(t, c.settings, of(service)...); !strings.Contains(output,
		"is in force today. Import it with `emissor classification import`") {
		t.Errorf("without a correlation it says %s", output)
	}
	succeeds(t, c.settings, "classification", "import", write(t, "annex-viii.tsv", []byte(correlationTable())))
	output := cells(succeeds(t, c.settings, of(service)...))
	const nbsName = "Serviços de projeto, desenvolvimento e instalação de aplicat…"
	expected := [][]string{
		{"NBS", "NBS NAME", "CINDOP", "PLACE", "CCLASSTRIB", "NAME", "WHEN", "UNUSABLE"},
		{"115021000", nbsName, "100301", "the acquirer's main domicile", "000001", "full taxation",
			"onerous, acquirer in the country", "-"},
		{"115021000", nbsName, "010101", "-", "000001", "full taxation", "onerous, acquirer abroad",
			"cIndOp 010101 is not in Annex C (E0901)"},
	}
	if len(output) < 3 || !reflect.DeepEqual(output[:3], expected) {
		t.Errorf("suggested is %q, expected %q", output, expected)
	}
	if found := printed[[]classification.Suggestion](t, c.settings, "service", "suggest", "--code", "01.01.01"); len(
		found) != 2 || !*found[0].Onerous || *found[0].AcquirerAbroad {
		t.Errorf("suggested for the code is %+v", found)
	}
	if output := succeeds(t, c.settings, "service", "suggest", "--code", "990101"); output !=
		"The correlation table names nothing for 990101.\n" {
		t.Errorf("of what it does not name it says %s", output)
	}
	if listed := c.list(t, "--unclassified"); len(listed) != 2 {
		t.Errorf("a suggestion was applied: %+v", listed)
	}
	fails(t, c.settings, "has no national tax code", of(without)...)
	misused(t, c.settings, "say which service, or --code", "service", "suggest")
	misused(t, c.settings, "--organization must be given", "service", "suggest", service)
	misused(t, c.settings, "--code must be a national tax code", "service", "suggest", "--code", "101")
}

func TestServiceCommand_ClassifyWakesUpNotes(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	key := bookkept(t, database)
	note := issueLive(t, database, key, "order")
	database.Exec(t, `UPDATE notes SET held_reason = '{"code": "x"}', held_since = now()`)
	database.Exec(t, `DELETE FROM outbox`)
	c := classified{settingsOf(database).withoutTemporal(), database, key.OrganizationID}
	service := database.Text(t, `SELECT service_id FROM notes`)
	succeeds(t, c.settings, c.classify(service, usualFlags...)...)
	if woken := database.Text(t, `SELECT subject_id FROM outbox WHERE kind = 'resume'`); woken != note {
		t.Errorf("woken up is %q", woken)
	}
	entries := printed[[]audit.Entry](t, c.settings, "audit", "list", "--action", "service.classify")
	if len(entries) != 1 || entries[0].SubjectID != service || entries[0].Actor != thisUser(t) ||
		!*entries[0].Livemode {
		t.Errorf("on record are %+v", entries)
	}
}
