package sefin_test

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
)

func TestEvent(t *testing.T) {
	t.Run("CancelsANote", cancelNote)
	t.Run("HasADeadline", cancelAfterTheDeadline)
	t.Run("ByOthers", registerEventsOfOthers)
}

func cancelNote(t *testing.T) {
	simulator, c := startWithIssuer(t)
	key := c.issued(c.dps(1))
	before := c.get("/nfse/" + key + "/eventos/101101/1")
	if before.status != http.StatusNotFound || before.body["erros"] != nil {
		t.Errorf("queried too early: %d %s", before.status, before.text)
	}
	request := c.eventRequest(key, "101101")
	answer := c.cancel(key, request)
	if answer.status != http.StatusCreated {
		t.Fatalf("cancelling: %d %s", answer.status, answer.text)
	}
	registered := unpack(t, answer.body["eventoXmlGZipB64"])
	if !strings.Contains(registered, strings.TrimPrefix(request, declaration)) {
		t.Error("the event does not embed the request byte for byte")
	}

	queried := c.get("/nfse/" + key + "/eventos/101101/1")
	events, _ := queried.body["eventos"].([]any)
	if queried.status != http.StatusOK || len(events) != 1 {
		t.Fatalf("queried: %d %s", queried.status, queried.text)
	}
	event := events[0].(map[string]any)
	once, err := base64.StdEncoding.DecodeString(event["arquivoXml"].(string))
	if err != nil || unpack(t, string(once)) != registered {
		t.Errorf("the event that was queried is another one: %v", err)
	}
	if event["chaveAcesso"] != key || event["tipoEvento"] != "101101" {
		t.Errorf("the event that was queried: %v", event)
	}

	const barred = "O Sistema Nacional NFS-e não pode recepcionar o EVENTO DE CANCELAMENTO DE NFS-e, pois o evento de " +
		"Cancelamento de NFS-e já está vinculado à NFS-e indicada no evento enviado."
	for name, asked := range map[string]string{
		"the same again":  request,
		"another request": c.eventRequest(key, "101101", change{"Erro na emissao", "Outro motivo"}),
	} {
		again := c.cancel(key, asked)
		if _, isList := again.body["erro"].([]any); !isList || again.status != http.StatusBadRequest ||
			again.codes() != "E0840" || again.refused()[0]["descricao"] != barred {
			t.Errorf("%s: %d %s", name, again.status, again.text)
		}
	}
	if analysis := c.cancel(key, c.eventRequest(key, "101103")); analysis.codes() != "E0848" {
		t.Errorf("an analysis afterwards: %s", analysis.text)
	}
	entry := simulator.Ledger()[0]
	if !entry.Cancelled || !slices.Equal(entry.Events, []string{"101101"}) {
		t.Errorf("the ledger says %+v", entry)
	}
}

func TestEventRules(t *testing.T) {
	simulator, c := startWithIssuer(t)
	key := c.issued(c.dps(1))
	noTaker := c.issued(c.dps(2, change{"<CNPJ>" + taker + "</CNPJ>", "<cNaoNIF>1</cNaoNIF>"}))
	confirmed, analysed, replaced := c.issued(c.dps(3)), c.issued(c.dps(4)), c.issued(c.dps(5))
	for note, kind := range map[string]string{confirmed: "203202", replaced: "105102"} {
		if err := simulator.RegisterEvent(note, kind); err != nil {
			t.Fatal(err)
		}
	}
	c.cancel(analysed, c.eventRequest(analysed, "101103"))
	unknown := key[:40] + "000000000"
	unknown += checkDigit(unknown)
	ofCity := key[:7] + "1" + key[8:49]
	ofCity += checkDigit(ofCity)

	plain := c.eventRequest(key, "101101")
	changed := func(changes ...change) string { return c.eventRequest(key, "101101", changes...) }
	by := func(subject sefin.Subject, changes ...change) string {
		return newClient(t, simulator, subject).eventRequest(key, "101101", changes...)
	}
	asTaker := change{"<CNPJAutor>" + issuer, "<CNPJAutor>" + taker}
	asPerson := change{"<CNPJAutor>" + issuer + "</CNPJAutor>", "<CPFAutor>" + person + "</CPFAutor>"}
	withoutSignature := strings.Split(plain, "<Signature")[0] + "</pedRegEvento>"
	for name, test := range map[string]struct {
		key, request string
		registry     sefin.Registry
		code         string
	}{
		"unsigned":            {key: key, request: withoutSignature, code: "E1989"},
		"changed":             {key: key, request: strings.Replace(plain, "cMotivo>1", "cMotivo>2", 1), code: "E1980"},
		"another root":        {key: key, request: by(sefin.Subject{TaxID: issuer, Foreign: true}), code: "E1983"},
		"no otherName":        {key: key, request: by(sefin.Subject{TaxID: issuer, Anonymous: true}), code: "E1986"},
		"signed by another":   {key: key, request: by(sefin.Subject{TaxID: taker}), code: "E0812"},
		"asked by another":    {key: key, request: by(sefin.Subject{TaxID: taker}, asTaker), code: "E0813"},
		"a person's, signed":  {key: key, request: changed(asPerson), code: "E0815"},
		"asked by a person":   {key: key, request: by(sefin.Subject{TaxID: person}, asPerson), code: "E0816"},
		"a wrong Id":          {key: key, request: changed(change{"101101\"", "101103\""}), code: "E1827"},
		"another note's":      {key: key, request: c.eventRequest(noTaker, "101101"), code: "E1827"},
		"production":          {key: key, request: changed(change{"<tpAmb>2", "<tpAmb>1"}), code: "E1845"},
		"too early":           {key: key, request: changed(change{"08:30:00-03:00", "09:00:01-03:00"}), code: "E1843"},
		"version 1.00":        {key: key, request: strings.Replace(plain, `"1.01"`, `"1.00"`, 1), code: "E1825"},
		"a short reason":      {key: key, request: changed(change{"Erro na emissao da nota", "Erro"}), code: "E1235"},
		"another description": {key: key, request: changed(change{"Cancelamento de", "Desfazer a"}), code: "E1235"},
		"a DPS":               {key: key, request: c.dps(9), code: "E1242"},
		"a note of a city":    {key: ofCity, request: c.eventRequest(ofCity, "101101"), code: "E0831"},
		"an unknown note":     {key: unknown, request: c.eventRequest(unknown, "101101"), code: "E1831"},
		"above a limit":       {key: key, request: plain, registry: sefin.Registry{CancelUpTo: 149_999}, code: "E0823"},
		"without a taker": {
			key: noTaker, request: c.eventRequest(noTaker, "101101"),
			registry: sefin.Registry{CancelNeedsTaker: true}, code: "E0824",
		},
		"confirmed": {key: confirmed, request: c.eventRequest(confirmed, "101101"), code: "E0840"},
		"analysed":  {key: analysed, request: c.eventRequest(analysed, "101101"), code: "E0840"},
		"replaced":  {key: replaced, request: c.eventRequest(replaced, "101101"), code: "E0840"},
	} {
		t.Run(name, func(t *testing.T) {
			simulator.SetRegistry(test.registry)
			answer := c.cancel(test.key, test.request)
			if answer.codes() != test.code || answer.status != http.StatusBadRequest {
				t.Errorf("%d %s, want %s", answer.status, answer.text, test.code)
			}
		})
	}
	simulator.SetRegistry(sefin.Registry{CancelUpTo: 150_000, CancelNeedsTaker: true})
	if answer := c.cancel(key, plain); answer.status != http.StatusCreated {
		t.Errorf("as much as a limit is: %d %s", answer.status, answer.text)
	}
}

func cancelAfterTheDeadline(t *testing.T) {
	clock := &clock{}
	simulator := start(t, sefin.Options{
		Options:  server.Options{Clock: clock.Now},
		Registry: sefin.Registry{CancelWithin: sefin.Duration(24 * time.Hour)},
	})
	c := newClient(t, simulator, sefin.Subject{TaxID: issuer})
	early, late := c.issued(c.dps(1)), c.issued(c.dps(2))
	clock.Advance(24 * time.Hour)
	if answer := c.cancel(early, c.eventRequest(early, "101101")); answer.status != http.StatusCreated {
		t.Errorf("at the deadline: %s", answer.text)
	}
	clock.Advance(time.Second)
	if answer := c.cancel(late, c.eventRequest(late, "101101")); answer.codes() != "E0822" {
		t.Errorf("after the deadline: %s", answer.text)
	}
	if answer := c.cancel(late, c.eventRequest(late, "101103")); answer.status != http.StatusCreated {
		t.Errorf("an analysis after the deadline: %s", answer.text)
	}
	if err := simulator.RegisterEvent(late, "105104"); err != nil || !simulator.Ledger()[1].Cancelled {
		t.Errorf("the analysis was granted: %v", err)
	}
}

func registerEventsOfOthers(t *testing.T) {
	simulator, c := startWithIssuer(t)
	key, replaced := c.issued(c.dps(1)), c.issued(c.dps(2))
	for _, kind := range []string{"105104", "105105", "305103", "205208", "467201", ""} {
		if err := simulator.RegisterEvent(key, kind); err == nil {
			t.Errorf("%q was registered", kind)
		}
	}
	if err := simulator.RegisterEvent("1", "305101"); err == nil {
		t.Error("an event of no note was registered")
	}
	for note, kind := range map[string]string{key: "305101", replaced: "105102"} {
		if err := simulator.RegisterEvent(note, kind); err != nil {
			t.Fatal(err)
		}
		if err := simulator.RegisterEvent(note, kind); err == nil {
			t.Error("a note was cancelled twice")
		}
	}
	for _, entry := range simulator.Ledger() {
		if !entry.Cancelled {
			t.Errorf("it is not cancelled: %+v", entry)
		}
	}
}

// checkDigit is the check digit of an access key, by its definition: weights 2 to 9 from the right, modulo 11.
func checkDigit(key string) string {
	sum := 0
	for i := range key {
		sum += int(key[len(key)-1-i]-'0') * (2 + i%8)
	}
	if rest := sum % 11; rest >= 2 {
		return string(rune('0' + 11 - rest))
	}
	return "0"
}
