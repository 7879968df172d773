package sefin

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/beevik/etree"
)

// Entry is a note that the stand-in issued.
type Entry struct {
	AccessKey    string    `json:"access_key"`
	DPSID        string    `json:"dps_id"`
	Issuer       string    `json:"issuer"`       // CNPJ or CPF
	Municipality string    `json:"municipality"` // cLocEmi
	Series       string    `json:"series"`
	Number       string    `json:"number"` // nDPS
	NFSeNumber   int64     `json:"nfse_number"`
	Digest       string    `json:"digest"` // DigestValue of the DPS, in base64
	CIntContrib  string    `json:"c_int_contrib,omitempty"`
	AmountCents  int64     `json:"amount_cents"`    // vServ
	Taker        string    `json:"taker,omitempty"` // CNPJ or CPF
	IssuedAt     time.Time `json:"issued_at"`
	Cancelled    bool      `json:"cancelled"`
	Events       []string  `json:"events,omitempty"` // their types, as they were registered
}

// note is an entry with its documents.
type note struct {
	Entry
	nsu    int64
	actors []string
	dps    []byte // the root element, as it came
	xml    []byte
	events []*event
}

// copy is the note as it is now, to be read without the lock: what is registered
// later is not in it.
func (n *note) copy() *note {
	if n == nil {
		return nil
	}
	now := *n
	return &now
}

func (n *note) cancelled() bool {
	for _, e := range n.events {
		for _, kind := range ending {
			if e.Type == kind {
				return true
			}
		}
	}
	return false
}

func (n *note) event(kind string) *event {
	for _, e := range n.events {
		if e.Type == kind {
			return e
		}
	}
	return nil
}

// source is the DPS that the note was made from. It was parsed before.
func (n *note) source() *dps {
	tree := etree.NewDocument()
	_ = tree.ReadFromBytes(n.dps)
	return &dps{root: tree.Root(), info: child(tree.Root(), "infDPS"), raw: n.dps}
}

// view is the entry with what its events say.
func (n *note) view() Entry {
	entry := n.Entry
	entry.Cancelled = n.cancelled()
	for _, e := range n.events {
		entry.Events = append(entry.Events, e.Type)
	}
	return entry
}

// ledger is everything issued and registered. Who uses it holds the lock of the
// Authority.
type ledger struct {
	notes    []*note
	byKey    map[string]*note
	byDPS    map[string]*note // by the id of the DPS
	byNumber map[string]*note // by what may issue once
	sequence map[string]int64 // the last nNFSe of an issuer
	last     int64            // nDFSe, and NSU
	file     *os.File         // nil keeps nothing
}

// record is a line of the ledger's file: a note, or an event of one.
type record struct {
	Note      *Entry   `json:"note,omitempty"`
	NSU       int64    `json:"nsu,omitempty"`
	Actors    []string `json:"actors,omitempty"`
	DPS       []byte   `json:"dps,omitempty"`
	XML       []byte   `json:"xml,omitempty"`
	AccessKey string   `json:"access_key,omitempty"`
	Event     *event   `json:"event,omitempty"`
}

// openLedger reads the ledger kept in a directory; empty keeps none.
func openLedger(dir string) (*ledger, error) {
	l := &ledger{
		byKey: map[string]*note{}, byDPS: map[string]*note{}, byNumber: map[string]*note{}, sequence: map[string]int64{},
	}
	if dir == "" {
		return l, nil
	}
	file, err := os.OpenFile(filepath.Join(dir, "ledger.jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	whole, err := l.load(file)
	if err == nil {
		// A line that was cut by a crash was never answered for: it goes.
		err = errors.Join(file.Truncate(whole), seekTo(file, whole))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	l.file = file
	return l, nil
}

func seekTo(file *os.File, offset int64) error {
	_, err := file.Seek(offset, io.SeekStart)
	return err
}

// load reads whole lines, and returns how far they go.
func (l *ledger) load(file io.Reader) (whole int64, err error) {
	reader := bufio.NewReader(file)
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return whole, nil
		}
		if err != nil {
			return whole, err
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return whole, fmt.Errorf("ledger.jsonl: %w", err)
		}
		whole += int64(len(line))
		switch {
		case r.Note != nil:
			l.index(&note{Entry: *r.Note, nsu: r.NSU, actors: r.Actors, dps: r.DPS, xml: r.XML})
		case r.Event != nil && l.byKey[r.AccessKey] != nil:
			l.indexEvent(l.byKey[r.AccessKey], r.Event)
		}
	}
}

func (l *ledger) add(n *note) error {
	if err := l.write(record{Note: &n.Entry, NSU: n.nsu, Actors: n.actors, DPS: n.dps, XML: n.xml}); err != nil {
		return err
	}
	l.index(n)
	return nil
}

func (l *ledger) addEvent(n *note, e *event) error {
	if err := l.write(record{AccessKey: n.AccessKey, Event: e}); err != nil {
		return err
	}
	l.indexEvent(n, e)
	return nil
}

// write appends a line with one call, so that it is there whole or not at all
// whatever becomes of the process.
func (l *ledger) write(r record) error {
	if l.file == nil {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n'))
	return err
}

func (l *ledger) index(n *note) {
	l.notes = append(l.notes, n)
	l.byKey[n.AccessKey] = n
	l.byDPS[n.DPSID] = n
	l.byNumber[number(n.Issuer, n.Municipality, n.Series, n.Number)] = n
	l.sequence[n.Issuer] = max(l.sequence[n.Issuer], n.NFSeNumber)
	l.last = max(l.last, n.nsu)
}

func (l *ledger) indexEvent(n *note, e *event) {
	n.events = append(n.events, e)
	l.last = max(l.last, e.NSU)
}

func (l *ledger) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// Post is a document that was sent, and what became of it.
type Post struct {
	At     time.Time `json:"at"`
	Scope  Scope     `json:"scope"`            // issue or cancel
	ID     string    `json:"id,omitempty"`     // of the DPS or the event request; empty when it could not be read
	Digest string    `json:"digest,omitempty"` // DigestValue of its signature
	Issued bool      `json:"issued"`           // it produced a note, or registered an event
	Codes  []string  `json:"codes,omitempty"`  // of its rejection
	Status int       `json:"status,omitempty"` // that was answered; 0 when the connection was cut
	Faults []string  `json:"faults,omitempty"` // the kinds that applied
}

// mostPosts is how many are remembered: the last ones.
const mostPosts = 100_000
