package sefin

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/reference"
)

// totalled is an NFS-e with its own amounts, and with those that its DPS declares.
func totalled(stated, declared string) string {
	return strings.NewReplacer("<DPS xmlns", stated+"<DPS xmlns", "<nDPS>42</nDPS>", "<nDPS>42</nDPS>"+declared).
		Replace(nfseOf(accessKey, dpsID))
}

// declaredValues are the amounts of a DPS, with a way to withhold the ISS.
func declaredValues(price, issWithheld, federal string) string {
	if federal != "" {
		federal = "<tribFed>" + federal + "</tribFed>"
	}
	return "<valores><vServPrest><vServ>" + price + "</vServ></vServPrest><trib><tribMun><tribISSQN>1</tribISSQN>" +
		"<tpRetISSQN>" + issWithheld + "</tpRetISSQN></tribMun>" + federal + "</trib></valores>"
}

// expectTotals reads an NFS-e and compares its totals, and what of them alarms.
func expectTotals(t *testing.T, name, document string, want *nfse.Totals, unread string) {
	t.Helper()
	answer := sent(t, answered(201, issuedWith(xmlMember(document))))
	expect(t, name, answer, accepted, fact.Fact{})
	alarm := fact.Fact{}
	if unread != "" {
		alarm = fact.TotalsUnread.With("elements", unread)
	}
	if answer.Document == nil || string(answer.Document.XML) != document || !answer.Alarm.Equal(alarm) {
		t.Fatalf("%s: %+v", name, answer)
	}
	if (answer.Body != nil) != (unread != "") {
		t.Errorf("%s: the answer is kept: %v", name, answer.Body != nil)
	}
	if totals := answer.Document.Authorization.Totals; !reflect.DeepEqual(totals, want) {
		shown := func(totals *nfse.Totals) string { text, _ := nfse.Marshal(totals); return string(text) }
		t.Errorf("%s:\n%s, not\n%s", name, shown(totals), shown(want))
	}
}

func cents(amount int64) *int64 { return &amount }

func TestTotals(t *testing.T) {
	price := declaredValues("10000.00", "1", "")
	for name, c := range map[string]struct {
		stated, declared string
		want             nfse.Totals
	}{
		"the price alone": {"", price, nfse.Totals{ServiceCents: cents(1000000)}},
		"only the net, as for an MEI": {"<valores><vLiq>10000.00</vLiq></valores>", price,
			nfse.Totals{ServiceCents: cents(1000000), NetCents: cents(1000000), TotalCents: cents(1000000)}},
		"an ISS of nothing is stated": {"<valores><vISSQN>0.00</vISSQN><vLiq>0</vLiq></valores>", price,
			nfse.Totals{ServiceCents: cents(1000000), NetCents: cents(0), TotalCents: cents(0), ISSCents: cents(0)}},
		"an ISS that is not withheld": {"<valores><vISSQN>200.00</vISSQN><vLiq>10000.00</vLiq></valores>", price,
			nfse.Totals{ServiceCents: cents(1000000), NetCents: cents(1000000), TotalCents: cents(1000000),
				ISSCents: cents(20000)}},
		"an ISS that an intermediary withholds": {"<valores><vISSQN>200.00</vISSQN><vLiq>9800.00</vLiq></valores>",
			declaredValues("10000.00", "3", ""), nfse.Totals{ServiceCents: cents(1000000), NetCents: cents(980000),
				TotalCents: cents(980000), ISSCents: cents(20000), ISSWithheldCents: cents(20000)}},
		"an ISS that is withheld and not stated": {"<valores><vTotalRet>201.00</vTotalRet><vLiq>9799</vLiq></valores>",
			declaredValues("10000.00", "2", ""), nfse.Totals{ServiceCents: cents(1000000), NetCents: cents(979900),
				TotalCents: cents(979900)}},
		"nothing withheld, written as 0": {"<valores><vLiq>10000.00</vLiq></valores>",
			declaredValues("10000.00", "1", "<vRetCP>0.00</vRetCP><vRetIRRF>0</vRetIRRF><vRetCSLL>0.00</vRetCSLL>"),
			nfse.Totals{ServiceCents: cents(1000000), NetCents: cents(1000000), TotalCents: cents(1000000)}},
		"2026: IBS and CBS say what they would be": {"<valores><vISSQN>200.00</vISSQN><vLiq>10000.00</vLiq></valores>" +
			"<IBSCBS><totCIBS><vTotNF>10000.00</vTotNF><gIBS><vIBSTot>9.44</vIBSTot></gIBS><gCBS><vCBS>84.92</vCBS>" +
			"</gCBS></totCIBS></IBSCBS>", price,
			nfse.Totals{ServiceCents: cents(1000000), NetCents: cents(1000000), TotalCents: cents(1000000),
				ISSCents: cents(20000), IBSCents: cents(944), CBSCents: cents(8492)}},
		"2027: the total is more than the net": {"<valores><vISSQN>200.00</vISSQN><vTotalRet>450.00</vTotalRet>" +
			"<vLiq>9550.00</vLiq></valores><IBSCBS><totCIBS><vTotNF>10422.20</vTotNF><gIBS><vIBSTot>9.80</vIBSTot>" +
			"</gIBS><gCBS><vCBS>862.40</vCBS></gCBS></totCIBS></IBSCBS>",
			declaredValues("10000.00", "2", "<piscofins><CST>00</CST><tpRetPisCofins>8</tpRetPisCofins></piscofins>"+
				"<vRetIRRF>150.00</vRetIRRF><vRetCSLL>100.00</vRetCSLL>"),
			nfse.Totals{ServiceCents: cents(1000000), NetCents: cents(955000), TotalCents: cents(1042220),
				ISSCents: cents(20000), ISSWithheldCents: cents(20000), IRRFCents: cents(15000),
				CSRFCents: cents(10000), IBSCents: cents(980), CBSCents: cents(86240)}},
	} {
		expectTotals(t, name, totalled(c.stated, c.declared), &c.want, "")
	}
	expectTotals(t, "nothing", nfseOf(accessKey, dpsID), nil, "")
}

// What cannot be read in one way is null and an alarm: the note is issued all the same, and
// what else the document states is there.
func TestTotals_Unread(t *testing.T) {
	values := func(inside string) string { return "<valores>" + inside + "</valores>" }
	price := declaredValues("100.00", "2", "")
	for name, c := range map[string]struct {
		stated, declared, unread string
		want                     nfse.Totals
	}{
		"words": {values("<vISSQN>2.00</vISSQN><vLiq>cem</vLiq>"), price, "vLiq",
			nfse.Totals{ServiceCents: cents(10000), ISSCents: cents(200), ISSWithheldCents: cents(200)}},
		"less than nothing": {values("<vISSQN>-2.00</vISSQN><vLiq>98.00</vLiq>"), price, "vISSQN",
			nfse.Totals{ServiceCents: cents(10000), NetCents: cents(9800), TotalCents: cents(9800)}},
		"more than any amount": {values("<vLiq>1000000000000000.00</vLiq>"), price, "vLiq",
			nfse.Totals{ServiceCents: cents(10000)}},
		"three places": {values("<vLiq>98.000</vLiq>"), price, "vLiq", nfse.Totals{ServiceCents: cents(10000)}},
		"empty":        {values("<vLiq></vLiq>"), price, "vLiq", nfse.Totals{ServiceCents: cents(10000)}},
		"twice": {values("<vLiq>98.00</vLiq><vLiq>98.00</vLiq>"), price, "vLiq",
			nfse.Totals{ServiceCents: cents(10000)}},
		"two groups": {values("<vLiq>98.00</vLiq>") + values("<vLiq>99.00</vLiq>"), price, "vLiq",
			nfse.Totals{ServiceCents: cents(10000)}},
		"a total in words": {values("<vLiq>98.00</vLiq>") + "<IBSCBS><totCIBS><vTotNF>x</vTotNF></totCIBS></IBSCBS>",
			price, "vTotNF", nfse.Totals{ServiceCents: cents(10000), NetCents: cents(9800)}},
		"another kind of withholding": {values("<vISSQN>2.00</vISSQN><vLiq>98.00</vLiq>"),
			declaredValues("100.00", "4", "<vRetIRRF>1,50</vRetIRRF>"), "vRetIRRF, tpRetISSQN",
			nfse.Totals{ServiceCents: cents(10000), NetCents: cents(9800), TotalCents: cents(9800),
				ISSCents: cents(200)}},
		"all of it": {values("<vLiq>x</vLiq>"), declaredValues("x", "x", ""), "vLiq, vServ, tpRetISSQN",
			nfse.Totals{}},
	} {
		expectTotals(t, name, totalled(c.stated, c.declared), c.want.OrNil(), c.unread)
	}
}

// Every worked example of withholding comes back as it was worked.
func TestTotals_WorkedExamples(t *testing.T) {
	file, err := os.Open(reference.National(t, "data", "withholding-examples.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reader := csv.NewReader(file)
	reader.Comma = '\t'
	rows, err := reader.ReadAll()
	if err != nil || len(rows) < 15 {
		t.Fatalf("there are %d rows (%v)", len(rows), err)
	}
	for _, cells := range rows[1:] {
		row := map[string]string{}
		for i, column := range rows[0] {
			row[column] = cells[i]
		}
		amount := func(column string) *int64 {
			read, ok := xmlread.Cents(row[column])
			if !ok {
				t.Fatalf("%s of %s is %s", column, row["case"], row[column])
			}
			return &read
		}
		federal, want := "", nfse.Totals{ServiceCents: amount("vServ"), NetCents: amount("vLiq"),
			TotalCents: amount("vLiq"), ISSCents: amount("vISSQN")}
		for _, one := range []struct {
			element string
			member  **int64
		}{
			{"vRetCP", &want.INSSCents}, {"vRetIRRF", &want.IRRFCents}, {"vRetCSLL", &want.CSRFCents},
		} {
			if withheld := amount(one.element); *withheld > 0 {
				*one.member = withheld
				federal += "<" + one.element + ">" + row[one.element] + "</" + one.element + ">"
			}
		}
		if row["iss_withheld"] == "2" {
			want.ISSWithheldCents = want.ISSCents
		}
		stated := "<valores><vBC>" + row["vBC"] + "</vBC><vISSQN>" + row["vISSQN"] + "</vISSQN><vTotalRet>" +
			row["vTotalRet"] + "</vTotalRet><vLiq>" + row["vLiq"] + "</vLiq></valores>"
		expectTotals(t, row["case"], totalled(stated, declaredValues(row["vServ"], row["iss_withheld"], federal)),
			&want, "")
		sum := nfse.SumCents(want.Withheld(), cents(0))
		if *sum != *amount("vTotalRet") {
			t.Errorf("%s: what is withheld is not vTotalRet", row["case"])
		}
	}
}

// What every group's sample declares is read where the sample has it.
func TestTotals_DeclaredInSamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(reference.National(t, "data", "dps-groups"), "*.xml"))
	if err != nil || len(files) < 18 {
		t.Fatalf("there are %d samples (%v)", len(files), err)
	}
	values := regexp.MustCompile(`(?s)<valores>.*</vServPrest>.*?</trib></valores>`)
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		declared := values.FindString(string(content))
		want := nfse.Totals{ServiceCents: cents(1000000)}
		switch strings.TrimSuffix(filepath.Base(file), ".xml") {
		case "withheld-csrf-irrf-iss":
			want.IRRFCents, want.CSRFCents = cents(15000), cents(46500)
		case "withheld-csll-only-2027":
			want.CSRFCents = cents(10000)
		case "withheld-inss-material":
			want.INSSCents = cents(66000)
		}
		expectTotals(t, filepath.Base(file), totalled("", declared), &want, "")
	}
}

// The rate of the ISS is read where it is there once and is one.
func TestTotals_Rate(t *testing.T) {
	t.Parallel()
	for stated, want := range map[string]nfse.Rate{
		"<pAliqAplic>2.01</pAliqAplic>": 2_01, "": 0, "<pAliqAplic>0.00</pAliqAplic>": 0,
		"<pAliqAplic>x</pAliqAplic>": 0, "<pAliqAplic>2</pAliqAplic><pAliqAplic>2</pAliqAplic>": 0,
	} {
		document := totalled("<valores>"+stated+"<vLiq>1.00</vLiq></valores>", declaredValues("1.00", "1", ""))
		answer, got := sent(t, answered(201, issuedWith(xmlMember(document)))), nfse.Rate(0)
		if rate := answer.Document.ISSRate; rate != nil {
			got = *rate
		}
		if got != want || !answer.Alarm.None() {
			t.Errorf("%s: %s, %s", stated, got, answer.Alarm)
		}
	}
}
