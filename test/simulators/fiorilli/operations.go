package fiorilli

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/beevik/etree"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/xmltree"
)

var unsigned = refuse("E172", "Arquivo enviado com erro na assinatura.")

// issue answers recepcionarDps.
func (c *call) issue() answer {
	document := c.document("DPS")
	switch {
	case document == nil:
		return answer{fault: "Unmarshalling Error: Expected elements are <{" + sped + "}DPS>"}
	case document.SelectAttrValue("versao", "") != "1.01":
		return refuse("N13", "Versão do leiaute inválida. Utilize a versão '1.01'.")
	}
	judged := c.national.Judge(c.Call, sefin.Issue, c.cut("DPS"))
	if !judged.Done {
		return c.refused(judged)
	}
	said := answer{content: c.shown(judged.ID)}
	if c.behaviour.Alerts {
		said.messages = []message{{"A001", "Alíquota informada difere do cadastro."}}
	}
	return said
}

// cancel answers cancelarNFSe. Of the event that is made nothing is shown.
func (c *call) cancel() answer {
	document := c.document("pedRegEvento")
	switch {
	case document == nil || xmltree.TextAt(c.root, "IM") == "" || c.root.ChildElements()[0].Tag != "IM":
		return answer{fault: "Unmarshalling Error: IM, pedRegEvento"}
	case xmltree.At(document, "infPedReg") == nil,
		xmltree.At(document, "infPedReg").SelectAttrValue("xmlns", "") != sped,
		!bytes.Contains(c.cut("pedRegEvento"), []byte("http://www.w3.org/2001/10/xml-exc-c14n#")):
		return unsigned
	}
	judged := c.national.Judge(c.Call, sefin.Cancel, c.cut("pedRegEvento"))
	if !judged.Done {
		return c.refused(judged)
	}
	status := c.behaviour.Status
	if status == "" {
		status = "Cancelada"
	}
	return answer{content: "<status>" + escaped(status) + "</status>"}
}

// find answers consultarNfse.
func (c *call) find() answer {
	var names []string
	for _, child := range c.root.ChildElements() {
		names = append(names, child.Tag)
	}
	at := func(name string) string { return xmltree.TextAt(c.root, name) }
	switch {
	case slices.Contains(names, "ChaveNFSe"):
		if slices.Contains(names, "CNPJ") || slices.Contains(names, "CPF") {
			return refuse("N10", "CPF/CNPJ não deve ser informado com a chave.")
		}
		return c.ofLedger(func(e sefin.Entry) bool { return e.AccessKey == at("ChaveNFSe") })
	case !slices.Equal(names[min(1, len(names)):], []string{"IM", "NumeroDPS", "SerieDPS"}):
		return answer{fault: "Unmarshalling Error: ConsultarNfseEnvio"}
	}
	number, _ := strconv.ParseInt(at("NumeroDPS"), 10, 64)
	return c.ofLedger(func(e sefin.Entry) bool {
		return e.Issuer == at("CNPJ")+at("CPF") && e.Number == fmt.Sprint(number) &&
			strings.TrimLeft(e.Series, "0") == at("SerieDPS")
	})
}

// ofLedger shows the note that is asked for.
func (c *call) ofLedger(is func(sefin.Entry) bool) answer {
	hidden, hides := c.Faults.Find(sefin.Hide)
	for _, one := range c.national.Ledger() {
		late := hides && c.Now.Before(one.IssuedAt.Add(time.Duration(hidden.Delay)))
		if is(one) && !late {
			return answer{content: "<ListaNFSe>" + c.shown(one.DPSID) + "</ListaNFSe>"}
		}
	}
	if c.behaviour.NotFound == "" {
		return answer{content: "<ListaNFSe/>"}
	}
	return refuse(c.behaviour.NotFound, "Nenhuma NFS-e encontrada.")
}

// shown is the note that was made of a DPS, with the event by which it was cancelled where that is shown.
func (c *call) shown(dpsID string) (content string) {
	if _, other := c.Faults.Find(sefin.OtherDocument); other {
		for _, one := range c.national.Ledger() {
			if one.DPSID != dpsID {
				dpsID = one.DPSID
				break
			}
		}
	}
	if _, missing := c.Faults.Find(sefin.MissingXML); missing {
		return ""
	}
	content = ofCity(c.national.NFSe(dpsID))
	if issued, found := c.national.Note(dpsID); found && c.behaviour.ShowsEvent {
		for _, one := range c.national.Events(issued.AccessKey) {
			content += ofCity(one)
		}
	}
	return content
}

// refused is why a document was refused.
func (c *call) refused(judged sefin.Judged) (said answer) {
	for _, one := range judged.Refused {
		switch one.Code {
		case "E0014":
			code := c.behaviour.ExistsCode
			if code == "" {
				code = "E10"
			}
			said.messages = append(said.messages, message{code, "DPS já informada."})
		case "E0714":
			said.messages = append(said.messages, unsigned.messages...)
		case "E0802":
			said.messages = append(said.messages, message{"E0840", one.Text})
		default:
			said.messages = append(said.messages, message{one.Code, one.Text})
		}
	}
	if len(said.messages) == 0 {
		return answer{fault: "Erro interno"}
	}
	return said
}

// document is the document of a message, where it is of the national namespace.
func (c *call) document(name string) *etree.Element {
	found := xmltree.At(c.root, name)
	if found == nil || found.NamespaceURI() != sped {
		return nil
	}
	return found
}

// cut is the document of a message, byte for byte.
func (c *call) cut(name string) []byte {
	from, end := bytes.Index(c.Body, []byte("<"+name+" ")), "</"+name+">"
	to := bytes.LastIndex(c.Body, []byte(end))
	if from < 0 || to < from {
		return nil
	}
	return c.Body[from : to+len(end)]
}

// ofCity is a document as a city makes it: by itself, in its own layout, transcribed, and unsigned.
func ofCity(document []byte) string {
	_, text, _ := strings.Cut(string(document), "?>")
	if at := strings.LastIndex(text, "<Signature "); at > strings.LastIndex(text, "</inf") {
		text = text[:at] + text[strings.LastIndex(text, "</"):]
	}
	text = strings.Replace(text, "<ambGer>2</ambGer>", "<ambGer>1</ambGer>", 1)
	return strings.Replace(text, "<tpEmis>1</tpEmis>", "<tpEmis>2</tpEmis>", 1)
}
