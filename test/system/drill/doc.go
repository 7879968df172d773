// Command drill loses the database under load and brings it back as the handbook says, and shows what
// that costs. It runs inside a development stack, whose Temporal it uses; PostgreSQL is its own, because
// it is lost:
//
//	devstack -no-ui -- drill [-rounds N] [-failovers N] [-seed N]
//
// In each round an installation of its own, with continuous archiving by pgBackRest, issues and cancels
// sandbox notes and live ones of the national system and of São Paulo. A base backup is made meanwhile.
// At a random moment the server is lost with all that it had not archived, or somebody drops a table,
// and the database is restored; Temporal is then newer than the database, or older, or empty. In a
// failover the primary is killed and a streaming replica promoted. The ledgers of the simulated
// authorities are kept, as are the records of callers and of a receiver of webhooks: afterwards they are
// compared with the database.
//
// The commands are the blocks of docs/operations/backup.md and failover.md that have a name: what is
// drilled is what is written there.
package main
