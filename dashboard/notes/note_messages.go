package notes

import (
	"bytes"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"emissor/dashboard/frame"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/store/notes"
)

// longestShown is how many bytes of a message a page shows; the file has all.
const longestShown = 40 << 10

// messagesPage lists what was sent about a note and what was answered.
type messagesPage struct {
	Note     nfse.Note
	Messages []notes.NoteMessage
}

// messagePage is one of them.
type messagePage struct {
	Note    nfse.Note
	Message notes.NoteMessage
	Text    string // written for reading
	Cut     bool   // the text is longer
}

func listMessages(r *frame.Request) error {
	note, err := OfNote(r)
	if err != nil {
		return err
	}
	messages, err := r.D.Store.Notes.NoteMessages(r.Context(), r.Scope, note.ID)
	if err != nil {
		return err
	}
	return r.Render("messages", "messages.title", messagesPage{note, messages})
}

func showMessage(r *frame.Request) error {
	note, message, err := ofMessage(r)
	if err != nil {
		return err
	}
	page := messagePage{Note: note, Message: message, Text: readable(message.XML)}
	if len(page.Text) > longestShown {
		page.Text, page.Cut = strings.ToValidUTF8(page.Text[:longestShown], ""), true
	}
	return r.Render("message", "messages.title", page)
}

// downloadMessage sends the exact bytes.
func downloadMessage(r *frame.Request) error {
	note, message, err := ofMessage(r)
	if err != nil {
		return err
	}
	if message.Bytes == 0 {
		return ErrNotKnown
	}
	header := r.W.Header()
	header.Set("Content-Type", "application/octet-stream") // the authority may have sent anything
	header.Set("Content-Disposition", `attachment; filename="`+note.ID+"-"+message.ID+`.xml"`)
	http.ServeContent(r.W, r.Request, "", time.Time{}, bytes.NewReader(message.XML))
	return nil
}

func ofMessage(r *frame.Request) (note nfse.Note, message notes.NoteMessage, err error) {
	if note, err = OfNote(r); err != nil {
		return note, message, err
	}
	message, err = r.D.Store.Notes.NoteMessage(r.Context(), r.Scope, note.ID, r.PathValue("message"))
	return note, message, err
}

// readable writes a document for reading. What is no XML stays as it is.
func readable(document []byte) string {
	if text, is := xmlread.Indented(document, 2*longestShown); is {
		return text
	}
	return plainText(document)
}

// plainText is what can be shown of bytes that may be anything.
func plainText(content []byte) string {
	if !utf8.Valid(content) {
		content = bytes.ToValidUTF8(content, []byte("�"))
	}
	return string(content)
}
