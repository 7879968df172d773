package saopaulo

import (
	"slices"
	"time"

	"github.com/beevik/etree"
)

// Who cancelled a note.
const (
	ByRequest = "request" // CancelamentoNFe
	ByResend  = "resend"  // its RPS was sent again: what no client may let happen
	ByHand    = "site"    // its issuer, on the city's site
)

// Mark is what else happened to a note.
type Mark string

// The marks.
const (
	InGuide  Mark = "guide"    // it is in a payment guide, or paid: 218 to a resend, 323 to cancelling
	Accepted Mark = "accepted" // the taker accepted it: 372 to a resend
	Rejected Mark = "rejected" // the taker rejected it: 373 to a resend
	Deducted Mark = "deducted" // it was used in deductions: 338 to a resend, 386 to cancelling
)

// Entry is a note that was issued.
type Entry struct {
	Registration     string    `json:"registration"` // of the issuer, without zeros before it
	Number           int64     `json:"number"`
	VerificationCode string    `json:"verification_code"`
	NationalKey      string    `json:"national_key"`
	Issuer           string    `json:"issuer"` // CNPJ or CPF
	Series           string    `json:"series,omitempty"`
	RPSNumber        string    `json:"rps_number"`
	Digest           string    `json:"digest,omitempty"` // SHA-256 of the message that made it, as Message.Digest
	AmountCents      int64     `json:"amount_cents"`
	Taker            string    `json:"taker,omitempty"` // CNPJ, CPF or NIF
	ServiceCode      string    `json:"service_code,omitempty"`
	IssuedAt         time.Time `json:"issued_at"`
	OnSite           bool      `json:"on_site,omitempty"` // it was issued by hand, not by a message

	Cancelled   bool      `json:"cancelled"`
	CancelledAt time.Time `json:"cancelled_at,omitzero"`
	CancelledBy string    `json:"cancelled_by,omitempty"`
	ReplacedBy  int64     `json:"replaced_by,omitempty"` // the note that a resend put in its place
	Marks       []Mark    `json:"marks,omitempty"`
}

// note is an entry with the RPS that it was made from.
type note struct {
	Entry
	rps []byte // the element RPS, as it came, with the layout's namespaces
}

// copy is the note as it is now, to be read without the lock.
func (n *note) copy() *note {
	if n == nil {
		return nil
	}
	now := *n
	now.Marks = slices.Clone(n.Marks)
	return &now
}

func (n *note) has(mark Mark) bool { return slices.Contains(n.Marks, mark) }

func (n *note) key() rpsKey { return rpsKey{n.Registration, n.Series, n.RPSNumber} }

// source is the RPS that the note was made from. It was parsed before.
func (n *note) source() *rps {
	tree := etree.NewDocument()
	_ = tree.ReadFromBytes(n.rps)
	return &rps{root: tree.Root()}
}

// Message is a message that was received, and what became of it.
type Message struct {
	At           time.Time `json:"at"`
	Operation    string    `json:"operation"`              // as EnvioRPS; empty when it could not be read
	Digest       string    `json:"digest,omitempty"`       // SHA-256 of MensagemXML, in hexadecimal
	Registration string    `json:"registration,omitempty"` // of the first RPS or note that it is about
	Series       string    `json:"series,omitempty"`
	RPSNumber    string    `json:"rps_number,omitempty"`
	Issued       []int64   `json:"issued,omitempty"`    // the numbers of the notes that it made
	Cancelled    []int64   `json:"cancelled,omitempty"` // the numbers of those that it cancelled, by a resend too
	Codes        []int     `json:"codes,omitempty"`     // of its errors and alerts
	Status       int       `json:"status,omitempty"`    // that was answered; 0 when the connection was cut
	Faults       []string  `json:"faults,omitempty"`    // the kinds that applied
}
