package sefin

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// documentProperties are the properties of answers that carry documents.
var documentProperties = []string{"nfseXmlGZipB64", "eventoXmlGZipB64"}

// spoil applies the faults that change an answer. Those that do not fit it leave
// it as it is.
func (a *Authority) spoil(v *visit, reply answer) answer {
	body, isObject := reply.body.(map[string]any)
	if !isObject {
		return reply
	}
	for _, fault := range v.plan {
		switch fault.Kind {
		case OtherDocument:
			a.exchange(v, body)
		case TruncatedGzip, NotBase64, UnreadableXML, MissingXML, WrongSignature:
			for _, property := range documentProperties {
				if packed, has := body[property].(string); has {
					body[property] = spoilDocument(fault.Kind, packed)
					if fault.Kind == MissingXML {
						delete(body, property)
					}
				}
			}
			spoilEvents(fault.Kind, body)
		}
	}
	for _, fault := range v.plan {
		if fault.Kind == Variant {
			reply.body = vary(fault.Variant, body)
		}
	}
	return reply
}

func spoilDocument(kind Kind, packed string) string {
	compressed, _ := base64.StdEncoding.DecodeString(packed) // made by pack
	switch kind {
	case TruncatedGzip:
		return base64.StdEncoding.EncodeToString(compressed[:len(compressed)/2])
	case NotBase64:
		return "<!-- " + packed[:min(40, len(packed))]
	case UnreadableXML:
		return pack([]byte("<NFSe xmlns=\"" + fiscalNamespace + "\"><infNFSe Id=\"NFS"))
	case WrongSignature:
		document, _ := decompress(compressed)
		return pack(bytes.Replace(document, []byte("<verAplic>"+application), []byte("<verAplic>"+application+"x"), 1))
	}
	return packed
}

// spoilEvents spoils the documents in the answer to a query of an event.
func spoilEvents(kind Kind, body map[string]any) {
	events, _ := body["eventos"].([]any)
	for _, entry := range events {
		e := entry.(map[string]any)
		once, _ := base64.StdEncoding.DecodeString(e["arquivoXml"].(string)) // made by findEvent
		e["arquivoXml"] = base64.StdEncoding.EncodeToString([]byte(spoilDocument(kind, string(once))))
		if kind == MissingXML {
			delete(e, "arquivoXml")
		}
	}
}

// exchange makes an answer one about another document: of the number after, which
// nobody asked for and which is not in the ledger.
func (a *Authority) exchange(v *visit, body map[string]any) {
	if key, has := body["chaveAcesso"].(string); has {
		other, err := a.another(a.noteByKey(key), v)
		if err != nil {
			a.log.Error("no other document could be made", "error", err)
			return
		}
		body["chaveAcesso"] = other.AccessKey
		if _, has := body["idDps"]; has {
			body["idDps"] = other.DPSID
		}
		if _, has := body["nfseXmlGZipB64"]; has {
			body["nfseXmlGZipB64"] = pack(other.xml)
		}
	}
	if packed, has := body["eventoXmlGZipB64"].(string); has {
		body["eventoXmlGZipB64"] = a.anotherEvent(v, packed)
	}
	events, _ := body["eventos"].([]any)
	for _, entry := range events {
		e := entry.(map[string]any)
		once, _ := base64.StdEncoding.DecodeString(e["arquivoXml"].(string)) // made by findEvent
		e["chaveAcesso"] = anotherKey(e["chaveAcesso"].(string))
		e["arquivoXml"] = base64.StdEncoding.EncodeToString([]byte(a.anotherEvent(v, string(once))))
	}
}

func (a *Authority) another(n *note, v *visit) (*note, error) {
	number, _ := strconv.ParseInt(n.Number, 10, 64) // the schema accepted it
	id := n.DPSID[:30] + fmt.Sprintf("%015d", number+1)
	text := strings.ReplaceAll(string(n.dps), n.DPSID, id)
	text = strings.Replace(text, "<nDPS>"+n.Number+"<", "<nDPS>"+strconv.FormatInt(number+1, 10)+"<", 1)
	other := &note{Entry: n.Entry, dps: []byte(text)}
	other.DPSID, other.AccessKey = id, anotherKey(n.AccessKey)
	var err error
	other.xml, err = a.pki.renderNote(other.source(), a.onRecord(), other.AccessKey, n.NFSeNumber+1, n.nsu+1, v.now)
	return other, err
}

func (a *Authority) anotherEvent(v *visit, packed string) string {
	compressed, _ := base64.StdEncoding.DecodeString(packed) // made by pack
	document, _ := decompress(compressed)
	parsed, problem := parseDocument(document, "evento")
	if problem != nil {
		return packed
	}
	key := textAt(parsed.root, "infEvento/pedRegEvento/infPedReg/chNFSe")
	text := strings.ReplaceAll(string(document), key, anotherKey(key))
	start, end := strings.Index(text, "<pedRegEvento"), strings.Index(text, "</pedRegEvento>")
	id := at(parsed.root, "infEvento/pedRegEvento/infPedReg").SelectAttrValue("Id", "")
	xml, err := a.pki.renderEvent([]byte(text[start:end]+"</pedRegEvento>"), strings.Replace(id, key, anotherKey(key), 1), 1, v.now)
	if err != nil {
		return packed
	}
	return pack(xml)
}

// anotherKey is a valid access key beside a given one.
func anotherKey(key string) string {
	last := byte('0')
	if key[48] == last {
		last = '1'
	}
	changed := key[:48] + string(last)
	return changed + string(modulo11(changed, 9))
}

// vary writes an answer in one of its odd forms.
func vary(form string, body map[string]any) any {
	problems, _ := body["erros"].([]message)
	if problem, single := body["erro"].(message); single {
		problems = []message{problem}
	}
	switch form {
	case ErroObject, ErroArray, ErroString, TopList:
		if problems == nil {
			return body
		}
	}
	switch form {
	case ErroObject:
		delete(body, "erros")
		body["erro"] = problems[0]
	case ErroArray:
		delete(body, "erros")
		body["erro"] = problems
	case ErroString:
		return map[string]any{"erro": "upstream connect error or disconnect/reset before headers"}
	case TopList:
		return problems
	case EmptyErro:
		body["erro"] = []message{}
	case Capitalised:
		return capitalise(body)
	case SwappedID:
		dps, hasDPS := body["idDps"]
		other, hasOther := body["idDPS"]
		delete(body, "idDps")
		delete(body, "idDPS")
		if hasDPS {
			body["idDPS"] = dps
		}
		if hasOther {
			body["idDps"] = other
		}
	}
	return body
}

func capitalise(value any) any {
	switch v := value.(type) {
	case map[string]any:
		capital := map[string]any{}
		for name, inner := range v {
			capital[strings.ToUpper(name[:1])+name[1:]] = capitalise(inner)
		}
		return capital
	case []any:
		for i := range v {
			v[i] = capitalise(v[i])
		}
	case message:
		capital := map[string]any{"Codigo": v.Code, "Descricao": v.Text}
		if v.Complement != "" {
			capital["Complemento"] = v.Complement
		}
		return capital
	case []message:
		list := make([]any, len(v))
		for i := range v {
			list[i] = capitalise(v[i])
		}
		return list
	}
	return value
}
