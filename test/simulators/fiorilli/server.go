package fiorilli

import (
	"bytes"
	"encoding/xml"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/beevik/etree"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/xmltree"
)

const (
	namespace = "http://www.fiorilli.com.br/nfse-nacional"
	sped      = "http://www.sped.fazenda.gov.br/nfse"
)

// operation is one of the service's.
type operation struct {
	request, answer string
	scope           sefin.Scope
	serve           func(*call) answer
}

// operations are the operations of the service, by their action.
var operations = map[string]operation{
	"recepcionarDPS": {"RecepcionarDpsEnvio", "RecepcionarDpsResposta", sefin.Issue, (*call).issue},
	"consultarNfse":  {"ConsultarNfseEnvio", "ConsultarNfseResposta", sefin.Query, (*call).find},
	"cancelarNFSe":   {"CancelarNFSeEnvio", "CancelarNFSeResposta", sefin.Cancel, (*call).cancel},
}

// answer is what a call is answered with: its content and messages, or why the service fails.
type answer struct {
	content  string
	messages []message
	fault    string
}

// message is one by which the service says no, or warns.
type message struct{ code, text string }

func refuse(code, text string) answer { return answer{messages: []message{{code, text}}} }

// call is one request, and what is known of it while it is served.
type call struct {
	*server.Call
	operation
	behaviour Behaviour
	national  *sefin.Simulator
	root      *etree.Element // of the message, as RecepcionarDpsEnvio
}

// response is what will be sent.
type response struct {
	status int
	html   bool
	body   string
}

func page(status int) response { return response{status, true, server.Page(status)} }

// soapFault is an error of the service's, with its reason.
func soapFault(reason string) response {
	return response{http.StatusInternalServerError, false, enveloped("<soap:Fault><faultcode>soap:Server</faultcode>" +
		"<faultstring>" + escaped(reason) + "</faultstring></soap:Fault>")}
}

func enveloped(content string) string {
	return `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>` + content +
		`</soap:Body></soap:Envelope>`
}

// handle applies the fault profile to a request, before and after it is served.
func (s *Simulator) handle(national *sefin.Simulator, w http.ResponseWriter, r *http.Request) {
	c := &call{operation: operations[strings.Trim(r.Header.Get("SOAPAction"), `"`)], behaviour: s.Behaviour(),
		national: national}
	if c.Call = national.Receive(w, r, c.scope); c.Call == nil {
		return
	}
	answered, cut := c.respond()
	if cut != "" {
		fault.Cut(w, cut == sefin.Reset)
		return
	}
	w.Header().Set("Content-Type", "text/xml;charset=UTF-8")
	if answered.html {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	c.Answer(w, answered.status, []byte(answered.body))
}

// respond serves a request, unless a fault takes its place. It names the fault that cuts the
// connection, if one does.
func (c *call) respond() (answered response, cut sefin.Kind) {
	if picked, found := c.Faults.Replacing(false); found {
		return c.replaced(picked)
	}
	answered = c.served()
	if picked, found := c.Faults.Replacing(true); found {
		return c.replaced(picked)
	}
	return answered, ""
}

// replaced is the response that a fault puts in the place of the served one.
func (c *call) replaced(picked sefin.Fault) (response, sefin.Kind) {
	switch {
	case picked.Kind == sefin.Reject:
		return c.say(refuse(picked.Code, "Rejeição "+picked.Code+". "+picked.Complement)), ""
	case picked.Kind == sefin.Status && (picked.Status != http.StatusInternalServerError || picked.Body == "html"):
		return page(picked.Status), ""
	case picked.Kind == sefin.Status:
		return soapFault("Erro interno"), ""
	}
	return response{}, picked.Kind
}

// served does what is asked for: first what the front end checks, then SOAP, then the message.
func (c *call) served() response {
	media, _, _ := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	switch {
	case !c.national.Identified(c.Request):
		return page(http.StatusForbidden)
	case c.Request.Method != http.MethodPost:
		return page(http.StatusMethodNotAllowed)
	case media != "text/xml":
		return page(http.StatusUnsupportedMediaType)
	case c.serve == nil:
		return soapFault("The given SOAPAction does not match an operation.")
	}
	tree := etree.NewDocument()
	if tree.ReadFromBytes(c.Body) != nil || tree.Root() == nil || tree.Root().Tag != "Envelope" {
		return soapFault("Error reading XMLStreamReader")
	}
	if c.root = xmltree.At(tree.Root(), "Body/"+c.request); c.root == nil || c.root.NamespaceURI() != namespace {
		return soapFault("Message part was not recognized")
	}
	if !c.loggedIn() {
		return soapFault("Acesso negado: " + string(c.Body)) // which repeats what was sent
	}
	said := c.serve(c)
	if said.fault != "" {
		return soapFault(said.fault)
	}
	return c.say(said)
}

// loggedIn reports whether a message ends with a user and the password, where the city wants them, or has neither. It
// then goes on without them.
func (c *call) loggedIn() bool {
	user, password := xmltree.At(c.root, "username"), xmltree.At(c.root, "password")
	if c.behaviour.Password == "" || user == nil || password == nil {
		return c.behaviour.Password == "" && user == nil && password == nil
	}
	last := c.root.ChildElements()[len(c.root.ChildElements())-2:]
	matches := last[0] == user && last[1] == password && user.Text() != "" && password.Text() == c.behaviour.Password
	c.root.RemoveChild(user)
	c.root.RemoveChild(password)
	return matches
}

// say is the response of an answer.
func (c *call) say(said answer) response {
	var b strings.Builder
	b.WriteString(`<` + c.answer + ` xmlns="` + namespace + `">`)
	if c.scope != sefin.Query {
		b.WriteString("<DataRecebimento>" + c.Now.Format(time.RFC3339) + "</DataRecebimento>")
	}
	b.WriteString(said.content)
	if len(said.messages) > 0 {
		b.WriteString("<ListaMensagens>")
		for _, one := range said.messages {
			b.WriteString("<mensagem><Codigo>" + escaped(one.code) + "</Codigo><Mensagem>" + escaped(one.text) +
				"</Mensagem>")
			if c.behaviour.OfLot {
				b.WriteString("<IdDPS>DPS" + strings.Repeat("9", 42) + "</IdDPS>")
			}
			b.WriteString("</mensagem>")
		}
		b.WriteString("</ListaMensagens>")
	}
	body := enveloped(b.String() + "</" + c.answer + ">")
	if _, found := c.Faults.Find(sefin.UnreadableXML); found {
		body = body[:len(body)/2]
	}
	return response{http.StatusOK, false, body}
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}
