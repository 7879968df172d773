package sefin

import (
	"bytes"
	"context"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/internal/xmlread"
	"emissor/nfse"
)

// FindDocument asks for the document that was made of the DPS of an Id, by whomever, and fetches it.
func (c *Client) FindDocument(ctx context.Context, access fiscal.Access, dpsID string) fiscal.FoundDocument {
	return Found(c.FindNumber(ctx, access, dpsID))
}

// Found reads the document of an answer for who does not know what was sent: whose note it is, and
// the DPS that it embeds.
func Found(answer fiscal.Answer) fiscal.FoundDocument {
	found := fiscal.FoundDocument{Answer: answer}
	if answer.Outcome != fiscal.OutcomeAccepted || answer.Document == nil || answer.Document.XML == nil {
		return found
	}
	document := answer.Document.XML
	facts, err := readNFSe(document)
	if err != nil {
		return found
	}
	_, fields, err := xmlread.Fields(document)
	if err != nil {
		return found
	}
	one := func(path string) string {
		if all := fields["infNFSe/DPS/infDPS/"+path]; len(all) == 1 {
			return all[0]
		}
		return ""
	}
	found.Read, found.CorrelationID = true, facts.correlationID
	found.Message = fiscal.Message{ID: facts.dpsID, Digest: facts.digest, XML: embeddedDPS(document)}
	if layout := fields["infNFSe/DPS/@versao"]; len(layout) == 1 {
		found.Message.Layout = layout[0]
	}
	found.Taker, found.TakerTaxID = one("toma/xNome"), one("toma/CNPJ")+one("toma/CPF")
	found.Competence = nfse.Day(one("dCompet"))
	if facts.totals.ServiceCents != nil {
		found.AmountCents = *facts.totals.ServiceCents
	}
	return found
}

// embeddedDPS is the DPS of an NFS-e that was read, as a document of its own; nil where it is written
// in a way in which it cannot be taken out.
func embeddedDPS(document []byte) []byte {
	begin, end := bytes.Index(document, []byte("<DPS")), bytes.LastIndex(document, []byte("</DPS>"))
	if begin < 0 || end < begin {
		return nil
	}
	element := bytes.Clone(document[begin : end+len("</DPS>")])
	tag, _, closed := bytes.Cut(element, []byte(">"))
	if !closed || len(tag) > len("<DPS") && tag[len("<DPS")] != ' ' {
		return nil
	}
	if !bytes.Contains(tag, []byte("xmlns=")) {
		element = append([]byte(`<DPS xmlns="`+schema.Namespace+`"`), element[len("<DPS"):]...)
	}
	return element
}
