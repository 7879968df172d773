package trace

import (
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"

	"emissor/nfse"
)

// This file is all that a span may say. Who adds to it adds what leaves the installation: an id of our own, a state, a
// code or a number; never what a caller, an authority or a person has written.

// The names are OpenTelemetry's where it has one.
const (
	keyMethod       = attribute.Key("http.request.method")
	keyRoute        = attribute.Key("http.route")
	keyStatus       = attribute.Key("http.response.status_code")
	keyError        = attribute.Key("error.type")
	keyRequest      = attribute.Key("emissor.request_id")
	keyOrganization = attribute.Key("emissor.organization_id")
	keyEnvironment  = attribute.Key("emissor.environment")
	keyNote         = attribute.Key("emissor.note_id")
	keyDelivery     = attribute.Key("emissor.delivery_id")
	keyEndpoint     = attribute.Key("emissor.endpoint_id")
	keyEmail        = attribute.Key("emissor.email_id")
	keyAuthority    = attribute.Key("emissor.authority")
	keyCall         = attribute.Key("emissor.call")
	keyKind         = attribute.Key("emissor.kind")
	keySubject      = attribute.Key("emissor.subject_id")
	keyOutcome      = attribute.Key("emissor.outcome")
	keyAttempt      = attribute.Key("emissor.attempt")
)

// Answered names the span of a request by its method and route, which is a pattern and not a path, and says the status.
func (s *Span) Answered(method, route string, status int) {
	if s == nil {
		return
	}
	s.span.SetName(method + " " + route)
	s.text(keyMethod, method)
	s.text(keyRoute, route)
	s.Status(status)
	if status >= http.StatusInternalServerError {
		s.span.SetStatus(codes.Error, "")
	}
}

// Code says the code of the error that a request is answered with.
func (s *Span) Code(code nfse.Code) { s.text(keyError, string(code)) }

// Request says the id of the request.
func (s *Span) Request(id string) { s.text(keyRequest, id) }

// Organization says whose it is.
func (s *Span) Organization(id string) { s.text(keyOrganization, id) }

// Scope says whose it is, and in which environment.
func (s *Span) Scope(scope nfse.Scope) {
	s.text(keyOrganization, scope.OrganizationID)
	s.text(keyEnvironment, scope.Environment())
}

// Note says which note it is about.
func (s *Span) Note(id string) { s.text(keyNote, id) }

// Delivery says which delivery it is about.
func (s *Span) Delivery(id string) { s.text(keyDelivery, id) }

// Endpoint says to which webhook endpoint something is sent.
func (s *Span) Endpoint(id string) { s.text(keyEndpoint, id) }

// Email says which e-mail it is about.
func (s *Span) Email(id string) { s.text(keyEmail, id) }

// Authority says which authority is called, and for what.
func (s *Span) Authority(name, call string) {
	s.text(keyAuthority, name)
	s.text(keyCall, call)
}

// Subject says which record of a kind it is about.
func (s *Span) Subject(kind, id string) {
	s.text(keyKind, kind)
	s.text(keySubject, id)
}

// Outcome says what came of it, in a word of ours.
func (s *Span) Outcome(outcome string) { s.text(keyOutcome, outcome) }

// Status says the status of an HTTP answer; 0 is none.
func (s *Span) Status(status int) {
	if s != nil && status != 0 {
		s.span.SetAttributes(keyStatus.Int(status))
	}
}

// Attempt says the number of the attempt, from 1.
func (s *Span) Attempt(number int) {
	if s != nil {
		s.span.SetAttributes(keyAttempt.Int(number))
	}
}

func (s *Span) text(key attribute.Key, value string) {
	if s != nil && value != "" {
		s.span.SetAttributes(key.String(value))
	}
}
