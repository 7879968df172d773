package fiorilli

import (
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse/fact"
)

var issuing = fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{{ID: "DPS" + strings.Repeat("1", 42)}}}

func came(what operation, status int, body string) fiscal.Answer {
	r := what.with(nil).ReadReply(mtls.Reply{Sent: true, Status: status, Body: []byte(body)})
	switch what {
	case issue:
		return interpretSent(r, issuing)
	case cancel:
		return interpretEvent(r, fiscal.Request{Kind: fiscal.Cancel})
	}
	return (&Client{notFound: []string{"E92", "empty"}}).interpretFound(r, issuing)
}

const (
	refusal = `<ListaMensagens><mensagem><Codigo>E92</Codigo><Mensagem>x</Mensagem></mensagem></ListaMensagens>`
	head    = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>`
	tail    = `</s:Body></s:Envelope>`
)

// What came counts for no more than it says: nothing is found by a page, a fault, an answer to something else, or one
// that came with an error; and a cancellation is done by a whole answer alone.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	const at = "<DataRecebimento>2026-09-04T10:31:00-04:00</DataRecebimento>"
	in := func(what, content string) string { return head + "<" + what + ">" + content + "</" + what + ">" + tail }
	found := func(content string) string { return in("ConsultarNfseResposta", content) }
	done := func(content string) string { return in("CancelarNFSeResposta", content) }
	other := strings.Replace(refusal, "E92", "N10", 1)
	for name, c := range map[string]struct {
		what   operation
		status int
		body   string
		want   fiscal.Outcome
	}{
		"none, by its code":      {findDPS, 200, found(refusal), fiscal.OutcomeNotFound},
		"none, empty":            {findDPS, 200, found("<ListaNFSe/>"), fiscal.OutcomeNotFound},
		"none, with 500":         {findDPS, 500, found(refusal), fiscal.OutcomeUnknown},
		"empty, with 500":        {findDPS, 500, found(""), fiscal.OutcomeUnknown},
		"another code":           {findDPS, 200, found(other), fiscal.OutcomeUnknown},
		"another answer":         {findDPS, 200, done(""), fiscal.OutcomeUnknown},
		"a page":                 {findDPS, 200, "<html><body>ok</body></html>", fiscal.OutcomeUnknown},
		"a fault":                {findDPS, 500, in("s:Fault", "<faultstring>x</faultstring>"), fiscal.OutcomeUnknown},
		"a note, unread":         {findDPS, 200, found("<NFSe/>"), fiscal.OutcomeUnknown},
		"sent, and nothing said": {issue, 200, in("RecepcionarDpsResposta", ""), fiscal.OutcomeUnknown},
		"sent, under a page":     {issue, 502, "<html>", fiscal.OutcomeUnknown},
		"sent, and a fault":      {issue, 500, in("s:Fault", ""), fiscal.OutcomeUnknown},
		"sent, and not there":    {issue, 404, "<html>", fiscal.OutcomeNotDelivered},
		"cancelled":              {cancel, 200, done(at + "<status>Cancelada</status>"), fiscal.OutcomeAccepted},
		"cancelled, with 500":    {cancel, 500, done(at + "<status>Cancelada</status>"), fiscal.OutcomeUnknown},
		"cancelled, of no day":   {cancel, 200, done("<status>Cancelada</status>"), fiscal.OutcomeUnknown},
		"refused as rejected":    {cancel, 200, done(at + "<status>Rejeitado</status>"), fiscal.OutcomeUnknown},
	} {
		if answer := came(c.what, c.status, c.body); answer.Outcome != c.want {
			t.Errorf("%s: %s %s", name, answer.Outcome, answer.Summary())
		}
	}
	if moved := came(findDPS, 302, "<html>"); !moved.NeedsPerson.Is(fact.CityServerMoved) {
		t.Errorf("moved: %s", moved.NeedsPerson)
	}
}

// No user and no password are in what is sent: the company is known by its certificate.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	const want = `<?xml version="1.0" encoding="utf-8"?>` +
		`<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Header/><Body>` +
		`<RecepcionarDpsEnvio xmlns="http://www.fiorilli.com.br/nfse-nacional"><DPS/></RecepcionarDpsEnvio>` +
		`</Body></Envelope>`
	if got := string(issue.with([]byte("<DPS/>")).Envelope); got != want {
		t.Errorf("it is sent as %s", got)
	}
}

// Any answer is read, or not, without an outcome that it does not prove.
func FuzzReadReply(f *testing.F) {
	f.Add(head + "<RecepcionarDpsResposta>" + refusal + "</RecepcionarDpsResposta>" + tail)
	f.Fuzz(func(t *testing.T, body string) {
		answer := came(issue, 200, body)
		if answer.Outcome == fiscal.OutcomeAccepted && answer.Document.AccessKey == "" ||
			answer.Outcome == fiscal.OutcomeNotFound || answer.Outcome == fiscal.OutcomeNotDelivered {
			t.Errorf("%s", answer.Outcome)
		}
	})
}
