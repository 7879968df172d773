// Package webhook sends events to the endpoints of their subscribers. It uses
// neither the database nor the workflow engine: it makes one attempt, and says
// when the next one may come.
//
// A Client posts an event's body, signed with the endpoint's secrets:
//
//	client := webhook.NewClient(webhook.Options{})
//	attempt := client.Send(ctx, endpointURL, secrets, body)
//	if !attempt.Succeeded() {
//		wait, ok := webhook.Pause(failures, attempt.RetryAfter, left)
//		...
//	}
//
// Endpoints are chosen by customers, so a Client follows no redirect and connects to public addresses only, no matter
// what a name resolves to; Options.CheckURL refuses at once what can never be an endpoint. A proxy of the Client's
// own, where there is one, looks up names and decides where it connects to.
//
// Sign makes the header by which a receiver knows that a delivery comes from
// here and is fresh; its example verifies one.
package webhook
