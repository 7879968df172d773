package frame

import (
	"emissor/dashboard/format"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

// ConfirmedField is the field of a form whose sender has been shown its act and has
// confirmed it.
const ConfirmedField = "confirmed"

// Act is something that cannot be undone, as it is shown before it is done.
type Act struct {
	Title string // key of what is done, on the page and on its button
	Facts []Line // about what it is done to
	Means string // what it results in, in the reader's language
	Back  string // the page that it was begun on
}

// Line is a line of a description: the key of its label, and its text.
type Line struct{ Label, Text string }

func (r *Request) ActOnNote(note nfse.Note, title, means string, more ...Line) *Act {
	return &Act{Title: title, Means: r.Language.Say(means), Back: r.Link("/notes/" + note.ID), Facts: append([]Line{
		{"notes.reference", note.Reference}, {"notes.taker", note.Customer.Name},
		{"notes.amount", format.Money(r.Language, note.AmountCents)},
	}, more...)}
}

// ReadCancellation reads the form of a cancellation, and says in it what is wrong.
func (r *Request) ReadCancellation() (form *Form, code, text string) {
	form = r.NewForm("reason_code", "reason_text")
	code, err := catalogue.ReasonCode(form.Value("reason_code"))
	if err != nil {
		form.AddProblem("reason_code", "note.cancel.code.wrong")
	}
	text, err = catalogue.ReasonText(form.Value("reason_text"))
	if err != nil {
		form.AddProblem("reason_text", "note.cancel.text.wrong")
	}
	return form, code, text
}
