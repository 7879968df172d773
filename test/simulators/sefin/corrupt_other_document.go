package sefin

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/xmltree"
)

// replaceDocuments makes a response one about another document: at a city another that was issued
// there, where there is one; else of the next number, which nobody asked for and which is not in the
// ledger.
func (s *Simulator) replaceDocuments(c *call, body map[string]any) {
	if named, has := body["chaveAcesso"].(string); has {
		key := strings.TrimPrefix(named, keyPrefix)
		other, err := s.otherNote(s.noteByKey(key), c)
		if err != nil {
			s.Log.Error("no other document could be made", "error", err)
			return
		}
		body["chaveAcesso"] = strings.Replace(named, key, other.AccessKey, 1)
		if id, has := body["idDps"].(string); has {
			body["idDps"] = other.DPSID
			if strings.HasPrefix(id, keyPrefix) {
				body["idDps"] = keyPrefix + other.AccessKey
			}
		}
		if _, has := body["nfseXmlGZipB64"]; has {
			body["nfseXmlGZipB64"] = pack(other.xml)
		}
	}
	if packed, has := body["eventoXmlGZipB64"].(string); has {
		body["eventoXmlGZipB64"] = s.otherEvent(c, packed)
	}
	for _, e := range listedEvents(body) {
		e["chaveAcesso"] = accesskey.Neighbour(e["chaveAcesso"].(string))
		e["arquivoXml"] = encodeAgain(s.otherEvent(c, decodeOnce(e["arquivoXml"])))
	}
}

// otherNote makes the note of the next number, signed like any.
func (s *Simulator) otherNote(n *note, c *call) (*note, error) {
	if c.city != nil {
		if issued := s.otherOfCity(n, c.city); issued != nil {
			return issued, nil
		}
	}
	number, _ := strconv.ParseInt(n.Number, 10, 64) // the schema accepted it
	id := n.DPSID[:30] + fmt.Sprintf("%015d", number+1)
	text := strings.ReplaceAll(string(n.dps), n.DPSID, id)
	text = strings.Replace(text, "<nDPS>"+n.Number+"<", "<nDPS>"+strconv.FormatInt(number+1, 10)+"<", 1)
	other := &note{Entry: n.Entry, dps: []byte(text)}
	other.DPSID, other.AccessKey = id, accesskey.Neighbour(n.AccessKey)
	var err error
	other.xml, err = s.signer.buildNFSe(
		other.source(), s.currentRegistry(), other.AccessKey, n.NFSeNumber+1, n.nsu+1, c.Now, c.Faults)
	return other, err
}

// otherOfCity is the last note of the same issuer that a city issued of another DPS; nil when there
// is none.
func (s *Simulator) otherOfCity(n *note, city *City) *note {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range slices.Backward(s.ledger.notes) {
		if city.issued(one) && one.Issuer == n.Issuer && one.DPSID != n.DPSID {
			return one.copy()
		}
	}
	return nil
}

// otherEvent makes the same event of another note, signed like any.
func (s *Simulator) otherEvent(c *call, packed string) string {
	compressed, _ := base64.StdEncoding.DecodeString(packed) // made by pack
	document, _ := decompress(compressed)
	read, rejected := parseDocument(document, "evento")
	if rejected != nil {
		return packed
	}
	const request = "infEvento/pedRegEvento/infPedReg"
	key := xmltree.TextAt(read.root, request+"/chNFSe")
	id := strings.Replace(xmltree.At(read.root, request).SelectAttrValue("Id", ""), key, accesskey.Neighbour(key), 1)
	text := strings.ReplaceAll(string(document), key, accesskey.Neighbour(key))
	const closing = "</pedRegEvento>"
	start, end := strings.Index(text, "<pedRegEvento"), strings.Index(text, closing)+len(closing)
	xml, err := s.signer.buildEvent(event{Type: id[53:], RequestID: id, NSU: 1, Sequence: 1, At: c.Now},
		[]byte(text[start:end]))
	if err != nil {
		return packed
	}
	return pack(xml)
}
