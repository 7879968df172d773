package sefin

import (
	"slices"
	"time"

	"github.com/beevik/etree"
)

// Entry is a note that was issued.
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
	Replaces     string    `json:"replaces,omitempty"`    // access key of the note that it replaces
	ReplacedBy   string    `json:"replaced_by,omitempty"` // access key of its replacement
	City         string    `json:"city,omitempty"`        // whose server issued it; empty: the national system
	SecondOf     string    `json:"second_of,omitempty"`   // access key of the first note of the same DPS: a defect
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
	return slices.ContainsFunc(n.events, func(e *event) bool { return slices.Contains(cancellingEvents, e.Type) })
}

// analysing reports whether an analysis was asked for and not answered.
func (n *note) analysing() bool { return n.has("101103") && !n.has("105104") && !n.has("105105") }

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
	return newDPS(&xmlDocument{root: tree.Root(), raw: n.dps})
}

// view is the entry with what its events say.
func (n *note) view() Entry {
	entry := n.Entry
	entry.Cancelled = n.cancelled()
	for _, e := range n.events {
		entry.Events = append(entry.Events, e.Type)
		entry.ReplacedBy = or(e.Replacement, entry.ReplacedBy)
	}
	return entry
}
