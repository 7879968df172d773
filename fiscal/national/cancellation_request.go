package national

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/nfse"
)

// cancellationType is the event by which an issuer cancels.
const cancellationType = "101101"

// cancellationRequest is what a request to register a cancellation
// (pedRegEvento) says.
type cancellationRequest struct {
	id         string
	production bool
	moment     time.Time // dhEvento, in Brasília
	software   string    // verAplic
	author     nfse.TaxID
	accessKey  string
	reasonCode string
	reasonText string
}

// renderCancellation builds and signs the request to cancel an issued document
// (event e101101).
func renderCancellation(options Options, cancellation fiscal.Cancellation, credentials *fiscal.Credentials, at time.Time) (fiscal.Rendering, error) {
	content, err := newCancellationRequest(options, cancellation, at)
	if err != nil {
		return fiscal.Rendering{}, fmt.Errorf("pedRegEvento: %w", err)
	}
	form := options.Layouts.layoutOn(content.moment)
	var w writer
	form.cancellation(&w, content)
	return sign(options.Signature, form, "pedRegEvento", content.id, w.text, credentials)
}

func newCancellationRequest(options Options, cancellation fiscal.Cancellation, at time.Time) (cancellationRequest, error) {
	c := cancellationRequest{
		id: "PRE" + cancellation.AccessKey + cancellationType, production: cancellation.Issuer.Production,
		author: cancellation.Issuer.TaxID, accessKey: cancellation.AccessKey, reasonCode: cancellation.ReasonCode,
	}
	words, known := reasonWords[cancellation.ReasonCode]
	switch {
	case !accessKeyForm.MatchString(cancellation.AccessKey):
		return cancellationRequest{}, errors.New("chNFSe: not an access key")
	case !sound(c.author):
		return cancellationRequest{}, errors.New("the author's document is not a valid CPF or CNPJ")
	case !known:
		return cancellationRequest{}, errors.New("cMotivo: not 1, 2 or 9")
	}
	c.reasonText = reasonLine(words, cancellation.ReasonText)
	var err error
	if c.software, err = softwareName(options.Software); err != nil {
		return cancellationRequest{}, err
	}
	c.moment, err = issueMoment(at, 0)
	return c, err
}

// reasonWords are what the reasons (cMotivo) mean.
var reasonWords = map[string]string{
	"1": "Erro na emissão da NFS-e",
	"2": "Serviço não prestado",
	"9": "Cancelamento por outro motivo",
}

// The length of a reason (xMotivo), in characters.
const (
	minReason = 15
	maxReason = 255
)

// reasonLine makes a reason fit. Writing it in Latin-1 may have made it shorter
// or longer than what the caller was held to: then the words of its code come
// first, or its end is cut. A cancellation does not fail for want of words.
func reasonLine(words, text string) string {
	line := safeText(text)
	switch {
	case line == "":
		line = words
	case utf8.RuneCountInString(line) < minReason:
		line = words + ": " + line
	}
	if runes := []rune(line); len(runes) > maxReason {
		line = safeText(string(runes[:maxReason]))
	}
	return line
}
