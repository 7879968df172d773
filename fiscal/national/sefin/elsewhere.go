package sefin

import (
	"time"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

// elsewhere is for documents that others than SEFIN have handed over: whose signatures they bear is
// not known, and they are not checked.
var elsewhere = &Client{}

// ReadIssued adds an NFS-e, which came in the envelope of another protocol, to the answer that names
// its access key. A document of another key or of another DPS makes the answer ambiguous.
func ReadIssued(xml []byte, request fiscal.Request, answer fiscal.Answer) fiscal.Answer {
	facts, err := readNFSe(xml)
	if err != nil {
		return unread(answer, fact.SefinDocumentUnread.With("why", fact.OfError(err)), string(xml), err)
	}
	answer.Reason = fact.Fact{}
	return document{elsewhere, request}.take(xml, facts, answer)
}

// Event is what a registered event says of itself.
type Event struct {
	AccessKey string    // of the document that it is about
	Type      string    // six digits; empty where it does not say one
	At        time.Time // when it was registered; zero where it does not say it
}

// ReadEvent reads a registered event. Its errors are made of facts, which read after the name of what
// they are about.
func ReadEvent(xml []byte) (Event, error) {
	facts, err := readEvent(xml)
	if err != nil {
		return Event{}, err
	}
	return Event{facts.accessKey, facts.kind, facts.registeredAt}, nil
}
