package mail_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"emissor/internal/mail"
)

// logoOf is a picture of a size, as a PNG with a comment of its own in it.
func logoOf(t testing.TB, width, height int) []byte {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		picture.Set(x, x%height, color.NRGBA{uint8(x), 100, 200, 255})
	}
	var file bytes.Buffer
	must(t, png.Encode(&file, picture))
	return file.Bytes()
}

// leaves are the parts of a message that hold no others, with the path of kinds that leads to each.
func leaves(t *testing.T, header textproto.MIMEHeader, body io.Reader, path string) (found []leaf) {
	t.Helper()
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	must(t, err)
	path += " " + kind
	if !strings.HasPrefix(kind, "multipart/") {
		switch header.Get("Content-Transfer-Encoding") {
		case "quoted-printable":
			body = quotedprintable.NewReader(body)
		case "base64":
			body = base64.NewDecoder(base64.StdEncoding, body)
		}
		content, err := io.ReadAll(body)
		must(t, err)
		return []leaf{{strings.TrimSpace(path), header, content}}
	}
	parts := multipart.NewReader(body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return found
		}
		must(t, err)
		found = append(found, leaves(t, part.Header, part, path)...)
	}
}

type leaf struct {
	path    string
	header  textproto.MIMEHeader
	content []byte
}

// dressed sends a message and takes it apart.
func dressed(t *testing.T, message mail.Message) (raw []byte, header netmail.Header, parts []leaf) {
	t.Helper()
	s := (&server{}).start(t, mail.NoTLS)
	must(t, newSender(t, s.options(mail.NoTLS)).Send(t.Context(), message))
	raw = s.taken()[0].raw
	parsed, err := netmail.ReadMessage(bytes.NewReader(raw))
	must(t, err)
	return raw, parsed.Header, leaves(t, textproto.MIMEHeader(parsed.Header), parsed.Body, "")
}

// A company's words and logo: an HTML part beside the plain text, the logo inside it, files as before;
// and the same bytes on every attempt.
func TestMailMessage_WordsAndLogo(t *testing.T) {
	one := message()
	one.Words = mail.Words{Portuguese: "Bom dia, {customer}!\n\nNota {number}: {amount}, {competence}. {link}\n{company}"}
	one.Logo, one.DANFSe = logoOf(t, 480, 96), []byte("%PDF-1.7\n")
	raw, _, parts := dressed(t, one)
	if again, _, _ := dressed(t, one); !bytes.Equal(raw, again) {
		t.Errorf("another attempt differs:\n%s\n%s", raw, again)
	}
	var paths []string
	for _, part := range parts {
		paths = append(paths, part.path)
	}
	inside := "multipart/mixed multipart/related "
	if !slices.Equal(paths, []string{inside + "multipart/alternative text/plain",
		inside + "multipart/alternative text/html", inside + "image/png", "multipart/mixed application/xml",
		"multipart/mixed application/pdf"}) {
		t.Fatalf("the parts are %q", paths)
	}
	plain := strings.ReplaceAll(string(parts[0].content), "\r\n", "\n")
	if !strings.HasPrefix(plain, "Bom dia, Maria da Conceição!\n\nNota 42: R$ 1.234.567,89, 30/11/2026. "+publicPage+
		"\nClínica São João\n") || strings.Contains(plain, "Olá") || !strings.Contains(plain, "Competência: 30/11/2026") ||
		!strings.Contains(plain, "Hello, Maria da Conceição.") {
		t.Errorf("the text is\n%s", plain)
	}
	page := string(parts[1].content)
	for _, wanted := range []string{`<img src="cid:logo_eml_01@emissor.example" width="240" height="48" ` +
		`alt="Clínica São João">`, `<p>Bom dia, Maria da Conceição!</p>`, `<a href="` + publicPage + `">`, "<hr>"} {
		if !strings.Contains(page, wanted) {
			t.Errorf("%q is not in\n%s", wanted, page)
		}
	}
	if id := parts[2].header.Get("Content-Id"); id != "<logo_eml_01@emissor.example>" ||
		!bytes.Equal(parts[2].content, one.Logo) {
		t.Errorf("the logo %s has %d bytes", id, len(parts[2].content))
	}
}

// Any name and any words stay text, and leave the headers as they are.
func TestMailMessage_HostileWords(t *testing.T) {
	one := message()
	one.Name = `<script>alert(1)</script>{amount}`
	one.Issuer = "Clínica\"><img src=x>\r\nBcc: evil@example.com"
	one.Words = mail.Words{Portuguese: `<b>{customer}</b> {company} javascript:alert(1)`, English: "{customer}"}
	one.Logo = logoOf(t, 10, 10)
	_, header, parts := dressed(t, one)
	if header.Get("Bcc") != "" || len(parts) != 4 {
		t.Errorf("%d parts and the header %v", len(parts), header)
	}
	page := string(parts[1].content)
	for _, never := range []string{"<script", "<b>", "<img src=x", `href="javascript`, "Bcc:\n"} {
		if strings.Contains(page, never) {
			t.Errorf("%q is in\n%s", never, page)
		}
	}
	if !strings.Contains(page, "&lt;b&gt;&lt;script&gt;alert(1)&lt;/script&gt;{amount}&lt;/b&gt;") {
		t.Errorf("a name is looked through for placeholders:\n%s", page)
	}
}

// What the note's state makes necessary is said no matter what a company's words are.
func TestMailMessage_WordsOfACancelledNote(t *testing.T) {
	one := message()
	one.Cancelled, one.WithoutFiscalValue = true, true
	one.Words = mail.Words{Portuguese: "Segue a nota. {link}", English: "Here is the invoice."}
	subject, text, err := one.Preview()
	must(t, err)
	for _, wanted := range []string{"Segue a nota. \n", "não vale mais", "não tem valor fiscal", "no longer valid",
		"has no fiscal value"} {
		if !strings.Contains(text, wanted) {
			t.Errorf("%q is not in\n%s", wanted, text)
		}
	}
	if !strings.Contains(subject, "cancelada") || strings.Contains(text, "Olá,") || strings.Contains(text, "Hello,") {
		t.Errorf("it is %s\n%s", subject, text)
	}
}

func TestUnknownPlaceholders(t *testing.T) {
	for words, unknown := range map[string][]string{
		"":                                     nil,
		"{number} {company} {customer} {link}": nil,
		"{amount} {to_pay} {competence} {access_key}": nil,
		"{numero} {Number} {numero} {}":               {"numero", "Number", ""},
		"{ number } }{ {a\nb}":                        {" number "},
	} {
		if found := mail.UnknownPlaceholders(words); !slices.Equal(found, unknown) {
			t.Errorf("%q has %q", words, found)
		}
	}
}

func TestTidyWords(t *testing.T) {
	if words, good := mail.TidyWords(" Olá,\r\n\r\nção \n"); words != "Olá,\n\nção" || !good {
		t.Errorf("%q, %v", words, good)
	}
	for _, wrong := range []string{"a\x00b", "a\u202eb", "\xff", strings.Repeat("á", mail.LongestWords+1), "a\rb"} {
		if _, good := mail.TidyWords(wrong); good {
			t.Errorf("%.20q is taken", wrong)
		}
	}
}

// Of a logo's file only its pixels remain, and its size is bounded before they are read.
func TestParseLogo(t *testing.T) {
	file := logoOf(t, 200, 50)
	marked := slices.Concat(file[:33], textChunk("hostile"), file[33:], []byte("hostile behind the end"))
	logo, err := mail.ParseLogo(marked)
	must(t, err)
	if bytes.Contains(logo, []byte("hostile")) {
		t.Error("more than pixels remain")
	}
	before, err := png.Decode(bytes.NewReader(file))
	must(t, err)
	after, err := png.Decode(bytes.NewReader(logo))
	must(t, err)
	if after.Bounds() != before.Bounds() || after.At(7, 7) != before.At(7, 7) {
		t.Error("the pixels are others")
	}
	var photo bytes.Buffer
	must(t, jpeg.Encode(&photo, before, nil))
	if _, err := mail.ParseLogo(photo.Bytes()); err != nil {
		t.Errorf("a JPEG: %v", err)
	}
	for name, wrong := range map[string]struct {
		file []byte
		err  error
	}{
		"nothing": {nil, mail.ErrLogoFormat}, "a GIF": {[]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), mail.ErrLogoFormat},
		"an SVG": {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), mail.ErrLogoFormat},
		"cut":    {file[:len(file)/2], mail.ErrLogoFormat}, "wide": {logoOf(t, mail.MostLogoWidth+1, 1), mail.ErrLogoSize},
		"high": {logoOf(t, 1, mail.MostLogoHeight+1), mail.ErrLogoSize}, "noise": {noise(t), mail.ErrLogoBytes},
	} {
		if _, err := mail.ParseLogo(wrong.file); !errors.Is(err, wrong.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// textChunk is a comment in a PNG.
func textChunk(words string) []byte {
	content := append([]byte("tEXt"), "Comment\x00"+words...)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(content)-4))
	return binary.BigEndian.AppendUint32(append(chunk, content...), crc32.ChecksumIEEE(content))
}

// noise is a picture that cannot be compressed.
func noise(t *testing.T) []byte {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 600, 400))
	state := uint32(1)
	for i := range picture.Pix {
		state = state*1664525 + 1013904223
		picture.Pix[i] = byte(state >> 24)
	}
	var file bytes.Buffer
	must(t, png.Encode(&file, picture))
	return file.Bytes()
}
