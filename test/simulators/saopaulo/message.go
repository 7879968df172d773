package saopaulo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/xmltree"
)

// largestMessage is 500 KB.
const largestMessage = 500 << 10

// message is what MensagemXML holds.
type message struct{ root *etree.Element }

// read opens a message, and records what it is about.
func (c *call) read(text, version string) (refused []event) {
	c.message, refused = readMessage(text, version, c)
	c.noteSubject()
	return refused
}

// peek records what a message is about that will not be served.
func (c *call) peek() {
	if c.operation == nil {
		return
	}
	if text, version, refused := c.unwrap(); refused == nil {
		c.read(text, version)
	}
}

// readMessage checks the form of a message: there is one, its size, its characters, the
// version, the schema. The first step that finds something ends the checks.
func readMessage(text, version string, c *call) (*message, []event) {
	digest := sha256.Sum256([]byte(text))
	c.record.Digest = hex.EncodeToString(digest[:])
	switch {
	case strings.TrimSpace(text) == "":
		c.record.Digest = ""
		return nil, []event{refuse(1102)}
	case len(text) > largestMessage:
		return nil, []event{refuse(1101)}
	}
	if wrong := scan(text); wrong != "" {
		return nil, []event{notOfSchema(wrong)}
	}
	tree := etree.NewDocument()
	if err := tree.ReadFromString(text); err != nil {
		return nil, []event{notOfSchema(err.Error())}
	}
	m := &message{tree.Root()}
	if version != layout || m.get("Cabecalho@Versao") != layout {
		return m, []event{m.wrongVersion(version, c)}
	}
	var wrong []event
	for _, violation := range append(schemaViolations(m.root, c.operation.root), m.editionViolations(c)...) {
		wrong = append(wrong, notOfSchema(violation))
	}
	return m, wrong
}

// notOfSchema is 1001 with the words of the validator.
func notOfSchema(words string) event { return refuse(1001).adding(" " + words) }

// wrongVersion is what is answered to another layout. Layout 1 is not simulated: its users are referred to layout 2.
func (m *message) wrongVersion(version string, c *call) event {
	if version == "1" && m.get("Cabecalho@Versao") == "1" && c.operation.scope == Issue {
		return refuse(631, "01/01/2026")
	}
	return refuse(1002)
}

// editionViolations are what v02-4 and v02-5 differ in.
func (m *message) editionViolations(c *call) []string {
	var wrong []string
	for _, r := range m.rps() {
		switch {
		case c.registry.Edition04 && r.has("RetencaoPisCofins"):
			wrong = append(wrong, "The element 'RPS' has invalid child element 'RetencaoPisCofins'.")
		case c.registry.Edition04 && !r.has("PagamentoParceladoAntecipado"):
			wrong = append(wrong, "The element 'RPS' has incomplete content. "+
				"List of possible elements expected: 'PagamentoParceladoAntecipado'.")
		}
	}
	return wrong
}

// scan says what is wrong with a text before the schema is looked at: no XML, a
// declaration or DOCTYPE, white space between elements, characters that the city does
// not take.
func scan(document string) string {
	decoder := xml.NewDecoder(strings.NewReader(document))
	depth, roots := 0, 0
	opened, text := false, false // the last tag was an opening one; text came after it
	for {
		token, err := decoder.RawToken()
		if err == io.EOF && roots == 1 && depth == 0 {
			return ""
		}
		if err != nil {
			return "The message is no XML: " + err.Error()
		}
		switch t := token.(type) {
		case xml.Directive:
			return "For security reasons DTD is prohibited in this XML document."
		case xml.ProcInst:
			return "The message must not have an XML declaration."
		case xml.Comment:
			return "The message must not have comments."
		case xml.StartElement:
			if text {
				return "There is text or white space before the element '" + t.Name.Local + "'."
			}
			if depth == 0 {
				roots++
			}
			depth++
			opened = true
		case xml.EndElement:
			depth--
			opened, text = false, false
		case xml.CharData:
			if !opened {
				return "There is text or white space between elements."
			}
			if wrong := strangeCharacter(string(t)); wrong != "" {
				return wrong
			}
			text = true
		}
	}
}

// strangeCharacter finds one outside of what users of the service saw accepted: Latin-1
// without control characters and ordinal indicators.
func strangeCharacter(text string) string {
	for _, r := range text {
		if r < ' ' || r > '~' && r < '\u00a1' || r > 'ÿ' || r == 'ª' || r == 'º' {
			return fmt.Sprintf("The character U+%04X is not allowed.", r)
		}
	}
	return ""
}

// get is the text of an element by the names on the way to it, or of its attribute, as
// in Cabecalho@Versao; empty when there is none.
func (m *message) get(path string) string {
	names, attribute, has := strings.Cut(path, "@")
	found := xmltree.At(m.root, names)
	switch {
	case found == nil:
		return ""
	case has:
		return found.SelectAttrValue(attribute, "")
	}
	return found.Text()
}

// taxID is the CPF or CNPJ in an element.
func (m *message) taxID(path string) string { return m.get(path+"/CNPJ") + m.get(path+"/CPF") }

// sender is CPFCNPJRemetente.
func (m *message) sender() string { return m.taxID("Cabecalho/CPFCNPJRemetente") }

func (m *message) children(name string) (found []*etree.Element) {
	for _, child := range m.root.ChildElements() {
		if child.Tag == name {
			found = append(found, child)
		}
	}
	return found
}

func (m *message) rps() (all []*rps) {
	for _, element := range m.children("RPS") {
		all = append(all, &rps{element})
	}
	return all
}

// noteSubject records what a message is about, as far as it can be read.
func (c *call) noteSubject() {
	if c.message == nil {
		return
	}
	for _, path := range []string{"RPS/ChaveRPS", "Detalhe/ChaveRPS", "Detalhe/ChaveNFe"} {
		if registration := c.message.get(path + "/InscricaoPrestador"); registration != "" {
			c.record.Registration = bareNumber(registration)
			c.record.Series = c.message.get(path + "/SerieRPS")
			c.record.RPSNumber = c.message.get(path + "/NumeroRPS")
			return
		}
	}
}

// notSimulated names what a valid message holds that is not simulated; empty is nothing.
func (m *message) notSimulated() string {
	for _, r := range m.rps() {
		if r.get("StatusRPS") != "N" {
			return "RPS that are cancelled or lost (StatusRPS C and E)"
		}
	}
	return ""
}
