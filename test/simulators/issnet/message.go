package issnet

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"slices"
	"strings"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/xmltree"
)

const namespace = "http://www.sped.fazenda.gov.br/nfse"

// received is a message in place.
type received struct {
	root   *etree.Element // as GerarNfseEnvio
	signed []byte         // the DPS or pedRegEvento as it was cut out; nil in a question
}

// readMessage finds the message of an operation in its envelope.
func readMessage(body []byte, what operation) (*received, *answer) {
	tree := etree.NewDocument()
	if tree.ReadFromBytes(body) != nil || tree.Root() == nil || tree.Root().Tag != "Envelope" {
		return nil, &notValid
	}
	wrapper := xmltree.At(tree.Root(), "Body/"+what.name)
	if wrapper == nil {
		return nil, &notValid
	}
	head := xmltree.At(wrapper, "nfseCabecMsg/cabecalho")
	if head == nil || head.SelectAttrValue("versao", "") != "1.01" || xmltree.TextAt(head, "versaoDados") != "1.01" ||
		head.SelectAttrValue("xmlns", "") != namespace {
		return nil, &wrongHead
	}
	data := xmltree.At(wrapper, "nfseDadosMsg")
	if data == nil || len(data.ChildElements()) != 1 || strings.TrimSpace(xmltree.Content(data)) != "" {
		return nil, &notValid // escaped, or in CDATA
	}
	read := &received{root: data.ChildElements()[0]}
	if read.root.FullTag() != what.request || read.root.SelectAttrValue("xmlns", "") != namespace {
		return nil, &notValid
	}
	return read, read.cut(body, what)
}

// questions are the children of what questions have, in the order of the schema.
var questions = map[string][]string{
	"ConsultarNfseDpsEnvio":             {"IdentificacaoDps", "Prestador"},
	"IdentificacaoDps":                  {"NumDPS", "SerieDPS"},
	"ConsultarNfseServicoPrestadoEnvio": {"Prestador", "NumeroNfse", "Pagina"},
	"ConsultarDadosCadastraisEnvio":     {"Prestador"},
}

var numberForm = regexp.MustCompile(`^[1-9][0-9]{0,14}$`)

// cut checks a question by its grammar, or cuts out what is signed, as the server does.
func (r *received) cut(body []byte, what operation) *answer {
	signed := map[string]string{"GerarNfseEnvio": "DPS", "CancelarNfseEnvio": "pedRegEvento"}[what.request]
	if signed == "" {
		if !inOrder(r.root) {
			return &notValid
		}
		return nil
	}
	children := r.root.ChildElements()
	if len(children) != 1 || children[0].FullTag() != signed || children[0].SelectAttrValue("xmlns", "") != namespace {
		return &notValid
	}
	if len(r.root.Attr) != 1 || spaced(children[0]) {
		refused := refuse("E0714", "Assinatura do documento inválida.")
		return &refused
	}
	r.signed = cutOut(body, signed)
	return nil
}

func inOrder(element *etree.Element) bool {
	var names []string
	for _, child := range element.ChildElements() {
		names = append(names, child.Tag)
		if !inOrder(child) {
			return false
		}
	}
	if wanted, known := questions[element.Tag]; known && !slices.Equal(names, wanted) {
		return false
	}
	if element.Tag == "Prestador" {
		return slices.Equal(names, []string{"CNPJ", "IM"}) || slices.Equal(names, []string{"CPF", "IM"})
	}
	isNumber := slices.Contains([]string{"NumDPS", "NumeroNfse", "Pagina"}, element.Tag)
	return !isNumber || numberForm.MatchString(xmltree.Content(element))
}

// spaced reports whether there is white space between elements, which is dropped before the signature is
// looked at.
func spaced(element *etree.Element) bool {
	children := element.ChildElements()
	if len(children) > 0 && xmltree.Content(element) != "" {
		return true
	}
	return slices.ContainsFunc(children, spaced)
}

// cutOut is the first element of a name, byte for byte.
func cutOut(body []byte, name string) []byte {
	decoder := xml.NewDecoder(bytes.NewReader(body))
	for {
		before := decoder.InputOffset()
		token, err := decoder.RawToken()
		if err != nil {
			return nil
		}
		if start, is := token.(xml.StartElement); is && start.Name.Local == name {
			end := bytes.LastIndex(body, []byte("</"+name+">"))
			return body[before : end+len("</"+name+">")]
		}
	}
}
