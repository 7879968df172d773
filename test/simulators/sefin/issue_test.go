package sefin_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"emissor/test/simulators/sefin"
)

func TestIssue(t *testing.T) {
	t.Run("CanBeQueriedAfterwards", issueAndQuery)
	t.Run("OneNumberIssuesOnce", oneNumberIssuesOnce)
	t.Run("TheSeriesIsANumber", func(t *testing.T) { // 1 and 00001 are one
		_, c := startWithIssuer(t)
		c.issued(c.dps(1))
		if answer := c.issue(c.dps(1, change{"<serie>1<", "<serie>00001<"})); answer.codes() != "E0014" {
			t.Errorf("%d %s", answer.status, answer.text)
		}
	})
	t.Run("OfVersion1_00", func(t *testing.T) { // but for what only version 1.01 has
		_, c := startWithIssuer(t)
		old := func(document string) string { return strings.Replace(document, `versao="1.01"`, `versao="1.00"`, 1) }
		if answer := c.issue(old(c.dps(1, group("000", "000001")))); answer.codes() != "E0854" {
			t.Errorf("with IBSCBS: %s", answer.text)
		}
		if answer := c.issue(strings.Replace(c.dps(1), `versao="1.01"`, `versao="1.02"`, 1)); answer.codes() != "E1235" {
			t.Errorf("version 1.02: %s", answer.text)
		}
		c.issued(old(c.dps(1)))
		c.issued(c.dps(2, group("000", "000001")))
	})
	t.Run("ByWhoProvides", func(t *testing.T) { // and by nobody else
		simulator, c := startWithIssuer(t)
		for _, emitter := range []string{"2", "3"} {
			answer := c.issue(c.dps(1, change{"<tpEmit>1", "<tpEmit>" + emitter}))
			if answer.codes() != "E9996" || answer.status != http.StatusBadRequest {
				t.Errorf("%s: %d %s", emitter, answer.status, answer.text)
			}
		}
		abroad := change{"<prest><CNPJ>" + issuer + "</CNPJ>", "<prest><NIF>1</NIF>"}
		if answer := c.issue(c.dps(1, change{"<tpEmit>1", "<tpEmit>2"}, abroad)); answer.codes() != "E9996" {
			t.Errorf("for who is abroad: %d %s", answer.status, answer.text)
		}
		if n := len(simulator.Ledger()); n != 0 {
			t.Errorf("%d notes were issued", n)
		}
	})
	t.Run("ByAPerson", issueByPerson)
	t.Run("ByACNPJWithLetters", issueByAlphanumericCNPJ)
}

func issueAndQuery(t *testing.T) {
	simulator, c := startWithIssuer(t)
	document := c.dps(42)
	answer := c.issue(document)
	if answer.status != http.StatusCreated {
		t.Fatalf("issuing: %d %s", answer.status, answer.text)
	}
	key := answer.body["chaveAcesso"].(string)
	if len(key) != 50 || !strings.HasPrefix(key, "3304557"+"2"+"2"+issuer+"0000000000001"+"2611") {
		t.Errorf("access key %s", key)
	}
	id := "DPS33045572" + issuer + "00001000000000000042"
	if answer.body["idDps"] != "NFS"+key {
		t.Errorf("idDps %s", answer.body["idDps"])
	}
	nfse := unpack(t, answer.body["nfseXmlGZipB64"])
	if !strings.Contains(nfse, strings.TrimPrefix(document, declaration)) {
		t.Error("the NFS-e does not embed the DPS byte for byte")
	}
	if string(simulator.NFSe(key)) != nfse || string(simulator.NFSe(id)) != nfse {
		t.Error("NFSe returns another document")
	}

	found := c.get("/dps/" + id)
	if found.status != http.StatusOK || found.body["chaveAcesso"] != key || found.body["idDps"] != nil {
		t.Errorf("GET /dps: %d %s", found.status, found.text)
	}
	fetched := c.get("/nfse/" + key)
	if fetched.status != http.StatusOK || unpack(t, fetched.body["nfseXmlGZipB64"]) != nfse {
		t.Errorf("GET /nfse: %d %s", fetched.status, fetched.text)
	}
}

// Of documents with one number, sent together, exactly one is issued.
func oneNumberIssuesOnce(t *testing.T) {
	simulator, c := startWithIssuer(t)
	const numbers, senders = 10, 8
	var wait sync.WaitGroup
	codes := make(chan string, numbers*senders)
	for number := 1; number <= numbers; number++ {
		document := c.dps(number, change{"nota42", fmt.Sprint("nota", number)})
		other := c.dps(number, change{"1500.00", "1600.00"})
		for sender := range senders {
			wait.Go(func() {
				send := document
				if sender%2 == 1 {
					send = other
				}
				answer, err := c.post(send)
				if err != nil {
					t.Error(err)
				}
				codes <- answer.codes()
			})
		}
	}
	wait.Wait()
	close(codes)
	count := map[string]int{}
	for code := range codes {
		count[code]++
	}
	if count[""] != numbers || count["E0014"] != numbers*(senders-1) {
		t.Errorf("outcomes: %v", count)
	}
	seen := map[string]bool{}
	for _, entry := range simulator.Ledger() {
		seen[entry.DPSID] = true
	}
	if len(simulator.Ledger()) != numbers || len(seen) != numbers {
		t.Errorf("the ledger holds %d notes of %d documents", len(simulator.Ledger()), len(seen))
	}
	if n := len(simulator.Posts()); n != numbers*senders {
		t.Errorf("%d posts are on record", n)
	}
}

func issueByPerson(t *testing.T) {
	simulator := start(t, sefin.Options{})
	c := newClient(t, simulator, sefin.Subject{TaxID: person})
	by := func(cpf string) []change {
		return []change{
			{"DPS33045572" + issuer, "DPS33045571000" + cpf}, {"<CNPJ>" + issuer + "</CNPJ>", "<CPF>" + cpf + "</CPF>"},
		}
	}
	key := c.issued(c.dps(1, by(person)...))
	if !strings.HasPrefix(key, "330455721000"+person) {
		t.Errorf("access key %s", key)
	}
	simulator.SetRegistry(sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{person: {Since: "2026-11-22"}}})
	if answer := c.issue(c.dps(2, by(person)...)); answer.codes() != "E0020" {
		t.Errorf("before its registration: %s", answer.text)
	}
	if answer := c.issue(c.dps(3, by("52998224726")...)); answer.codes() != "E0718" {
		t.Errorf("a wrong CPF is of another issuer first: %s", answer.text)
	}
}

// A CNPJ with letters issues. Where its twelfth place is one, the published
// schema does not take its keys back: what is issued cannot be cancelled.
func issueByAlphanumericCNPJ(t *testing.T) {
	const letters = "12ABC34501DE35"
	simulator := start(t, sefin.Options{})
	c := newClient(t, simulator, sefin.Subject{TaxID: letters})
	key := c.issued(c.dps(1, change{issuer, letters}, change{"<CNPJ>" + issuer, "<CNPJ>" + letters}))
	if answer := c.get("/nfse/" + key); answer.status != http.StatusOK {
		t.Errorf("queried: %d %s", answer.status, answer.text)
	}
	request := c.eventRequest(key, "101101", change{"<CNPJAutor>" + issuer, "<CNPJAutor>" + letters})
	if answer := c.cancel(key, request); answer.codes() != "E1235" || !strings.Contains(string(answer.text), "chNFSe") {
		t.Errorf("cancelling: %d %s", answer.status, answer.text)
	}
	if err := validate(t, "NFSe_v1.01.xsd", string(simulator.NFSe(key))); err != nil {
		t.Error(err)
	}
	if err := validate(t, "pedRegEvento_v1.01.xsd", request); err == nil {
		t.Error("the official schema accepts the request")
	}
}
