package danfse

import (
	"errors"
	"fmt"
	"io"
	"regexp"
)

// Document is what a page is drawn from.
type Document struct {
	XML       []byte   // of the NFS-e as the authority signed it, or of a note of the sandbox
	Events    [][]byte // the XML of events registered of the note, whose own XML never has them
	Cancelled bool     // the note is known to be cancelled, be there an event that says so or not
	Replaced  bool     // it is known to be cancelled because another has replaced it, likewise
	Logo      *Logo    // nil: the name of the document in plain letters
}

// The events that end a note, by their types.
const (
	eventCancelled          = "101101" // by its issuer
	eventSubstituted        = "105102" // by another note
	eventCancelledOnRequest = "105104" // by the city, after an analysis that the issuer asked for
	eventCancelledByCity    = "305101" // by the city itself
)

// readEvent reads which event a document of the authority registers.
func readEvent(document []byte) (kind string, err error) {
	root, fields, err := read(document)
	if err != nil || root.Space != fiscalNamespace || root.Local != "evento" {
		return "", errors.New("the document is not the XML of an event")
	}
	var found []string
	for path := range fields {
		if match := eventForm.FindStringSubmatch(path); match != nil {
			found = append(found, match[1])
		}
	}
	if len(found) != 1 {
		return "", errors.New("the document is not of one event")
	}
	return found[0], nil
}

var eventForm = regexp.MustCompile(`^infEvento/pedRegEvento/infPedReg/e([0-9]{6})$`)

// Draw writes the page of a note as PDF. What is not the XML of a note, or of an
// event of it, is an error.
func Draw(w io.Writer, document Document) error {
	n, err := readNote(document.XML)
	if err != nil {
		return err
	}
	ended, err := document.ended()
	if err != nil {
		return err
	}
	p := place(n)
	mark(p, n, ended)
	return paint(w, p, n, document.Logo)
}

// What the page says of a note that has ended.
const (
	endedCancelled = "CANCELADA"
	endedReplaced  = "SUBSTITUÍDA"
)

// ended returns what became of a note, as its page says it; empty while it stands.
func (d Document) ended() (string, error) {
	if d.Replaced {
		return endedReplaced, nil
	}
	cancelled := d.Cancelled
	for _, document := range d.Events {
		kind, err := readEvent(document)
		if err != nil {
			return "", fmt.Errorf("an event of the note: %w", err)
		}
		switch kind {
		case eventSubstituted:
			return endedReplaced, nil
		case eventCancelled, eventCancelledOnRequest, eventCancelledByCity:
			cancelled = true
		}
	}
	if cancelled {
		return endedCancelled, nil
	}
	return "", nil
}
