// Package mail sends issued notes to their customers over SMTP, and one-time links to the
// people of the dashboard. It uses neither the database nor the workflow engine: it makes
// one attempt, and says whether another one may help and when.
//
//	sender, err := mail.New(mail.Options{Host: "smtp.example.com", From: "notas@example.com"})
//	err = sender.Send(ctx, message)
//	if mail.Temporary(err) {
//		wait, more := mail.Pause(failures)
//		...
//	}
//
// A Message is written in Portuguese and in English and carries the note's XML, and
// its printed form where there is one. It has the same bytes and the same Message-ID
// on every attempt, so that a reader's server can recognize one that arrives twice.
package mail
