package nfews

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rps"
	"emissor/internal/text"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// noteName is what names a note: its number, the code by which its page is
// opened, and the national key where the city gives one.
type noteName struct {
	number      int64
	code        string
	nationalKey string
	accessKey   string // the national key, or what else names it among all notes of the city
}

// nameOf reads the key of a note of a registration.
func nameOf(keys []noteKeyXML, registration string) (noteName, error) {
	if len(keys) != 1 {
		return noteName{}, fact.Failure(fact.CityNamesNotOneNote.Fact())
	}
	key := keys[0]
	number, err := strconv.ParseInt(strings.TrimSpace(key.Number), 10, 64)
	switch {
	case err != nil || number < 1 || number > rps.MaxNumber:
		return noteName{}, fact.Failure(fact.CityNamesNoNumber.Fact())
	case bareNumber(key.Registration) != registration:
		return noteName{}, fact.Failure(fact.CityNamesAnotherCompany.Fact())
	}
	name := noteName{
		number: number, code: text.Shortened(text.Shown(key.Code), 20),
		nationalKey: text.Shortened(text.Shown(key.NationalKey), 60),
	}
	name.accessKey = cmp.Or(name.nationalKey, registration+"-"+strconv.FormatInt(number, 10)+"-"+name.code)
	return name, nil
}

// authorization is the name as a note shows it.
func (n noteName) authorization() nfse.Authorization {
	shown := nfse.Authorization{Number: new(strconv.FormatInt(n.number, 10))}
	if n.code != "" {
		shown.VerificationCode = &n.code
	}
	if n.nationalKey != "" {
		shown.AccessKey = &n.nationalKey
	}
	return shown
}

// note is a note of the city, read.
type note struct {
	noteName
	issuedAt  time.Time
	cancelled bool
	xml       noteXML
}

// brasilia is the city's time, in which it writes moments without a zone.
var brasilia = time.FixedZone("-03:00", -3*60*60)

func readNote(from noteXML, registration string) (note, error) {
	name, err := nameOf(from.Key, registration)
	if err != nil {
		return note{}, err
	}
	moment, _ := once(from.IssuedAt)
	issuedAt, err := readMoment(moment)
	if err != nil {
		return note{}, fact.Failure(fact.CityNoteWithoutMoment.Fact())
	}
	status, ok := once(from.Status)
	if !ok {
		return note{}, fact.Failure(fact.CityNoteWithoutStatus.Fact())
	}
	return note{noteName: name, issuedAt: issuedAt, cancelled: status == "C", xml: from}, nil
}

// readMoment reads a moment, with or without a zone.
func readMoment(text string) (time.Time, error) {
	if moment, err := time.Parse(time.RFC3339, text); err == nil {
		return moment, nil
	}
	return time.ParseInLocation("2006-01-02T15:04:05", text, brasilia)
}

// match says whether a note was made of an RPS that was sent: whether taker, value, service code, text and date are
// the same as the message's. It is another system's only with another taker, or two other differences: the city
// writes some of it in its own way. What is in between a person must look at.
func (n note) match(sent rps.Sent) fiscal.Match {
	takerIsSent, hasTaker := n.takerIs(sent)
	date, hasDate := once(n.xml.Date)
	code, hasCode := once(n.xml.ServiceCode)
	text, hasText := once(n.xml.Description)
	amount, hasAmount := n.amount()
	differences := 0
	for _, same := range []bool{
		!hasAmount || amount == sent.AmountCents,
		!hasCode || bareNumber(code) == bareNumber(sent.ServiceCode),
		!hasDate || date[:min(len(date), len(time.DateOnly))] == sent.Date,
		!hasText || plain(text) == plain(sent.Description),
	} {
		if !same {
			differences++
		}
	}
	switch {
	case hasTaker && !takerIsSent, differences > 1:
		return fiscal.MatchForeign
	case differences == 0 && hasTaker && hasAmount && hasCode && hasDate && hasText:
		return fiscal.MatchOurs
	}
	return fiscal.MatchUnclear
}

// takerIs reports whether the note's taker is also the RPS's, by its tax id or, abroad, by what is there in place of
// one; of some notes that is not known.
func (n note) takerIs(sent rps.Sent) (is, known bool) {
	if taker, hasTaxID := taxIDOf(n.xml.CPF, n.xml.CNPJ); hasTaxID {
		return taker == sent.Taker, true
	}
	nif, hasNIF := once(n.xml.NIF)
	reason, hasReason := once(n.xml.NoNIF)
	foreign := strings.TrimSpace(nif + reason)
	return sent.Taker == "" && foreign == sent.ForeignTaker, hasNIF != hasReason
}

// amount is the value that was charged, as layout 2 has it, or that of the services.
func (n note) amount() (cents int64, ok bool) {
	for _, values := range [][]string{n.xml.Final, n.xml.Amount} {
		if value, present := once(values); present {
			return rps.Cents(value)
		}
	}
	return 0, false
}

// plain is a description without what a reader does not see: how its lines end.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "|", " ")), " ")
}
