package dps

import (
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
)

// What a note states of federal taxes is between the ISS and the approximate total.
func TestSignDeclaration_FederalTaxes(t *testing.T) {
	consulting := nfse.Withholding{IRRF: 1_50, PIS: 65, COFINS: 3_00, CSLL: 1_00}
	cumulative := &nfse.OwnContributions{CST: "01", PIS: 65, COFINS: 3_00}
	const own = `<CST>01</CST><vBCPisCofins>10000.00</vBCPisCofins><pAliqPis>0.65</pAliqPis>` +
		`<pAliqCofins>3.00</pAliqCofins><vPis>65.00</vPis><vCofins>300.00</vCofins>`
	for name, row := range map[string]struct {
		set    nfse.Withholding
		own    *nfse.OwnContributions
		change func(*fiscal.Declaration)
		want   string
	}{
		"nothing": {want: ""},
		"example A": {set: consulting, own: cumulative, want: `<piscofins>` + own +
			`<tpRetPisCofins>3</tpRetPisCofins></piscofins><vRetIRRF>150.00</vRetIRRF><vRetCSLL>465.00</vRetCSLL>`},
		"example B, by an individual": {set: consulting, own: cumulative,
			change: func(d *fiscal.Declaration) { d.Note.Customer.TaxID = "52998224725" },
			want:   `<piscofins>` + own + `<tpRetPisCofins>0</tpRetPisCofins></piscofins>`},
		"nothing of its own": {set: consulting, want: `<piscofins><CST>00</CST><tpRetPisCofins>3</tpRetPisCofins>` +
			`</piscofins><vRetIRRF>150.00</vRetIRRF><vRetCSLL>465.00</vRetCSLL>`},
		"not taxed": {own: &nfse.OwnContributions{CST: "08"},
			want: `<piscofins><CST>08</CST><tpRetPisCofins>0</tpRetPisCofins></piscofins>`},
		"exported, and paid with foreign currency": {set: consulting, own: cumulative, change: sampled["export-abroad"],
			want: `<piscofins><CST>08</CST><tpRetPisCofins>0</tpRetPisCofins></piscofins>`},
		"exported, and paid without": {set: consulting, own: cumulative,
			change: func(d *fiscal.Declaration) {
				sampled["export-abroad"](d)
				d.Taxation.Service.Abroad.NoForeignCurrency = true
			}, want: `<piscofins>` + own + `<tpRetPisCofins>0</tpRetPisCofins></piscofins>`},
		"INSS alone": {set: nfse.Withholding{INSS: 11_00, INSSBase: 60_00}, want: `<vRetCP>660.00</vRetCP>`},
		"example M, in 2027": {set: consulting, own: cumulative,
			change: func(d *fiscal.Declaration) { d.Note.Competence = "2027-01-01" },
			want: `<piscofins><CST>00</CST><tpRetPisCofins>8</tpRetPisCofins></piscofins>` +
				`<vRetIRRF>150.00</vRetIRRF><vRetCSLL>100.00</vRetCSLL>`},
		"within Simples": {set: consulting, want: "",
			change: func(d *fiscal.Declaration) { nationaltest.Small(d, 1) }},
	} {
		d := nationaltest.Declaration()
		nationaltest.WithholdFederal(&d, row.set)
		d.Note.AmountCents, d.Issuer.OwnContributions = 10_000_00, row.own
		if row.change != nil {
			row.change(&d)
		}
		at := d.Note.Competence.Begin().Add(15 * time.Hour)
		message, err := Signer{}.SignDeclaration(d, nationaltest.Credentials(t), at)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, after, _ := strings.Cut(string(message.XML), "</tribMun>")
		got, _, _ := strings.Cut(after, "<totTrib>")
		want := row.want
		if want != "" {
			want = "<tribFed>" + want + "</tribFed>"
		}
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}
