// Package listening serves those who develop with a test key, on the listener of the dashboard and beside its pages:
// `emissor listen`, which takes the webhook deliveries of test notes on a machine that nothing reaches, and
// `emissor logs tail`, which shows the log of requests as it comes.
//
// A command that listens asks and waits, at most 25 seconds each time (GET /listen/{id}). An idle one costs no
// statement: what it may know is remembered, and the database tells each process of a delivery that waits, and of a
// key that is revoked, by one connection. What was missed while that connection was away is made up for by forgetting
// everything: each command asks again. The database tells by triggers, so that no program can forget it.
//
// Such a command is an endpoint whose deliveries nobody sends: rows as others, so that what came of each is on record
// and can be sent again, without a row in the outbox. Its secret is made of its key, so that it is the same each time.
// It gets what is pending and keeps no position: transactions end in another order than they begin, and a position
// would skip some. What nobody takes within an hour a worker skips; the endpoint goes a week after its end, once the
// months of its deliveries are dropped (TestForgetListeners). It is served beside the dashboard's pages because a
// contract is a promise for years, and this is a tool.
package listening
