package sefin

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

func TestRejection(t *testing.T) {
	for name, c := range map[string]struct {
		status        int
		body          string
		code, message string
		handling      fiscal.Handling
	}{
		"as documented": {400, `{"tipoAmbiente":2,"idDPS":"` + dpsID +
			`","erros":[{"codigo":"E0190","descricao":"A data é posterior.","complemento":"dCompet"}]}`, "E0190",
			"A data é posterior.: dCompet", fiscal.Final},
		"one object":         {400, `{"erro":{"codigo":"E0190","descricao":"d"}}`, "E0190", "d", fiscal.Final},
		"one object, plural": {400, `{"erros":{"codigo":"E0190","descricao":"d"}}`, "E0190", "d", fiscal.Final},
		"a list, singular": {400, `{"erro":[{"codigo":"E0190","mensagem":"m","descricao":"d"}]}`, "E0190", "m: d",
			fiscal.Final},
		"capital letters": {400, `{"Erros":[{"Codigo":"E0190","Descricao":"d","Complemento":"c"}]}`, "E0190",
			"d: c", fiscal.Final},
		"a list for a body":    {400, `[{"Codigo":"E0190","Descricao":"d"}]`, "E0190", "d", fiscal.Final},
		"an object for a body": {400, `{"codigo":"E0190","descricao":"d"}`, "E0190", "d", fiscal.Final},
		"a byte order mark": {400, "\ufeff" +
			`{"erros":[{"codigo":"E0190","descricao":"d"}]}`, "E0190", "d", fiscal.Final},
		"an empty one first": {400, `{"erros":[{},{"codigo":"E0190","descricao":"d"}]}`, "E0190", "d", fiscal.Final},
		"an unknown code": {400, `{"erros":[{"codigo":"RNG9999","descricao":"d"}]}`, "RNG9999", "d",
			fiscal.Uncatalogued},
		"not catalogued": {400, `{"erros":[{"codigo":"E999","descricao":"d"}]}`, "E999", "d", fiscal.Uncatalogued},
		"of the newer form": {422, `{"erros":[{"codigo":"E9999","descricao":"d"}]}`, "E9999", "d",
			fiscal.Uncatalogued},
		"unknown, on a fault": {500, `{"erros":[{"codigo":"E999","descricao":"d"}]}`, "E999", "d", fiscal.Uncatalogued},
		"an odd code":         {400, `{"erros":[{"codigo":"x-1","descricao":"d"}]}`, "x-1", "d", fiscal.Uncatalogued},
		"a number for a code": {400, `{"erros":[{"codigo":17,"descricao":"d"}]}`, "17", "d", fiscal.Uncatalogued},
		"no code":             {400, `{"erros":[{"mensagem":"m"}]}`, "HTTP400", "m", fiscal.Uncatalogued},
		"nothing at all":      {400, "", "HTTP400", "the authority answered 400 without words", fiscal.Uncatalogued},
		"a page": {422, "<html>bad</html>", "HTTP422", "the authority answered 422, and not in JSON",
			fiscal.Uncatalogued},
		"a known code after an unknown one": {400, `{"erros":[{"codigo":"E999","descricao":"d"},` +
			`{"codigo":"E0190","descricao":"e"}]}`, "E0190", "E999: d; E0190: e", fiscal.Final},
		"no words": {400, `{"erros":[{"codigo":"E0190"}]}`, "E0190", "", fiscal.Final},
		"the same words twice": {400, `{"erros":[{"codigo":"E0190","mensagem":"d","descricao":"d"}]}`, "E0190", "d",
			fiscal.Final},
		"on a fault": {500, `{"erros":[{"codigo":"E1217","descricao":"Manutenção"}]}`, "E1217",
			"Manutenção", fiscal.TryLater},
		"on a forbidden one": {403, `{"erros":[{"codigo":"E1203","descricao":"Vencido"}]}`, "E1203", "Vencido",
			fiscal.CertificateRefused},
		"on a success": {200, `{"erros":[{"codigo":"E0190","descricao":"d"}]}`, "E0190", "d",
			fiscal.NeedsConfirmation},
		"beside a gateway's": {502, `{"erros":[{"codigo":"E0190","descricao":"d"}]}`, "E0190", "d",
			fiscal.NeedsConfirmation},
		"several": {400, `{"erros":[{"codigo":"E0190","descricao":"d"},` +
			`{"codigo":"E0202","descricao":"e","complemento":"f"}]}`, "E0190", "E0190: d; E0202: e: f", fiscal.Final},
		"a collision among several": {400,
			`{"erros":[{"codigo":"E1217","descricao":"b"},{"codigo":"E0008","descricao":"a"},` +
				`{"codigo":"E0014","descricao":"c"}]}`,
			"E0014", "E1217: b; E0008: a; E0014: c", fiscal.AlreadyExists},
		"a pause among several": {400,
			`{"erros":[{"codigo":"E0008"},{"codigo":"E1203"},{"codigo":"E1217"}]}`, "E1217", "E0008; E1203; E1217",
			fiscal.TryLater},
		"a certificate among several": {400, `{"erros":[{"codigo":"E0008"},{"codigo":"E1203"}]}`, "E1203",
			"E0008; E1203", fiscal.CertificateRefused},
		"a clock among several": {400, `{"erros":[{"codigo":"E0190"},{"codigo":"E0008"}]}`, "E0008",
			"E0190; E0008", fiscal.SignAgain},
		"a key that exists": {400, `{"chaveAcesso":"` + accessKey +
			`","erros":[{"codigo":"E0014","descricao":"d"}]}`, "E0014", "d", fiscal.AlreadyExists},
		"characters that no database takes": {400,
			`{"erros":[{"codigo":"E\u00000190","descricao":"a\u0000b\n\tc\ud800d"}]}`, "E0190", "ab cd", fiscal.Final},
	} {
		reply := answered(c.status, c.body)
		reply.RetryAfter = time.Minute
		answer := sent(t, reply)
		expect(t, name, answer, rejected, fact.Fact{})
		if answer.Rejection == nil {
			continue
		}
		r := answer.Rejection
		if r.Code != c.code || r.Message != c.message || answer.Handling != c.handling ||
			r.Source != "authority" || r.Explanation == "" || r.Action == "" {
			t.Errorf("%s: %s, %+v", name, answer.Handling, r)
		}
		if answer.Document != nil || answer.RetryAfter != time.Minute || string(answer.Body) != c.body {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestRejection_LongOnesAreCut(t *testing.T) {
	body := `{"erros":[{"codigo":"E1235","descricao":"` + strings.Repeat("é", 20000) + `"}]}`
	answer := sent(t, answered(400, body))
	message := answer.Rejection.Message
	if utf8.RuneCountInString(message) != maxMessage || !utf8.ValidString(message) {
		t.Errorf("%d characters", utf8.RuneCountInString(message))
	}
	if len(answer.Body) != 16<<10 {
		t.Errorf("%d bytes are kept", len(answer.Body))
	}
}

func TestRejection_AsksForAnotherLayout(t *testing.T) {
	complement := "The element 'infDPS' has invalid child element 'cLocEmi'. " +
		"List of possible elements expected: 'cMotivoEmisTI, finNFSe'."
	for body, layout := range map[string]string{
		`{"erros":[{"codigo":"E1235","descricao":"d","complemento":"` + complement + `"}]}`:                    "nt009",
		`{"erros":[{"codigo":"E0008"},{"codigo":"E1235","descricao":"d","complemento":"` + complement + `"}]}`: "nt009",
		`{"erros":[{"codigo":"E0008"}]}`: "",
	} {
		answer := sent(t, answered(400, body))
		if answer.Outcome != rejected || answer.Handling != fiscal.SignAgain || answer.Layout != layout {
			t.Errorf("%s: %+v", body, answer)
		}
	}
	answer := sent(t, answered(400, `{"erros":[{"codigo":"E1235","complemento":"x"}]}`))
	if answer.Handling != fiscal.NeedsPerson || answer.Layout != "" {
		t.Errorf("%+v", answer)
	}
}

// None of these is the authority's no: something may exist. That the request is bad, in
// words that cannot be read, is of no catalogue.
func TestRejection_NotEveryErrorIsOne(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"a fault without a code":         {500, `{"erros":[{"mensagem":"Internal error"}]}`},
		"a fault with a code of its own": {500, `{"erros":[{"codigo":"500","mensagem":"Internal error"}]}`},
		"a gateway's own":                {504, `{"erro":{"codigo":"GATEWAY_TIMEOUT","mensagem":"x"}}`},
		"a text":                         {400, `{"erro":"E0190: d"}`},
		"texts":                          {400, `{"erros":["E0190: d"]}`},
		"nothing":                        {400, `{"erros":[]}`},
		"words that are no list":         {400, `{"mensagem":"m"}`},
		"cut":                            {400, `{"erros":[{"codigo":"E0190","descricao":"d"}]`},
		"bytes behind":                   {400, `{"erros":[{"codigo":"E0190","descricao":"d"}]}x`},
		"a list of numbers":              {400, `[1,2]`},
		"a page":                         {400, `<html>E0190</html>`},
		"not found":                      {404, `{"erros":[{"mensagem":"m"}]}`},
		"accepted without a key":         {202, `{"erros":[{"mensagem":"m"}]}`},
	} {
		answer := sent(t, answered(c.status, c.body))
		if c.status == 400 {
			if answer.Outcome != rejected || answer.Handling != fiscal.Uncatalogued ||
				answer.Rejection.Code != "HTTP400" || answer.Rejection.Message == "" || string(answer.Body) != c.body {
				t.Errorf("%s: %+v", name, answer)
			}
			continue
		}
		expect(t, name, answer, unknown, fact.Fact{})
		if answer.Reason.Arguments["status"] != int64(c.status) || !answer.Alarm.None() ||
			answer.Rejection != nil || string(answer.Body) != c.body {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	both := `{"chaveAcesso":"` + accessKey + `","erros":[{"codigo":"E0190","descricao":"d"}]}`
	answer := sent(t, answered(400, both))
	if answer.Outcome != unknown || answer.Alarm.None() || answer.Rejection != nil || answer.Handling != "" {
		t.Errorf("a no with a key: %+v", answer)
	}
}

// What is refused for the company's settings beside the status of a success, or of a server's
// error, may have been made all the same: it counts once that was asked.
func TestRejection_UnconfirmedIsAskedAbout(t *testing.T) {
	for status, unconfirmed := range map[int]bool{400: false, 422: false, 200: true, 500: true, 502: true} {
		answer := sent(t, answered(status, `{"erros":[{"codigo":"E0160","descricao":"d"}]}`))
		if answer.Handling != fiscal.NeedsPerson || answer.Unconfirmed != unconfirmed {
			t.Errorf("%d: %+v", status, answer)
		}
	}
}
