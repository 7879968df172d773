package mail

import (
	"bytes"
	"cmp"
	"io"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"

	"emissor/internal/text"
	"emissor/nfse/fact"
)

// Message is the e-mail of an issued note to its customer.
type Message struct {
	ID   string    // of the e-mail on record, so the same on every attempt
	Date time.Time // when the e-mail was put on record: the same on every attempt

	To     string // the customer's address
	Name   string // the customer's
	Issuer string // the organization's name

	Number      string // of the note at the authority; empty when it has none
	AccessKey   string // empty when the authority gives none
	AmountCents int64
	ToPayCents  *int64    // what the document says is to be paid; nil: it does not say
	Competence  time.Time // the day of the service
	XML         []byte
	DANFSe      []byte // its printed form, a PDF; nil: without
	CityURL     string // where the note of a city's own system is shown; empty: it has a DANFSe
	PublicURL   string // where everybody can verify the note; empty: nowhere

	Words Words  // of the company; empty ones are ours
	Logo  []byte // of the company, as ParseLogo has made it; nil: without

	// Cancelled marks a note that was cancelled before the e-mail went out.
	Cancelled bool

	// Replaces is the number of the note that this one replaces, ReplacedBy that of the one that has
	// replaced it, and by which it was cancelled; empty for none.
	Replaces   string
	ReplacedBy string

	// WithoutFiscalValue marks a note of the authority's own test system
	// (produção restrita).
	WithoutFiscalValue bool
}

// compose makes the message's bytes, which are the same on every attempt.
func (s *Sender) compose(message Message) (io.WriterTo, error) {
	if !isAddress(message.To) {
		return nil, &failure{step: stepCompose, why: fact.CustomerAddressWrong.Fact(), permanent: true}
	}
	message.Name, message.Issuer = oneLine(message.Name), oneLine(message.Issuer)
	words, err := message.text()
	if err != nil {
		return nil, &failure{step: stepCompose, why: inWords(err)}
	}
	options := plain
	if !message.dressed() {
		options = append(slices.Clone(plain), gomail.WithBoundary("part_"+message.ID))
	}
	composed := gomail.NewMsg(options...)
	composed.FromMailAddress(&mail.Address{Name: displayName(message.Issuer), Address: s.options.From})
	composed.ToMailAddress(&mail.Address{Name: displayName(message.Name), Address: message.To})
	s.begin(composed, message.ID, message.Date, message.subject(), words)
	if message.dressed() {
		if err := s.dress(composed, message, words); err != nil {
			return nil, &failure{step: stepCompose, why: inWords(err)}
		}
	}
	attach(composed, message.fileName(".xml"), message.XML, "application/xml")
	if message.DANFSe != nil {
		attach(composed, message.fileName(".pdf"), message.DANFSe, "application/pdf")
	}
	if message.dressed() {
		return steady{composed, message.ID}, nil
	}
	return composed, nil
}

// plain are the options of every e-mail.
var plain = []gomail.MsgOption{gomail.WithCharset(gomail.CharsetUTF8), gomail.WithEncoding(gomail.EncodingQP),
	gomail.WithNoDefaultUserAgent()}

// begin sets what every e-mail has beside its addresses.
func (s *Sender) begin(composed *gomail.Msg, id string, date time.Time, subject, text string) {
	composed.SetMessageIDWithValue(id + "@" + s.domain)
	composed.SetDateWithValue(date.UTC())
	composed.SetGenHeader("Auto-Submitted", "auto-generated")
	composed.Subject(subject)
	composed.SetBodyString(gomail.TypeTextPlain, text)
}

// attach adds a file, under its name and under one that old programs read.
func attach(composed *gomail.Msg, name string, content []byte, kind gomail.ContentType) {
	composed.AttachReadSeeker(text.ASCIIFile(name), bytes.NewReader(content), gomail.WithFileContentType(kind),
		func(file *gomail.File) { file.Header.Set("Content-Disposition", text.Attachment(name)) })
}

// fileName is the name of a file of the note: by its number, or else by its access key.
func (m Message) fileName(extension string) string {
	return text.NoteFile(cmp.Or(m.Number, m.AccessKey), m.Issuer, extension)
}

// isAddress reports whether s is a bare e-mail address of printable ASCII, which
// may stand in a header and in a command of SMTP.
func isAddress(s string) bool {
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Name == "" && parsed.Address == s &&
		strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= unicode.MaxASCII }) < 0
}

// oneLine makes a name fit for a header and for the middle of a sentence.
func oneLine(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(name, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) ||
			r == '\u2028' || r == '\u2029'
	}), " ")
}

// displayName is a name as it may stand in the header of an address. A name that is not
// ASCII is encoded, and must not have a backslash then (RFC 2047, section 5.3); net/mail
// writes it all the same, and readers refuse the whole address.
func displayName(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return name
}
