package issnet

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/national/issnet/rules"
	"emissor/fiscal/national/soap"
	"emissor/nfse/fact"
	"emissor/test/reference"
)

// enveloped is a refusal of GerarNfse.
func enveloped(code, text string) string { return refusalOf(issue, code, text) }

func refusalOf(what operation, code, text string) string {
	message := `<MensagemRetorno><Codigo>` + code + `</Codigo><Mensagem>` + text + `</Mensagem></MensagemRetorno>`
	answer := `<` + what.answer() + `><ListaMensagemRetorno>` + message + `</ListaMensagemRetorno></` +
		what.answer() + `>`
	return `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><` + what.name +
		`Response><` + what.name + `Result>` + answer + `</` + what.name + `Result></` + what.name +
		`Response></soap:Body></soap:Envelope>`
}

// wordsSaid are the words of the refusals without a code in the table, by what the table says of them.
var wordsSaid = map[string]string{
	"DPS not found": "DPS não encontrada na base de dados",
	"DPS já existe": "DPS já existe",
	"cancelled":     "A NFS-e já está cancelada",
	"cTribMun":      "O cTribMun informado não existe ou não é administrado pelo município",
}

// what each outcome of the table is here, of a sending or, where the row is of one, of a question.
func isOutcome(t *testing.T, line, outcome, call string, r soap.Reply) {
	t.Helper()
	sent := interpretSent(r, issuing)
	found := newClient(t, nil).interpretFound(r, issuing)
	held := func(by fiscal.Handling) bool {
		return sent.Outcome == fiscal.OutcomeRejected && sent.Handling == by &&
			(by != fiscal.NeedsPerson || rules.RepairOf(sent.Rejection.Code).Act != "")
	}
	// A question is answered by nothing but a note and the words for none.
	if outcome != "not-found?" && found.Outcome != fiscal.OutcomeUnknown {
		t.Errorf("%s: the question finds %s", line, found.Outcome)
	}
	var ok bool
	switch outcome {
	case "hold-certificate":
		ok = held(fiscal.CertificateRefused) || sent.Outcome == fiscal.OutcomeNotDelivered && !sent.NeedsPerson.None()
	case "hold-settings":
		ok = sent.Outcome == fiscal.OutcomeNotDelivered && !sent.NeedsPerson.None()
	case "ambiguous":
		ok = sent.Outcome == fiscal.OutcomeUnknown
	case "rejected":
		ok = sent.Outcome == fiscal.OutcomeRejected && sent.Handling != fiscal.Uncatalogued
	case "our-bug":
		ok = held(fiscal.NeedsPerson) && rules.RepairOf(sent.Rejection.Code).Ours
	case "sign-again":
		ok = held(fiscal.NeedsPerson) && rules.RepairOf(sent.Rejection.Code).AutoFix == fiscal.OtherSignature
	case "hold-operation", "hold-registration":
		ok = held(fiscal.NeedsPerson) && rules.RepairOf(sent.Rejection.Code).Scope == fiscal.ScopeCompany
	case "not-found?":
		ok = found.Outcome == fiscal.OutcomeNotFound && sent.Handling == fiscal.Uncatalogued
	case "ask":
		ok = held(fiscal.AlreadyExists)
	case "already-done":
		r := came(cancel, 200, refusalOf(cancel, "", wordsSaid["cancelled"]))
		ok = meaning.EventSent(r, cancelling).Outcome == fiscal.OutcomeAccepted
	case "success": // no refusal: what it is beside decides
		ok = sent.Outcome == fiscal.OutcomeUnknown && sent.Rejection == nil
	}
	if !ok {
		t.Errorf("%s: sent it is %s %s %s, asked %s", line, sent.Outcome, sent.Handling, sent.Reason, found.Outcome)
	}
}

// Every row of the table of answers leads to the outcome that it draws.
func TestOutcomes_OfTheTable(t *testing.T) {
	t.Parallel()
	table := string(reference.ReadCities(t, "errors-issnet.tsv"))
	rows := strings.Split(strings.TrimSpace(table), "\n")[1:]
	for _, line := range rows {
		cells := strings.Split(line, "\t")
		code, status, call, meaning, outcome := cells[0], cells[1], cells[2], cells[3], cells[4]
		r := soap.Reply{}
		switch number, err := strconv.Atoi(status); {
		case err != nil:
			r = came(issue, http.StatusOK, "<html><body>Runtime Error</body></html>")
		case number == 500:
			r = came(issue, number, strings.Split(enveloped("", ""), "<GerarNfseResponse>")[0]+
				"<soap:Fault><faultstring>Error</faultstring></soap:Fault></soap:Body></soap:Envelope>")
		case number != 200:
			r = came(issue, number, "<html><body>"+http.StatusText(number)+"</body></html>")
		default:
			r = came(issue, number, enveloped(sampleCode(code), saidOf(meaning)))
		}
		isOutcome(t, line, outcome, call, r)
	}
	if len(rows) < 20 {
		t.Errorf("the table has only %d rows", len(rows))
	}
}

// A server that names another address has moved: what it did is not known, and a person looks at the row.
func TestOutcomes_Moved(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 307} {
		r := came(issue, status, "<html><body>Object moved</body></html>")
		sent, found := interpretSent(r, issuing), newClient(t, nil).interpretFound(r, issuing)
		if sent.Outcome != fiscal.OutcomeUnknown || !sent.Alarm.Is(fact.CityServerMoved) ||
			found.Outcome != fiscal.OutcomeUnknown || !found.NeedsPerson.Is(fact.CityServerMoved) {
			t.Errorf("%d: sent %s %s, found %s %s", status, sent.Outcome, sent.Alarm, found.Outcome, found.NeedsPerson)
		}
	}
}

func sampleCode(code string) string {
	return strings.NewReplacer("E0nnn", "E0310", "Annn", "A001", "-", "").Replace(code)
}

func saidOf(meaning string) string {
	for part, words := range wordsSaid {
		if strings.Contains(meaning, part) {
			return words
		}
	}
	return "…"
}

// That nothing was found is believed by the codes of the row, of a whole answer, and of this question alone.
func TestNotFound(t *testing.T) {
	t.Parallel()
	usual, other := newClient(t, nil), newClient(t, map[cities.Quirk]string{cities.NotFoundCodes: "E300,E301"})
	asked := func(by *Client, code, words string) fiscal.Answer {
		return by.interpretFound(came(findByDPS, 200, refusalOf(findByDPS, code, words)), issuing)
	}
	for name, c := range map[string]struct {
		answer fiscal.Answer
		want   fiscal.Outcome
	}{
		"E212":                {asked(usual, "E212", "x"), fiscal.OutcomeNotFound},
		"in words":            {asked(usual, "", "DPS não localizada"), fiscal.OutcomeNotFound},
		"another code":        {asked(usual, "E213", "DPS não localizada"), fiscal.OutcomeUnknown},
		"other words":         {asked(usual, "", "Tente mais tarde"), fiscal.OutcomeUnknown},
		"a code of the row":   {asked(other, "E301", "x"), fiscal.OutcomeNotFound},
		"no longer the usual": {asked(other, "E212", "x"), fiscal.OutcomeUnknown},
		"with 500": {usual.interpretFound(
			came(findByDPS, 500, refusalOf(findByDPS, "E212", "x")), issuing), fiscal.OutcomeUnknown},
	} {
		if c.answer.Outcome != c.want {
			t.Errorf("%s: %s", name, c.answer.Outcome)
		}
	}
}

// A code that nobody has reported decides nothing, unless its words say that something exists.
func TestUnknownCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code, words string
		want        fiscal.Handling
	}{
		{"E777", "Erro", fiscal.Uncatalogued}, {"", "Erro", fiscal.Uncatalogued},
		{"E777", "Esta DPS já existe", fiscal.AlreadyExists},
		{"", "DPS já foi convertida em NFS-e", fiscal.AlreadyExists},
		{"E0014", "x", fiscal.AlreadyExists}, {"L000", "aviso", ""},
	} {
		answer := interpretSent(came(issue, 200, enveloped(c.code, c.words)), issuing)
		if answer.Handling != c.want {
			t.Errorf("%s %s: %s %s", c.code, c.words, answer.Outcome, answer.Handling)
		}
	}
}

// Every code and word of ours has its words in both languages, and a catalogue that stands on the national one.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	for _, rule := range rules.Catalogue.All() {
		if rule.Coverage.Kind == "" || rule.Portuguese.Explanation == "" {
			t.Errorf("%s: %+v", rule.Code, rule)
		}
	}
	if rejection := rules.Catalogue.Rejection(fiscal.Issue, "E0014", "x"); rejection.Code != "E0014" {
		t.Error(rejection)
	}
	for _, code := range []string{"E043", "E138", "E999", "E160"} {
		if repair := rules.RepairOf(code); repair.Act == "" || repair.Whose == "" {
			t.Errorf("%s: %+v", code, repair)
		}
	}
}

// Nothing is sent where nothing is served, or without a certificate.
func TestNotSent(t *testing.T) {
	t.Parallel()
	c := newClient(t, nil)
	request := fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{{ID: sampleDPS, XML: []byte("<DPS/>")}}}
	if answer := c.Send(t.Context(), fiscal.Access{}, request); answer.Outcome != fiscal.OutcomeNotDelivered {
		t.Error(answer.Outcome)
	}
	if answer := c.Find(t.Context(), fiscal.Access{}, request); answer.Outcome != fiscal.OutcomeUnknown {
		t.Error(answer.Outcome)
	}
}
