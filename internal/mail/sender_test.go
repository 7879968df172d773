package mail_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"emissor/internal/mail"
	"emissor/nfse/fact"
)

// noToken is a source whose server gives none.
type noToken struct{}

func (noToken) Token() (*oauth2.Token, error) {
	return nil, errors.New("invalid_client: the secret has ended")
}

const (
	accessKey  = "35503081112345678000195000000000000042260612345678"
	publicPage = "https://portal.example/?chave=" + accessKey
)

func message() mail.Message {
	return mail.Message{
		ID: "eml_01", Date: time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC),
		To: "maria@example.com", Name: "Maria da Conceição", Issuer: "Clínica São João",
		Number: "42", AccessKey: accessKey, PublicURL: publicPage, AmountCents: 123456789,
		Competence: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), XML: []byte("<NFSe>ção</NFSe>\n"),
	}
}

func newSender(t *testing.T, options mail.Options) *mail.Sender {
	t.Helper()
	sender, err := mail.New(options)
	must(t, err)
	return sender
}

// shown is a message as its reader's program shows it.
type shown struct {
	header netmail.Header
	text   string
	file   string
	xml    []byte
	page   string // the name of the PDF; empty: there is none
	pdf    []byte
}

func show(t *testing.T, raw []byte) shown {
	t.Helper()
	parsed, err := netmail.ReadMessage(bytes.NewReader(raw))
	must(t, err)
	kind, parameters, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	must(t, err)
	if kind != "multipart/mixed" {
		t.Fatalf("the message is %s", kind)
	}
	parts := multipart.NewReader(parsed.Body, parameters["boundary"])
	text, err := parts.NextRawPart()
	must(t, err)
	if kind := text.Header.Get("Content-Type"); kind != "text/plain; charset=UTF-8" {
		t.Errorf("the text is %s", kind)
	}
	decoded, err := io.ReadAll(quotedprintable.NewReader(text))
	must(t, err)
	file, err := parts.NextRawPart()
	must(t, err)
	xml, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, file))
	must(t, err)
	if kind := file.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/xml") {
		t.Errorf("the file is %s", kind)
	}
	s := shown{header: parsed.Header, text: strings.ReplaceAll(string(decoded), "\r\n", "\n"), file: file.FileName(),
		xml: xml}
	page, err := parts.NextRawPart()
	if err == io.EOF {
		return s
	}
	must(t, err)
	if kind := page.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/pdf") {
		t.Errorf("the page is %s", kind)
	}
	s.page = page.FileName()
	s.pdf, err = io.ReadAll(base64.NewDecoder(base64.StdEncoding, page))
	must(t, err)
	if _, err := parts.NextPart(); err != io.EOF {
		t.Errorf("there is another part: %v", err)
	}
	return s
}

func (s shown) decoded(t *testing.T, name string) string {
	t.Helper()
	text, err := new(mime.WordDecoder).DecodeHeader(s.header.Get(name))
	must(t, err)
	return text
}

func (s shown) address(t *testing.T, name string) netmail.Address {
	t.Helper()
	list, err := s.header.AddressList(name)
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("%s has %d addresses", name, len(list))
	}
	return *list[0]
}

func TestMailSender_EveryTLSMode(t *testing.T) {
	for _, test := range []struct {
		mode       mail.TLSMode
		user       string
		mechanisms []string
	}{
		{mode: mail.StartTLS}, {mode: mail.StartTLS, user: "notas"}, {mode: mail.StartTLS, user: "notas",
			mechanisms: []string{"LOGIN"}},
		{mode: mail.ImplicitTLS}, {mode: mail.ImplicitTLS, user: "notas"},
		{mode: mail.NoTLS},
	} {
		t.Run(fmt.Sprintf("%s %s %v", test.mode, test.user, test.mechanisms), func(t *testing.T) {
			s := &server{user: test.user, mechanisms: test.mechanisms}
			if test.user != "" {
				s.password = "segredo"
			}
			s.start(t, test.mode)
			must(t, newSender(t, s.options(test.mode)).Send(t.Context(), message()))
			taken := s.taken()
			if len(taken) != 1 || taken[0].from != "notas@emissor.example" || taken[0].to != "maria@example.com" ||
				taken[0].user != test.user || taken[0].options.UTF8 {
				t.Fatalf("the server took %+v", taken)
			}
			if test.mode == mail.StartTLS && !taken[0].secured {
				t.Error("the message went in clear")
			}
		})
	}
}

// A server that takes access tokens is given one, of the user; a password is not asked for then.
func TestMailSender_OAuth(t *testing.T) {
	s := (&server{user: "notas@emissor.example", password: "t0ken", mechanisms: []string{"PLAIN", "XOAUTH2"}}).
		start(t, mail.StartTLS)
	options := s.options(mail.StartTLS)
	options.Password, options.OAuth = "", oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "t0ken"})
	must(t, newSender(t, options).Send(t.Context(), message()))
	if taken := s.taken(); len(taken) != 1 || taken[0].user != "notas@emissor.example" {
		t.Errorf("the server took %+v", taken)
	}
}

func TestMailMessage_Content(t *testing.T) {
	s := (&server{}).start(t, mail.StartTLS)
	must(t, newSender(t, s.options(mail.StartTLS)).Send(t.Context(), message()))
	raw := s.taken()[0].raw
	for i, b := range raw {
		if b >= 0x80 {
			t.Fatalf("byte %d is not ASCII", i)
		}
	}
	got := show(t, raw)
	for name, expected := range map[string]string{
		"Subject":        "NFS-e 42 emitida por / issued by Clínica São João",
		"Message-Id":     "<eml_01@emissor.example>",
		"Auto-Submitted": "auto-generated",
		"Date":           "Sat, 21 Nov 2026 08:30:00 +0000",
		"User-Agent":     "",
	} {
		if value := got.decoded(t, name); value != expected {
			t.Errorf("%s is %q, expected %q", name, value, expected)
		}
	}
	from := got.address(t, "From")
	if from != (netmail.Address{Name: "Clínica São João", Address: "notas@emissor.example"}) {
		t.Errorf("from %v", from)
	}
	if to := got.address(t, "To"); to != (netmail.Address{Name: "Maria da Conceição", Address: "maria@example.com"}) {
		t.Errorf("to %v", to)
	}
	for _, part := range []string{
		"Competência: 30/11/2026\nChave", "30 November 2026\nAccess key",
		"Olá, Maria da Conceição.", "Clínica São João emitiu", "nº 42", "R$ 1.234.567,89", "Chave de acesso: " +
			accessKey,
		"Hello, Maria da Conceição.", "no. 42", "BRL 1,234,567.89", "Access key: " + accessKey,
		"portal nacional da NFS-e: " + publicPage, "NFS-e portal: " + publicPage,
	} {
		if !strings.Contains(got.text, part) {
			t.Errorf("the text lacks %q:\n%s", part, got.text)
		}
	}
	if strings.Contains(got.text, "fiscal value") || strings.Contains(got.text, "<no value>") {
		t.Errorf("the text is:\n%s", got.text)
	}
	if got.file != "NFS-e 42 - Clínica São João.xml" || string(got.xml) != "<NFSe>ção</NFSe>\n" {
		t.Errorf("the file %s holds %q", got.file, got.xml)
	}
}

// An attempt whose answer was lost is made again: the reader's server knows the
// message by its id, and it is the same to the byte.
func TestMailMessage_SameOnEveryAttempt(t *testing.T) {
	s := (&server{}).start(t, mail.NoTLS)
	sender := newSender(t, s.options(mail.NoTLS))
	must(t, sender.Send(t.Context(), message()))
	must(t, sender.Send(t.Context(), message()))
	if taken := s.taken(); len(taken) != 2 || !bytes.Equal(taken[0].raw, taken[1].raw) {
		t.Errorf("the second differs:\n%s\n%s", taken[0].raw, taken[1].raw)
	}
}

// With the printed form of its note, the message says that it is there, and is as much
// the same on every attempt.
func TestMailMessage_WithPrintedForm(t *testing.T) {
	s := (&server{}).start(t, mail.NoTLS)
	sender := newSender(t, s.options(mail.NoTLS))
	printed := message()
	printed.DANFSe = bytes.Repeat([]byte("%PDF\n"), 10_000)
	must(t, sender.Send(t.Context(), message()))
	must(t, sender.Send(t.Context(), printed))
	must(t, sender.Send(t.Context(), printed))
	taken := s.taken()
	if without := show(t, taken[0].raw); without.page != "" || strings.Contains(without.text, "DANFSe") {
		t.Errorf("without a page: %s\n%s", without.page, without.text)
	}
	got := show(t, taken[1].raw)
	if got.page != "NFS-e 42 - Clínica São João.pdf" || !bytes.Equal(got.pdf, printed.DANFSe) ||
		string(got.xml) != "<NFSe>ção</NFSe>\n" {
		t.Errorf("%s has %d bytes, the XML is %s", got.page, len(got.pdf), got.xml)
	}
	for _, part := range []string{
		"R$ 1.234.567,89. O arquivo XML da nota e sua forma impressa (DANFSe, em PDF) estão anexos.\n",
		"BRL 1,234,567.89. Its XML file and its printed form (DANFSe, a PDF) are attached.\n",
	} {
		if !strings.Contains(got.text, part) {
			t.Errorf("the text lacks %q:\n%s", part, got.text)
		}
	}
	if !bytes.Equal(taken[1].raw, taken[2].raw) {
		t.Error("the second attempt differs")
	}
}

func TestMailMessage_Cancelled(t *testing.T) {
	s := (&server{}).start(t, mail.NoTLS)
	cancelled := message()
	cancelled.Cancelled = true
	must(t, newSender(t, s.options(mail.NoTLS)).Send(t.Context(), cancelled))
	got := show(t, s.taken()[0].raw)
	if subject := got.decoded(t, "Subject"); subject !=
		"NFS-e 42 emitida por / issued by Clínica São João (cancelada / cancelled)" {
		t.Errorf("the subject is %q", subject)
	}
	for _, part := range []string{
		"anexo.\n\nA nota foi cancelada depois de emitida e não vale mais.\n\nCompetência",
		"attached.\n\nThe invoice was cancelled after it was issued and is no longer valid.\n\nCompetence",
	} {
		if !strings.Contains(got.text, part) {
			t.Errorf("the text lacks %q:\n%s", part, got.text)
		}
	}
}

// A note and the one that replaces it name each other.
func TestMailMessage_Replaced(t *testing.T) {
	s := (&server{}).start(t, mail.NoTLS)
	sender := newSender(t, s.options(mail.NoTLS))
	replaced, replacing := message(), message()
	replaced.Cancelled, replaced.ReplacedBy, replacing.Replaces = true, "43", "41"
	for i, says := range []struct {
		mail.Message
		parts []string
	}{
		{replaced, []string{"A nota foi substituída pela NFS-e nº 43 e não vale mais.",
			"The invoice was replaced by the NFS-e no. 43 and is no longer valid."}},
		{replacing, []string{"Esta nota substitui a NFS-e nº 41, que foi cancelada por isso",
			"This invoice replaces the NFS-e no. 41, which was cancelled by that"}},
	} {
		must(t, sender.Send(t.Context(), says.Message))
		got := show(t, s.taken()[i].raw)
		for _, part := range says.parts {
			if !strings.Contains(got.text, part) || strings.Contains(got.text, "A nota foi cancelada") {
				t.Errorf("the text lacks %q:\n%s", part, got.text)
			}
		}
	}
}

// What is to be paid is said where the document states it and it is not the price; of a
// cancelled note it is not.
func TestMailMessage_ToPay(t *testing.T) {
	s := (&server{}).start(t, mail.NoTLS)
	sender := newSender(t, s.options(mail.NoTLS))
	withheld := message()
	withheld.ToPayCents = new(int64(123406789))
	same, cancelled := withheld, withheld
	same.ToPayCents = &same.AmountCents
	cancelled.Cancelled = true
	for _, one := range []mail.Message{withheld, same, cancelled} {
		must(t, sender.Send(t.Context(), one))
	}
	taken := s.taken()
	got := show(t, taken[0].raw)
	for _, part := range []string{
		"anexo.\n\nValor a pagar, conforme a nota: R$ 1.234.067,89.\n\nCompetência",
		"attached.\n\nAmount to pay, as the invoice states: BRL 1,234,067.89.\n\nCompetence", "R$ 1.234.567,89",
	} {
		if !strings.Contains(got.text, part) {
			t.Errorf("the text lacks %q:\n%s", part, got.text)
		}
	}
	for _, other := range taken[1:] {
		if text := show(t, other.raw).text; strings.Contains(text, "a pagar") || strings.Contains(text, "to pay") {
			t.Errorf("the text is\n%s", text)
		}
	}
}

func TestMailMessage_WithoutFiscalValue(t *testing.T) {
	s := (&server{}).start(t, mail.NoTLS)
	restricted := message()
	restricted.WithoutFiscalValue = true
	must(t, newSender(t, s.options(mail.NoTLS)).Send(t.Context(), restricted))
	text := show(t, s.taken()[0].raw).text
	if !strings.Contains(text, "não tem valor fiscal") || !strings.Contains(text, "no fiscal value") ||
		strings.Contains(text, "https://") {
		t.Errorf("the text is:\n%s", text)
	}
}

// A city's own authority may give neither a number nor a key of the national
// form.
func TestMailMessage_WithoutNumberAndKey(t *testing.T) {
	s := (&server{}).start(t, mail.NoTLS)
	bare := message()
	bare.Number, bare.AccessKey, bare.PublicURL = "", "", ""
	must(t, newSender(t, s.options(mail.NoTLS)).Send(t.Context(), bare))
	got := show(t, s.taken()[0].raw)
	if strings.Contains(got.text, "nº") || strings.Contains(got.text, "have") ||
		strings.Contains(got.text, "https://") || got.file != "NFS-e - Clínica São João.xml" {
		t.Errorf("%s:\n%s", got.file, got.text)
	}
}

// Any content of a name stays in its header and in its sentence.
func TestMailMessage_NoInjection(t *testing.T) {
	s := (&server{}).start(t, mail.NoTLS)
	sender := newSender(t, s.options(mail.NoTLS))
	for _, name := range []string{
		"Maria\r\nBcc: other@example.com", "Maria\nX-Evil: 1", "Maria\r\n\r\nbody", `Maria" <evil@example.com>, "`,
		"Maria\x00\u2028x",
		"Maria <evil@example.com>, José", strings.Repeat("Conceição ", 40), strings.Repeat("x",
			300), "=?utf-8?q?evil?=", "\xff\xfe", ".",
	} {
		evil := message()
		evil.Name, evil.Issuer = name, name
		evil.Number, evil.AccessKey = "42\r\nX-Evil: 1", "../../\r\nX-Evil: \"1\""
		before := len(s.taken())
		must(t, sender.Send(t.Context(), evil))
		taken := s.taken()[before]
		got := show(t, taken.raw)
		if taken.to != "maria@example.com" || got.address(t, "To").Address != "maria@example.com" ||
			got.address(t, "From").Address != "notas@emissor.example" {
			t.Errorf("%q: sent to %q as %v", name, taken.to, got.header)
		}
		if len(got.header["Bcc"])+len(got.header["X-Evil"]) != 0 || len(got.header) != 8 {
			t.Errorf("%q: the headers are %v", name, got.header)
		}
		if strings.ContainsAny(got.file, "/\r\n\"") {
			t.Errorf("the file is called %q", got.file)
		}
		for line := range strings.Lines(string(taken.raw)) {
			if len(line) > 1000 || !strings.HasSuffix(line, "\r\n") {
				t.Errorf("%q: a line of %d bytes: %q", name, len(line), line)
			}
		}
		if greeting, _, _ := strings.Cut(got.text, "\n"); !strings.HasPrefix(greeting, "Olá, ") ||
			!strings.HasSuffix(greeting, ".") {
			t.Errorf("%q: the greeting is %q", name, greeting)
		}
	}
}

func TestMailSender_InvalidAddress(t *testing.T) {
	s := (&server{}).start(t, mail.NoTLS)
	sender := newSender(t, s.options(mail.NoTLS))
	for _, address := range []string{
		"", "maria", "maria@example.com\r\nRCPT TO:<x@example.com>", "maria@example.com>\r\nDATA",
		"maria@example.com, x@example.com",
		"Maria <maria@example.com>", "maria @example.com", "joão@example.com", "maria@example.com ",
	} {
		wrong := message()
		wrong.To = address
		if err := sender.Send(t.Context(), wrong); err == nil || mail.Temporary(err) {
			t.Errorf("%q: %v", address, err)
		} else if address != "" && strings.Contains(err.Error(), address) {
			t.Errorf("the error holds the address: %v", err)
		}
	}
	if s.sessions != 0 {
		t.Errorf("%d connections", s.sessions)
	}
}

// What the server says of this message is final; everything else may pass.
func TestMailSender_Temporary(t *testing.T) {
	words := "5.1.1 <maria@example.com> is\r\nnot here"
	refused := func(step string, status int) fact.Fact {
		return fact.MailStepRefused.With("step", step, "status", status)
	}
	for name, test := range map[string]struct {
		server    *server
		temporary bool
		summary   fact.Fact
	}{
		"sender 4xx":    {&server{onMail: answering(451, words)}, true, refused("sender", 451)},
		"sender 5xx":    {&server{onMail: answering(553, words)}, true, refused("sender", 553)},
		"recipient 4xx": {&server{onRcpt: answering(450, words)}, true, refused("recipient", 450)},
		"recipient 5xx": {&server{onRcpt: answering(550, words)}, false, refused("recipient", 550)},
		"message 4xx": {&server{onData: func([]byte) error { return answering(452, words)() }}, true,
			refused("message", 452)},
		"message 5xx": {&server{onData: func([]byte) error { return answering(554, words)() }}, false,
			refused("message", 554)},
		"cut in DATA": {&server{onData: func([]byte) error { return errCut }}, true,
			fact.MailStepBroke.With("step", "message")},
	} {
		t.Run(name, func(t *testing.T) {
			s := test.server.start(t, mail.StartTLS)
			err := newSender(t, s.options(mail.StartTLS)).Send(t.Context(), message())
			if err == nil || mail.Temporary(err) != test.temporary || !mail.Summary(err).Equal(test.summary) {
				t.Errorf("%v, temporary %t, in short %q", err, mail.Temporary(err), mail.Summary(err))
			}
			if strings.ContainsAny(err.Error(), "\r\n@") {
				t.Errorf("the problem is %q", err)
			}
			if len(s.taken()) != 0 {
				t.Error("the server has taken it")
			}
		})
	}
}

// What is wrong with the server or with our settings is for the operator: every
// message waits, and none is given up.
func TestMailSender_TemporaryForEveryMessage(t *testing.T) {
	plain := (&server{}).start(t, mail.NoTLS)
	secure := (&server{user: "notas", password: "segredo"}).start(t, mail.StartTLS)
	odd := (&server{user: "notas", password: "segredo", mechanisms: []string{"X-OTHER"}}).start(t, mail.StartTLS)
	tokens := (&server{user: "notas", password: "t0ken", mechanisms: []string{"XOAUTH2"}}).start(t, mail.StartTLS)
	change := func(options mail.Options, change func(*mail.Options)) mail.Options {
		change(&options)
		return options
	}
	for name, test := range map[string]struct {
		options mail.Options
		step    string
		why     fact.Code // empty: any
		status  int       // of the answer; 0 when it was none
	}{
		"nobody there": {change(plain.options(mail.NoTLS), func(o *mail.Options) { o.Port = 1 }),
			"connect", fact.NetworkRefused, 0},
		"no such host": {change(plain.options(mail.NoTLS), func(o *mail.Options) { o.Host = "mail.invalid" }),
			"connect", "", 0}, // what the resolver here makes of it
		"no STARTTLS": {plain.options(mail.StartTLS), "tls", fact.MailServerWithoutSTARTTLS, 0},
		"not TLS":     {plain.options(mail.ImplicitTLS), "connect", fact.TLSNotSpoken, 0},
		"unknown CA": {change(secure.options(mail.StartTLS), func(o *mail.Options) { o.Roots = nil }),
			"tls", fact.TLSNotVerified, 0},
		"another host": {change(secure.options(mail.StartTLS), func(o *mail.Options) { o.Host = "localhost" }),
			"tls", fact.TLSNotVerified, 0},
		"wrong password": {change(secure.options(mail.StartTLS), func(o *mail.Options) { o.Password = "hunter2" }),
			"authentication", fact.Said, 535},
		"password missing": {change(secure.options(mail.StartTLS),
			func(o *mail.Options) { o.Username, o.Password = "", "" }), "sender", fact.Said, 502},
		"no token": {change(secure.options(mail.StartTLS), func(o *mail.Options) {
			o.Password, o.OAuth = "", noToken{}
		}), "authentication", fact.MailServerWithoutXOAUTH2, 0},
		"token not given": {change(tokens.options(mail.StartTLS), func(o *mail.Options) {
			o.Password, o.OAuth = "", noToken{}
		}), "authentication", fact.Said, 0},
		"token refused": {change(tokens.options(mail.StartTLS), func(o *mail.Options) {
			o.Password, o.OAuth = "", oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "hunter2"})
		}), "authentication", fact.Said, 535},
		"no known mechanism": {odd.options(mail.StartTLS), "authentication", fact.MailServerWithoutLogin, 0},
	} {
		t.Run(name, func(t *testing.T) {
			err := newSender(t, test.options).Send(t.Context(), message())
			if err == nil || !mail.Temporary(err) {
				t.Fatal(err)
			}
			problem := mail.Problem(err)
			if why, _ := problem.Arguments["why"].(fact.Fact); !problem.Is(fact.MailStepFailed) ||
				problem.Arguments["step"] != test.step || why.None() || test.why != "" && !why.Is(test.why) {
				t.Errorf("%s: %+v", problem, problem)
			}
			if answered, _ := mail.Summary(err).Arguments["status"].(int64); int(answered) != test.status {
				t.Errorf("in short it is %s", mail.Summary(err))
			}
			for _, secret := range []string{"segredo", "hunter2"} {
				if strings.Contains(fmt.Sprint(err), secret) {
					t.Errorf("the problem shows the password: %v", err)
				}
			}
		})
	}
	if taken := len(plain.taken()) + len(secure.taken()) + len(odd.taken()) + len(tokens.taken()); taken != 0 {
		t.Errorf("%d messages were taken", taken)
	}
}

// A server that says nothing holds an attempt no longer than its context.
func TestMailSender_SilentServer(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		conn, err := silent.Accept()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, "220 mail.test\r\n")
		said := bufio.NewReader(conn)
		_, _ = said.ReadString('\n')
		cancel()
		_, _ = io.Copy(io.Discard, said) // until the sender has left
	}()
	err = newSender(t, mail.Options{
		Host: "127.0.0.1", Port: silent.Addr().(*net.TCPAddr).Port, From: "notas@emissor.example", TLS: mail.NoTLS,
	}).Send(ctx, message())
	if err == nil || !mail.Temporary(err) || !strings.Contains(err.Error(), "greeting") {
		t.Errorf("%v", err)
	}
	<-gone
}

func TestMailSender_WrongOptions(t *testing.T) {
	good := mail.Options{Host: "mail.example.com", From: "notas@emissor.example", Username: "notas",
		Password: "segredo"}
	for name, change := range map[string]func(*mail.Options){
		"host":      func(o *mail.Options) { o.Host = "" },
		"host:port": func(o *mail.Options) { o.Host = "mail.example.com:25" },
		"port":      func(o *mail.Options) { o.Port = 70000 },
		"from":      func(o *mail.Options) { o.From = "Emissor <notas@emissor.example>" },
		"from CRLF": func(o *mail.Options) { o.From = "notas@emissor.example\r\nX: y" },
		"mode":      func(o *mail.Options) { o.TLS = "opportunistic" },
		"in clear":  func(o *mail.Options) { o.TLS = mail.NoTLS },
		"user":      func(o *mail.Options) { o.Username = "" },
		"two ways":  func(o *mail.Options) { o.OAuth = noToken{} },
		"password":  func(o *mail.Options) { o.Password = "" },
	} {
		options := good
		change(&options)
		if _, err := mail.New(options); err == nil || strings.Contains(err.Error(), "segredo") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for mode, port := range map[mail.TLSMode]string{"": "587", mail.StartTLS: "587", mail.ImplicitTLS: "465"} {
		options := good
		options.TLS = mode
		sender := newSender(t, options)
		printed := fmt.Sprintf("%s %v %+v %#v", sender, sender, sender, sender)
		if strings.Contains(printed, "segredo") || !strings.Contains(printed, ":"+port) {
			t.Errorf("%q prints as %s", mode, printed)
		}
	}
}
