package sefin_test

import (
	"bytes"
	"compress/gzip"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"emissor/simulators/sefin"
)

const (
	issuer = "11222333000181"
	taker  = "11444777000161"
	person = "52998224725"
)

// morning is when the tests happen, for the stand-in.
var morning = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// clock stands still at morning, until it is advanced.
type clock struct{ passed atomic.Int64 }

func (c *clock) now() time.Time          { return morning.Add(time.Duration(c.passed.Load())) }
func (c *clock) advance(d time.Duration) { c.passed.Add(int64(d)) }

// start runs a stand-in whose clock stands still.
func start(t *testing.T, options sefin.Options) *sefin.Authority {
	t.Helper()
	if options.Clock == nil {
		options.Clock = new(clock).now
	}
	authority, err := sefin.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = authority.Close() })
	return authority
}

// client is a company's: its certificate, and connections that present it.
type client struct {
	t           testing.TB
	authority   *sefin.Authority
	certificate *tls.Certificate
	http        *http.Client
}

func newClient(t testing.TB, authority *sefin.Authority, subject sefin.Subject) *client {
	t.Helper()
	certificate, err := authority.NewCertificate(subject)
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, authority, &certificate)
}

func connect(t testing.TB, authority *sefin.Authority, certificate *tls.Certificate) *client {
	config := &tls.Config{RootCAs: authority.Roots()}
	if certificate != nil {
		config.Certificates = []tls.Certificate{*certificate}
	}
	transport := &http.Transport{TLSClientConfig: config}
	t.Cleanup(transport.CloseIdleConnections)
	return &client{t, authority, certificate, &http.Client{Transport: transport}}
}

// reply is an answer, read.
type reply struct {
	status int
	header http.Header
	text   []byte
	body   map[string]any
}

func (c *client) do(method, url string, body any) (reply, error) {
	c.t.Helper()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(c.t.Context(), method, url, content)
	if err != nil {
		c.t.Fatal(err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}, err
	}
	read := reply{status: response.StatusCode, header: response.Header, text: text}
	_ = json.Unmarshal(text, &read.body) // what is no object stays in text
	return read, nil
}

func (c *client) must(method, url string, body any) reply {
	c.t.Helper()
	answer, err := c.do(method, url, body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

func (c *client) get(path string) reply {
	c.t.Helper()
	return c.must("GET", c.authority.URL()+path, nil)
}

func (c *client) issue(document string) reply {
	c.t.Helper()
	return c.must("POST", c.authority.URL()+"/nfse", map[string]any{"dpsXmlGZipB64": pack(document)})
}

func (c *client) cancel(key, request string) reply {
	c.t.Helper()
	return c.must("POST", c.authority.URL()+"/nfse/"+key+"/eventos", map[string]any{"pedidoRegistroEventoXmlGZipB64": pack(request)})
}

// issued issues a document that must pass, and returns its access key.
func (c *client) issued(document string) string {
	c.t.Helper()
	answer := c.issue(document)
	if answer.status != http.StatusCreated {
		c.t.Fatalf("the document was not issued: %d %s", answer.status, answer.text)
	}
	return answer.body["chaveAcesso"].(string)
}

// codes are those of erros or erro.
func (r reply) codes() string {
	var codes []string
	list, _ := r.body["erros"].([]any)
	if single, has := r.body["erro"].(map[string]any); has {
		list = []any{single}
	}
	for _, entry := range list {
		codes = append(codes, entry.(map[string]any)["codigo"].(string))
	}
	return strings.Join(codes, " ")
}

func (r reply) complement() string {
	text, _ := r.body["erros"].([]any)[0].(map[string]any)["complemento"].(string)
	return text
}

func pack(document string) string {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = io.WriteString(writer, document)
	_ = writer.Close()
	return base64.StdEncoding.EncodeToString(packed.Bytes())
}

func unpack(t *testing.T, packed any) string {
	t.Helper()
	text, isText := packed.(string)
	if !isText {
		t.Fatalf("no document: %v", packed)
	}
	compressed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	document, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(document)
}

// change replaces a piece of a document, which must be there.
type change struct{ from, to string }

// infDPS is what is signed of a valid DPS of the issuer, with changes.
func infDPS(t testing.TB, number int, changes ...change) string {
	t.Helper()
	text := fmt.Sprintf(`<infDPS Id="DPS33045572%s00001%015d"><tpAmb>2</tpAmb><dhEmi>2026-11-21T08:00:00-03:00</dhEmi>`+
		`<verAplic>test</verAplic><serie>1</serie><nDPS>%d</nDPS><dCompet>2026-11-21</dCompet><tpEmit>1</tpEmit><cLocEmi>3304557</cLocEmi>`+
		`<prest><CNPJ>%s</CNPJ><regTrib><opSimpNac>1</opSimpNac><regEspTrib>0</regEspTrib></regTrib></prest>`+
		`<toma><CNPJ>%s</CNPJ><xNome>Cliente &amp; Filhos LTDA</xNome><end><endNac><cMun>3304557</cMun><CEP>20040020</CEP></endNac>`+
		`<xLgr>Rua da Assembleia</xLgr><nro>10</nro><xBairro>Centro</xBairro></end><email>fiscal@example.com</email></toma>`+
		`<serv><locPrest><cLocPrestacao>3304557</cLocPrestacao></locPrest><cServ><cTribNac>010701</cTribNac>`+
		`<xDescServ>Suporte técnico &lt;mensal&gt;</xDescServ><cNBS>115013000</cNBS><cIntContrib>nota42</cIntContrib></cServ></serv>`+
		`<valores><vServPrest><vServ>1500.00</vServ></vServPrest><trib><tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>1</tpRetISSQN></tribMun>`+
		`<totTrib><pTotTrib><pTotTribFed>13.45</pTotTribFed><pTotTribEst>0.00</pTotTribEst><pTotTribMun>2.90</pTotTribMun></pTotTrib></totTrib></trib></valores></infDPS>`,
		issuer, number, number, issuer, taker)
	for _, c := range changes {
		if !strings.Contains(text, c.from) {
			t.Fatalf("the document does not hold %q", c.from)
		}
		text = strings.Replace(text, c.from, c.to, 1)
	}
	return text
}

// dps is a signed DPS.
func (c *client) dps(number int, changes ...change) string {
	c.t.Helper()
	return c.wrap("DPS", infDPS(c.t, number, changes...))
}

// request is a signed request for an event.
func (c *client) request(key, kind string, changes ...change) string {
	c.t.Helper()
	description := map[string]string{
		"101101": "Cancelamento de NFS-e", "101103": "Solicitação de Análise Fiscal para Cancelamento de NFS-e",
	}[kind]
	text := fmt.Sprintf(`<infPedReg Id="PRE%s%s"><tpAmb>2</tpAmb><verAplic>test</verAplic><dhEvento>2026-11-21T08:30:00-03:00</dhEvento>`+
		`<CNPJAutor>%s</CNPJAutor><chNFSe>%s</chNFSe><e%s><xDesc>%s</xDesc><cMotivo>1</cMotivo><xMotivo>Erro na emissao da nota</xMotivo></e%s></infPedReg>`,
		key, kind, issuer, key, kind, description, kind)
	for _, change := range changes {
		if !strings.Contains(text, change.from) {
			c.t.Fatalf("the request does not hold %q", change.from)
		}
		text = strings.Replace(text, change.from, change.to, 1)
	}
	return c.wrap("pedRegEvento", text)
}

// profile is how a document is signed.
type profile struct {
	canonical string
	hash      crypto.Hash
}

var usual = profile{"http://www.w3.org/TR/2001/REC-xml-c14n-20010315", crypto.SHA256}

func (c *client) wrap(root, signed string) string {
	return wrap(root, signed, c.signature(signed, usual))
}

func wrap(root, signed, signature string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><` + root + ` xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01">` +
		signed + signature + `</` + root + `>`
}

// signature signs text that is canonical as it is, but for its namespace.
func (c *client) signature(signed string, p profile) string {
	const namespace = ` xmlns="http://www.w3.org/2000/09/xmldsig#"`
	c.t.Helper()
	digestMethod, signatureMethod := "http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
	if p.hash == crypto.SHA1 {
		digestMethod, signatureMethod = "http://www.w3.org/2000/09/xmldsig#sha1", "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
	}
	id := strings.SplitN(signed, `"`, 3)[1]
	canonical := strings.Replace(signed, " Id=", ` xmlns="http://www.sped.fazenda.gov.br/nfse" Id=`, 1)
	info := `<SignedInfo` + namespace + `><CanonicalizationMethod Algorithm="` + p.canonical + `"></CanonicalizationMethod>` +
		`<SignatureMethod Algorithm="` + signatureMethod + `"></SignatureMethod><Reference URI="#` + id + `"><Transforms>` +
		`<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></Transform>` +
		`<Transform Algorithm="` + p.canonical + `"></Transform></Transforms><DigestMethod Algorithm="` + digestMethod + `"></DigestMethod>` +
		`<DigestValue>` + base64.StdEncoding.EncodeToString(digest(p.hash, canonical)) + `</DigestValue></Reference></SignedInfo>`
	value, err := rsa.SignPKCS1v15(rand.Reader, c.certificate.PrivateKey.(*rsa.PrivateKey), p.hash, digest(p.hash, info))
	if err != nil {
		c.t.Fatal(err)
	}
	return `<Signature` + namespace + `>` + strings.Replace(info, namespace, "", 1) +
		`<SignatureValue>` + base64.StdEncoding.EncodeToString(value) + `</SignatureValue><KeyInfo><X509Data><X509Certificate>` +
		base64.StdEncoding.EncodeToString(c.certificate.Certificate[0]) + `</X509Certificate></X509Data></KeyInfo></Signature>`
}

func digest(hash crypto.Hash, text string) []byte {
	if hash == crypto.SHA1 {
		sum := sha1.Sum([]byte(text))
		return sum[:]
	}
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
