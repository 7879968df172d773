package sefin_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"emissor/test/simulators/sefin"
)

// corrupted are the answers about one note, with a fault: to its issuing, to its
// cancellation, and to the query of that event.
type corrupted struct {
	entry                      sefin.Entry
	issued, cancelled, queried reply
}

func issueAndCancel(t *testing.T, simulator *sefin.Simulator, c *client, kind sefin.Kind) corrupted {
	t.Helper()
	number := len(simulator.Ledger())
	setFaults(t, simulator, sefin.Fault{Kind: kind})
	answers := corrupted{issued: c.issue(c.dps(number + 1))}
	answers.entry = simulator.Ledger()[number]
	key := answers.entry.AccessKey
	named := answers.issued.body["chaveAcesso"]
	if answers.issued.status != http.StatusCreated || named != key && kind != sefin.OtherDocument {
		t.Fatalf("%d %s", answers.issued.status, answers.issued.text)
	}
	answers.cancelled = c.cancel(key, c.eventRequest(key, "101101"))
	answers.queried = c.get("/nfse/" + key + "/eventos/101101/1")
	if answers.cancelled.status != http.StatusCreated || answers.queried.status != http.StatusOK {
		t.Fatalf("%d %s", answers.cancelled.status, answers.cancelled.text)
	}
	return answers
}

// packed are the documents of the answers, as they travel.
func (a corrupted) packed(t *testing.T) []any {
	t.Helper()
	event := a.queried.body["eventos"].([]any)[0].(map[string]any)
	once, _ := event["arquivoXml"].(string)
	inner, err := base64.StdEncoding.DecodeString(once)
	if err != nil {
		t.Fatal(err)
	}
	return []any{a.issued.body["nfseXmlGZipB64"], a.cancelled.body["eventoXmlGZipB64"], string(inner)}
}

// signedElements are what is signed in the documents of packed.
var signedElements = []string{"infNFSe", "infEvento", "infEvento"}

func TestCorruptDocument(t *testing.T) {
	simulator, c := startWithIssuer(t)
	t.Run("TruncatedGzip", func(t *testing.T) {
		for _, text := range issueAndCancel(t, simulator, c, sefin.TruncatedGzip).packed(t) {
			compressed, err := base64.StdEncoding.DecodeString(text.(string))
			if err != nil || len(compressed) < 20 || string(compressed[:2]) != "\x1f\x8b" {
				t.Errorf("%v", text)
			}
		}
	})
	t.Run("NotBase64", func(t *testing.T) {
		for _, text := range issueAndCancel(t, simulator, c, sefin.NotBase64).packed(t) {
			if _, err := base64.StdEncoding.DecodeString(text.(string)); err == nil {
				t.Errorf("%v", text)
			}
		}
	})
	t.Run("UnreadableXML", func(t *testing.T) {
		for _, text := range issueAndCancel(t, simulator, c, sefin.UnreadableXML).packed(t) {
			if document := unpack(t, text); strings.HasSuffix(document, ">") {
				t.Error(document)
			}
		}
	})
	t.Run("Bombs", func(t *testing.T) {
		for _, kind := range []sefin.Kind{sefin.ElementBomb, sefin.NestedBomb} {
			for _, text := range issueAndCancel(t, simulator, c, kind).packed(t) {
				compressed, err := base64.StdEncoding.DecodeString(text.(string))
				if err != nil || len(compressed) < 20<<10 || len(compressed) > 200<<10 {
					t.Errorf("%s: %d bytes, %v", kind, len(compressed), err)
				}
			}
		}
	})
	t.Run("MissingXML", func(t *testing.T) {
		answers := issueAndCancel(t, simulator, c, sefin.MissingXML)
		inEvent := strings.Contains(string(answers.queried.text), "arquivoXml")
		if answers.issued.body["nfseXmlGZipB64"] != nil || inEvent {
			t.Errorf("%s %s", answers.issued.text, answers.queried.text)
		}
	})
	t.Run("WrongSignature", func(t *testing.T) {
		for i, text := range issueAndCancel(t, simulator, c, sefin.WrongSignature).packed(t) {
			if verify(t, simulator, unpack(t, text), signedElements[i]) == nil {
				t.Errorf("the signature of document %d verifies", i)
			}
		}
	})
	t.Run("OtherDocument", func(t *testing.T) { otherDocument(t, simulator, c) })
}

func otherDocument(t *testing.T, simulator *sefin.Simulator, c *client) {
	answers := issueAndCancel(t, simulator, c, sefin.OtherDocument)
	notes := len(simulator.Ledger())
	key := answers.entry.AccessKey
	other := answers.issued.body["chaveAcesso"].(string)
	if other == key || checkDigit(other[:49]) != other[49:] || answers.issued.body["idDps"] == answers.entry.DPSID {
		t.Errorf("another document: %s", answers.issued.text)
	}
	if n := len(simulator.Ledger()); n != notes {
		t.Errorf("the ledger holds %d notes, not %d", n, notes)
	}
	schemas := []string{"NFSe_v1.01.xsd", "evento_v1.01.xsd", "evento_v1.01.xsd"}
	for i, text := range answers.packed(t) {
		document := unpack(t, text)
		if strings.Contains(document, key) {
			t.Errorf("document %d is about the same note", i)
		}
		if err := verify(t, simulator, document, signedElements[i]); err != nil {
			t.Errorf("the signature of document %d does not verify: %v", i, err)
		}
		if err := validate(t, schemas[i], document); err != nil {
			t.Errorf("document %d is not valid: %v", i, err)
		}
	}
}

func TestCorruptVariant(t *testing.T) {
	simulator, c := startWithIssuer(t)
	wrong := c.dps(1, change{"fiscal@example.com", "fiscal"}, change{"20040020", "01310100"})
	for name, test := range map[string]struct {
		variant, document string
		check             func(reply) bool
	}{
		"erro as an object": {sefin.ErroObject, wrong, func(r reply) bool {
			return r.body["erros"] == nil && r.codes() == "E0240"
		}},
		"erro as an array": {sefin.ErroArray, wrong, func(r reply) bool {
			return r.body["erros"] == nil && len(r.body["erro"].([]any)) == 2
		}},
		"erro as a string": {sefin.ErroString, wrong, func(r reply) bool {
			return fmt.Sprintf("%T", r.body["erro"]) == "string" && len(r.body) == 1
		}},
		"a list": {sefin.TopList, wrong, func(r reply) bool {
			return strings.HasPrefix(string(r.text), `[{"codigo":"E0240"`)
		}},
		"capitals": {sefin.Capitalised, wrong, func(r reply) bool {
			return r.body["Erros"].([]any)[0].(map[string]any)["Codigo"] == "E0240"
		}},
		"idDps where idDPS is usual": {sefin.SwappedID, wrong, func(r reply) bool {
			return r.body["idDps"] != nil && r.body["idDPS"] == nil
		}},
		"an empty erro": {sefin.EmptyErro, c.dps(2), func(r reply) bool {
			return r.status == 201 && len(r.body["erro"].([]any)) == 0 && r.body["chaveAcesso"] != nil
		}},
		"idDPS where idDps is usual": {sefin.SwappedID, c.dps(3), func(r reply) bool {
			return r.body["idDPS"] != nil && r.body["idDps"] == nil
		}},
		"capitals of success": {sefin.Capitalised, c.dps(4), func(r reply) bool {
			return r.body["ChaveAcesso"] != nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			setFaults(t, simulator, sefin.Fault{Kind: sefin.Variant, Variant: test.variant})
			if answer := c.issue(test.document); !test.check(answer) {
				t.Errorf("%d %s", answer.status, answer.text)
			}
		})
	}
	t.Run("of another fault", func(t *testing.T) {
		setFaults(t, simulator, sefin.Fault{Kind: sefin.Reject, Code: "E1217"},
			sefin.Fault{Kind: sefin.Variant, Variant: sefin.ErroArray})
		if answer := c.issue(c.dps(5)); answer.body["erro"].([]any)[0].(map[string]any)["codigo"] != "E1217" {
			t.Error(string(answer.text))
		}
	})
}
