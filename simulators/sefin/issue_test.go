package sefin_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/simulators/sefin"
)

func TestIssueAndAsk(t *testing.T) {
	authority := start(t, sefin.Options{})
	c := newClient(t, authority, sefin.Subject{Document: issuer})
	document := c.dps(42)
	answer := c.issue(document)
	if answer.status != http.StatusCreated {
		t.Fatalf("issuing: %d %s", answer.status, answer.text)
	}
	key := answer.body["chaveAcesso"].(string)
	if len(key) != 50 || !strings.HasPrefix(key, "3304557"+"2"+"2"+issuer+"0000000000001"+"2611") {
		t.Errorf("access key %s", key)
	}
	id := answer.body["idDps"].(string)
	if id != "DPS33045572"+issuer+"00001000000000000042" {
		t.Errorf("idDps %s", id)
	}
	nfse := unpack(t, answer.body["nfseXmlGZipB64"])
	if !strings.Contains(nfse, strings.TrimPrefix(document, `<?xml version="1.0" encoding="UTF-8"?>`)) {
		t.Error("the NFS-e does not embed the DPS byte for byte")
	}
	if string(authority.NFSe(key)) != nfse || string(authority.NFSe(id)) != nfse {
		t.Error("NFSe returns another document")
	}

	found := c.get("/dps/" + id)
	if found.status != http.StatusOK || found.body["chaveAcesso"] != key || found.body["idDps"] != id {
		t.Errorf("GET /dps: %d %s", found.status, found.text)
	}
	fetched := c.get("/nfse/" + key)
	if fetched.status != http.StatusOK || unpack(t, fetched.body["nfseXmlGZipB64"]) != nfse {
		t.Errorf("GET /nfse: %d %s", fetched.status, fetched.text)
	}
}
