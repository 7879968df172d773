// Package webhooks is the endpoints of an organization and what is sent to them: Enqueue stores an event's deliveries
// in the transaction of the event; a delivery is claimed, attempted, and delivered, tried again or given up.
// Listeners take deliveries by a command instead.
package webhooks
