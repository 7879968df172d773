package mail

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	gomail "github.com/wneessen/go-mail"
)

// dressed reports whether a message has an HTML part: where the company has given it a logo or words.
func (m Message) dressed() bool { return m.Logo != nil || m.Words != Words{} }

// html is the text as HTML: the same words, escaped, with the logo above them. Only the note's own
// addresses become links.
func (m Message) html(text, contentID string) (string, error) {
	var out strings.Builder
	out.WriteString(`<!DOCTYPE html><html><head><meta charset="utf-8"></head><body style="font-family: sans-serif">`)
	if m.Logo != nil {
		width, height, err := logoShown(m.Logo)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "\n"+`<p><img src="cid:%s" width="%d" height="%d" alt="%s"></p>`, contentID, width, height,
			html.EscapeString(m.Issuer))
	}
	for part := range strings.SplitSeq(text, "\n\n") {
		switch part = strings.Trim(part, "\n"); part {
		case "":
		case "----":
			out.WriteString("\n<hr>")
		default:
			part = html.EscapeString(part)
			for _, url := range []string{m.PublicURL, m.CityURL} {
				if strings.HasPrefix(url, "https://") {
					url = html.EscapeString(url)
					part = strings.ReplaceAll(part, url, `<a href="`+url+`">`+url+`</a>`)
				}
			}
			out.WriteString("\n<p>" + strings.ReplaceAll(part, "\n", "<br>\n") + "</p>")
		}
	}
	out.WriteString("\n</body></html>\n")
	return out.String(), nil
}

// dress adds the HTML part beside the plain text, with the logo that it shows.
func (s *Sender) dress(composed *gomail.Msg, message Message, text string) error {
	contentID := "logo_" + message.ID + "@" + s.domain
	page, err := message.html(text, contentID)
	if err != nil {
		return err
	}
	composed.AddAlternativeString(gomail.TypeTextHTML, page)
	if message.Logo != nil {
		composed.EmbedReadSeeker("logo.png", bytes.NewReader(message.Logo), gomail.WithFileContentID("<"+contentID+">"),
			gomail.WithFileContentType("image/png"))
	}
	return nil
}

// boundaries matches the boundaries of the library, which are random and as long as no text of ours.
var boundaries = regexp.MustCompile(`multipart/[a-z]+;\s+boundary="?([0-9a-f]{60})`)

// steady is a message of several levels of parts, whose bytes are the same each time. The library
// makes a random boundary for each level, or takes one for all, by which no reader could tell them apart.
type steady struct {
	composed *gomail.Msg
	id       string
}

// WriteTo implements io.WriterTo.
func (s steady) WriteTo(to io.Writer) (int64, error) {
	var random bytes.Buffer
	if _, err := s.composed.WriteTo(&random); err != nil {
		return 0, err
	}
	whole := random.Bytes()
	for i, match := range boundaries.FindAllSubmatch(random.Bytes(), -1) {
		whole = bytes.ReplaceAll(whole, match[1], fmt.Appendf(nil, "part_%d_%s", i, s.id))
	}
	return bytes.NewReader(whole).WriteTo(to)
}
