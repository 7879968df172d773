package sefin_test

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/simulators/sefin"
)

func TestCancel(t *testing.T) {
	authority, c := shop(t)
	key := c.issued(c.dps(1))
	if answer := c.get("/nfse/" + key + "/eventos/101101/1"); answer.status != http.StatusNotFound || answer.body["erros"] != nil {
		t.Errorf("asked too early: %d %s", answer.status, answer.text)
	}
	request := c.request(key, "101101")
	answer := c.cancel(key, request)
	if answer.status != http.StatusCreated {
		t.Fatalf("cancelling: %d %s", answer.status, answer.text)
	}
	registered := unpack(t, answer.body["eventoXmlGZipB64"])
	if !strings.Contains(registered, strings.TrimPrefix(request, `<?xml version="1.0" encoding="UTF-8"?>`)) {
		t.Error("the event does not embed the request byte for byte")
	}

	asked := c.get("/nfse/" + key + "/eventos/101101/1")
	events, _ := asked.body["eventos"].([]any)
	if asked.status != http.StatusOK || len(events) != 1 {
		t.Fatalf("asked: %d %s", asked.status, asked.text)
	}
	event := events[0].(map[string]any)
	once, err := base64.StdEncoding.DecodeString(event["arquivoXml"].(string))
	if err != nil || unpack(t, string(once)) != registered || event["chaveAcesso"] != key || event["tipoEvento"] != "101101" {
		t.Errorf("the event that was asked for: %v", event)
	}

	if again := c.cancel(key, request); again.codes() != "E0802" || again.body["erro"] == nil {
		t.Errorf("the same again: %d %s", again.status, again.text)
	}
	if another := c.cancel(key, c.request(key, "101101", change{"Erro na emissao", "Outro motivo"})); another.codes() != "E0840" ||
		!strings.Contains(string(another.text), "o evento de Cancelamento de NFS-e já está vinculado") {
		t.Errorf("another request: %s", another.text)
	}
	if analysis := c.cancel(key, c.request(key, "101103")); analysis.codes() != "E0848" {
		t.Errorf("an analysis afterwards: %s", analysis.text)
	}
	entry := authority.Ledger()[0]
	if !entry.Cancelled || !slices.Equal(entry.Events, []string{"101101"}) {
		t.Errorf("the ledger says %+v", entry)
	}
}

func TestRulesOfACancellation(t *testing.T) {
	authority, c := shop(t)
	key := c.issued(c.dps(1))
	noTaker := c.issued(c.dps(2, change{"<CNPJ>" + taker + "</CNPJ>", "<cNaoNIF>1</cNaoNIF>"}))
	confirmed, analysed := c.issued(c.dps(3)), c.issued(c.dps(4))
	if err := authority.RegisterEvent(confirmed, "203202"); err != nil {
		t.Fatal(err)
	}
	c.cancel(analysed, c.request(analysed, "101103"))
	unknown := key[:40] + "0000000000"
	unknown = unknown[:49] + checkDigit(unknown[:49])
	other := newClient(t, authority, sefin.Subject{Document: taker})
	asTaker := change{"<CNPJAutor>" + issuer, "<CNPJAutor>" + taker}
	const asPerson = "<CPFAutor>" + person + "</CPFAutor>"
	human := newClient(t, authority, sefin.Subject{Document: person})

	for name, test := range map[string]struct {
		key, request string
		registry     sefin.Registry
		code         string
	}{
		"unsigned":            {key, strings.Split(c.request(key, "101101"), "<Signature")[0] + "</pedRegEvento>", sefin.Registry{}, "E1989"},
		"changed":             {key, strings.Replace(c.request(key, "101101"), "<cMotivo>1", "<cMotivo>2", 1), sefin.Registry{}, "E1980"},
		"another root":        {key, newClient(t, authority, sefin.Subject{Document: issuer, Foreign: true}).request(key, "101101"), sefin.Registry{}, "E1983"},
		"no otherName":        {key, newClient(t, authority, sefin.Subject{Document: issuer, Anonymous: true}).request(key, "101101"), sefin.Registry{}, "E1986"},
		"signed by another":   {key, other.request(key, "101101"), sefin.Registry{}, "E0812"},
		"asked by another":    {key, other.request(key, "101101", asTaker), sefin.Registry{}, "E0813"},
		"a person's, signed":  {key, c.request(key, "101101", change{"<CNPJAutor>" + issuer + "</CNPJAutor>", asPerson}), sefin.Registry{}, "E0815"},
		"asked by a person":   {key, human.request(key, "101101", change{"<CNPJAutor>" + issuer + "</CNPJAutor>", asPerson}), sefin.Registry{}, "E0816"},
		"a wrong Id":          {key, c.request(key, "101101", change{"101101\"", "101103\""}), sefin.Registry{}, "E1827"},
		"another note's":      {key, c.request(noTaker, "101101"), sefin.Registry{}, "E1827"},
		"production":          {key, c.request(key, "101101", change{"<tpAmb>2", "<tpAmb>1"}), sefin.Registry{}, "E1845"},
		"too early":           {key, c.request(key, "101101", change{"08:30:00-03:00", "09:00:01-03:00"}), sefin.Registry{}, "E1843"},
		"version 1.00":        {key, strings.Replace(c.request(key, "101101"), `versao="1.01"`, `versao="1.00"`, 1), sefin.Registry{}, "E1825"},
		"a short reason":      {key, c.request(key, "101101", change{"Erro na emissao da nota", "Erro"}), sefin.Registry{}, "E1235"},
		"another description": {key, c.request(key, "101101", change{"Cancelamento de NFS-e", "Cancelamento"}), sefin.Registry{}, "E1235"},
		"a DPS":               {key, c.dps(9), sefin.Registry{}, "E1242"},
		"an unknown note":     {unknown, c.request(unknown, "101101"), sefin.Registry{}, "E1831"},
		"above a limit":       {key, c.request(key, "101101"), sefin.Registry{CancelUpTo: 149_999}, "E0823"},
		"without a taker":     {noTaker, c.request(noTaker, "101101"), sefin.Registry{CancelNeedsTaker: true}, "E0824"},
		"confirmed":           {confirmed, c.request(confirmed, "101101"), sefin.Registry{}, "E0840"},
		"analysed":            {analysed, c.request(analysed, "101101"), sefin.Registry{}, "E0840"},
	} {
		t.Run(name, func(t *testing.T) {
			authority.SetRegistry(test.registry)
			if answer := c.cancel(test.key, test.request); answer.codes() != test.code || answer.status != http.StatusBadRequest {
				t.Errorf("%d %s, want %s", answer.status, answer.text, test.code)
			}
		})
	}
	authority.SetRegistry(sefin.Registry{CancelUpTo: 150_000, CancelNeedsTaker: true})
	if answer := c.cancel(key, c.request(key, "101101")); answer.status != http.StatusCreated {
		t.Errorf("as much as a limit is: %d %s", answer.status, answer.text)
	}
}

func TestCancellationDeadline(t *testing.T) {
	clock := &clock{}
	authority := start(t, sefin.Options{
		Clock: clock.now, Registry: sefin.Registry{CancelWithin: sefin.Duration(24 * time.Hour)},
	})
	c := newClient(t, authority, sefin.Subject{Document: issuer})
	early, late := c.issued(c.dps(1)), c.issued(c.dps(2))
	clock.advance(24 * time.Hour)
	if answer := c.cancel(early, c.request(early, "101101")); answer.status != http.StatusCreated {
		t.Errorf("at the deadline: %s", answer.text)
	}
	clock.advance(time.Second)
	if answer := c.cancel(late, c.request(late, "101101")); answer.codes() != "E0822" {
		t.Errorf("after the deadline: %s", answer.text)
	}
	if answer := c.cancel(late, c.request(late, "101103")); answer.status != http.StatusCreated {
		t.Errorf("an analysis after the deadline: %s", answer.text)
	}
	if err := authority.RegisterEvent(late, "105104"); err != nil || !authority.Ledger()[1].Cancelled {
		t.Errorf("the analysis was granted: %v", err)
	}
	if answer := c.issue(c.dps(3, replacing(early))); answer.codes() != "E0046 E0050" {
		t.Errorf("replacing what is cancelled: %s", answer.text)
	}
}

func TestReplacing(t *testing.T) {
	clock := &clock{}
	authority := start(t, sefin.Options{Clock: clock.now})
	c := newClient(t, authority, sefin.Subject{Document: issuer})
	me := []change{microOrSmall, simplified}
	key, byME := c.issued(c.dps(1)), c.issued(c.dps(2, me...))
	unknown := key[:40] + "000000000"
	refused := func(name, document, code string) {
		t.Helper()
		if answer := c.issue(document); answer.codes() != code {
			t.Errorf("%s: %s, want %s", name, answer.text, code)
		}
	}
	refused("a wrong key", c.dps(10, replacing(key[:49]+string('0'+(key[49]-'0'+1)%10))), "E0042")
	refused("an unknown note", c.dps(10, replacing(unknown+checkDigit(unknown))), "E0044")
	refused("no reason", c.dps(10, replacing(key), change{"<cMotivo>05", "<cMotivo>99"}), "E0078")
	refused("another service", c.dps(10, replacing(key), change{"010701", "010601"}), "E0060")
	refused("another amount of an ME", c.dps(10, append(me, replacing(byME), change{"1500.00", "1400.00"})...), "E0061")
	authority.SetRegistry(sefin.Registry{CancelWithin: sefin.Duration(time.Hour)})
	clock.advance(2 * time.Hour)
	refused("too late", c.dps(10, replacing(key)), "E0050")

	c.issued(c.dps(10, replacing(key), change{"<cMotivo>05", "<cMotivo>01"}))
	if entry := authority.Ledger()[0]; !slices.Equal(entry.Events, []string{"105102"}) || !entry.Cancelled {
		t.Errorf("the replaced note: %+v", entry)
	}
	if answer := c.cancel(key, c.request(key, "101101")); answer.codes() != "E0840" {
		t.Errorf("cancelling what was replaced: %s", answer.text)
	}
}

func TestRegisterEventRefuses(t *testing.T) {
	authority, c := shop(t)
	key := c.issued(c.dps(1))
	for _, kind := range []string{"101101", "105104", "105105", ""} {
		if err := authority.RegisterEvent(key, kind); err == nil {
			t.Errorf("%q was registered", kind)
		}
	}
	if err := authority.RegisterEvent("1", "305101"); err == nil {
		t.Error("an event of no note was registered")
	}
	if err := authority.RegisterEvent(key, "305101"); err != nil {
		t.Fatal(err)
	}
	if err := authority.RegisterEvent(key, "305101"); err == nil {
		t.Error("a note was cancelled twice")
	}
}

func TestDistribution(t *testing.T) {
	authority, c := shop(t)
	lot := func(c *client, path string) (status int, result string, documents []any) {
		t.Helper()
		answer := c.must("GET", authority.ADNURL()+path, nil)
		documents, _ = answer.body["LoteDFe"].([]any)
		result, _ = answer.body["StatusProcessamento"].(string)
		return answer.status, result, documents
	}
	if status, result, _ := lot(c, "/DFe/0"); status != http.StatusNotFound || result != "NENHUM_DOCUMENTO_LOCALIZADO" {
		t.Errorf("nothing yet: %d %s", status, result)
	}
	key := c.issued(c.dps(1))
	c.issued(c.dps(2))
	if err := authority.RegisterEvent(key, "305101"); err != nil {
		t.Fatal(err)
	}
	status, result, documents := lot(c, "/DFe/0?lote=true&cnpjConsulta="+issuer)
	if status != http.StatusOK || result != "DOCUMENTOS_LOCALIZADOS" || len(documents) != 3 {
		t.Fatalf("all: %d %s %d", status, result, len(documents))
	}
	last := documents[2].(map[string]any)
	if last["NSU"] != 3.0 || last["ChaveAcesso"] != key || last["TipoDocumento"] != "EVENTO" || last["TipoEvento"] != "CANCELAMENTO_POR_OFICIO" {
		t.Errorf("the last is %v", last)
	}
	if !strings.Contains(unpack(t, last["ArquivoXml"]), "<e305101>") {
		t.Error("the event does not come with its document")
	}
	if _, _, documents := lot(c, "/DFe/2"); len(documents) != 1 {
		t.Errorf("after 2: %d documents", len(documents))
	}
	if status, result, _ := lot(c, "/DFe/0?cnpjConsulta="+taker); status != http.StatusBadRequest || result != "REJEICAO" {
		t.Errorf("another company's: %d %s", status, result)
	}
	if status, _, documents := lot(c, "/NFSe/"+key+"/Eventos"); status != http.StatusOK || len(documents) != 1 {
		t.Errorf("the events of a note: %d, %d documents", status, len(documents))
	}
}

// checkDigit is that of an access key, by its definition: weights 2 to 9 from the
// right, modulo 11.
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
