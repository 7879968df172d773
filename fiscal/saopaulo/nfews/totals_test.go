package nfews

import (
	"reflect"
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/reference"
)

func cents(amount int64) *int64 { return &amount }

// foundWith is the answer to the question for a note that states this beside its price.
func foundWith(t *testing.T, stated string) fiscal.Answer {
	t.Helper()
	note := noteOf(9, "N", "<CodigoServico>", stated+"<CodigoServico>")
	answer := found(t, retornoOf(findNFe, okHeader, note))
	expect(t, stated, answer, accepted, fact.Fact{})
	return answer
}

func TestTotals(t *testing.T) {
	const zeros = "<ValorPIS>0</ValorPIS><ValorCOFINS>0</ValorCOFINS><ValorINSS>0</ValorINSS><ValorIR>0</ValorIR>" +
		"<ValorCSLL>0</ValorCSLL>"
	const iss, charged = "<ValorISS>43.50</ValorISS>", "<ValorFinalCobrado>1500.00</ValorFinalCobrado>"
	const federal = "<ValorPIS>9.75</ValorPIS><ValorCOFINS>45.00</ValorCOFINS><ValorINSS>165.00</ValorINSS>" +
		"<ValorIR>22.50</ValorIR><ValorCSLL>15.00</ValorCSLL>"
	not, customer := "<ISSRetido>false</ISSRetido>", "<ISSRetido>true</ISSRetido>"
	for name, c := range map[string]struct {
		stated string
		want   nfse.Totals
	}{
		"the price alone": {"", nfse.Totals{ServiceCents: cents(150000)}},
		"nothing withheld": {zeros + iss + not + charged, nfse.Totals{ServiceCents: cents(150000),
			TotalCents: cents(150000), ISSCents: cents(4350)}},
		"no ISS, written as 0": {zeros + "<ValorISS>0</ValorISS>" + not + charged,
			nfse.Totals{ServiceCents: cents(150000), TotalCents: cents(150000)}},
		"ISS withheld": {zeros + iss + customer + charged, nfse.Totals{ServiceCents: cents(150000),
			ISSCents: cents(4350), ISSWithheldCents: cents(4350)}},
		"ISS withheld by an intermediary": {zeros + iss + not + "<ISSRetidoIntermediario>true" +
			"</ISSRetidoIntermediario>" + charged, nfse.Totals{ServiceCents: cents(150000),
			ISSCents: cents(4350), ISSWithheldCents: cents(4350)}},
		"withheld and no ISS": {zeros + "<ValorISS>0</ValorISS>" + customer + charged,
			nfse.Totals{ServiceCents: cents(150000)}},
		"federal taxes": {federal + iss + not + charged, nfse.Totals{ServiceCents: cents(150000),
			ISSCents: cents(4350), IRRFCents: cents(2250), CSRFCents: cents(6975), INSSCents: cents(16500)}},
		"IBS and CBS": {zeros + iss + not + charged + "<RetornoComplementarIBSCBS><ValorBCIBSCBS>1456.50" +
			"</ValorBCIBSCBS><ValorIBS>1.46</ValorIBS><ValorCBS>13.11</ValorCBS></RetornoComplementarIBSCBS>",
			nfse.Totals{ServiceCents: cents(150000), TotalCents: cents(150000), ISSCents: cents(4350),
				IBSCents: cents(146), CBSCents: cents(1311)}},
	} {
		answer := foundWith(t, c.stated)
		if totals := answer.Document.Authorization.Totals; !reflect.DeepEqual(*totals, c.want) ||
			!answer.Alarm.None() || answer.Body != nil {
			shown, _ := nfse.Marshal(totals)
			t.Errorf("%s: %s, alarm %q", name, shown, answer.Alarm)
		}
	}
}

// What cannot be read is null and an alarm, and the note is found all the same.
func TestTotals_Unread(t *testing.T) {
	for stated, unread := range map[string]string{
		"<ValorISS>x</ValorISS>":                               "ValorISS",
		"<ValorISS>1</ValorISS><ValorISS>1</ValorISS>":         "ValorISS",
		"<ISSRetido>S</ISSRetido>":                             "ISSRetido",
		"<ValorPIS>1.00</ValorPIS><ValorCSLL>1,00</ValorCSLL>": "ValorCSLL",
	} {
		answer := foundWith(t, stated+"<ValorFinalCobrado>1500.00</ValorFinalCobrado>")
		want := nfse.Totals{ServiceCents: cents(150000)}
		if totals := answer.Document.Authorization.Totals; !reflect.DeepEqual(*totals, want) ||
			!answer.Alarm.Equal(fact.TotalsUnread.With("elements", unread)) || answer.Match != fiscal.MatchOurs {
			shown, _ := nfse.Marshal(totals)
			t.Errorf("%s: %s, alarm %q", stated, shown, answer.Alarm)
		}
	}
}

func TestTotals_Sample(t *testing.T) {
	sample := reference.ReadSaoPaulo(t, "samples/v2-RetornoConsulta-ok.xml")
	request := fiscal.Request{Kind: fiscal.Issue,
		Messages: []fiscal.Message{{XML: reference.ReadSaoPaulo(t, "samples/v2-PedidoEnvioRPS.xml")}}}
	answer := interpretFound(answered(findNFe, string(sample)), request)
	want := nfse.Totals{ServiceCents: cents(150000), ISSCents: cents(4350)}
	if totals := answer.Document.Authorization.Totals; !reflect.DeepEqual(*totals, want) {
		t.Errorf("%+v", totals)
	}
}
