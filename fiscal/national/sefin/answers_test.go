package national

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"emissor/fiscal"
)

// answered is a client that nothing can be asked with, to read replies.
func reader(t testing.TB) *client {
	t.Helper()
	c, err := newClient(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answered(status int, body string) reply {
	return reply{sent: true, status: status, contentType: "application/json; charset=utf-8", body: []byte(body)}
}

// issuedWith is a success with other members.
func issuedWith(members ...string) string {
	return `{"chaveAcesso":"` + accessKey + `",` + strings.Join(members, ",") + `}`
}

func TestEveryVariantOfSuccess(t *testing.T) {
	document := `"nfseXmlGZipB64":"` + packed(issuedXMLOf(accessKey, dpsID)) + `"`
	for name, body := range map[string]string{
		"as documented":              successfully(accessKey, dpsID),
		"with a byte order mark":     "\ufeff" + successfully(accessKey, dpsID),
		"idDPS":                      issuedWith(`"idDPS":"`+dpsID+`"`, document),
		"capital letters":            `{"IdDps":"` + dpsID + `","ChaveAcesso":"` + accessKey + `","NfseXmlGZipB64":"` + packed(issuedXMLOf(accessKey, dpsID)) + `"}`,
		"without an id":              issuedWith(document),
		"null for an id":             issuedWith(`"idDps":null`, document),
		"an empty list of errors":    issuedWith(`"erro":[]`, document),
		"null for errors":            issuedWith(`"erros":null,"erro":null`, document),
		"an empty error":             issuedWith(`"erro":{}`, document),
		"empty texts for errors":     issuedWith(`"erro":"","erros":[{"codigo":null,"descricao":""}]`, document),
		"a text for an error":        issuedWith(`"erro":"x"`, document),
		"the same key twice":         issuedWith(`"ChaveAcesso":"`+accessKey+`"`, document),
		"a list":                     `[` + successfully(accessKey, dpsID) + `]`,
		"a document in base64 twice": issuedWith(`"nfseXmlGZipB64":"` + base64.StdEncoding.EncodeToString([]byte(packed(issuedXMLOf(accessKey, dpsID)))) + `"`),
		"alerts":                     issuedWith(`"alertas":[{"codigo":"A1","descricao":"x"}]`, document),
		"unknown members":            issuedWith(`"x":{"chaveAcesso":"1"},"y":[[[1]]],"":0`, document),
	} {
		for _, status := range []int{200, 201} {
			answer := reader(t).readIssue(answered(status, body), dpsID)
			expect(t, name, answer, fiscal.Issued, "")
			if answer.Document == nil || string(answer.Document.XML) != issuedXMLOf(accessKey, dpsID) || answer.Alarm != "" || answer.Body != nil || answer.Reason != "" {
				t.Errorf("%s: %+v", name, answer)
			}
		}
	}
}

func TestAKeyWithoutADocumentIsIssued(t *testing.T) {
	good := issuedXMLOf(accessKey, dpsID)
	whole := packed(good)
	zipped, err := base64.StdEncoding.DecodeString(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ packed, reason string }{
		"none":                       {"", "is not base64"},
		"no base64":                  {"&&&", "is not base64"},
		"no gzip":                    {base64.StdEncoding.EncodeToString([]byte(good)), "is not base64"},
		"base64 thrice":              {base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(whole)))), "is not gzip"},
		"cut":                        {base64.StdEncoding.EncodeToString(zipped[:len(zipped)/2]), "cut or damaged"},
		"without its checksum":       {base64.StdEncoding.EncodeToString(zipped[:len(zipped)-8]), "cut or damaged"},
		"damaged":                    {base64.StdEncoding.EncodeToString(append(bytes.Clone(zipped[:40]), append([]byte("damage"), zipped[46:]...)...)), "cut or damaged"},
		"half a header":              {base64.StdEncoding.EncodeToString(zipped[:3]), "is not gzip"},
		"no XML":                     {packed("hello"), "is not the XML it should be"},
		"another document":           {packed("<evento/>"), "is not the XML it should be"},
		"another namespace":          {packed(strings.ReplaceAll(good, namespaceOfNFSe, "urn:x")), "is not the XML it should be"},
		"half of the XML":            {packed(good[:len(good)-9]), "is not the XML it should be"},
		"more than one document":     {packed(good + "<x/>"), "goes on after its end"},
		"Latin-1":                    {packed(strings.Replace(good, "utf-8", "iso-8859-1", 1)), "is not the XML it should be"},
		"no number":                  {packed(strings.Replace(good, "<nNFSe>12</nNFSe>", "", 1)), "nNFSe"},
		"a number that is none":      {packed(strings.Replace(good, "<nNFSe>12<", "<nNFSe>doze<", 1)), "nNFSe"},
		"two numbers":                {packed(strings.Replace(good, "<nNFSe>12</nNFSe>", "<nNFSe>12</nNFSe><nNFSe>13</nNFSe>", 1)), "nNFSe"},
		"two infNFSe":                {packed(strings.Replace(good, "<infNFSe", "<infNFSe></infNFSe><infNFSe", 1)), "not one infNFSe"},
		"two infDPS":                 {packed(strings.Replace(good, "<infDPS", "<infDPS></infDPS><infDPS", 1)), "not one DPS"},
		"two digests":                {packed(strings.Replace(good, "<DigestValue>", "<DigestValue></DigestValue><DigestValue>", 1)), "not one DPS"},
		"no moment":                  {packed(strings.Replace(good, "dhProc>", "dhX>", 2)), "dhProc"},
		"a moment that is none":      {packed(strings.Replace(good, "2026-11-21T09:00:00-03:00", "21/11/2026", 1)), "dhProc"},
		"elements without an end":    {packed(strings.Repeat("<a>", 1<<16)), "is not the XML it should be"},
		"an entity of its own":       {packed(`<!DOCTYPE a [<!ENTITY b "c">]>` + strings.Replace(good, ">12<", ">&b;<", 1)), "is not the XML it should be"},
		"larger than any document":   {bomb(), "larger than 50 MiB"},
		"larger, in several streams": {bombs(), "larger than 50 MiB"},
	} {
		answer := reader(t).readIssue(answered(201, issuedWith(`"nfseXmlGZipB64":"`+c.packed+`"`)), dpsID)
		expect(t, name, answer, fiscal.Issued, c.reason)
		document := answer.Document
		if document == nil || document.AccessKey != accessKey || *document.Authority.AccessKey != accessKey || document.XML != nil || document.ID != "" || document.Digest != "" || answer.Body == nil {
			t.Errorf("%s: %+v %+v", name, answer, document)
		}
	}
}

// bomb is a small text that would become larger than any document.
func bomb() string {
	var zipped bytes.Buffer
	writer := gzip.NewWriter(&zipped)
	for range maxDocument/(1<<20) + 1 {
		writer.Write(make([]byte, 1<<20))
	}
	writer.Close()
	return base64.StdEncoding.EncodeToString(zipped.Bytes())
}

func bombs() string {
	zipped, err := base64.StdEncoding.DecodeString(packed(strings.Repeat(" ", 10<<20)))
	if err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(bytes.Repeat(zipped, 6))
}

func TestUnpackIsTheOppositeOfPack(t *testing.T) {
	zipped, err := base64.StdEncoding.DecodeString(packed("<a>ação</a>"))
	if err != nil {
		t.Fatal(err)
	}
	twice := base64.StdEncoding.EncodeToString([]byte(packed("<a>ação</a>")))
	for name, text := range map[string]string{
		"once":             packed("<a>ação</a>"),
		"twice":            twice,
		"broken lines":     packed("<a>ação</a>")[:8] + "\r\n" + packed("<a>ação</a>")[8:] + "\n",
		"no padding":       strings.TrimRight(packed("<a>ação</a>"), "="),
		"bytes behind":     base64.StdEncoding.EncodeToString(append(bytes.Clone(zipped), "\x00\x00garbage"...)),
		"two gzip streams": base64.StdEncoding.EncodeToString(append(mustDecode(packed("<a>a")), mustDecode(packed("ção</a>"))...)),
	} {
		if document, err := unpack(text); err != nil || string(document) != "<a>ação</a>" {
			t.Errorf("%s: %q, %v", name, document, err)
		}
	}
	if _, err := unpack(base64.StdEncoding.EncodeToString([]byte(twice))); err == nil {
		t.Error("base64 is peeled three times")
	}
}

func mustDecode(text string) []byte {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return decoded
}

func TestAnAnswerAboutAnotherDocumentIsUnknownAndAlarms(t *testing.T) {
	wrongDigit := accessKey[:49] + string('0'+(accessKey[49]-'0'+1)%10)
	for name, body := range map[string]string{
		"another id":                 successfully(accessKey, otherID),
		"an id in small letters":     strings.Replace(successfully(accessKey, dpsID), `"`+dpsID, `"`+strings.ToLower(dpsID), 1),
		"two ids":                    issuedWith(`"idDps":"`+dpsID+`","idDPS":"`+otherID+`"`, `"nfseXmlGZipB64":""`),
		"two keys":                   issuedWith(`"ChaveAcesso":"` + sameIssuers + `"`),
		"a key of another issuer":    `{"chaveAcesso":"` + strangerKey + `"}`,
		"a key with a wrong digit":   `{"chaveAcesso":"` + wrongDigit + `"}`,
		"a key of another city":      `{"chaveAcesso":"` + newKey("3550308"+accessKey[7:]) + `"}`,
		"half a key":                 `{"chaveAcesso":"` + accessKey[:25] + `"}`,
		"a key that is a number":     `{"chaveAcesso":12345}`,
		"a document of another key":  issuedWith(`"nfseXmlGZipB64":"` + packed(issuedXMLOf(sameIssuers, dpsID)) + `"`),
		"a document of another DPS":  issuedWith(`"nfseXmlGZipB64":"` + packed(issuedXMLOf(accessKey, otherID)) + `"`),
		"two documents":              issuedWith(`"nfseXmlGZipB64":"a"`, `"NfseXmlGZipB64":"b"`),
		"a list of two":              `[` + successfully(accessKey, dpsID) + `,` + successfully(sameIssuers, dpsID) + `]`,
		"a document without its Id":  issuedWith(`"nfseXmlGZipB64":"` + packed(strings.Replace(issuedXMLOf(accessKey, dpsID), ` Id="NFS`+accessKey+`"`, "", 1)) + `"`),
		"a DPS in it without its Id": issuedWith(`"nfseXmlGZipB64":"` + packed(strings.Replace(issuedXMLOf(accessKey, dpsID), ` Id="`+dpsID+`"`, "", 1)) + `"`),
	} {
		answer := reader(t).readIssue(answered(201, body), dpsID)
		expect(t, name, answer, fiscal.Unknown, "")
		if answer.Alarm == "" || answer.Document != nil || len(answer.Body) == 0 {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	// What is no id of a DPS has no key of its own.
	if answer := reader(t).readIssue(answered(201, successfully(accessKey, "DPS1")), "DPS1"); answer.Outcome != fiscal.Unknown || answer.Alarm == "" {
		t.Errorf("%+v", answer)
	}
}

func TestIssuedWithSomethingToLookAt(t *testing.T) {
	for name, body := range map[string]string{
		"errors as well":          strings.Replace(successfully(accessKey, dpsID), "{", `{"erros":[{"codigo":"E9999","descricao":"x"}],`, 1),
		"the other environment's": strings.Replace(successfully(accessKey, dpsID), `"tipoAmbiente":2`, `"tipoAmbiente":1`, 1),
	} {
		answer := reader(t).readIssue(answered(201, body), dpsID)
		expect(t, name, answer, fiscal.Issued, "")
		if answer.Alarm == "" || answer.Document == nil || answer.Document.XML == nil || len(answer.Body) == 0 {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestEveryVariantOfRejection(t *testing.T) {
	for name, c := range map[string]struct {
		status        int
		body          string
		code, message string
		treatment     fiscal.Treatment
	}{
		"as documented":        {400, `{"tipoAmbiente":2,"idDPS":"` + dpsID + `","erros":[{"codigo":"E0015","descricao":"A data é posterior.","complemento":"dCompet"}]}`, "E0015", "A data é posterior.: dCompet", fiscal.Final},
		"one object":           {400, `{"erro":{"codigo":"E0015","descricao":"d"}}`, "E0015", "d", fiscal.Final},
		"one object, plural":   {400, `{"erros":{"codigo":"E0015","descricao":"d"}}`, "E0015", "d", fiscal.Final},
		"a list, singular":     {400, `{"erro":[{"codigo":"E0015","mensagem":"m","descricao":"d"}]}`, "E0015", "m: d", fiscal.Final},
		"capital letters":      {400, `{"Erros":[{"Codigo":"E0015","Descricao":"d","Complemento":"c"}]}`, "E0015", "d: c", fiscal.Final},
		"a list for a body":    {400, `[{"Codigo":"E0015","Descricao":"d"}]`, "E0015", "d", fiscal.Final},
		"an object for a body": {400, `{"codigo":"E0015","descricao":"d"}`, "E0015", "d", fiscal.Final},
		"a byte order mark":    {400, "\ufeff" + `{"erros":[{"codigo":"E0015","descricao":"d"}]}`, "E0015", "d", fiscal.Final},
		"an empty one first":   {400, `{"erros":[{},{"codigo":"E0015","descricao":"d"}]}`, "E0015", "d", fiscal.Final},
		"an unknown code":      {400, `{"erros":[{"codigo":"RNG9999","descricao":"d"}]}`, "RNG9999", "d", fiscal.Barred},
		"an odd code":          {400, `{"erros":[{"codigo":"x-1","descricao":"d"}]}`, "x-1", "d", fiscal.Final},
		"a number for a code":  {400, `{"erros":[{"codigo":17,"descricao":"d"}]}`, "17", "d", fiscal.Final},
		"no code":              {400, `{"erros":[{"mensagem":"m"}]}`, "HTTP400", "m", fiscal.Final},
		"no words":             {400, `{"erros":[{"codigo":"E0015"}]}`, "E0015", "", fiscal.Final},
		"the same words twice": {400, `{"erros":[{"codigo":"E0015","mensagem":"d","descricao":"d"}]}`, "E0015", "d", fiscal.Final},
		"on a fault":           {500, `{"erros":[{"codigo":"E1217","descricao":"Manutenção"}]}`, "E1217", "Manutenção", fiscal.TryLater},
		"on a forbidden one":   {403, `{"erros":[{"codigo":"E1203","descricao":"Vencido"}]}`, "E1203", "Vencido", fiscal.Certificate},
		"on a success":         {200, `{"erros":[{"codigo":"E0015","descricao":"d"}]}`, "E0015", "d", fiscal.Barred},
		"beside a gateway's":   {502, `{"erros":[{"codigo":"E0015","descricao":"d"}]}`, "E0015", "d", fiscal.Barred},
		"several":              {400, `{"erros":[{"codigo":"E0015","descricao":"d"},{"codigo":"E0240","descricao":"e","complemento":"f"}]}`, "E0015", "E0015: d; E0240: e: f", fiscal.Final},
		"a collision among several": {400, `{"erros":[{"codigo":"E1217","descricao":"b"},{"codigo":"E0008","descricao":"a"},{"codigo":"E0014","descricao":"c"}]}`,
			"E0014", "E1217: b; E0008: a; E0014: c", fiscal.Collision},
		"a pause among several":             {400, `{"erros":[{"codigo":"E0008"},{"codigo":"E1203"},{"codigo":"E1217"}]}`, "E1217", "E0008; E1203; E1217", fiscal.TryLater},
		"a certificate among several":       {400, `{"erros":[{"codigo":"E0008"},{"codigo":"E1203"}]}`, "E1203", "E0008; E1203", fiscal.Certificate},
		"a clock among several":             {400, `{"erros":[{"codigo":"E0015"},{"codigo":"E0008"}]}`, "E0008", "E0015; E0008", fiscal.RenderAgain},
		"a key that exists":                 {400, `{"chaveAcesso":"` + accessKey + `","erros":[{"codigo":"E0014","descricao":"d"}]}`, "E0014", "d", fiscal.Collision},
		"characters that no database takes": {400, `{"erros":[{"codigo":"E\u00000015","descricao":"a\u0000b\n\tc\ud800d"}]}`, "E0015", "ab cd", fiscal.Final},
	} {
		reply := answered(c.status, c.body)
		reply.retryIn = time.Minute
		answer := reader(t).readIssue(reply, dpsID)
		expect(t, name, answer, fiscal.Rejected, "")
		if answer.Rejection == nil {
			continue
		}
		if r := answer.Rejection; r.Code != c.code || r.Message != c.message || answer.Treatment != c.treatment || r.Source != "authority" || r.Explanation == "" || r.Action == "" {
			t.Errorf("%s: %s, %+v", name, answer.Treatment, r)
		}
		if answer.Document != nil || answer.RetryIn != time.Minute || string(answer.Body) != c.body {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestALongRejectionIsCut(t *testing.T) {
	body := `{"erros":[{"codigo":"E1235","descricao":"` + strings.Repeat("é", 20000) + `"}]}`
	answer := reader(t).readIssue(answered(400, body), dpsID)
	if message := answer.Rejection.Message; utf8.RuneCountInString(message) != maxMessage || !utf8.ValidString(message) {
		t.Errorf("%d characters", utf8.RuneCountInString(message))
	}
	if len(answer.Body) != maxKept {
		t.Errorf("%d bytes are kept", len(answer.Body))
	}
}

func TestAnotherLayoutIsAskedFor(t *testing.T) {
	complement := "The element 'infDPS' has invalid child element 'cLocEmi'. List of possible elements expected: 'cMotivoEmisTI, finNFSe'."
	for body, layout := range map[string]string{
		`{"erros":[{"codigo":"E1235","descricao":"d","complemento":"` + complement + `"}]}`:                    nextLayout,
		`{"erros":[{"codigo":"E0008"},{"codigo":"E1235","descricao":"d","complemento":"` + complement + `"}]}`: nextLayout,
		`{"erros":[{"codigo":"E0008"}]}`: "",
	} {
		answer := reader(t).readIssue(answered(400, body), dpsID)
		if answer.Outcome != fiscal.Rejected || answer.Treatment != fiscal.RenderAgain || answer.Layout != layout {
			t.Errorf("%s: %+v", body, answer)
		}
	}
	if answer := reader(t).readIssue(answered(400, `{"erros":[{"codigo":"E1235","complemento":"x"}]}`), dpsID); answer.Treatment != fiscal.Final || answer.Layout != "" {
		t.Errorf("%+v", answer)
	}
}

// None of these is the authority's no: something may exist.
func TestNotEveryErrorIsARejection(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"a fault without a code":         {500, `{"erros":[{"mensagem":"Internal error"}]}`},
		"a fault with a code of its own": {500, `{"erros":[{"codigo":"500","mensagem":"Internal error"}]}`},
		"a gateway's own":                {504, `{"erro":{"codigo":"GATEWAY_TIMEOUT","mensagem":"x"}}`},
		"a text":                         {400, `{"erro":"E0015: d"}`},
		"texts":                          {400, `{"erros":["E0015: d"]}`},
		"nothing":                        {400, `{"erros":[]}`},
		"words that are no list":         {400, `{"mensagem":"m"}`},
		"cut":                            {400, `{"erros":[{"codigo":"E0015","descricao":"d"}]`},
		"bytes behind":                   {400, `{"erros":[{"codigo":"E0015","descricao":"d"}]}x`},
		"a list of numbers":              {400, `[1,2]`},
		"a page":                         {400, `<html>E0015</html>`},
		"not found":                      {404, `{"erros":[{"mensagem":"m"}]}`},
		"accepted without a key":         {202, `{"erros":[{"mensagem":"m"}]}`},
	} {
		answer := reader(t).readIssue(answered(c.status, c.body), dpsID)
		expect(t, name, answer, fiscal.Unknown, fmt.Sprint(c.status))
		if answer.Alarm != "" || answer.Rejection != nil || string(answer.Body) != c.body {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	both := `{"chaveAcesso":"` + accessKey + `","erros":[{"codigo":"E0015","descricao":"d"}]}`
	if answer := reader(t).readIssue(answered(400, both), dpsID); answer.Outcome != fiscal.Unknown || answer.Alarm == "" || answer.Rejection != nil || answer.Treatment != "" {
		t.Errorf("a no with a key: %+v", answer)
	}
}

func TestFind(t *testing.T) {
	type answer struct {
		status int
		body   string
	}
	named := `{"tipoAmbiente":2,"idDps":"` + dpsID + `","chaveAcesso":"` + accessKey + `"}`
	none := answer{404, `{"tipoAmbiente":2,"versaoAplicativo":"x","erro":{"codigo":"E2404","descricao":"Não existe"}}`}
	for name, c := range map[string]struct {
		dps, nfse, head answer
		outcome         fiscal.Outcome
		alarm           bool
		reason          string
		read            bool // the document was
	}{
		"issued":                             {dps: answer{200, named}, nfse: answer{200, successfully(accessKey, dpsID)}, outcome: fiscal.Issued, read: true},
		"issued, the document forbidden":     {dps: answer{200, named}, nfse: answer{403, ``}, outcome: fiscal.Issued, reason: "could not be fetched: the authority answered 403"},
		"issued, the document a fault":       {dps: answer{200, named}, nfse: answer{500, `<html>`}, outcome: fiscal.Issued, reason: "could not be fetched"},
		"issued, the document broken":        {dps: answer{200, named}, nfse: answer{200, `{"nfseXmlGZipB64":"x"}`}, outcome: fiscal.Issued, reason: "is not base64"},
		"issued, the document without key":   {dps: answer{200, named}, nfse: answer{200, `{"nfseXmlGZipB64":"` + packed(issuedXMLOf(accessKey, dpsID)) + `"}`}, outcome: fiscal.Issued, read: true},
		"another document's key":             {dps: answer{200, `{"chaveAcesso":"` + strangerKey + `"}`}, outcome: fiscal.Unknown, alarm: true},
		"another document's id":              {dps: answer{200, successfully(accessKey, otherID)}, outcome: fiscal.Unknown, alarm: true},
		"another document under the key":     {dps: answer{200, named}, nfse: answer{200, successfully(sameIssuers, dpsID)}, outcome: fiscal.Unknown, alarm: true},
		"another XML under the key":          {dps: answer{200, named}, nfse: answer{200, issuedWith(`"nfseXmlGZipB64":"` + packed(issuedXMLOf(accessKey, otherID)) + `"`)}, outcome: fiscal.Unknown, alarm: true},
		"absent":                             {dps: none, outcome: fiscal.Absent},
		"absent, without errors":             {dps: answer{404, `{"title":"Not Found","status":404}`}, outcome: fiscal.Absent},
		"absent, without words":              {dps: answer{404, ``}, outcome: fiscal.Absent},
		"a gateway that knows no such route": {dps: answer{404, `{"statusCode":404,"message":"Resource not found"}`}, outcome: fiscal.Unknown, reason: "neither yes nor no"},
		"a fault that says not found":        {dps: answer{404, `{"tipoAmbiente":2,"erros":[{"codigo":"RNG9999"}]}`}, outcome: fiscal.Unknown, reason: "RNG9999"},
		"a proxy's 404":                      {dps: answer{404, `<html>nginx</html>`}, outcome: fiscal.Unknown, reason: "404"},
		"a 404 of maintenance":               {dps: answer{404, `{"erro":{"codigo":"E1217"}}`}, outcome: fiscal.Unknown, reason: "404 (E1217)"},
		"a 404 of another document":          {dps: answer{404, `{"idDps":"` + otherID + `"}`}, outcome: fiscal.Unknown, alarm: true},
		"a 404 of another environment":       {dps: answer{404, `{"tipoAmbiente":1}`}, outcome: fiscal.Unknown, alarm: true},
		"a 404 with a key":                   {dps: answer{404, named}, outcome: fiscal.Unknown, reason: "404"},
		"a refused question":                 {dps: answer{400, `{"erros":[{"codigo":"E0004","descricao":"d"}]}`}, outcome: fiscal.Unknown, reason: "400 (E0004)"},
		"a yes without a key":                {dps: answer{200, `{"tipoAmbiente":2}`}, outcome: fiscal.Unknown, reason: "neither yes nor no"},
		"a fault":                            {dps: answer{500, ``}, outcome: fiscal.Unknown, reason: "500"},
		"too many questions":                 {dps: answer{429, ``}, outcome: fiscal.Unknown, reason: "429"},
		"a certificate that may not ask":     {dps: answer{401, ``}, outcome: fiscal.Unknown, reason: "401"},
		"not an actor, and it exists":        {dps: answer{403, `{}`}, head: answer{200, ``}, outcome: fiscal.Unknown, alarm: true, reason: "may not see it"},
		"not an actor, and nothing exists":   {dps: answer{403, `{}`}, head: answer{404, ``}, outcome: fiscal.Absent},
		"not an actor, and nobody knows":     {dps: answer{403, `{"erros":[{"codigo":"E1203"}]}`}, head: answer{403, ``}, outcome: fiscal.Unknown, reason: "403 (E1203)"},
		"not an actor, and a proxy's answer": {dps: answer{403, `{}`}, head: answer{404, "html"}, outcome: fiscal.Unknown, reason: "403"},
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
		answer := client.find(t.Context(), b.session, dpsID)
		expect(t, name, answer, c.outcome, c.reason)
		if (answer.Alarm != "") != c.alarm || (answer.Document != nil) != (c.outcome == fiscal.Issued) {
			t.Errorf("%s: %+v", name, answer)
		}
		if answer.Document != nil && ((answer.Document.XML != nil) != c.read || answer.Document.AccessKey != accessKey) {
			t.Errorf("%s: %+v", name, answer.Document)
		}
		if clean := c.read || c.outcome == fiscal.Absent; clean && answer.Body != nil || clean == (answer.Reason != "") {
			t.Errorf("%s: body %q, reason %q", name, answer.Body, answer.Reason)
		}
	}
}

// A question without an answer is unknown, delivered or not.
func TestFindWithoutAnAnswer(t *testing.T) {
	b := newBench(t)
	answer := b.client("https://127.0.0.1:1").find(t.Context(), b.session, dpsID)
	expect(t, "refused", answer, fiscal.Unknown, "connection was refused")
	if cancelled := b.client("https://127.0.0.1:1").findCancellation(t.Context(), b.session, accessKey); cancelled.Outcome != fiscal.Unknown || cancelled.Reason == "" {
		t.Errorf("%+v", cancelled)
	}
}

func event(key, kind string) string {
	return `<?xml version="1.0" encoding="utf-8"?><evento xmlns="` + namespaceOfNFSe + `" versao="1.01"><infEvento Id="EVT` + key + kind + `001"><nSeqEvento>001</nSeqEvento><dhProc>2026-11-21T09:00:00-03:00</dhProc>` +
		`<pedRegEvento versao="1.01"><infPedReg Id="PRE` + key + kind + `"><chNFSe>` + key + `</chNFSe><e` + kind + `><xDesc>Cancelamento de NFS-e</xDesc></e` + kind + `></infPedReg></pedRegEvento></infEvento></evento>`
}

func expectCancel(t testing.TB, name string, answer fiscal.CancelAnswer, outcome fiscal.Outcome, alarm bool) {
	t.Helper()
	if answer.Outcome != outcome || (answer.Alarm != "") != alarm {
		t.Errorf("%s: %s because %q, alarm %q; want %s", name, answer.Outcome, answer.Reason, answer.Alarm, outcome)
	}
	if (answer.Outcome == fiscal.Unknown || answer.Outcome == fiscal.NotDelivered) && answer.Reason == "" {
		t.Errorf("%s: %s without a reason", name, answer.Outcome)
	}
	if (answer.Outcome == fiscal.Rejected) != (answer.Refusal != nil) || answer.Outcome != fiscal.Cancelled && answer.XML != nil {
		t.Errorf("%s: %+v", name, answer)
	}
}

func TestCancel(t *testing.T) {
	registered := func(document string) string {
		return `{"tipoAmbiente":2,"eventoXmlGZipB64":"` + packed(document) + `"}`
	}
	for name, c := range map[string]struct {
		status  int
		body    string
		outcome fiscal.Outcome
		alarm   bool
	}{
		"registered":              {201, registered(event(accessKey, "101101")), fiscal.Cancelled, false},
		"another document":        {201, registered(event(sameIssuers, "101101")), fiscal.Unknown, true},
		"another event":           {201, registered(event(accessKey, "101103")), fiscal.Unknown, true},
		"another Id":              {201, registered(strings.Replace(event(accessKey, "101101"), "EVT"+accessKey, "EVT"+sameIssuers, 1)), fiscal.Unknown, true},
		"two events":              {201, registered(strings.Replace(event(accessKey, "101101"), "<chNFSe>", "<chNFSe></chNFSe><chNFSe>", 1)), fiscal.Unknown, false},
		"two documents":           {201, `{"eventoXmlGZipB64":"a","EventoXmlGZipB64":"b"}`, fiscal.Unknown, true},
		"an XML that is unread":   {201, `{"eventoXmlGZipB64":"AAAA"}`, fiscal.Unknown, false},
		"no XML":                  {201, `{"tipoAmbiente":2}`, fiscal.Unknown, false},
		"refused":                 {400, `{"erro":{"codigo":"E0822","descricao":"Prazo"}}`, fiscal.Rejected, false},
		"refused, with an event":  {400, `{"eventoXmlGZipB64":"` + packed(event(accessKey, "101101")) + `","erro":{"codigo":"E0840"}}`, fiscal.Rejected, false},
		"turned away":             {401, ``, fiscal.NotDelivered, false},
		"too many":                {429, `<html>`, fiscal.NotDelivered, false},
		"a fault":                 {500, `{}`, fiscal.Unknown, false},
		"a fault in words":        {503, `<html>`, fiscal.Unknown, false},
		"the document is unknown": {404, ``, fiscal.Unknown, false},
	} {
		b := newBench(t)
		client := b.serve(func(w http.ResponseWriter, r *http.Request) {
			var sent map[string]string
			if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || len(sent) != 1 {
				t.Errorf("%s: %v", name, err)
			}
			if document, err := unpack(sent["pedidoRegistroEventoXmlGZipB64"]); err != nil || !bytes.Equal(document, rendering.XML) {
				t.Errorf("%s: %v", name, err)
			}
			if got := r.Method + " " + r.URL.String(); got != "POST /SefinNacional/nfse/"+accessKey+"/eventos" {
				t.Error(got)
			}
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		})
		answer := client.cancel(t.Context(), b.session, accessKey, rendering)
		expectCancel(t, name, answer, c.outcome, c.alarm)
		if answer.Outcome == fiscal.Cancelled && string(answer.XML) != event(accessKey, "101101") {
			t.Errorf("%s: %s", name, answer.XML)
		}
		if answer.Status != c.status {
			t.Errorf("%s: %d", name, answer.Status)
		}
	}
}

func TestARefusalToCancelIsInTheAuthoritysWordsAndOurs(t *testing.T) {
	answer := reader(t).readCancel(answered(400, `{"erro":[{"codigo":"E0840","descricao":"Já há evento.","complemento":"101101"}]}`), accessKey)
	refusal := answer.Refusal
	if answer.Outcome != fiscal.Rejected || answer.Treatment != fiscal.Barred || refusal.Code != "E0840" || refusal.Message != "Já há evento.: 101101" || refusal.Explanation == "" || refusal.Action == "" {
		t.Errorf("%+v %+v", answer, refusal)
	}
}

func TestFindCancellation(t *testing.T) {
	listed := func(key, kind, document string) string {
		twice := base64.StdEncoding.EncodeToString([]byte(packed(document)))
		return `{"eventos":[{"chaveAcesso":"` + key + `","tipoEvento":` + kind + `,"numeroPedidoRegistroEvento":1,"dataHoraRecebimento":"2026-11-21T09:00:00","arquivoXml":"` + twice + `"}]}`
	}
	good := event(accessKey, "101101")
	for name, c := range map[string]struct {
		status  int
		body    string
		outcome fiscal.Outcome
		alarm   bool
		read    bool
	}{
		"as documented":              {200, `{"eventoXmlGZipB64":"` + packed(good) + `"}`, fiscal.Cancelled, false, true},
		"as it comes":                {200, listed(accessKey, "101101", good), fiscal.Cancelled, false, true},
		"the type a text":            {200, listed(accessKey, `"e101101"`, good), fiscal.Cancelled, false, true},
		"capital letters":            {200, strings.NewReplacer("eventos", "Eventos", "arquivoXml", "ArquivoXml").Replace(listed(accessKey, "101101", good)), fiscal.Cancelled, false, true},
		"an XML that is unread":      {200, listed(accessKey, "101101", "x"), fiscal.Cancelled, false, false},
		"nothing but an unread XML":  {200, `{"eventos":[{"arquivoXml":"x"}]}`, fiscal.Unknown, false, false},
		"another event":              {200, listed(accessKey, "105102", event(accessKey, "105102")), fiscal.Unknown, true, false},
		"another document":           {200, listed(sameIssuers, "101101", event(sameIssuers, "101101")), fiscal.Unknown, true, false},
		"another document's XML":     {200, listed(accessKey, "101101", event(sameIssuers, "101101")), fiscal.Unknown, true, false},
		"another event's XML":        {200, listed(accessKey, "101101", event(accessKey, "101103")), fiscal.Unknown, true, false},
		"another document's answer":  {200, `{"chaveAcesso":"` + sameIssuers + `","eventoXmlGZipB64":"` + packed(good) + `"}`, fiscal.Unknown, true, false},
		"an empty list":              {200, `{"eventos":[]}`, fiscal.Absent, false, false},
		"an empty list of elsewhere": {200, `{"tipoAmbiente":1,"eventos":[]}`, fiscal.Unknown, true, false},
		"null":                       {200, `{"eventos":null}`, fiscal.Unknown, false, false},
		"nothing":                    {200, `{}`, fiscal.Unknown, false, false},
		"absent":                     {404, `{"tipoAmbiente":2}`, fiscal.Absent, false, false},
		"absent, without words":      {404, ``, fiscal.Absent, false, false},
		"a proxy's 404":              {404, `<html>`, fiscal.Unknown, false, false},
		"a 404 of elsewhere":         {404, `{"tipoAmbiente":1}`, fiscal.Unknown, true, false},
		"a 404 of maintenance":       {404, `{"erro":{"codigo":"E1217"}}`, fiscal.Unknown, false, false},
		"unprocessable":              {422, `{"erro":{"codigo":"E1"}}`, fiscal.Unknown, false, false},
		"a fault":                    {500, ``, fiscal.Unknown, false, false},
		"turned away":                {401, ``, fiscal.Unknown, false, false},
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
		answer := client.findCancellation(t.Context(), b.session, accessKey)
		expectCancel(t, name, answer, c.outcome, c.alarm)
		if (answer.XML != nil) != c.read || c.read && string(answer.XML) != good {
			t.Errorf("%s: %s", name, answer.XML)
		}
	}
}

// FuzzAnswer: whatever comes, nothing panics, and nothing is issued without an
// access key that is the document's.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{successfully(accessKey, dpsID), issuedWith(`"erro":[]`), `{"erros":[{"codigo":"E0014"}]}`, `[{"Codigo":"E1"}]`,
		`{"eventos":[{"chaveAcesso":"` + accessKey + `","tipoEvento":101101,"arquivoXml":"x"}]}`, `{"eventoXmlGZipB64":"` + packed(event(accessKey, "101101")) + `"}`, "\ufeff{}", "<html>", ""} {
		for _, status := range []int{200, 201, 400, 403, 404, 500} {
			f.Add(status, body)
		}
	}
	c := reader(f)
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, answer := range []fiscal.Answer{c.readIssue(answered(status, body), dpsID), c.readFind(answered(status, body), dpsID), c.readHead(answered(status, ""), answered(403, body))} {
			switch answer.Outcome {
			case fiscal.Issued:
				if answer.Document == nil || !matches(answer.Document.AccessKey, dpsID) {
					t.Errorf("issued: %+v", answer.Document)
				}
				c.readDocument(answered(status, body), answer, dpsID)
			case fiscal.Rejected:
				if answer.Rejection == nil || answer.Rejection.Code == "" || !utf8.ValidString(answer.Rejection.Message) || strings.ContainsRune(answer.Rejection.Message, 0) {
					t.Errorf("rejected: %+v", answer.Rejection)
				}
			case fiscal.Absent:
				if status != 404 {
					t.Errorf("absent by a %d", status)
				}
			case fiscal.Unknown, fiscal.NotDelivered:
				if answer.Reason == "" || answer.Document != nil {
					t.Errorf("%+v", answer)
				}
			default:
				t.Errorf("the outcome is %q", answer.Outcome)
			}
		}
		for _, answer := range []fiscal.CancelAnswer{c.readCancel(answered(status, body), accessKey), c.readFindCancellation(answered(status, body), accessKey)} {
			if answer.Outcome == fiscal.Cancelled && (status < 200 || status > 299 || !strings.Contains(body, "ivo") && !strings.Contains(strings.ToLower(body), "evento")) {
				t.Errorf("cancelled by %d %q", status, body)
			}
		}
	})
}
