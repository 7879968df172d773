package issnet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/xmltree"
)

// findDPS answers ConsultarNfseDps.
func (s *Simulator) findDPS(c *call) answer {
	number, _ := strconv.ParseInt(xmltree.TextAt(c.message.root, "IdentificacaoDps/NumDPS"), 10, 64)
	series := strings.TrimLeft(xmltree.TextAt(c.message.root, "IdentificacaoDps/SerieDPS"), "0")
	return c.find("", func(e sefin.Entry) bool {
		return strings.TrimLeft(e.Series, "0") == series && e.Number == fmt.Sprint(number)
	})
}

// findIssued answers ConsultarNfseServicoPrestado by the number of a note.
func (s *Simulator) findIssued(c *call) answer {
	number := xmltree.TextAt(c.message.root, "NumeroNfse")
	said := c.find("ListaNfse", func(e sefin.Entry) bool { return fmt.Sprint(e.NFSeNumber) == number })
	return said
}

// findProvider answers ConsultarDadosCadastrais with the provider that asks: it may issue unless Behaviour denies it.
func (s *Simulator) findProvider(c *call) answer {
	provider := xmltree.TextAt(c.message.root, "Prestador/CNPJ")
	emits := "1"
	if slices.Contains(c.behaviour.NotAllowed, provider) {
		emits = "2"
	}
	return answer{content: "<Cadastro><CNPJ>" + escaped(provider) + "</CNPJ><IM>" +
		escaped(xmltree.TextAt(c.message.root, "Prestador/IM")) + "</IM><StatusCadastro>1</StatusCadastro><EmiteNfse>" +
		emits + "</EmiteNfse></Cadastro>"}
}

// find shows the note of the provider that is asked about.
func (c *call) find(list string, is func(sefin.Entry) bool) answer {
	provider := xmltree.TextAt(c.message.root, "Prestador/CNPJ") + xmltree.TextAt(c.message.root, "Prestador/CPF")
	hidden, hides := c.Faults.Find(sefin.Hide)
	for _, one := range c.national.Ledger() {
		late := hides && c.Now.Before(one.IssuedAt.Add(time.Duration(hidden.Delay)))
		if one.Issuer != provider || !is(one) || late {
			continue
		}
		content := c.shown(one.DPSID, true)
		if list != "" {
			content = "<" + list + ">" + content + "<Pagina>1</Pagina></" + list + ">"
		}
		return answer{content: content}
	}
	if c.behaviour.NotFoundInWords {
		return refuse("", "DPS não encontrada na base de dados.")
	}
	return refuse("E212", "NFS-e não encontrada.")
}

// shown is the note that was made of a DPS (CompNfse), with its events or without.
func (c *call) shown(dpsID string, withEvents bool) string {
	if _, other := c.Faults.Find(sefin.OtherDocument); other {
		for _, one := range c.national.Ledger() {
			if one.DPSID != dpsID {
				dpsID = one.DPSID
				break
			}
		}
	}
	var b strings.Builder
	b.WriteString("<CompNfse>")
	issued, found := c.national.Note(dpsID)
	if _, missing := c.Faults.Find(sefin.MissingXML); found && !missing {
		b.WriteString(c.named(ofCity(c.national.NFSe(dpsID)), "NFSe", "Nfse"))
		if events := c.national.Events(issued.AccessKey); withEvents && len(events) > 0 {
			b.WriteString("<ListaEvento>")
			for _, one := range events {
				b.WriteString(c.named(ofCity(one), "evento", "Evento"))
			}
			b.WriteString("</ListaEvento>")
		}
	}
	b.WriteString("</CompNfse>")
	return b.String()
}

// named has a document under its name of 2026-02, where the city still has it, without a namespace of its
// own: it stands in an answer that has it.
func (c *call) named(document, name, oldName string) string {
	document = strings.Replace(document, ` xmlns="`+namespace+`"`, "", 1)
	if c.behaviour.OldNames {
		document = strings.Replace(document, "<"+name, "<"+oldName, 1)
		document = strings.TrimSuffix(document, "</"+name+">") + "</" + oldName + ">"
	}
	return document
}

// ofCity is a document as a city makes it: by itself, in its own layout, transcribed, and unsigned.
func ofCity(document []byte) string {
	text := string(document)
	_, text, _ = strings.Cut(text, "?>")
	if at := strings.LastIndex(text, "<Signature "); at > strings.LastIndex(text, "</inf") {
		text = text[:at] + text[strings.LastIndex(text, "</"):]
	}
	text = strings.Replace(text, "<ambGer>2</ambGer>", "<ambGer>1</ambGer>", 1)
	return strings.Replace(text, "<tpEmis>1</tpEmis>", "<tpEmis>2</tpEmis>", 1)
}
