package sefin

import (
	"bytes"
	"encoding/base64"
	"sync"
)

// documentProperties are the properties of responses that carry documents.
var documentProperties = []string{"nfseXmlGZipB64", "eventoXmlGZipB64"}

// corrupt applies the faults that change a response. Those that do not fit it
// leave it as it is.
func (s *Simulator) corrupt(c *call, answered response) response {
	body, isObject := answered.body.(map[string]any)
	if !isObject {
		return answered
	}
	for _, fault := range c.Faults {
		switch fault.Kind {
		case OtherDocument:
			s.replaceDocuments(c, body)
		case TruncatedGzip, NotBase64, UnreadableXML, ElementBomb, NestedBomb, MissingXML, WrongSignature:
			corruptDocuments(fault.Kind, body)
			corruptEvents(fault.Kind, body)
			corruptLot(fault.Kind, body)
		}
	}
	for _, fault := range c.Faults {
		if fault.Kind == Variant {
			answered.body = vary(fault.Variant, body, answered.refused)
		}
	}
	return answered
}

func corruptDocuments(kind Kind, body map[string]any) {
	for _, property := range documentProperties {
		packed, has := body[property].(string)
		switch {
		case !has:
		case kind == MissingXML:
			delete(body, property)
		default:
			body[property] = corruptDocument(kind, packed)
		}
	}
}

// corruptEvents corrupts the documents, encoded twice, in the response to a query
// of an event.
func corruptEvents(kind Kind, body map[string]any) {
	for _, e := range listedEvents(body) {
		if kind == MissingXML {
			delete(e, "arquivoXml")
			continue
		}
		e["arquivoXml"] = encodeAgain(corruptDocument(kind, decodeOnce(e["arquivoXml"])))
	}
}

// corruptLot corrupts the documents of a page of the ADN.
func corruptLot(kind Kind, body map[string]any) {
	lot, _ := body["LoteDFe"].([]any)
	for i := range lot {
		entry := lot[i].(map[string]any) // made by lot
		if kind == MissingXML {
			entry["ArquivoXml"] = nil
			continue
		}
		entry["ArquivoXml"] = corruptDocument(kind, entry["ArquivoXml"].(string))
	}
}

func corruptDocument(kind Kind, packed string) string {
	compressed, _ := base64.StdEncoding.DecodeString(packed) // made by pack
	switch kind {
	case TruncatedGzip:
		return base64.StdEncoding.EncodeToString(compressed[:len(compressed)/2])
	case NotBase64:
		return "<!-- " + packed[:min(40, len(packed))]
	case UnreadableXML:
		return pack([]byte("<NFSe xmlns=\"" + fiscalNamespace + "\"><infNFSe Id=\"NFS"))
	case ElementBomb:
		return elementBomb()
	case NestedBomb:
		return nestedBomb()
	case WrongSignature:
		document, _ := decompress(compressed)
		signed := []byte("<verAplic>" + application)
		return pack(bytes.Replace(document, signed, append(signed, 'x'), 1))
	}
	return packed
}

// The bombs: some ten KiB that a careless reader makes gigabytes of.
var (
	elementBomb = sync.OnceValue(func() string { return pack(bytes.Repeat([]byte("<infNFSe/>"), 4<<20)) })
	nestedBomb  = sync.OnceValue(func() string { return pack(bytes.Repeat([]byte("<infNFSe>"), 4<<20)) })
)

// listedEvents are the entries in the response to a query of an event.
func listedEvents(body map[string]any) []map[string]any {
	list, _ := body["eventos"].([]any)
	events := make([]map[string]any, len(list))
	for i := range list {
		events[i] = list[i].(map[string]any) // made by findEvent
	}
	return events
}

// decodeOnce undoes the outer of the two encodings of an event.
func decodeOnce(twice any) string {
	once, _ := base64.StdEncoding.DecodeString(twice.(string)) // made by findEvent
	return string(once)
}

func encodeAgain(once string) string { return base64.StdEncoding.EncodeToString([]byte(once)) }
