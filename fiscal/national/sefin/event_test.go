package sefin

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const (
	accepted     = fiscal.OutcomeAccepted
	notDelivered = fiscal.OutcomeNotDelivered
	notFound     = fiscal.OutcomeNotFound
	rejected     = fiscal.OutcomeRejected
	unknown      = fiscal.OutcomeUnknown
)

func expectEvent(t testing.TB, name string, answer fiscal.Answer, outcome fiscal.Outcome, alarm bool) {
	t.Helper()
	expect(t, name, answer, outcome, fact.Fact{})
	ours := answer.Match == fiscal.MatchOurs
	if answer.Alarm.None() == alarm || answer.Document != nil || ours != (outcome == accepted) {
		t.Errorf("%s: %+v", name, answer)
	}
}

func TestEvent_Sent(t *testing.T) {
	t.Parallel()
	registered := func(event string) string {
		return `{"tipoAmbiente":2,"eventoXmlGZipB64":"` + packed(event) + `"}`
	}
	good := eventOf(accessKey, "101101")
	other := `{"chaveAcesso":"` + sameIssuers + `","erro":{"codigo":"E0822"}}`
	twice := base64.StdEncoding.EncodeToString([]byte(packed(good)))
	refused := strings.Replace(registered(good), "{", `{"erro":{"codigo":"E0840"},`, 1)
	another := strings.Replace(good, "EVT"+accessKey, "EVT"+sameIssuers, 1)
	two := strings.Replace(good, "<chNFSe>", "<chNFSe></chNFSe><chNFSe>", 1)
	for name, c := range map[string]struct {
		status  int
		body    string
		outcome fiscal.Outcome
		alarm   bool
	}{
		"registered":                   {201, registered(good), accepted, false},
		"registered, in a list":        {201, `{"eventos":[{"arquivoXml":"` + packed(good) + `"}]}`, accepted, false},
		"registered, twice encoded":    {201, `{"eventoXmlGZipB64":"` + twice + `"}`, accepted, false},
		"another document":             {201, registered(eventOf(sameIssuers, "101101")), unknown, true},
		"another event":                {201, registered(eventOf(accessKey, "101103")), unknown, true},
		"another Id":                   {201, registered(another), unknown, true},
		"two events":                   {201, registered(two), unknown, false},
		"two documents":                {201, `{"eventoXmlGZipB64":"a","EventoXmlGZipB64":"b"}`, unknown, false},
		"an XML that is unread":        {201, `{"eventoXmlGZipB64":"AAAA"}`, unknown, false},
		"no XML":                       {201, `{"tipoAmbiente":2}`, unknown, false},
		"refused":                      {400, `{"erro":{"codigo":"E0822","descricao":"Prazo"}}`, rejected, false},
		"refused, with an event":       {400, refused, accepted, false},
		"refused, of another document": {400, other, unknown, true},
		"refused elsewhere":            {400, `{"tipoAmbiente":1,"erro":{"codigo":"E0822"}}`, unknown, true},
		"turned away":                  {401, ``, notDelivered, false},
		"too many":                     {429, `<html>`, notDelivered, false},
		"a fault":                      {500, `{}`, unknown, false},
		"a fault in words":             {503, `<html>`, unknown, false},
		"the document is unknown":      {404, ``, unknown, false},
	} {
		b := newBench(t)
		client := b.serve(func(w http.ResponseWriter, r *http.Request) {
			var sent map[string]string
			if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || len(sent) != 1 {
				t.Errorf("%s: %v", name, err)
			}
			request, err := unpack(sent["pedidoRegistroEventoXmlGZipB64"])
			if err != nil || !bytes.Equal(request, message.XML) {
				t.Errorf("%s: %v", name, err)
			}
			if got := r.Method + " " + r.URL.String(); got != "POST /SefinNacional/nfse/"+accessKey+"/eventos" {
				t.Error(got)
			}
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		})
		answer := client.Send(t.Context(), b.access, cancelling)
		expectEvent(t, name, answer, c.outcome, c.alarm)
		if answer.Outcome == accepted && string(answer.EventXML) != good {
			t.Errorf("%s: %s", name, answer.EventXML)
		}
		if answer.Status != c.status {
			t.Errorf("%s: %d", name, answer.Status)
		}
	}
}

// A rejected cancellation is in the authority's words, and in ours of a note that
// exists.
func TestEvent_Rejection(t *testing.T) {
	body := `{"erro":[{"codigo":"E0840","descricao":"Já há evento.","complemento":"101101"}]}`
	answer := sentCancel(t, answered(400, body))
	expectEvent(t, "rejection", answer, rejected, false)
	rejection := answer.Rejection
	if answer.Handling != fiscal.NeedsConfirmation || rejection.Source != nfse.RejectedByAuthority ||
		rejection.Code != "E0840" || rejection.Message != "Já há evento.: 101101" || rejection.Field != nil ||
		rejection.Explanation == "" || !strings.HasPrefix(rejection.Action, "The note stays issued. ") {
		t.Errorf("%+v %+v", answer, rejection)
	}
	// This one is about a field of the API where documents are rejected.
	answer = sentCancel(t, answered(400, `{"erro":[{"codigo":"E0240"}]}`))
	rejection = answer.Rejection
	if rejection.Field != nil || !strings.HasPrefix(rejection.Action, "The note stays issued. ") {
		t.Errorf("%+v", rejection)
	}
}

func TestEvent_Find(t *testing.T) {
	t.Parallel()
	listed := func(key, kind, event string) string {
		twice := base64.StdEncoding.EncodeToString([]byte(packed(event)))
		return `{"eventos":[{"chaveAcesso":"` + key + `","tipoEvento":` + kind + `,"numeroPedidoRegistroEvento":1,` +
			`"dataHoraRecebimento":"2026-11-21T09:00:00","arquivoXml":"` + twice + `"}]}`
	}
	good := eventOf(accessKey, "101101")
	goodListed := listed(accessKey, "101101", good)
	documented := `{"eventoXmlGZipB64":"` + packed(good) + `"}`
	elsewhere := `{"chaveAcesso":"` + sameIssuers + `",` + documented[1:]
	capitals := strings.NewReplacer("eventos", "Eventos", "arquivoXml", "ArquivoXml").Replace(goodListed)
	another, review := eventOf(sameIssuers, "101101"), eventOf(accessKey, "101103")
	replacement := listed(accessKey, "105102", eventOf(accessKey, "105102"))
	for name, c := range map[string]struct {
		status  int
		body    string
		outcome fiscal.Outcome
		alarm   bool
		read    bool
	}{
		"as documented":             {200, documented, accepted, false, true},
		"as it comes":               {200, goodListed, accepted, false, true},
		"the type a text":           {200, listed(accessKey, `"e101101"`, good), accepted, false, true},
		"capital letters":           {200, capitals, accepted, false, true},
		"an XML that is unread":     {200, listed(accessKey, "101101", "x"), accepted, false, false},
		"nothing but an unread XML": {200, `{"eventos":[{"arquivoXml":"x"}]}`, unknown, false, false},
		"another event":             {200, replacement, unknown, true, false},
		"another document":          {200, listed(sameIssuers, "101101", another), unknown, true, false},
		"another document's XML":    {200, listed(accessKey, "101101", another), unknown, true, false},
		"another event's XML":       {200, listed(accessKey, "101101", review), unknown, true, false},
		"another document's answer": {200, elsewhere, accepted, false, true},
		"no key, and a type in numbers": {200, strings.Replace(goodListed, `"chaveAcesso":"`+accessKey+`",`, "", 1),
			accepted, false, true},
		"a listed event of another document": {200, strings.Replace(goodListed, `"chaveAcesso":"`+accessKey,
			`"chaveAcesso":"`+sameIssuers, 1), accepted, false, true},
		"listed, by a fault":         {500, listed(accessKey, "101101", "x"), unknown, false, false},
		"an empty list":              {200, `{"eventos":[]}`, notFound, false, false},
		"an empty list of elsewhere": {200, `{"tipoAmbiente":1,"eventos":[]}`, unknown, true, false},
		"null":                       {200, `{"eventos":null}`, unknown, false, false},
		"nothing":                    {200, `{}`, unknown, false, false},
		"absent":                     {404, `{"tipoAmbiente":2}`, notFound, false, false},
		"absent, without words":      {404, ``, notFound, false, false},
		"a proxy's 404":              {404, `<html>`, unknown, false, false},
		"a 404 of elsewhere":         {404, `{"tipoAmbiente":1}`, unknown, true, false},
		"a 404 of maintenance":       {404, `{"erro":{"codigo":"E1217"}}`, unknown, false, false},
		"unprocessable":              {422, `{"erro":{"codigo":"E1"}}`, unknown, false, false},
		"a fault":                    {500, ``, unknown, false, false},
		"turned away":                {401, ``, unknown, false, false},
	} {
		b := newBench(t)
		client := b.serve(func(w http.ResponseWriter, r *http.Request) {
			if got := r.Method + " " + r.URL.String(); got != "GET /SefinNacional/nfse/"+accessKey+"/eventos/101101/1" {
				t.Error(got)
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		})
		answer := client.Find(t.Context(), b.access, cancelling)
		expectEvent(t, name, answer, c.outcome, c.alarm)
		if (answer.EventXML != nil) != c.read || c.read && string(answer.EventXML) != good {
			t.Errorf("%s: %s", name, answer.EventXML)
		}
	}
}
