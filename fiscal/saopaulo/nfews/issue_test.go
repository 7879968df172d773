package nfews

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/saopaulo/rps"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse/fact"
	"emissor/test/reference"
)

const (
	accepted     = fiscal.OutcomeAccepted
	rejectedWord = fiscal.OutcomeRejected
	notFoundWord = fiscal.OutcomeNotFound
	unknownWord  = fiscal.OutcomeUnknown
	undelivered  = fiscal.OutcomeNotDelivered
)

func sentAs(document string) fiscal.Answer { return interpretSent(answered(sendRPS, document), key) }

// A success names the note, and its document is then to be fetched.
func TestSent_Accepted(t *testing.T) {
	answer := sentAs(retornoOf(sendRPS, okHeader, alert("208", "Aliquota"), pair(9)))
	expect(t, "issued", answer, accepted, fact.CityNoteToFetchAlerts.With("codes", "208"))
	authorization := answer.Document.Authorization
	if answer.Document.AccessKey != nationalKey || answer.Document.XML != nil || answer.Match != "" ||
		*authorization.Number != "9" || *authorization.VerificationCode != "ABCD1234" ||
		*authorization.AccessKey != nationalKey || !answer.HoldSeries.None() || !answer.Alarm.None() {
		t.Errorf("%+v", answer)
	}
	without := strings.NewReplacer("<ChaveNotaNacional>"+nationalKey+"</ChaveNotaNacional>", "",
		"31000000", "000031000000").Replace(retornoOf(sendRPS, okHeader, pair(9)))
	answer = sentAs(without)
	expect(t, "without a national key", answer, accepted, fact.Fact{})
	if answer.Document.AccessKey != "31000000-9-ABCD1234" || answer.Document.Authorization.AccessKey != nil {
		t.Errorf("%+v", answer.Document)
	}
}

// That a note took the place of another is an incident, and both are named.
func TestSent_Replaced(t *testing.T) {
	answer := sentAs(retornoOf(sendRPS, okHeader, alert("217", "RPS reenviado. A NF-e (8) referente ao RPS "+
		"(N&#250;mero: 42, S&#233;rie: 1) foi cancelada e uma nova NF-e foi emitida."), pair(9)))
	expect(t, "sent again", answer, accepted, fact.Fact{})
	replaced := fact.CityNoteReplaced.With("gone", "8", "number", 42, "series", "1", "note", 9)
	if !answer.Alarm.Equal(replaced) || !answer.HoldSeries.Equal(replaced) {
		t.Errorf("%s; %s", answer.Alarm, answer.HoldSeries)
	}
	if *answer.Document.Authorization.Number != "9" || answer.Body == nil {
		t.Errorf("%+v", answer)
	}
	for words, want := range map[string]any{
		"A NFS-e nº 123 referente": "123", "NF-e 0000077.": "0000077", "nada": fact.CityNoteUnnamed.Fact(),
		"": fact.CityNoteUnnamed.Fact(),
	} {
		if got := cancelledNote(words); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %s", words, got)
		}
	}
}

func TestSent_Rejected(t *testing.T) {
	for code, want := range map[string]fiscal.Handling{
		"306": fiscal.NeedsPerson, "1206": fiscal.Final, "641": fiscal.NeedsPerson, "209": fiscal.Final,
		"1001": fiscal.NeedsConfirmation, "215": fiscal.NeedsConfirmation, "324": fiscal.NeedsConfirmation,
		"216": fiscal.AlreadyExists, "218": fiscal.AlreadyExists, "223": fiscal.AlreadyExists,
		"338": fiscal.AlreadyExists, "372": fiscal.AlreadyExists, "373": fiscal.AlreadyExists,
		"313": fiscal.TryLater, "1051": fiscal.CertificateRefused, "1107": fiscal.CertificateRefused,
	} {
		answer := sentAs(retornoOf(sendRPS, noHeader, failure(code, "Palavras da   cidade.")))
		expect(t, code, answer, rejectedWord, fact.Fact{})
		if answer.Handling != want || answer.Rejection.Code != code ||
			answer.Rejection.Message != "Palavras da cidade." || answer.Rejection.Explanation == "" {
			t.Errorf("%s: %s %+v", code, answer.Handling, answer.Rejection)
		}
	}
	several := sentAs(retornoOf(sendRPS, noHeader, failure("306", "um"), failure("223", "dois"), failure("1001",
		"tres")))
	expect(t, "several", several, rejectedWord, fact.Fact{})
	if several.Rejection.Code != "223" || several.Handling != fiscal.AlreadyExists ||
		several.Rejection.Message != "306: um; 223: dois; 1001: tres" {
		t.Errorf("%+v", several.Rejection)
	}
	warned := sentAs(retornoOf(sendRPS, noHeader, alert("1651", "aviso"), failure("318", "erro"))) // in use, 2026
	if warned.Outcome != rejectedWord || warned.Rejection.Code != "318" || warned.Rejection.Message != "erro" {
		t.Errorf("with an alert before the error: %+v", warned)
	}
	field := sentAs(retornoOf(sendRPS, noHeader, failure("306", "um"))).Rejection.Field
	if field == nil || *field != "service.municipal_tax_code" {
		t.Errorf("%v", field)
	}
	byHand := sentAs(retornoOf(sendRPS, okHeader, alert("216", "convertido individualmente")))
	expect(t, "made by hand", byHand, rejectedWord, fact.Fact{})
	if byHand.Handling != fiscal.AlreadyExists {
		t.Errorf("%+v", byHand)
	}
	fault := readReply(sendRPS, mtls.Reply{Sent: true, Status: 500,
		Body: []byte(enveloped(sendRPS, retornoOf(sendRPS, noHeader, failure("306", "um"))))})
	if answer := interpretSent(fault, key); answer.Handling != fiscal.NeedsPerson || !answer.Unconfirmed {
		t.Errorf("beside a 500: %+v", answer)
	}
}

// A refusal in codes that nobody knows proves nothing, and keeps the city's words. Beside
// a code that is known, that one decides, and is confirmed first.
func TestSent_Uncatalogued(t *testing.T) {
	for name, c := range map[string]struct {
		document, code, words string
	}{
		"one": {retornoOf(sendRPS, noHeader, failure("9999", "Palavras da   cidade.")), "9999", "Palavras da cidade."},
		"several": {retornoOf(sendRPS, noHeader, failure("9998", "um"), failure("9999", "dois")), "9998",
			"9998: um; 9999: dois"},
		"no code": {retornoOf(sendRPS, noHeader, failure("", "Erro")), "sem_codigo", "Erro"},
		"ours":    {retornoOf(sendRPS, noHeader, failure("text_not_printable", "x")), "text_not_printable", "x"},
	} {
		answer := sentAs(c.document)
		expect(t, name, answer, rejectedWord, fact.Fact{})
		if answer.Rejection == nil || answer.Rejection.Code != c.code || answer.Rejection.Message != c.words ||
			answer.Handling != fiscal.Uncatalogued || answer.Body == nil {
			t.Errorf("%s: %+v %+v", name, answer, answer.Rejection)
		}
	}
	beside := sentAs(retornoOf(sendRPS, noHeader, failure("9999", "um"), failure("306", "dois")))
	expect(t, "beside a known one", beside, rejectedWord, fact.Fact{})
	if beside.Handling != fiscal.NeedsPerson || !beside.Unconfirmed || beside.Rejection.Code != "306" {
		t.Errorf("%+v", beside)
	}
}

// What proves nothing is unknown, so that it is asked about.
func TestSent_Unknown(t *testing.T) {
	other := strings.Replace(retornoOf(sendRPS, okHeader, pair(9)), "<NumeroRPS>42<", "<NumeroRPS>43<", 1)
	unread := func(why fact.Code) fact.Fact { return fact.CityAnswerUnread.With("why", why.Fact()) }
	unclear := func(codes string) fact.Fact { return fact.CityUnclearCodes.With("codes", codes) }
	wrong := func(why fact.Code) fact.Fact { return fact.CityAnswerWrong.With("why", why.Fact()) }
	for name, c := range map[string]struct {
		document string
		reason   fact.Fact
	}{
		"nothing":               {retornoOf(sendRPS), fact.CityUnclear.Fact()},
		"success alone":         {retornoOf(sendRPS, okHeader), fact.CityUnclear.Fact()},
		"failure alone":         {retornoOf(sendRPS, noHeader), fact.CityUnclear.Fact()},
		"success with an error": {retornoOf(sendRPS, okHeader, failure("306", "x")), unclear("306")},
		"send again":            {retornoOf(sendRPS, noHeader, failure("1110", "x")), unclear("1110")},
		"both": {retornoOf(sendRPS, noHeader, failure("306", "x"), pair(9)),
			fact.CityRefusesAndNames.With("codes", "306")},
		"failure with a note": {retornoOf(sendRPS, noHeader, pair(9)), fact.CityRefusesAndNames.With("codes", "")},
		"two notes":           {retornoOf(sendRPS, okHeader, pair(9), pair(10)), wrong(fact.CityNamesNotOneNote)},
		"another RPS":         {other, fact.CityAboutAnotherRPS.Fact()},
		"another company": {strings.Replace(retornoOf(sendRPS, okHeader, pair(9)), "31000000", "31000001", 1),
			wrong(fact.CityNamesAnotherCompany)},
		"no number": {strings.Replace(retornoOf(sendRPS, okHeader, pair(9)), "<NumeroNFe>9<", "<NumeroNFe><", 1),
			wrong(fact.CityNamesNoNumber)},
		"another root":  {retornoOf(findNFe, okHeader, pair(9)), unread(fact.CityAnswerToSomethingElse)},
		"no XML":        {"ok", unread(fact.DocumentNotTheXML)},
		"a second root": {retornoOf(sendRPS, okHeader, pair(9)) + "<a/>", unread(fact.DocumentGoesOn)},
		"empty":         {"", unread(fact.CityNoEnvelope)},
	} {
		expect(t, name, sentAs(c.document), unknownWord, c.reason)
	}
}

func found(t *testing.T, document string) fiscal.Answer {
	t.Helper()
	return interpretFound(answered(findNFe, document), issuing(t))
}

func TestFound_Ours(t *testing.T) {
	document := retornoOf(findNFe, okHeader, noteOf(9, "N"))
	answer := found(t, document)
	expect(t, "found", answer, accepted, fact.Fact{})
	issued := answer.Document
	if answer.Match != fiscal.MatchOurs || string(issued.XML) != document || issued.AccessKey != nationalKey ||
		*issued.Authorization.Number != "9" || !answer.Alarm.None() || !answer.NeedsPerson.None() ||
		!issued.Authorization.IssuedAt.Equal(time.Date(2026, 11, 22, 13, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v %+v", answer, issued)
	}
	for name, note := range map[string]string{
		"another line end": noteOf(9, "N", "suporte|Parcela", "suporte\nParcela"),
		"zeros":            noteOf(9, "N", "<CodigoServico>2919", "<CodigoServico>02919", "31000000", "000031000000"),
		"the final value": noteOf(9, "N", "<CodigoServico>",
			"<ValorFinalCobrado>1500.00</ValorFinalCobrado><CodigoServico>", "<ValorServicos>1500.00",
			"<ValorServicos>1450.00"),
		"a moment and zone": noteOf(9, "N", "10:00:00", "10:00:00.123-03:00"),
		"no key of the RPS": noteOf(9, "N", rpsKey, ""),
	} {
		if answer := found(t, retornoOf(findNFe, okHeader, note)); answer.Match != fiscal.MatchOurs {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	cancelled := found(t, retornoOf(findNFe, okHeader, noteOf(9, "C")))
	if cancelled.Match != fiscal.MatchOurs || !cancelled.Alarm.Equal(fact.CityNoteCancelled.With("note", 9)) {
		t.Errorf("%+v", cancelled)
	}
}

// A resend is seen by what it left, also when its answer was lost.
func TestFound_Replaced(t *testing.T) {
	for _, notes := range []string{noteOf(8, "C") + noteOf(9, "N"), noteOf(9, "N") + noteOf(8, "C")} {
		answer := found(t, retornoOf(findNFe, okHeader, notes))
		if answer.Match != fiscal.MatchOurs || *answer.Document.Authorization.Number != "9" ||
			!answer.HoldSeries.Equal(fact.CityNoteReplaced.With("gone", 8, "number", 42, "series", "1", "note", 9)) ||
			!answer.Alarm.Equal(answer.HoldSeries) {
			t.Errorf("%+v", answer)
		}
	}
	two := found(t, retornoOf(findNFe, okHeader, noteOf(8, "N"), noteOf(9, "N")))
	expect(t, "two standing", two, unknownWord, fact.CityTwoNotesStand.With("first", 9, "second", 8))
}

// A taker abroad is known by its number, or by why it has none.
func TestFound_TakerAbroad(t *testing.T) {
	declaration := saopaulotest.Declaration()
	declaration.Details.ForeignTaker = saopaulotest.ForeignTaker()
	message, err := rps.Signer{}.SignDeclaration(declaration, nationaltest.Credentials(t), saopaulotest.At)
	if err != nil {
		t.Fatal(err)
	}
	request := fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{message}, CorrelationID: "1"}
	for taker, match := range map[string]fiscal.Match{
		"<NIF>US-77</NIF>": fiscal.MatchOurs, "<NIF>US-78</NIF>": fiscal.MatchForeign,
		"<NaoNIF>1</NaoNIF>": fiscal.MatchForeign, "<CNPJ>99888777000100</CNPJ>": fiscal.MatchForeign,
		"": fiscal.MatchUnclear,
	} {
		note := noteOf(9, "N", "<CNPJ>99888777000100</CNPJ>", taker)
		answer := interpretFound(answered(findNFe, retornoOf(findNFe, okHeader, note)), request)
		if answer.Match != match {
			t.Errorf("%q is %q, want %q", taker, answer.Match, match)
		}
	}
}

func TestFound_Match(t *testing.T) {
	for name, c := range map[string]struct {
		match        fiscal.Match
		replacements []string
	}{
		"another taker":      {fiscal.MatchForeign, []string{"99888777000100", "11444777000161"}},
		"a person":           {fiscal.MatchForeign, []string{"<CNPJ>99888777000100</CNPJ>", "<CPF>52998224725</CPF>"}},
		"value and text":     {fiscal.MatchForeign, []string{"1500.00", "1500.01", "suporte", "limpeza"}},
		"date and code":      {fiscal.MatchForeign, []string{"2026-11-22</Data", "2026-11-21</Data", "2919", "2920"}},
		"another value":      {fiscal.MatchUnclear, []string{"1500.00", "1500.01"}},
		"another text":       {fiscal.MatchUnclear, []string{"suporte", "limpeza"}},
		"another code":       {fiscal.MatchUnclear, []string{"2919", "2920"}},
		"another date":       {fiscal.MatchUnclear, []string{"2026-11-22</Data", "2026-11-21</Data"}},
		"no taker":           {fiscal.MatchUnclear, []string{"<CNPJ>99888777000100</CNPJ>", ""}},
		"no date of the RPS": {fiscal.MatchUnclear, []string{"<DataEmissaoRPS>2026-11-22</DataEmissaoRPS>", ""}},
	} {
		answer := found(t, retornoOf(findNFe, okHeader, noteOf(9, "N", c.replacements...)))
		expect(t, name, answer, accepted, fact.Fact{})
		if answer.Match != c.match || answer.NeedsPerson.None() == (c.match == fiscal.MatchUnclear) {
			t.Errorf("%s: %q %q", name, answer.Match, answer.NeedsPerson)
		}
	}
	// Any of the messages that were signed may be the one that arrived.
	request := issuing(t)
	older := request.Message()
	older.XML = []byte(strings.Replace(string(older.XML), "<DataEmissao>2026-11-22", "<DataEmissao>2026-11-21", 1))
	request.Messages = []fiscal.Message{older, request.Message()}
	note := noteOf(9, "N", "2026-11-22</Data", "2026-11-21</Data")
	if answer := interpretFound(answered(findNFe, retornoOf(findNFe, okHeader, note)), request); answer.Match !=
		fiscal.MatchOurs {
		t.Errorf("%+v", answer)
	}
}

// That there is no note counts only as the city's own word about this RPS.
func TestFound_Nothing(t *testing.T) {
	named := `<Erro xmlns=""><Codigo>1106</Codigo>` + rpsKey + `</Erro>`
	expect(t, "1106", found(t, retornoOf(findNFe, noHeader, failure("1106", "x"))), notFoundWord, fact.Fact{})
	expect(t, "1106 of it", found(t, retornoOf(findNFe, noHeader, named)), notFoundWord, fact.Fact{})
	says := func(codes string) fact.Fact { return fact.CityAnsweredCodes.With("codes", codes) }
	for name, c := range map[string]struct {
		document string
		reason   fact.Fact
	}{
		"with success": {retornoOf(findNFe, okHeader, failure("1106", "x")), says("1106")},
		"no header":    {retornoOf(findNFe, failure("1106", "x")), says("1106")},
		"with another": {retornoOf(findNFe, noHeader, failure("1106", "x"), failure("1110", "x")), says("1106, 1110")},
		"of another":   {retornoOf(findNFe, noHeader, strings.Replace(named, "42", "43", 1)), says("1106")},
		"nothing":      {retornoOf(findNFe, noHeader), fact.CityUnclear.Fact()},
		"a success":    {retornoOf(findNFe, okHeader), fact.CityUnclear.Fact()},
		"another note": {retornoOf(findNFe, okHeader, noteOf(9, "N", "<NumeroRPS>42", "<NumeroRPS>43")),
			fact.CityAboutAnotherRPS.Fact()},
		"another root": {retornoOf(sendRPS, noHeader, failure("1106", "x")),
			fact.CityAnswerUnread.With("why", fact.CityAnswerToSomethingElse.Fact())},
	} {
		expect(t, name, found(t, c.document), unknownWord, c.reason)
	}
	refused := found(t, retornoOf(findNFe, noHeader, failure("1054", "revogado")))
	expect(t, "the certificate", refused, unknownWord, says("1054"))
	if !refused.NeedsPerson.Equal(fact.AddCertificateItTakes.With("why",
		fact.CityRefusesCertificate.With("code", "1054"))) {
		t.Errorf("%+v", refused)
	}
	for why, note := range map[fact.Code]string{
		fact.CityNoteWithoutMoment: noteOf(9, "N", "2026-11-22T10:00:00", "hoje"),
		fact.CityNamesNoNumber:     noteOf(9, "N", "<NumeroNFe>9<", "<NumeroNFe>x<"),
		fact.CityNoteWithoutStatus: noteOf(9, ""),
	} {
		name, answer := string(why), found(t, retornoOf(findNFe, okHeader, note))
		expect(t, name, answer, unknownWord, fact.CityOneNoteWrong.With("why", why.Fact()))
		if !answer.Unreadable {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

// The samples are read as they are.
func TestSamples(t *testing.T) {
	sample := func(name string) string {
		content, err := os.ReadFile(reference.SaoPaulo(t, "samples", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	ofSample := rps.Key{Registration: "31000000", Series: "A", Number: 1}
	sent := func(name string) fiscal.Answer { return interpretSent(answered(sendRPS, sample(name)), ofSample) }
	expect(t, "ok", sent("v2-RetornoEnvioRPS-ok.xml"), accepted, fact.Fact{})
	if resent := sent("v2-RetornoEnvioRPS-resent-217.xml"); resent.HoldSeries.Arguments["gone"] != "8" {
		t.Errorf("%+v", resent)
	}
	refused := sent("v2-RetornoEnvioRPS-erro.xml")
	expect(t, "1206", refused, rejectedWord, fact.Fact{})
	if !strings.Contains(refused.Rejection.Message, "String verificada") {
		t.Errorf("%+v", refused.Rejection)
	}
	whole := readReply(sendRPS, mtls.Reply{Sent: true, Status: 200,
		Body: []byte(sample("soap12-EnvioRPS-response.xml"))})
	expect(t, "in an envelope", interpretSent(whole, ofSample), accepted, fact.Fact{})

	request := fiscal.Request{Kind: fiscal.Issue,
		Messages: []fiscal.Message{{XML: []byte(sample("v2-PedidoEnvioRPS.xml"))}}}
	read := func(name string) fiscal.Answer { return interpretFound(answered(findNFe, sample(name)), request) }
	expect(t, "1106", read("v2-RetornoConsulta-1106.xml"), notFoundWord, fact.Fact{})
	// The hand-written sample has a text of its own.
	if answer := read("v2-RetornoConsulta-ok.xml"); answer.Match != fiscal.MatchUnclear || answer.Document.XML == nil {
		t.Errorf("%+v", answer)
	}
	noteNine := rps.NoteKey{Registration: "31000000", Number: 9}
	standing := func(name string) fiscal.Answer { return interpretStanding(answered(findNFe, sample(name)), noteNine) }
	expect(t, "stands", standing("v2-RetornoConsulta-ok.xml"), notFoundWord, fact.Fact{})
	expect(t, "cancelled", standing("v2-RetornoConsulta-cancelada.xml"), accepted, fact.Fact{})
	for _, name := range []string{"v2-RetornoCancelamentoNFe-ok.xml", "v2-RetornoCancelamentoNFe-1301.xml"} {
		expect(t, name, interpretCancelled(answered(cancelNFe, sample(name)), 1), accepted, fact.Fact{})
	}
}
