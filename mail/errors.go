package mail

import (
	"errors"
	"fmt"
	"net/textproto"
	"regexp"
	"strings"
	"unicode"
)

// step is a part of the conversation with the mail server.
type step string

const (
	stepCompose        step = "composing the message"
	stepConnect        step = "connecting to the mail server"
	stepGreeting       step = "the mail server's greeting"
	stepTLS            step = "securing the connection to the mail server"
	stepAuthentication step = "authenticating at the mail server"
	stepSender         step = "naming the sender"
	stepRecipient      step = "naming the recipient"
	stepMessage        step = "handing over the message"
)

// failure is why an attempt failed.
type failure struct {
	step      step
	code      int    // of the server's answer; 0 when it was none
	text      string // the server's words, or what happened to the connection; without addresses
	permanent bool
}

// Error implements error.
func (f *failure) Error() string { return fmt.Sprintf("%s failed: %s", f.step, f.text) }

// failed makes the failure of a step. Only what the server says of this message is
// permanent: a refused connection, password or sender would be so for every
// message, and is for the operator to put right.
func failed(at step, err error) *failure {
	f := &failure{step: at, text: presentable(err.Error())}
	var answer *textproto.Error
	if errors.As(err, &answer) {
		f.code = answer.Code
		f.permanent = answer.Code >= 500 && (at == stepRecipient || at == stepMessage)
	}
	return f
}

// Temporary reports whether another attempt may succeed: the connection failed,
// the server answered 4xx, or it refused something that holds for every message.
// A refusal (5xx) of the recipient or of the message is permanent, and so is an
// invalid address.
func Temporary(err error) bool {
	var known *failure
	return err != nil && !(errors.As(err, &known) && known.permanent)
}

// Summary returns what failed without the server's words, for places where
// nothing personal may be written.
func Summary(err error) string {
	var known *failure
	switch {
	case !errors.As(err, &known):
		return "sending failed"
	case known.code == 0:
		return string(known.step) + " failed"
	}
	return fmt.Sprintf("%s failed with %d", known.step, known.code)
}

const longestText = 300 // characters

var addressInText = regexp.MustCompile(`[^\s<>()\[\]{},;:"']+@[^\s<>()\[\]{},;:"']+`)

// presentable makes one short line of a server's words, without addresses.
func presentable(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	text = addressInText.ReplaceAllString(strings.Join(strings.Fields(text), " "), "(address)")
	if runes := []rune(text); len(runes) > longestText {
		text = string(runes[:longestText]) + "…"
	}
	return text
}
