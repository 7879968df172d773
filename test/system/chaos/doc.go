// Command chaos shows that Emissor keeps its promise under faults, and how fast it
// recovers. It runs inside a development stack:
//
//	devstack -no-ui -- chaos -notes 20000 -faults 200 [-seed N] [-emissor FILE -simulator FILE]
//
// Two API processes and two workers are killed and paused at random, with
// PostgreSQL, Temporal, the connections between them, the authorities (simulators),
// the receivers of webhooks and the zip code service, while callers issue, repeat
// and cancel notes of several organizations, each of which issues by another
// authority: the national system, São Paulo, or a city whose own server takes the
// national declaration. Callers and receivers keep records of
// their own: every answer, and every body. After the last fault, within a bound,
// everything must have come to its end, and the records must agree with the
// database and with the authorities' ledgers. It prints one table, and exits with
// status 1 if an invariant is violated.
//
// A run is planned from its seed, which it prints: with the same seed and flags
// the same notes are issued and the same faults happen in the same order.
package main
