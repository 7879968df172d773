// Package trace records what becomes of a request, in all processes, as a trace of OpenTelemetry: from the request over
// the outbox, the workflow and its activities to the authority and the receiver. It is off unless a collector is
// configured, and costs nothing then: a nil Tracer and a nil Span do nothing.
//
// A process has one Tracer, which begins traces and takes up those that another process has begun. What happens
// within one is a span of the code that does it, which needs to know no Tracer:
//
//	ctx, span := trace.StartCall(ctx, "send a webhook")
//	span.Delivery(id)
//	defer func() { span.End(err) }()
//
// Nothing personal leaves the installation by a trace. What a span may say are the methods of Span: ids, states, codes
// and numbers of our own. There is none for a text, an error is a code, and statements, paths and bodies have no place.
//
// Whether a trace is recorded is drawn once, where it begins, by our own ratio. What a caller says of its own trace is
// kept as a link: who could choose the trace's id or flag would choose what is recorded.
package trace
