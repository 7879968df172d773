package danfse

import (
	"errors"
	"io"
	"regexp"
	"slices"
)

// Document is what a page is drawn from.
type Document struct {
	XML    []byte  // of the NFS-e as the authority signed it, or of a note of the sandbox
	Events []Event // registered of the note; the XML of a note never tells of them
	Logo   *Logo   // nil: the name of the document in plain letters
}

// Event is the type of an event: six digits, such as 101101.
type Event string

// The events that end a note.
const (
	EventCancelled          Event = "101101" // by its issuer
	EventSubstituted        Event = "105102" // by another note
	EventCancelledOnRequest Event = "105104" // by the city, after an analysis that the issuer asked for
	EventCancelledByCity    Event = "305101" // by the city itself
)

// ReadEvent reads which event a document of the authority registers.
func ReadEvent(document []byte) (Event, error) {
	root, fields, err := read(document)
	if err != nil || root.Space != fiscalNamespace || root.Local != "evento" {
		return "", errors.New("the document is not the XML of an event")
	}
	var found []Event
	for path := range fields {
		if match := eventForm.FindStringSubmatch(path); match != nil {
			found = append(found, Event(match[1]))
		}
	}
	if len(found) != 1 {
		return "", errors.New("the document is not of one event")
	}
	return found[0], nil
}

var eventForm = regexp.MustCompile(`^infEvento/pedRegEvento/infPedReg/e([0-9]{6})$`)

// Draw writes the page of a note as PDF. What is not the XML of a note is an
// error.
func Draw(w io.Writer, document Document) error {
	n, err := readNote(document.XML)
	if err != nil {
		return err
	}
	p := place(n)
	mark(p, n, document.Events)
	return paint(w, p, n, document.Logo)
}

// ended returns what events have made of a note, as its page says it; empty while
// it stands.
func ended(events []Event) string {
	switch {
	case slices.Contains(events, EventSubstituted):
		return "SUBSTITUÍDA"
	case slices.Contains(events, EventCancelled), slices.Contains(events, EventCancelledOnRequest),
		slices.Contains(events, EventCancelledByCity):
		return "CANCELADA"
	}
	return ""
}
