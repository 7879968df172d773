package saopaulo

import (
	"strconv"
	"time"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/icp"
)

// issueOne is EnvioRPS.
func (s *Simulator) issueOne(c *call) answer {
	item := c.message.rps()[0]
	events := s.review(item, c)
	if hasError(events) {
		return answer{events: events}
	}
	issued, alerts, err := s.convert([]*rps{item}, true, c)
	if err != nil {
		return s.failure(err)
	}
	return answer{events: append(events, alerts...), tail: pairs(issued)}
}

// failure is when the ledger cannot be written: nothing happened.
func (s *Simulator) failure(err error) answer {
	s.Log.Error("the ledger could not be written", "error", err)
	return answer{events: []event{refuse(1110)}}
}

// convert makes notes of RPS that passed their review. Whether an RPS may be converted
// again is decided, and its note written, under one lock. An RPS that may not is refused
// and makes no note, and if they are atomic no other does; where a new note replaces
// that of an RPS, alert 217 says so.
func (s *Simulator) convert(items []*rps, atomic bool, c *call) (issued []*note, events []event, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var free []*rps
	for _, item := range items {
		if found, refused := standing(s.ledger.byRPS[item.key()], c); refused {
			events = append(events, found.on(item.key().element()))
		} else {
			free = append(free, item)
		}
	}
	if atomic && hasError(events) {
		return nil, events, nil
	}
	for _, item := range free {
		previous := s.ledger.byRPS[item.key()]
		n := s.newNote(item, c)
		if err := s.ledger.add(n, previous); err != nil {
			return issued, events, err
		}
		issued = append(issued, n)
		c.record.Issued = append(c.record.Issued, n.Number)
		if previous != nil {
			c.record.Cancelled = append(c.record.Cancelled, previous.Number)
			replaced := warn(217, strconv.FormatInt(previous.Number, 10), n.RPSNumber, n.Series)
			events = append(events, replaced.on(n.key().element()))
		}
	}
	return issued, events, nil
}

// standing says why the note that an RPS made before forbids another one. A note that
// forbids nothing is cancelled by the new one: so sending again is destructive.
func standing(previous *note, c *call) (event, bool) {
	switch {
	case previous == nil:
		return event{}, false
	case previous.OnSite:
		return warn(216), true
	case previous.Cancelled:
		return refuse(223), true
	case previous.has(Accepted):
		return refuse(372), true
	case previous.has(Rejected):
		return refuse(373), true
	case previous.has(InGuide):
		return refuse(218), true
	case previous.has(Deducted):
		return refuse(338, strconv.FormatInt(previous.Number, 10)), true
	case passed(c.registry.ResendWithin, previous.IssuedAt, c.Now):
		return refuse(324), true
	}
	return event{}, false
}

// newNote makes the next note of a registration. The lock is held.
func (s *Simulator) newNote(item *rps, c *call) *note {
	key := item.key()
	number := s.ledger.last[key.registration] + 1
	issuer := icp.TaxID(c.signer)
	return &note{
		Entry: Entry{
			Registration: key.registration, Number: number, VerificationCode: s.verificationCode(),
			NationalKey: s.nationalKey(issuer, number, c.Now), Issuer: issuer,
			Series: key.series, RPSNumber: key.number, Digest: c.record.Digest,
			AmountCents: item.amount(), Taker: item.taker(), ServiceCode: item.serviceCode(),
			IssuedAt: c.Now.Round(0), // as it will be read from the file
		},
		rps: serialized(item.root),
	}
}

// serialized is an element as a document of its own.
func serialized(element *etree.Element) []byte {
	document := etree.NewDocument()
	document.SetRoot(element.Copy())
	text, _ := document.WriteToBytes() // writing to memory cannot fail
	return text
}

const codeCharacters = "ABCDEFGHIJKLMNPQRSTUVWXYZ123456789"

// verificationCode are eight characters that nobody guesses.
func (s *Simulator) verificationCode() string {
	code := make([]byte, 8)
	for i := range code {
		code[i] = codeCharacters[s.Random.IntN(len(codeCharacters))]
	}
	return string(code)
}

// nationalKey is the key by which the ADN knows a note.
func (s *Simulator) nationalKey(issuer string, number int64, now time.Time) string {
	return accesskey.New(accesskey.Note{
		Municipality: saoPaulo, Generator: accesskey.OfMunicipality, Issuer: issuer, Number: number,
		IssuedAt: now.In(saoPauloTime), Random: s.Random.IntN(1_000_000_000),
	})
}

func pairs(issued []*note) string {
	text := ""
	for _, n := range issued {
		text += n.pair()
	}
	return text
}
