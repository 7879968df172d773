package mail

import (
	"errors"
	"net/textproto"
	"regexp"

	"emissor/internal/text"
	"emissor/nfse/fact"
)

// step is a part of the conversation with the mail server, a word of the kind mail_step.
type step string

const (
	stepCompose        step = "compose"
	stepConnect        step = "connect"
	stepGreeting       step = "greeting"
	stepTLS            step = "tls"
	stepAuthentication step = "authentication"
	stepSender         step = "sender"
	stepRecipient      step = "recipient"
	stepMessage        step = "message"
)

// failure is why an attempt failed.
type failure struct {
	step      step
	code      int       // of the server's answer; 0 when it was none
	why       fact.Fact // the server's words, or what happened to the connection; without addresses of people
	permanent bool
}

func (f *failure) problem() fact.Fact { return fact.MailStepFailed.With("step", f.step, "why", f.why) }

// Error implements error.
func (f *failure) Error() string { return f.problem().English() }

// failed makes the failure of a step. Only what the server says of this message is
// permanent: a connection, password or sender that is refused concerns every message, and
// the operator has to correct it.
func failed(at step, err error) *failure {
	var answer *textproto.Error
	if !errors.As(err, &answer) {
		return &failure{step: at, why: whatHappened(err)}
	}
	return &failure{step: at, code: answer.Code, why: inWords(err),
		permanent: answer.Code >= 500 && (at == stepRecipient || at == stepMessage)}
}

// Temporary reports whether another attempt may succeed: the connection failed,
// the server answered 4xx, or it refused something that holds for every message.
// A refusal (5xx) of the recipient or of the message is permanent, and so is an
// invalid address.
func Temporary(err error) bool {
	var known *failure
	return err != nil && !(errors.As(err, &known) && known.permanent)
}

// Problem returns what failed, with the server's words.
func Problem(err error) fact.Fact {
	var known *failure
	if !errors.As(err, &known) {
		return inWords(err)
	}
	return known.problem()
}

// Summary returns what failed without the server's words, for places where
// nothing personal may be written.
func Summary(err error) fact.Fact {
	var known *failure
	switch {
	case !errors.As(err, &known):
		return fact.MailNotSent.Fact()
	case known.code == 0:
		return fact.MailStepBroke.With("step", known.step)
	}
	return fact.MailStepRefused.With("step", known.step, "status", known.code)
}

// inWords is an error in the words of the server, or of a library.
func inWords(err error) fact.Fact { return fact.InWords(presentable(err.Error())) }

const longestText = 300 // characters

var addressInText = regexp.MustCompile(`[^\s<>()\[\]{},;:"']+@[^\s<>()\[\]{},;:"']+`)

// presentable is a server's words as one short line without addresses.
func presentable(said string) string {
	return text.Shortened(addressInText.ReplaceAllString(text.Shown(said), "(address)"), longestText)
}
