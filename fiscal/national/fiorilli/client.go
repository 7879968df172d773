package fiorilli

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/fiorilli/rules"
	"emissor/fiscal/national/soap"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// meaning is what the codes of the servers mean.
var meaning = soap.Meaning{Catalogue: rules.Catalogue, Handling: rules.Handling, IsFailure: rules.IsFailure,
	Cancelled: rules.NoteCancelled}

// Client calls the server of a city.
type Client struct {
	notFound []string // by what the question about a DPS finds nothing: codes, or rules.Empty
	soap     *soap.Client
}

// New makes a client of the city of a row. It refuses addresses that are no https URLs.
func New(row cities.Row, transport mtls.Options, logger *slog.Logger) (c *Client, err error) {
	c = &Client{notFound: strings.Split(row.Quirks[cities.NotFoundCodes], ",")}
	c.soap, err = soap.NewClient(row, transport, logger)
	return c, err
}

func (c *Client) call(ctx context.Context, access fiscal.Access, what operation, content []byte) soap.Reply {
	return c.soap.Call(ctx, access, what.with(slices.Concat(content, soap.Login(access))))
}

// Send sends the last message of a request, as fiscal.Authority wants it: byte for byte, but for the namespace of
// eventRequest.
func (c *Client) Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	message := request.Message().XML
	switch {
	case request.Kind == fiscal.Issue:
		return interpretSent(c.call(ctx, access, issue, soap.InPlace(message)), request)
	case request.MunicipalRegistration == "":
		missing := fact.CityFieldMissing.With("field", "IM")
		return fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Reason: missing, NeedsPerson: missing}
	}
	return interpretEvent(c.call(ctx, access, cancel, eventRequest(request.MunicipalRegistration, message)), request)
}

// interpretSent reads the answer to a DPS. Messages may be about another DPS, of which they have the Id: then the
// answer is none to ours, unless it has our note.
func interpretSent(r soap.Reply, request fiscal.Request) fiscal.Answer {
	ofAnother := func(one soap.Message) bool { return one.DPS != "" && one.DPS != request.Message().ID }
	if r.Read != nil && len(r.Read.Notes) == 0 && slices.ContainsFunc(r.Read.Refusals, ofAnother) {
		return r.OfMessage().Ambiguous(fact.CityAnswerWrong.With("why", fact.CityAnswerToSomethingElse.Fact()))
	}
	return meaning.Sent(r, request)
}

// interpretEvent reads the answer to a request about a note. It shows no event: that the note is cancelled counts by
// the status of a whole answer that refuses nothing and says when the request came.
func interpretEvent(r soap.Reply, request fiscal.Request) fiscal.Answer {
	if request.Kind == fiscal.Cancel && r.Read != nil && r.Successful() && len(r.Read.Refusals) == 0 &&
		r.Read.Root.Value("DataRecebimento") != "" && rules.SaysCancelled(r.Read.Root.Value("status")) {
		return soap.EventThere(r.OfMessage(), nil)
	}
	return meaning.EventSent(r, request)
}

// Find asks what became of a request, as fiscal.Authority wants it.
func (c *Client) Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	if request.Kind != fiscal.Issue {
		question := noteQuestion(request.MunicipalRegistration, request.AccessKey)
		return interpretFoundEvent(c.call(ctx, access, findEvent, question), request)
	}
	sent, err := soap.ReadSent(request.Message().XML)
	if err != nil {
		return fiscal.Unknown(fact.OfError(err))
	}
	return c.askAboutDPS(ctx, access, sent, request)
}

// interpretFoundEvent reads whether a note that is shown has the event that was asked for. That it is shown without
// proves nothing: how a cancelled note is shown nobody has reported. So it is never sent again, and a person looks.
func interpretFoundEvent(r soap.Reply, request fiscal.Request) fiscal.Answer {
	answer := meaning.EventFound(r, request)
	if answer.Outcome == fiscal.OutcomeNotFound {
		answer = meaning.Unclear(answer, nil)
		answer.NeedsPerson = answer.Reason
	}
	return answer
}

// FindNumber asks whether something was made of the DPS of an issuer under a number of its series, by
// whomever: OutcomeAccepted, OutcomeNotFound or OutcomeUnknown.
func (c *Client) FindNumber(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	number int64) fiscal.Answer {
	sent, request, missing := soap.SentUnder(issuer, number)
	if !missing.None() {
		return fiscal.Unknown(missing)
	}
	return c.askAboutDPS(ctx, access, sent, request)
}

func (c *Client) askAboutDPS(ctx context.Context, access fiscal.Access, sent soap.SentDPS,
	request fiscal.Request) fiscal.Answer {
	return c.interpretFound(c.call(ctx, access, findDPS, dpsQuestion(sent)), request)
}

// interpretFound reads the answer to the question what became of a DPS. That there is no note counts only by what the
// city's row says of it.
func (c *Client) interpretFound(r soap.Reply, request fiscal.Request) fiscal.Answer {
	isEmpty := r.Read != nil && r.Successful() && len(r.Read.Notes)+len(r.Read.Refusals) == 0
	if isEmpty && slices.Contains(c.notFound, rules.Empty) {
		answer := r.OfQuestion()
		answer.Outcome, answer.Body = fiscal.OutcomeNotFound, nil
		return answer
	}
	return meaning.Found(r, request, func(one soap.Message) bool { return slices.Contains(c.notFound, one.Code) })
}
