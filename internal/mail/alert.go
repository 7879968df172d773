package mail

import (
	"cmp"
	"context"
	"time"
)

// AlertMessage tells a person of what needs somebody, in both languages.
type AlertMessage struct {
	ID   string    // of the e-mail on record, so the same on every attempt
	Date time.Time // when it was put on record

	To           string
	Organization string // its name; empty: it is of the installation
	Sections     []AlertSection
	SettingsURL  string // where the person says what they are told of; empty: unknown
}

// AlertSection are the alerts of one kind.
type AlertSection struct {
	Portuguese, English string // what they are of, with their number
	Lines               []AlertLine
	More                int // that are not listed
}

// AlertLine is one alert.
type AlertLine struct {
	Portuguese, English string
	URL                 string // of its page; empty: unknown
}

// SendAlert makes one attempt, as Send does.
func (s *Sender) SendAlert(ctx context.Context, message AlertMessage) error {
	message.Organization = cmp.Or(oneLine(message.Organization), "Emissor")
	for i := range message.Sections {
		for j, line := range message.Sections[i].Lines {
			message.Sections[i].Lines[j] = AlertLine{oneLine(line.Portuguese), oneLine(line.English), line.URL}
		}
	}
	return s.sendOwn(ctx, own{to: message.To, id: message.ID, date: message.Date, template: "alert.txt",
		subject: message.Organization + ": pendências / needs attention"}, message)
}
