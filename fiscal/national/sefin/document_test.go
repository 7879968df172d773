package sefin

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/nfse/fact"
)

func TestDocument_Issued(t *testing.T) {
	document := xmlMember(nfseOf(accessKey, dpsID))
	twice := base64.StdEncoding.EncodeToString([]byte(packed(nfseOf(accessKey, dpsID))))
	capitals := strings.NewReplacer("idDps", "IdDps", "chaveAcesso", "ChaveAcesso", "nfseXml", "NfseXml")
	for name, body := range map[string]string{
		"as documented":                        successfully(accessKey, dpsID),
		"with a byte order mark":               "\ufeff" + successfully(accessKey, dpsID),
		"idDPS":                                issuedWith(`"idDPS":"`+dpsID+`"`, document),
		"capital letters":                      capitals.Replace(successfully(accessKey, dpsID)),
		"without an id":                        issuedWith(document),
		"null for an id":                       issuedWith(`"idDps":null`, document),
		"an empty list of errors":              issuedWith(`"erro":[]`, document),
		"null for errors":                      issuedWith(`"erros":null,"erro":null`, document),
		"an empty error":                       issuedWith(`"erro":{}`, document),
		"empty texts for errors":               issuedWith(`"erro":"","erros":[{"codigo":null,"descricao":""}]`, document),
		"a text for an error":                  issuedWith(`"erro":"x"`, document),
		"the same key twice":                   issuedWith(`"ChaveAcesso":"`+accessKey+`"`, document),
		"a list":                               `[` + successfully(accessKey, dpsID) + `]`,
		"a document in base64 twice":           issuedWith(`"nfseXmlGZipB64":"` + twice + `"`),
		"alerts":                               issuedWith(`"alertas":[{"codigo":"A1","descricao":"x"}]`, document),
		"unknown members":                      issuedWith(`"x":{"chaveAcesso":"1"},"y":[[[1]]],"":0`, document),
		"the document in the place of the DPS": successfully(accessKey, dpsID, "NFS"+accessKey),
		"no key":                               `{` + document + `}`,
		"null for a key":                       `{"chaveAcesso":null,` + document + `}`,
		"no environment":                       issuedWith(`"tipoAmbiente":0`, `"versaoAplicativo":null`, document),
		"an id in small letters":               issuedWith(`"idDps":"`+strings.ToLower(dpsID)+`"`, document),
	} {
		for _, status := range []int{200, 201} {
			answer := sent(t, answered(status, body))
			expect(t, name, answer, accepted, fact.Fact{})
			if answer.Document == nil || string(answer.Document.XML) != nfseOf(accessKey, dpsID) ||
				answer.Match != fiscal.MatchOurs || !answer.Alarm.None() || answer.Body != nil ||
				!answer.Reason.None() {
				t.Errorf("%s: %+v", name, answer)
			}
		}
	}
}

func TestDocument_IssuedAndUnread(t *testing.T) {
	good := nfseOf(accessKey, dpsID)
	zipped := mustDecode(packed(good))
	encoded := func(bytes []byte) string { return base64.StdEncoding.EncodeToString(bytes) }
	changed := func(old, new string) string { return packed(strings.Replace(good, old, new, 1)) }
	damaged := slices.Concat(zipped[:40], []byte("damage"), zipped[46:])
	for name, c := range map[string]struct {
		packed string
		reason fact.Code
	}{
		"no base64":              {"&&&", fact.DocumentNotBase64},
		"no gzip":                {encoded([]byte(good)), fact.DocumentNotBase64},
		"base64 thrice":          {encoded([]byte(encoded([]byte(packed(good))))), fact.DocumentNotGzip},
		"cut":                    {encoded(zipped[:len(zipped)/2]), fact.DocumentDamaged},
		"without its checksum":   {encoded(zipped[:len(zipped)-8]), fact.DocumentDamaged},
		"damaged":                {encoded(damaged), fact.DocumentDamaged},
		"half a header":          {encoded(zipped[:3]), fact.DocumentNotGzip},
		"no XML":                 {packed("hello"), fact.DocumentNotTheXML},
		"another document":       {packed("<evento/>"), fact.DocumentNotTheXML},
		"another namespace":      {packed(strings.ReplaceAll(good, schema.Namespace, "urn:x")), fact.DocumentNotTheXML},
		"half of the XML":        {packed(good[:len(good)-9]), fact.DocumentNotTheXML},
		"more than one document": {packed(good + "<x/>"), fact.DocumentGoesOn},
		"Latin-1":                {changed("utf-8", "iso-8859-1"), fact.DocumentNotTheXML},
		"no number":              {changed("<nNFSe>12</nNFSe>", ""), fact.NFSeNotOneNumber},
		"a number that is none":  {changed("<nNFSe>12<", "<nNFSe>doze<"), fact.NFSeNotOneNumber},
		"two numbers": {changed("<nNFSe>12</nNFSe>", "<nNFSe>12</nNFSe><nNFSe>13</nNFSe>"),
			fact.NFSeNotOneNumber},
		"two infNFSe": {changed("<infNFSe", "<infNFSe></infNFSe><infNFSe"), fact.NFSeNotOneInf},
		"two infDPS":  {changed("<infDPS", "<infDPS></infDPS><infDPS"), fact.NFSeNotOneDPS},
		"two digests": {changed("<DigestValue>", "<DigestValue></DigestValue><DigestValue>"),
			fact.NFSeNotOneDPS},
		"no moment":               {packed(strings.Replace(good, "dhProc>", "dhX>", 2)), fact.NFSeNotOneMoment},
		"a moment that is none":   {changed("2026-11-21T09:00:00-03:00", "21/11/2026"), fact.NFSeMomentNoDate},
		"elements without an end": {packed(strings.Repeat("<a>", 1<<16)), fact.DocumentTooDeep},
		"an entity of its own": {packed(`<!DOCTYPE a [<!ENTITY b "c">]>` +
			strings.Replace(good, ">12<", ">&b;<", 1)), fact.DocumentNotTheXML},
	} {
		answer := sent(t, answered(201, issuedWith(`"nfseXmlGZipB64":"`+c.packed+`"`)))
		expect(t, name, answer, accepted, fact.Fact{})
		if why, _ := answer.Reason.Arguments["why"].(fact.Fact); !answer.Reason.Is(fact.SefinDocumentUnread) ||
			!why.Is(c.reason) {
			t.Errorf("%s: %s", name, answer.Reason)
		}
		document := answer.Document
		if document == nil || document.AccessKey != accessKey || *document.Authorization.AccessKey != accessKey ||
			document.XML != nil || document.Digest != "" || answer.Match != fiscal.MatchUnclear || answer.Body == nil {
			t.Errorf("%s: %+v %+v", name, answer, document)
		}
	}
}

// Whose document exists is told by the digest of its DPS and, for a message that
// was lost, by the correlation id.
func TestDocument_Match(t *testing.T) {
	good := nfseOf(accessKey, dpsID)
	foreign := strings.Replace(good, digest, "AAAA", 1)
	withID := func(document, id string) string {
		return strings.Replace(document, "<nDPS>42</nDPS>",
			"<serv><cServ><cIntContrib>"+id+"</cIntContrib></cServ></serv>", 1)
	}
	signature := signatureOf(dpsID, digest)
	for name, c := range map[string]struct {
		document string
		match    fiscal.Match
	}{
		"our digest": {good, fiscal.MatchOurs},
		"our digest in lines": {strings.Replace(good, digest, digest[:20]+"\n\t"+digest[20:], 1),
			fiscal.MatchOurs},
		"our digest, another's id":   {withID(good, "theirs"), fiscal.MatchOurs},
		"another digest":             {foreign, fiscal.MatchForeign},
		"another digest and id":      {withID(foreign, "theirs"), fiscal.MatchForeign},
		"another digest, and our id": {withID(foreign, "ours"), fiscal.MatchUnclear},
		"no signature":               {strings.Replace(good, signature, "", 1), fiscal.MatchUnclear},
		"no signature, and another's id": {withID(strings.Replace(good, signature, "", 1), "theirs"),
			fiscal.MatchUnclear},
	} {
		answer := sent(t, answered(201, issuedWith(xmlMember(c.document))))
		expect(t, name, answer, accepted, fact.Fact{})
		if answer.Match != c.match || answer.Document.XML == nil {
			t.Errorf("%s: it is %q, not %q", name, answer.Match, c.match)
		}
	}
}

func TestDocument_AnotherOne(t *testing.T) {
	good := nfseOf(accessKey, dpsID)
	wrongDigit := accessKey[:49] + string('0'+(accessKey[49]-'0'+1)%10)
	for name, body := range map[string]string{
		"another id, and no document": issuedWith(`"idDps":"`+otherID+`"`, `"nfseXmlGZipB64":null`),
		"another document's id":       issuedWith(`"idDps":"NFS` + sameIssuers + `"`),
		"another document":            successfully(accessKey, otherID),
		"two ids":                     issuedWith(`"idDps":"`+dpsID+`","idDPS":"`+otherID+`"`, `"nfseXmlGZipB64":""`),
		"two keys":                    issuedWith(`"ChaveAcesso":"` + sameIssuers + `"`),
		"a key of another issuer":     `{"chaveAcesso":"` + strangerKey + `"}`,
		"a key with a wrong digit":    `{"chaveAcesso":"` + wrongDigit + `"}`,
		"a key of another city":       `{"chaveAcesso":"` + newKey("3550308"+accessKey[7:]) + `"}`,
		"half a key":                  `{"chaveAcesso":"` + accessKey[:25] + `"}`,
		"a key that is a number":      `{"chaveAcesso":12345}`,
		"a document of another DPS":   issuedWith(xmlMember(nfseOf(accessKey, otherID))),
		"two documents":               issuedWith(`"nfseXmlGZipB64":"a"`, `"NfseXmlGZipB64":"b"`),
		"a list of two": `[` + successfully(accessKey, dpsID) + `,` + successfully(sameIssuers, dpsID) +
			`]`,
		"a document without its Id":  issuedWith(xmlMember(strings.Replace(good, ` Id="NFS`+accessKey+`"`, "", 1))),
		"a DPS in it without its Id": issuedWith(xmlMember(strings.Replace(good, ` Id="`+dpsID+`"`, "", 1))),
	} {
		answer := sent(t, answered(201, body))
		expect(t, name, answer, unknown, fact.Fact{})
		if answer.Alarm.None() || answer.Document != nil || len(answer.Body) == 0 {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	// What is no id of a DPS has no key of its own.
	short := fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{{ID: "DPS1"}}}
	answer := interpretSent(answered(201, successfully(accessKey, "DPS1")), newClient(t).subjectOf(short))
	if answer.Outcome != unknown || answer.Alarm.None() {
		t.Errorf("%+v", answer)
	}
}

// The document is fetched by an access key that the answer to the message has named too, no matter what becomes of
// the question by the DPS; only the document counts.
func TestDocument_FindByKnownKey(t *testing.T) {
	t.Parallel()
	none := `{"tipoAmbiente":0,"dataHoraProcessamento":"x","erro":{"codigo":"E2404"}}`
	for name, c := range map[string]struct {
		status    int    // of the question by the DPS
		dps, nfse string // what is answered
		outcome   fiscal.Outcome
	}{
		"a fault":            {500, ``, successfully(accessKey, dpsID), accepted},
		"nothing by the DPS": {404, none, successfully(accessKey, dpsID), accepted},
		"another key by the DPS": {200, `{"chaveAcesso":"` + sameIssuers + `"}`, successfully(accessKey, dpsID),
			accepted},
		"nothing by either":           {404, none, none, notFound},
		"a fault, and another's":      {500, ``, successfully(accessKey, otherID), unknown},
		"nothing, and another's":      {404, none, successfully(accessKey, otherID), unknown},
		"a fault, and another's note": {500, ``, successfully(sameIssuers, dpsID), unknown},
	} {
		b := newBench(t)
		client := b.serve(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			switch r.URL.Path {
			case "/SefinNacional/dps/" + dpsID:
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.dps)
			case "/SefinNacional/nfse/" + accessKey:
				fmt.Fprint(w, c.nfse)
			default:
				w.WriteHeader(http.StatusInternalServerError)
			}
		})
		request := issuing
		request.AccessKey = accessKey
		answer := client.Find(t.Context(), b.access, request)
		expect(t, name, answer, c.outcome, fact.Fact{})
		if c.outcome == accepted && (answer.Match != fiscal.MatchOurs || answer.Document.AccessKey != accessKey) {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

// A key that SEFIN has named for the DPS is remembered while its document cannot be fetched: that nothing is found
// later is no word that nothing exists, and nothing is sent again.
func TestDocument_NamedAndNotFetched(t *testing.T) {
	t.Parallel()
	var asked int
	b := newBench(t)
	client := b.serve(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasPrefix(r.URL.Path, "/SefinNacional/nfse/"):
			w.WriteHeader(http.StatusInternalServerError)
		case asked == 0:
			asked++
			fmt.Fprint(w, `{"chaveAcesso":"`+accessKey+`"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"tipoAmbiente":2,"erro":{"codigo":"E2404"}}`)
		}
	})
	authority := fiscal.Capabilities{Queryable: true, NotFounds: 1}
	exchange := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.InDoubt, Ambiguous: true, SinceSent: time.Hour}
	request := issuing
	for range 3 {
		decision := exchange.AfterAsking(client.Find(t.Context(), b.access, request), authority)
		exchange = decision.Exchange
		request.AccessKey = exchange.AccessKey
		if exchange.State != fiscal.InDoubt || decision.Action != fiscal.Wait || exchange.AccessKey != accessKey {
			t.Errorf("it is %s, %s, its key %q", exchange.State, decision.Action, exchange.AccessKey)
		}
	}
}

// What an answer says against the document that it brings is a warning on record: the document counts.
func TestDocument_Contradicted(t *testing.T) {
	good := successfully(accessKey, dpsID)
	errors := strings.Replace(good, "{", `{"erros":[{"codigo":"E9999","descricao":"x"}],`, 1)
	for name, c := range map[string]struct {
		status int
		body   string
		member string
	}{
		"errors as well":          {201, errors, "E9999"},
		"a refusal":               {400, errors, "E9999"},
		"a fault":                 {500, good, "HTTP"},
		"the other environment's": {201, strings.Replace(good, `"tipoAmbiente":2`, `"tipoAmbiente":1`, 1), "tipoAmbiente"},
		"another key":             {201, issuedWith(xmlMember(nfseOf(sameIssuers, dpsID))), "chaveAcesso"},
		"a key that is none": {201, `{"chaveAcesso":"emitida",` + xmlMember(nfseOf(accessKey, dpsID)) + `}`,
			"chaveAcesso"},
		"two keys": {201, issuedWith(`"ChaveAcesso":"0"`, xmlMember(nfseOf(accessKey, dpsID))),
			"chaveAcesso"},
		"another DPS":              {201, successfully(accessKey, dpsID, otherID), "idDps"},
		"another's key for its Id": {201, successfully(accessKey, dpsID, "NFS"+sameIssuers), "chaveAcesso"},
	} {
		answer := sent(t, answered(c.status, c.body))
		expect(t, name, answer, accepted,
			fact.SefinContradictsItsDocument.With("member", c.member, "status", c.status))
		if !answer.Alarm.None() || answer.Document == nil || answer.Document.XML == nil ||
			answer.Match != fiscal.MatchOurs {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

// A refusal counts only where it is about what was sent.
func TestDocument_RefusalOfSomethingElse(t *testing.T) {
	for name, c := range map[string]struct {
		about   string
		outcome fiscal.Outcome
	}{
		"ours":                  {`"idDPS":"` + dpsID + `"`, rejected},
		"no word of what":       {`"idDPS":null`, rejected},
		"no environment":        {`"tipoAmbiente":0`, rejected},
		"another DPS":           {`"idDPS":"` + otherID + `"`, unknown},
		"another key":           {`"idDPS":"NFS` + accessKey + `"`, unknown},
		"another environment":   {`"tipoAmbiente":1`, unknown},
		"the same, as a text":   {`"tipoAmbiente":"1"`, unknown},
		"two, one of them ours": {`"idDPS":"` + dpsID + `","idDps":"` + otherID + `"`, unknown},
	} {
		answer := sent(t, answered(400, `{`+c.about+`,"erros":[{"Codigo":"E0712","Descricao":"Não"}]}`))
		expect(t, name, answer, c.outcome, fact.Fact{})
		if answer.Alarm.None() != (c.outcome == rejected) {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestDocument_Find(t *testing.T) {
	t.Parallel()
	type reply struct {
		status int
		body   string
	}
	key := `{"tipoAmbiente":2,"idDps":"` + dpsID + `","chaveAcesso":"` + accessKey + `"}`
	named := reply{200, key}
	keyless := `{` + xmlMember(nfseOf(accessKey, dpsID)) + `}`
	anotherXML := issuedWith(xmlMember(nfseOf(accessKey, otherID)))
	none := `{"tipoAmbiente":2,"versaoAplicativo":"x","erro":{"codigo":"E2404","descricao":"Não existe"}}`
	fault := `{"tipoAmbiente":2,"erros":[{"codigo":"RNG9999"}]}`
	unfetched := func(why fact.Fact) fact.Fact { return fact.SefinDocumentNotFetched.With("why", why) }
	unclear := func(status int) fact.Fact { return fact.SefinAnsweredUnclearly.With("status", status) }
	wordless := func(status int) fact.Fact { return fact.SefinAnsweredNothing.With("status", status) }
	coded := func(status int, code string) fact.Fact {
		return fact.SefinAnsweredCode.With("status", status, "code", code)
	}
	for name, c := range map[string]struct {
		dps, nfse, head reply
		outcome         fiscal.Outcome
		alarm           bool
		reason          fact.Fact
		read            bool // the document was
	}{
		"issued": {dps: named, nfse: reply{200, successfully(accessKey, dpsID)}, outcome: accepted, read: true},
		"issued, the document in the place of the DPS": {dps: reply{200, `{"idDps":"NFS` + accessKey + `"}`},
			nfse: reply{200, successfully(accessKey, dpsID)}, outcome: accepted, read: true},
		"issued, no id": {dps: reply{200, `{"tipoAmbiente":0,"chaveAcesso":"` + accessKey + `"}`},
			nfse: reply{200, successfully(accessKey, dpsID, "NFS"+accessKey)}, outcome: accepted, read: true},
		"issued, a bare key": {dps: reply{200, accessKey}, nfse: reply{200, keyless}, outcome: accepted, read: true},
		"issued, a quoted key": {dps: reply{200, `"` + accessKey + `"`}, nfse: reply{200, keyless}, outcome: accepted,
			read: true},
		"issued, a key with its prefix": {dps: reply{200, `NFS` + accessKey}, nfse: reply{200, keyless},
			outcome: accepted, read: true},
		"issued, and it comes with it": {dps: reply{200, successfully(accessKey, dpsID)}, outcome: accepted, read: true},
		"the key of another DPS": {dps: named, nfse: reply{200, successfully(accessKey, otherID)}, outcome: unknown,
			alarm: true, reason: fact.SefinDocumentOfAnotherDPS.Fact()},
		"issued, the document forbidden": {dps: named, nfse: reply{403, ``}, outcome: accepted,
			reason: fact.CertificateShutOut.With("status", 403)},
		"issued, the document a fault": {dps: named, nfse: reply{500, `<html>`}, outcome: accepted,
			reason: unfetched(fact.SefinAnsweredNoJSON.With("status", 500))},
		"issued, the document broken": {dps: named, nfse: reply{200, `{"nfseXmlGZipB64":"x"}`}, outcome: accepted,
			reason: fact.SefinDocumentUnread.With("why", fact.DocumentNotBase64.Fact())},
		"issued, the document without key": {dps: named, nfse: reply{200, keyless}, outcome: accepted, read: true},
		"another document's key": {dps: reply{200, `{"chaveAcesso":"` + strangerKey + `"}`},
			outcome: unknown, alarm: true},
		"another document's id": {dps: reply{200, successfully(accessKey, otherID)}, outcome: unknown,
			alarm: true},
		"another document under the key": {dps: named, nfse: reply{200, successfully(sameIssuers, dpsID)},
			outcome: unknown, alarm: true},
		"another XML under the key": {dps: named, nfse: reply{200, anotherXML}, outcome: unknown, alarm: true},
		"absent":                    {dps: reply{404, none}, outcome: notFound},
		"absent, without errors":    {dps: reply{404, `{"title":"Not Found","status":404}`}, outcome: notFound},
		"absent, without words":     {dps: reply{404, ``}, outcome: notFound},
		"a gateway that knows no such route": {dps: reply{404, `{"statusCode":404,"message":"Resource not found"}`},
			outcome: unknown, reason: unclear(404)},
		"a fault that says not found": {dps: reply{404, fault}, outcome: unknown, reason: coded(404, "RNG9999")},
		"a proxy's 404": {dps: reply{404, `<html>nginx</html>`}, outcome: unknown,
			reason: fact.SefinAnsweredNoJSON.With("status", 404)},
		"a 404 of maintenance": {dps: reply{404, `{"erro":{"codigo":"E1217"}}`}, outcome: unknown,
			reason: coded(404, "E1217")},
		"a 404 of another document": {dps: reply{404, `{"idDps":"` + otherID + `"}`}, outcome: unknown,
			alarm: true},
		"a 404 of another environment": {dps: reply{404, `{"tipoAmbiente":1}`}, outcome: unknown, alarm: true},
		"a 404 with a key":             {dps: reply{404, key}, outcome: unknown, reason: unclear(404)},
		"a refused question": {dps: reply{400, `{"erros":[{"codigo":"E0004"}]}`}, outcome: unknown,
			reason: coded(400, "E0004")},
		"a yes without a key": {dps: reply{200, `{"tipoAmbiente":2}`}, outcome: unknown,
			reason: unclear(200)},
		"a fault":            {dps: reply{500, ``}, outcome: unknown, reason: wordless(500)},
		"too many questions": {dps: reply{429, ``}, outcome: unknown, reason: wordless(429)},
		"a certificate that may not ask": {dps: reply{401, ``}, outcome: unknown,
			reason: fact.CertificateShutOut.With("status", 401)},
		"no certificate of nginx's taste": {dps: reply{495, `<html>nginx</html>`}, outcome: unknown,
			reason: fact.CertificateShutOut.With("status", 495)},
		"no certificate, and a page": {dps: reply{403, `<html>`}, head: reply{403, ``}, outcome: unknown,
			reason: fact.CertificateShutOut.With("status", 403)},
		"not an actor, and nothing exists": {dps: reply{403, `{}`}, head: reply{404, ``}, outcome: notFound},
		"not an actor, and it exists": {dps: reply{403, `{}`}, head: reply{200, ``}, outcome: unknown,
			alarm: true, reason: fact.SefinDocumentHidden.Fact()},
		"not an actor, and nobody knows": {dps: reply{403, `{"erros":[{"codigo":"E1203"}]}`}, head: reply{403, ``},
			outcome: unknown, reason: coded(403, "E1203")},
		"not an actor, and a proxy's answer": {dps: reply{403, `{}`}, head: reply{404, "html"}, outcome: unknown,
			reason: unclear(403)},
	} {
		b := newBench(t)
		client := b.serve(func(w http.ResponseWriter, r *http.Request) {
			say, want := c.dps, "GET /SefinNacional/dps/"+dpsID
			switch {
			case r.Method == http.MethodHead:
				say, want = c.head, "HEAD /SefinNacional/dps/"+dpsID
			case strings.HasPrefix(r.URL.Path, "/SefinNacional/nfse/"):
				say, want = c.nfse, "GET /SefinNacional/nfse/"+accessKey
			}
			if got := r.Method + " " + r.URL.String(); got != want || say.status == 0 {
				t.Errorf("%s: asked %s", name, got)
			}
			if w.Header().Set("Content-Type", "application/json"); strings.Contains(say.body, "html") {
				w.Header().Set("Content-Type", "text/html")
			}
			w.WriteHeader(max(say.status, 200))
			fmt.Fprint(w, say.body)
		})
		answer := client.Find(t.Context(), b.access, issuing)
		expect(t, name, answer, c.outcome, c.reason)
		if answer.Alarm.None() == c.alarm || (answer.Document != nil) != (c.outcome == accepted) {
			t.Errorf("%s: %+v", name, answer)
		}
		document := answer.Document
		if document != nil && ((document.XML != nil) != c.read || document.AccessKey != accessKey) {
			t.Errorf("%s: %+v", name, answer.Document)
		}
		if clean := c.read || c.outcome == notFound; clean && answer.Body != nil || clean != answer.Reason.None() {
			t.Errorf("%s: body %q, reason %q", name, answer.Body, answer.Reason)
		}
	}
}
