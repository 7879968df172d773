package lifecycle

import (
	"bytes"
	"context"

	"emissor/fiscal"
	"emissor/store/exchanges"
)

// exchangeContent is what the authority made of an exchange, as it is stored.
type exchangeContent struct {
	xml        []byte          // of the exchange: its document or event; nil where there is none
	document   documentToStore // of its note, where it is accepted
	leftToNote bool            // the note has the document, and what it states
}

// contentOf packs what an exchange has. It may read the database, so it comes before a transaction.
func (s *Store) contentOf(ctx context.Context, e *exchanges.Exchange, sent []fiscal.Message) (content exchangeContent,
	err error) {
	switch {
	case e.Document == nil:
		content.xml, err = s.db.Pack(ctx, e.EventXML)
	case e.Document.XML != nil:
		content.document, err = s.toStore(ctx, e.Document.XML)
		content.xml = content.document.stored
	}
	if e.Document != nil && e.State == fiscal.Accepted {
		for _, message := range sent {
			if embeds(e.Document.XML, message) {
				content.document.exchange, content.document.embedded = e.ID, message.Digest
			}
		}
	}
	return content, err
}

// embeds reports whether a document has a message in it, byte for byte but for the message's XML declaration. One
// that only repeats the message's digest may have rewritten what stands around it: then what was sent is kept.
func embeds(document []byte, message fiscal.Message) bool {
	xml := message.XML
	if declaration, rest, found := bytes.Cut(xml, []byte("?>")); found && bytes.HasPrefix(declaration, []byte("<?xml")) {
		xml = rest
	}
	return len(xml) > 0 && bytes.Contains(document, xml)
}

// leaveToNote takes the document away from the exchange, as the note that it settles has it. It reports whether
// there is one to take away.
func (c *exchangeContent) leaveToNote() bool {
	if c.document.stored == nil {
		return false
	}
	c.xml, c.leftToNote = []byte{}, true
	return true
}
