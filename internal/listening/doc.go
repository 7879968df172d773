// Package listening serves those who develop with a test key, on the listener of the dashboard and beside its pages:
// `emissor listen`, which takes the webhook deliveries of test notes on a machine that nothing reaches, and
// `emissor logs tail`, which shows the log of requests as it comes.
//
// A command that listens asks and waits, at most 25 seconds each time (GET /listen/{id}). An idle one costs no
// statement: what it may know is remembered, and the database tells each process of a delivery that waits, and of a
// key that is revoked, by one connection.
package listening
