package sefin_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"emissor/test/reference"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/cents"
	"emissor/test/simulators/shared/server"
)

// valuesOf is the group valores of the NFS-e of a document, without its tags.
func valuesOf(t *testing.T, simulator *sefin.Simulator, c *client, document string) string {
	t.Helper()
	nfse := string(simulator.NFSe(c.issued(document)))
	if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
		t.Errorf("the NFS-e is not valid: %v\n%s", err, nfse)
	}
	_, rest, _ := strings.Cut(nfse, "</emit><valores>")
	values, _, _ := strings.Cut(rest, "</valores>")
	return values
}

// Every worked example of withholding is what the NFS-e says.
func TestWithholdingExamples(t *testing.T) {
	simulator, c := startWithIssuer(t)
	number := 0
	for line := range strings.Lines(string(reference.ReadNational(t, "data/withholding-examples.tsv"))) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if row[0] == "case" {
			continue
		}
		number++
		example := map[string]string{}
		for i, name := range []string{
			"case", "vServ", "vDescIncond", "vDescCond", "pis", "cofins", "csll", "code", "vRetCSLL",
			"vRetIRRF", "vRetCP",
			"rate", "vBC", "vISSQN", "withheld", "vTotalRet", "vLiq",
		} {
			example[name] = row[i]
		}
		simulator.SetRegistry(sefin.Registry{ISSRate: cents.Read(example["rate"])})
		// A service of which everything may be deducted, so that the base can be the example's.
		all := changes(works, price(example["vServ"]), exampleTaxes(example))
		if example["withheld"] == "2" {
			all = append(all, withheld)
		}
		if strings.HasPrefix(example["case"], "L ") { // in Simples, at a rate of its own
			all = append(all, microOrSmall, simplified, rate(example["rate"]))
			simulator.SetRegistry(sefin.Registry{})
		}
		less := cents.Read(example["vServ"]) - cents.Read(example["vDescIncond"]) - cents.Read(example["vBC"])
		if less > 0 {
			all = append(all, deducting("<vDR>"+printed(less)+"</vDR>"))
		}
		if example["vDescIncond"] != "0.00" {
			all = append(all, discount(example["vDescIncond"], example["vDescCond"]))
		}
		want := "<vBC>" + example["vBC"] + "</vBC>" +
			"<pAliqAplic>" + printed(cents.Read(example["rate"])) + "</pAliqAplic>" +
			"<vISSQN>" + example["vISSQN"] + "</vISSQN>"
		if example["vTotalRet"] != "0.00" {
			want += "<vTotalRet>" + example["vTotalRet"] + "</vTotalRet>"
		}
		want += "<vLiq>" + example["vLiq"] + "</vLiq>"
		if values := valuesOf(t, simulator, c, c.dps(number, all...)); values != want {
			t.Errorf("%s:\n  %s\nnot %s", example["case"], values, want)
		}
	}
	if number != 14 {
		t.Errorf("%d examples", number)
	}
}

// exampleTaxes is tribFed of an example; none where nothing is withheld.
func exampleTaxes(example map[string]string) []change {
	withheld := ""
	for _, name := range []string{"vRetCP", "vRetIRRF", "vRetCSLL"} {
		if example[name] != "0.00" {
			withheld += "<" + name + ">" + example[name] + "</" + name + ">"
		}
	}
	if withheld == "" {
		return nil
	}
	own := ""
	if example["code"] != "0" {
		own = "<piscofins><CST>01</CST><vPis>" + example["pis"] + "</vPis>" +
			"<vCofins>" + example["cofins"] + "</vCofins>" +
			"<tpRetPisCofins>" + example["code"] + "</tpRetPisCofins></piscofins>"
	}
	return []change{federal(own + withheld)}
}

// printed is an amount in cents, as documents have it.
func printed(amount int64) string { return fmt.Sprintf("%d.%02d", amount/100, amount%100) }

// What the NFS-e says of each way in which a tax is less than the price times its rate.
func TestValues(t *testing.T) {
	simulator, c := startWithIssuer(t)
	number := 0
	const onlyLiquid = "<vLiq>1500.00</vLiq>"
	for name, test := range map[string]struct {
		changes  []change
		registry *sefin.Registry
		want     string
	}{
		"a percentage": {
			changes: changes(works, deducting("<pDR>33.33</pDR>")), registry: rioAt(500),
			want: "<vCalcDR>499.95</vCalcDR><vBC>1000.05</vBC><pAliqAplic>5.00</pAliqAplic><vISSQN>50.00</vISSQN>" +
				onlyLiquid,
		},
		"a percentage that ends in half a cent": { // 0.01 of 50.00 %, to even
			changes: changes(works, price("0.01"), deducting("<pDR>50.00</pDR>")),
			want: "<vCalcDR>0.00</vCalcDR><vBC>0.01</vBC><pAliqAplic>2.00</pAliqAplic><vISSQN>0.00</vISSQN>" +
				"<vLiq>0.01</vLiq>",
		},
		"a value": {
			changes: changes(works, deducting("<vDR>500.00</vDR>")),
			want:    "<vBC>1000.00</vBC><pAliqAplic>2.00</pAliqAplic><vISSQN>20.00</vISSQN>" + onlyLiquid,
		},
		"documents": {
			changes: changes(works, documents(receipt("400.00"), receipt("100.00"))),
			want: "<vCalcDR>500.00</vCalcDR><vBC>1000.00</vBC><pAliqAplic>2.00</pAliqAplic><vISSQN>20.00</vISSQN>" +
				onlyLiquid,
		},
		"discounts": {
			changes: []change{discount("100.00", "200.00")},
			want:    "<vBC>1400.00</vBC><pAliqAplic>2.00</pAliqAplic><vISSQN>28.00</vISSQN><vLiq>1200.00</vLiq>",
		},
		"a benefit in percent": {
			changes: []change{granted("<pRedBCBM>40.00</pRedBCBM>")}, registry: rioAt(500),
			want: "<tpBM>2</tpBM><vCalcBM>600.00</vCalcBM><vBC>900.00</vBC><pAliqAplic>5.00</pAliqAplic>" +
				"<vISSQN>45.00</vISSQN>" + onlyLiquid,
		},
		"a benefit of a value": {
			changes: []change{granted("<vRedBCBM>600.00</vRedBCBM>")}, registry: rioAt(500),
			want: "<tpBM>3</tpBM><vBC>900.00</vBC><pAliqAplic>5.00</pAliqAplic><vISSQN>45.00</vISSQN>" + onlyLiquid,
		},
		"a benefit of a rate": {
			changes: []change{withNoBenefit}, registry: granting(sefin.Benefit{Kind: "4", Rate: 250}),
			want: "<tpBM>4</tpBM><vBC>1500.00</vBC><pAliqAplic>2.50</pAliqAplic><vISSQN>37.50</vISSQN>" + onlyLiquid,
		},
		"an exemption": {changes: []change{withNoBenefit}, want: "<tpBM>1</tpBM>" + onlyLiquid},
		"withheld by an intermediary": {
			changes: []change{broker(platform), brokerWithholds},
			want: "<vBC>1500.00</vBC><pAliqAplic>2.00</pAliqAplic><vISSQN>30.00</vISSQN><vTotalRet>30.00</vTotalRet>" +
				"<vLiq>1470.00</vLiq>",
		},
		"the rate of a service": {
			registry: rio(sefin.Agreement{Rates: map[string]int64{"01.07.01.000": 350}}),
			want:     "<vBC>1500.00</vBC><pAliqAplic>3.50</pAliqAplic><vISSQN>52.50</vISSQN>" + onlyLiquid,
		},
		"the rate of a municipal service": {
			changes:  []change{inside("cTribNac", "<cTribMun>001</cTribMun>")},
			registry: rio(sefin.Agreement{Rates: map[string]int64{"01.07.01.000": 350, "01.07.01.001": 450}}),
			want:     "<vBC>1500.00</vBC><pAliqAplic>4.50</pAliqAplic><vISSQN>67.50</vISSQN>" + onlyLiquid,
		},

		// Where the NFS-e says nothing but what is paid (E1302, E1303, E1307, E1311), though
		// federal taxes are withheld.
		"an MEI":           {changes: []change{mei}, want: onlyLiquid},
		"immune":           {changes: immunity, want: onlyLiquid},
		"never taxed":      {changes: rental, want: onlyLiquid},
		"exported":         {changes: []change{taxation("3"), resultIn, trade()}, want: onlyLiquid},
		"a special regime": {changes: []change{special}, want: onlyLiquid},
		"suspended":        {changes: []change{suspended}, want: onlyLiquid},
		"immune, income tax withheld": {
			changes: changes(immunity, federal("<vRetIRRF>22.50</vRetIRRF>")), want: "<vLiq>1477.50</vLiq>",
		},
		// Simples Nacional pays the ISS, which is not on the note; what is withheld is.
		"within Simples": {changes: []change{microOrSmall, simplified}, want: onlyLiquid},
		"within Simples, social security withheld": {
			changes: []change{microOrSmall, simplified, federal("<vRetCP>165.00</vRetCP>")},
			want:    "<vTotalRet>165.00</vTotalRet><vLiq>1335.00</vLiq>",
		},
	} {
		t.Run(name, func(t *testing.T) {
			number++
			registry := sefin.Registry{}
			if test.registry != nil {
				registry = *test.registry
			}
			simulator.SetRegistry(registry)
			if values := valuesOf(t, simulator, c, c.dps(number, test.changes...)); values != test.want {
				t.Errorf("\n    %s\nnot %s", values, test.want)
			}
		})
	}
}

// What is to be paid is what is left in 2026, and from 2027 on that with IBS and CBS. Own PIS
// and COFINS lower their base, and end with 2026.
func TestTotalsByYear(t *testing.T) {
	now := new(clock)
	simulator := start(t, sefin.Options{Options: server.Options{Clock: now.Now}})
	c := newClient(t, simulator, sefin.Subject{TaxID: issuer})
	now.Advance(60 * 24 * time.Hour)
	own := "<piscofins><CST>01</CST><vBCPisCofins>10000.00</vBCPisCofins><pAliqPis>0.65</pAliqPis>" +
		"<pAliqCofins>3.00</pAliqCofins><vPis>65.00</vPis><vCofins>300.00</vCofins></piscofins>"
	in2027 := []change{{"<dhEmi>2026-11-21", "<dhEmi>2027-01-20"}, {"<dCompet>2026-11-21", "<dCompet>2027-01-20"}}
	taxedGroup := group("000", "000001")
	for number, test := range []struct {
		changes []change
		want    []string
	}{
		// The examples of the reference: 2026, and 2027 with what is withheld.
		{[]change{price("10000.00"), federal(own), taxedGroup}, []string{
			"<vBC>9435.00</vBC>", "<vCBS>84.92</vCBS>", "<vIBSTot>9.44</vIBSTot>", "<vTotNF>10000.00</vTotNF>",
		}},
		{[]change{price("10000.00"), discount("500.00", ""), taxedGroup}, []string{
			"<valores><vBC>9310.00</vBC><uf>", "<vTotNF>9500.00</vTotNF>",
		}},
		{changes(in2027, price("10000.00"), taxedGroup), []string{
			"<valores><vBC>9800.00</vBC><uf>", "<vIBSUF>4.90</vIBSUF>", "<vIBSMun>4.90</vIBSMun>", "<vCBS>88.20</vCBS>",
			"<vTotNF>10098.00</vTotNF>",
		}},
		{changes(in2027, price("10000.00"), withheld, federal(
			"<piscofins><CST>00</CST><tpRetPisCofins>8</tpRetPisCofins></piscofins>"+
				"<vRetIRRF>150.00</vRetIRRF><vRetCSLL>100.00</vRetCSLL>"), taxedGroup), []string{
			"<vTotalRet>450.00</vTotalRet><vLiq>9550.00</vLiq>", "<vTotNF>9648.00</vTotNF>",
		}},
		{changes(in2027, price("10000.00"), federal(own), taxedGroup), []string{"<valores><vBC>9800.00</vBC><uf>"}},
	} {
		nfse := string(simulator.NFSe(c.issued(c.dps(number+1, test.changes...))))
		for _, part := range test.want {
			if !strings.Contains(nfse, part) {
				t.Errorf("%d: the NFS-e has not %s\n%s", number, part, nfse)
			}
		}
		if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
			t.Error(err)
		}
		// Federal taxes stay in the embedded document.
		outside := nfse[:strings.Index(nfse, "<DPS ")]
		if strings.Contains(outside, "tribFed") || strings.Contains(outside, "vRetCSLL") {
			t.Error("the NFS-e repeats the federal taxes")
		}
	}
}

// Every sample of a group is issued, signed by its issuer.
func TestGroupSamples(t *testing.T) {
	now := new(clock)
	simulator := start(t, sefin.Options{
		Options: server.Options{Clock: now.Now}, Registry: sefin.Registry{ISSRate: 500},
	})
	c := newClient(t, simulator, sefin.Subject{TaxID: issuer})
	now.Advance(24 * time.Hour)
	files, err := filepath.Glob(filepath.Join(reference.National(t, "data/dps-groups"), "*.xml"))
	if err != nil || len(files) != 18 {
		t.Fatalf("%d samples: %v", len(files), err)
	}
	replaced := c.issued(c.dps(100, change{"<dCompet>2026-11-21", "<dCompet>2026-11-22"},
		change{"<dhEmi>2026-11-21", "<dhEmi>2026-11-22"}))
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, signed, _ := strings.Cut(string(content), "<infDPS")
			signed, _, _ = strings.Cut(signed, "</DPS>")
			signed = "<infDPS" + strings.Replace(signed, invoice("2"), invoice("7"), 1) // its digit is wrong there
			if before, after, found := strings.Cut(signed, "<chSubstda>"); found {      // a note of this simulator
				signed = before + "<chSubstda>" + replaced + after[len(replaced):]
			}
			answer := c.issue(c.wrap("DPS", signed))
			if answer.codes() != "" {
				t.Fatalf("%s", answer.text)
			}
			nfse := string(simulator.NFSe(answer.body["chaveAcesso"].(string)))
			if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
				t.Errorf("the NFS-e is not valid: %v", err)
			}
		})
	}
	if entry := simulator.Ledger()[0]; !entry.Cancelled {
		t.Errorf("the replaced note stands: %+v", entry)
	}
}
