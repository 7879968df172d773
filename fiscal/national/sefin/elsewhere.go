package sefin

import (
	"time"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

// elsewhere is for documents that others than SEFIN have handed over: whose signatures they bear is
// not known, and they are not checked.
var elsewhere = &Client{}

// ReadIssued adds an NFS-e of a key, which came in the envelope of another protocol, to an answer. A document
// of another issuer or of another DPS makes it ambiguous. Which city its key names does not count: that of a
// city's test server may be another.
func ReadIssued(xml []byte, key string, request fiscal.Request, answer fiscal.Answer) fiscal.Answer {
	subject := document{client: elsewhere, request: request, anyCity: true}
	facts, err := readNFSe(xml)
	switch {
	case err == nil:
		return subject.matchToRequest(xml, facts, answer)
	case !subject.fits(key):
		return answer.Ambiguous(fact.SefinKeyOfAnotherIssuer.Fact())
	}
	return subject.toFetch(key, unread(answer, fact.SefinDocumentUnread.With("why", fact.OfError(err)), string(xml), err))
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
