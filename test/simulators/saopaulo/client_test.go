package saopaulo_test

import (
	"crypto"
	"crypto/rand"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/beevik/etree"

	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/simulatortest"
)

const (
	issuer       = "11222333000181"
	taker        = "11444777000161"
	registration = "31000000"
	namespace    = "http://www.prefeitura.sp.gov.br/nfe"
)

// morning is when the tests happen, for the simulator.
var morning = simulatortest.Morning

// clock stands still at morning, until it is advanced.
type clock = simulatortest.Clock

// start runs a simulator whose clock stands still.
func start(t *testing.T, options saopaulo.Options) *saopaulo.Simulator {
	t.Helper()
	if options.Clock == nil {
		options.Clock = new(clock).Now
	}
	simulator, err := saopaulo.Start(options)
	return simulatortest.Started(t, simulator, err)
}

// startWithIssuer runs a simulator, with the client of a company that issues.
func startWithIssuer(t *testing.T) (*saopaulo.Simulator, *client) {
	t.Helper()
	simulator := start(t, saopaulo.Options{})
	return simulator, newClient(t, simulator, saopaulo.Subject{TaxID: issuer})
}

// client is a company's: its certificate, and connections that present it.
type client struct {
	t           testing.TB
	simulator   *saopaulo.Simulator
	certificate *tls.Certificate
	http        *http.Client
	soap11      bool
}

func newClient(t testing.TB, simulator *saopaulo.Simulator, subject saopaulo.Subject) *client {
	t.Helper()
	certificate, err := simulator.NewCertificate(subject)
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, simulator, &certificate)
}

func connect(t testing.TB, simulator *saopaulo.Simulator, certificate *tls.Certificate) *client {
	presenting := simulatortest.Connect(t, simulator.Roots(), certificate)
	return &client{t: t, simulator: simulator, certificate: certificate, http: presenting}
}

// actions are the SOAPAction of operations, after what they have in common.
var actions = map[string]string{
	"EnvioRPS": "envioRPS", "EnvioLoteRPS": "envioLoteRPS", "TesteEnvioLoteRPS": "testeenvio",
	"ConsultaNFe": "consultaNFe", "ConsultaNFeEmitidas": "consultaNFeEmitidas",
	"CancelamentoNFe": "cancelamentoNFe", "ConsultaCNPJ": "consultaCNPJ",
}

func action(operation string) string { return namespace + "/ws/" + actions[operation] }

// sign signs with RSA-SHA1, in base64.
func (c *client) sign(text string) string {
	digest := sha1.Sum([]byte(text))
	value, err := c.certificate.PrivateKey.(crypto.Signer).Sign(rand.Reader, digest[:], crypto.SHA1)
	if err != nil {
		c.t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(value)
}

// signed is a message with its signature. What it holds is canonical as it is written.
func (c *client) signed(root, content string) string {
	return c.signedWithin("<"+root+` xmlns="`+namespace+`">`, "", content, "</"+root+">")
}

// prefixed is a signed message whose root has a prefix, as clients in use write it.
func (c *client) prefixed(prefix, root, content string) string {
	declared := " xmlns:" + prefix + `="` + namespace + `"`
	return c.signedWithin("<"+prefix+":"+root+declared+">", declared, strings.ReplaceAll(content, ` xmlns=""`, ""),
		"</"+prefix+":"+root+">")
}

// signedWithin is a signed message with its tags. What they declare for a prefix is a part of its SignedInfo too.
func (c *client) signedWithin(opening, declared, content, closing string) string {
	digest := sha1.Sum([]byte(opening + content + closing))
	const signature = `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">`
	const canonical = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	info := `<SignedInfo xmlns="http://www.w3.org/2000/09/xmldsig#"` + declared + `>`
	body := `<CanonicalizationMethod Algorithm="` + canonical + `"></CanonicalizationMethod>` +
		`<SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"></SignatureMethod>` +
		`<Reference URI=""><Transforms>` +
		`<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></Transform>` +
		`<Transform Algorithm="` + canonical + `"></Transform></Transforms>` +
		`<DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"></DigestMethod>` +
		`<DigestValue>` + base64.StdEncoding.EncodeToString(digest[:]) + `</DigestValue></Reference></SignedInfo>`
	return opening + content + signature + "<SignedInfo>" + body +
		"<SignatureValue>" + c.sign(info+body) + "</SignatureValue><KeyInfo><X509Data><X509Certificate>" +
		base64.StdEncoding.EncodeToString(c.certificate.Certificate[0]) +
		"</X509Certificate></X509Data></KeyInfo></Signature>" + closing
}

func header(more string) string {
	return `<Cabecalho xmlns="" Versao="2"><CPFCNPJRemetente><CNPJ>` + issuer + `</CNPJ></CPFCNPJRemetente>` +
		more + `</Cabecalho>`
}

// change is one text for another in an RPS.
type change struct{ from, to string }

// text is what Assinatura of rps signs, by the manual, for the client has its own.
func text(number int) string {
	return fmt.Sprintf("0000%s%-5s%012d20261120TNN%015d%015d029192%s", registration, "A", number, 150000, 0, taker)
}

// rps is an RPS of 1500.00, with changes that are made before the string is signed. What
// changes the string must say how.
func (c *client) rps(number int, signedText string, changes ...change) string {
	content := fmt.Sprintf(`<ChaveRPS><InscricaoPrestador>%s</InscricaoPrestador><SerieRPS>A</SerieRPS>`+
		`<NumeroRPS>%d</NumeroRPS></ChaveRPS><TipoRPS>RPS</TipoRPS><DataEmissao>2026-11-20</DataEmissao>`+
		`<StatusRPS>N</StatusRPS><TributacaoRPS>T</TributacaoRPS><ValorDeducoes>0</ValorDeducoes>`+
		`<ValorPIS>0</ValorPIS><ValorCOFINS>0</ValorCOFINS><ValorINSS>0</ValorINSS><ValorIR>0</ValorIR>`+
		`<ValorCSLL>0</ValorCSLL><CodigoServico>2919</CodigoServico><AliquotaServicos>0.029</AliquotaServicos>`+
		`<ISSRetido>false</ISSRetido><CPFCNPJTomador><CNPJ>%s</CNPJ></CPFCNPJTomador>`+
		`<RazaoSocialTomador>Cliente Exemplo SA</RazaoSocialTomador><EnderecoTomador>`+
		`<Logradouro>Rua das Flores</Logradouro><NumeroEndereco>100</NumeroEndereco><Bairro>Centro</Bairro>`+
		`<Cidade>3550308</Cidade><UF>SP</UF><CEP>1001000</CEP></EnderecoTomador>`+
		`<Discriminacao>Servico de suporte|Parcela 1</Discriminacao><ValorFinalCobrado>1500.00</ValorFinalCobrado>`+
		`<ValorIPI>0</ValorIPI><ExigibilidadeSuspensa>0</ExigibilidadeSuspensa>`+
		`<PagamentoParceladoAntecipado>0</PagamentoParceladoAntecipado><NBS>115022000</NBS>`+
		`<cLocPrestacao>3550308</cLocPrestacao><IBSCBS><finNFSe>0</finNFSe><indFinal>0</indFinal>`+
		`<cIndOp>100301</cIndOp><indDest>0</indDest><valores><trib><gIBSCBS><cClassTrib>000001</cClassTrib>`+
		`</gIBSCBS></trib></valores></IBSCBS>`, registration, number, taker)
	for _, change := range changes {
		if !strings.Contains(content, change.from) {
			c.t.Fatalf("the RPS has no %s", change.from)
		}
		content = strings.Replace(content, change.from, change.to, 1)
	}
	return `<RPS xmlns=""><Assinatura>` + c.sign(signedText) + `</Assinatura>` + content + `</RPS>`
}

// message is PedidoEnvioRPS of one RPS.
func (c *client) message(number int) string {
	return c.signed("PedidoEnvioRPS", header("")+c.rps(number, text(number)))
}

func (c *client) lot(more string, items ...string) string {
	head := fmt.Sprintf("<transacao>true</transacao><dtInicio>2026-11-20</dtInicio><dtFim>2026-11-20</dtFim>"+
		"<QtdRPS>%d</QtdRPS>", len(items))
	return c.signed("PedidoEnvioLoteRPS", header(head)+more+strings.Join(items, ""))
}

func rpsKey(number int) string {
	return fmt.Sprintf("<ChaveRPS><InscricaoPrestador>%s</InscricaoPrestador><SerieRPS>A</SerieRPS>"+
		"<NumeroRPS>%d</NumeroRPS></ChaveRPS>", registration, number)
}

func noteKey(number int) string { return noteKeyOf(registration, number) }

func noteKeyOf(registration string, number int) string {
	return fmt.Sprintf("<ChaveNFe><InscricaoPrestador>%s</InscricaoPrestador><NumeroNFe>%d</NumeroNFe></ChaveNFe>",
		registration, number)
}

// query is PedidoConsultaNFe of keys.
func (c *client) query(keys ...string) string {
	details := ""
	for _, key := range keys {
		details += `<Detalhe xmlns="">` + key + `</Detalhe>`
	}
	return c.signed("PedidoConsultaNFe", header("")+details)
}

// cancellation is PedidoCancelamentoNFe of a note, by a string of a width.
func (c *client) cancellation(number, width int) string {
	return c.cancellationBy(registration, number, fmt.Sprintf("%0*d%012d", width-12, 31000000, number))
}

// cancellationBy is one of a registration, by a string.
func (c *client) cancellationBy(registration string, number int, signed string) string {
	return c.signed("PedidoCancelamentoNFe", header("<transacao>true</transacao>")+`<Detalhe xmlns="">`+
		noteKeyOf(registration, number)+`<AssinaturaCancelamento>`+c.sign(signed)+`</AssinaturaCancelamento></Detalhe>`)
}

// siteNote is a note of 1.00 that is made by hand.
func siteNote(rpsNumber string) saopaulo.SiteNote {
	return saopaulo.SiteNote{
		Registration: registration, Series: "A", RPSNumber: rpsNumber, Issuer: issuer, AmountCents: 100,
		ServiceCode: "2919",
	}
}

// reply is a response, read.
type reply struct {
	status  int
	kind    string // Content-Type
	body    string
	retorno string // RetornoXML, once unescaped
	root    *etree.Element
}

func (c *client) envelope(operation, message string) string {
	soap := "http://www.w3.org/2003/05/soap-envelope"
	if c.soap11 {
		soap = "http://schemas.xmlsoap.org/soap/envelope/"
	}
	return `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="` + soap + `"><s:Body><` + operation +
		`Request xmlns="` + namespace + `"><VersaoSchema>2</VersaoSchema><MensagemXML><![CDATA[` + message +
		`]]></MensagemXML></` + operation + `Request></s:Body></s:Envelope>`
}

// headers returns the headers of the SOAP version.
func (c *client) headers(operation string) map[string]string {
	if c.soap11 {
		return map[string]string{
			"Content-Type": "text/xml; charset=utf-8", "SOAPAction": `"` + action(operation) + `"`,
		}
	}
	return map[string]string{"Content-Type": "application/soap+xml;charset=UTF-8", "SOAPAction": action(operation)}
}

// post sends an envelope, and may meet a cut connection.
func (c *client) post(envelope string, headers map[string]string) (reply, error) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), "POST", c.simulator.URL(), strings.NewReader(envelope))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}, err
	}
	read := reply{status: response.StatusCode, kind: response.Header.Get("Content-Type"), body: string(body)}
	read.parse()
	return read, nil
}

// parse reads the envelope and what is in it, as far as that can be read.
func (r *reply) parse() {
	outer, inner := etree.NewDocument(), etree.NewDocument()
	if outer.ReadFromString(r.body) != nil {
		return
	}
	if retorno := outer.FindElement("//RetornoXML"); retorno != nil {
		r.retorno = retorno.Text()
		if inner.ReadFromString(r.retorno) == nil {
			r.root = inner.Root()
		}
	}
}

func (c *client) try(operation, message string) (reply, error) {
	c.t.Helper()
	return c.post(c.envelope(operation, message), c.headers(operation))
}

func (c *client) send(operation, message string) reply {
	c.t.Helper()
	answer, err := c.try(operation, message)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

// issue sends an RPS that must be converted, and returns the number of its note.
func (c *client) issue(number int) string {
	c.t.Helper()
	answer := c.send("EnvioRPS", c.message(number))
	if !answer.succeeded() {
		c.t.Fatalf("the RPS was not converted: %d %s", answer.status, answer.body)
	}
	return answer.at("ChaveNFeRPS/ChaveNFe/NumeroNFe")
}

func (r reply) at(path string) string {
	if r.root == nil {
		return ""
	}
	if found := r.root.FindElement(path); found != nil {
		return found.Text()
	}
	return ""
}

func (r reply) succeeded() bool { return r.at("Cabecalho/Sucesso") == "true" }

// codes returns the codes of alerts and errors.
func (r reply) codes() string {
	var codes []string
	if r.root != nil {
		for _, event := range r.root.ChildElements() {
			if event.Tag == "Erro" || event.Tag == "Alerta" {
				codes = append(codes, event.SelectElement("Codigo").Text())
			}
		}
	}
	return strings.Join(codes, " ")
}
