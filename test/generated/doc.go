// Package generated tests what the contract promises by generated requests: package
// test/generate draws valid ones over the whole contract, in every kind of text, and
// the test sends them through the running system: the API behind a real server, a
// worker on the real engine, the simulators of both authorities over TLS, receivers of
// webhooks, a mail server, and the dashboard with a person signed in. Then it checks:
//
//   - nothing answers 5xx, and every answer is as api/openapi.yaml describes it;
//   - every valid request is accepted, and every note that was answered 202 ends;
//   - each terminal state has one event, which arrives signed, in the bytes on record;
//   - no message to the city of São Paulo has a character that the city refuses;
//   - documents parse, e-mails arrive or say why not, and the engine lists every run;
//   - the engine has no text of a person: in no history, header, failure, memo or search attribute;
//   - every page shows every note, and finds it by its reference and its customer.
//
// There are 120 requests, or 5,000 with LONG_TESTS. GENERATE_SEED repeats a run, and
// GENERATE_REQUESTS makes more of them.
package generated
