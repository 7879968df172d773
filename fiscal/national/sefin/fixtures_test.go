package sefin

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/schema"
	"emissor/nfse/fact"
)

const (
	dpsID   = "DPS330455721122233300018100001000000000000042"
	otherID = "DPS330455721122233300018100001000000000000043"
	digest  = "gOVddxIw60q1U0GaD9rqDncINSp+mdabvIC2VZnMX7U="
)

var (
	accessKey   = newKey("33045572211222333000181000000000001226111234567890")
	strangerKey = newKey("33045572244555666000181000000000001226111234567890")
	sameIssuers = newKey("33045572211222333000181000000000002226111234567890")

	message = fiscal.Message{ID: dpsID, Digest: digest,
		XML: []byte(`<?xml version="1.0" encoding="UTF-8"?><DPS>é</DPS>`)}
	messages   = []fiscal.Message{message}
	issuing    = fiscal.Request{Kind: fiscal.Issue, Messages: messages, CorrelationID: "ours"}
	cancelling = fiscal.Request{Kind: fiscal.Cancel, Messages: messages, CorrelationID: "ours", AccessKey: accessKey}
)

// newClient is one that nothing can be asked with, to read replies.
func newClient(t testing.TB) *Client {
	t.Helper()
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sent is the answer to a DPS that a reply is read as.
func sent(t testing.TB, reply reply) fiscal.Answer {
	t.Helper()
	return interpretSent(reply, newClient(t).subjectOf(issuing))
}

// sentCancel is the same of a request to cancel.
func sentCancel(t testing.TB, reply reply) fiscal.Answer {
	t.Helper()
	return interpretSent(reply, newClient(t).subjectOf(cancelling))
}

func answered(status int, body string) reply {
	return reply{Reply: mtls.Reply{Sent: true, Status: status, ContentType: "application/json; charset=utf-8",
		Body: []byte(body)}}
}

// newKey gives the first 49 characters of a key its check digit.
func newKey(like string) string {
	for digit := '0'; digit <= '9'; digit++ {
		if key := like[:49] + string(digit); schema.ValidAccessKey(key) {
			return key
		}
	}
	panic("no check digit fits " + like)
}

// successfully is the answer to a DPS that became a document. In the place of the Id of the DPS it may name
// something else, as SEFIN names the document.
func successfully(key, id string, named ...string) string {
	return fmt.Sprintf(`{"tipoAmbiente":2,"versaoAplicativo":"SefinNacional_1.6.0",`+
		`"dataHoraProcessamento":"2026-11-21T09:00:00-03:00",`+
		`"idDps":%q,"chaveAcesso":%q,"nfseXmlGZipB64":%q,"alertas":[]}`,
		append(named, id)[0], key, packed(nfseOf(key, id)))
}

// issuedWith is a success with other members.
func issuedWith(members ...string) string {
	return `{"chaveAcesso":"` + accessKey + `",` + strings.Join(members, ",") + `}`
}

// xmlMember is the member of an answer that has a document.
func xmlMember(document string) string { return `"nfseXmlGZipB64":"` + packed(document) + `"` }

// nfseOf is an NFS-e.
func nfseOf(key, id string) string {
	return `<?xml version="1.0" encoding="utf-8"?><NFSe versao="1.01" xmlns="` + schema.Namespace + `">` +
		`<infNFSe Id="NFS` + key + `"><nNFSe>12</nNFSe><cStat>100</cStat><dhProc>2026-11-21T09:00:00-03:00</dhProc>` +
		`<DPS xmlns="` + schema.Namespace + `" versao="1.01"><infDPS Id="` + id + `"><nDPS>42</nDPS></infDPS>` +
		signatureOf(id, digest) + `</DPS></infNFSe>` + signatureOf("NFS"+key, "AAAA") + `</NFSe>`
}

func signatureOf(id, digest string) string {
	return `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><Reference URI="#` + id + `">` +
		`<DigestValue>` + digest + `</DigestValue></Reference></SignedInfo></Signature>`
}

// eventOf is a registered event of a kind.
func eventOf(key, kind string) string {
	return `<?xml version="1.0" encoding="utf-8"?><evento xmlns="` + schema.Namespace + `" versao="1.01">` +
		`<infEvento Id="EVT` + key + kind +
		`001"><nSeqEvento>001</nSeqEvento><dhProc>2026-11-21T09:00:00-03:00</dhProc>` +
		`<pedRegEvento versao="1.01"><infPedReg Id="PRE` + key + kind + `"><chNFSe>` + key + `</chNFSe>` +
		`<e` + kind + `><xDesc>Cancelamento de NFS-e</xDesc></e` + kind +
		`></infPedReg></pedRegEvento></infEvento></evento>`
}

// packed is a document as it travels.
func packed(document string) string {
	body, err := pack("x", []byte(document))
	if err != nil {
		panic(err)
	}
	var read map[string]string
	if err := json.Unmarshal(body, &read); err != nil {
		panic(err)
	}
	return read["x"]
}

func mustDecode(text string) []byte {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return decoded
}

// expect wants an outcome, and a reason unless that is none.
func expect(t testing.TB, name string, answer fiscal.Answer, outcome fiscal.Outcome,
	reason fact.Fact) {
	t.Helper()
	if answer.Outcome != outcome || !reason.None() && !answer.Reason.Equal(reason) {
		t.Errorf("%s: %s because %q, alarm %q; want %s because %q",
			name, answer.Outcome, answer.Reason, answer.Alarm, outcome, reason)
	}
	undecided := answer.Outcome == unknown || answer.Outcome == notDelivered
	if undecided && answer.Reason.None() {
		t.Errorf("%s: %s without a reason", name, answer.Outcome)
	}
	if (answer.Outcome == rejected) != (answer.Rejection != nil) ||
		answer.Outcome != accepted && (answer.EventXML != nil || answer.Document != nil || answer.Match != "") {
		t.Errorf("%s: %+v", name, answer)
	}
}
