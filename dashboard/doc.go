// Package dashboard is the web interface for people: pages with which a company manages
// its notes. It is rendered on the server and works without script, except for passkeys;
// it reads and writes through the same packages as the API and the commands.
//
// # A request
//
// It passes these files from top to bottom:
//
//	dashboard.go   Options, and the order of all that follows
//	headers.go     security headers, the Host that counts, requests of other sites
//	strangers.go   how many requests of one address, or of one signed-in session
//	compress.go    answers in gzip, but for those with secrets
//	answer.go      an id, a log line, an answer to a panic
//	enter.go       the session's user, and who may use the route
//	sso_recheck.go the company's sign-on is asked again, every quarter of an hour
//	scope.go       the organization and the environment that the address names
//	sudo.go        a fresh passkey before what is dangerous
//	confirm.go     what cannot be undone is shown and must be confirmed
//	limits.go      how often somebody may try to sign in, and invite others
//	routes.go      THE table of routes: who may do what, and where it is done
//	render.go      templates/*.gohtml, once for each language
//	problem.go     what went wrong, as a page
//
// Its pages are in rooms of the same names as those of the store (notes, webhooks, mails, catalogues, companies, books,
// received, batches, operate, access), a file for each page: it reads the form, asks the store and renders. What pages
// have in common is in frame: the request, its session, forms, lists, plots. Rooms import frame and those below them.
//
// # How to add a page
//
//  1. Copy access/people.go (it lists and changes) or notes/notes.go (it lists and
//     shows) to NAME.go in its room. A page is a function that takes the
//     *frame.Request: it reads r.Scope and the form, calls r.D.Store to read and
//     r.Changes() to change, and ends in r.Render or, after a change, r.Redirect.
//  2. Give each of its routes a line in routes.go: method, path, the least role, and
//     asks: FreshPasskey for what shows secrets, revokes, removes or counts for the
//     authority, WhenValid with it where the form can be wrong, FreshInLive for what does so in live
//     only (of these two the page calls r.AskFresh once what was sent is complete and valid),
//     AConfirmation for what cannot be undone, with a line in acts (confirm.go) that describes it.
//     Nothing else checks who may: only this table does.
//  3. Copy templates/people.gohtml to templates/NAME.gohtml. It defines "main"; texts
//     are {{t "key"}}, addresses {{$.Link "/path"}} (they carry the organization and
//     the environment), and every form of an organization begins with {{template
//     "form" $}}. Shared parts (states, ids, pages, problems of fields) are in
//     templates/parts.gohtml: use them before you make another. A new component of the
//     stylesheet goes on templates/design.gohtml, and how it looks into testdata/design.tsv
//     (go test ./dashboard -run TestBrowser_Design -update).
//  4. Put its words, in both languages, in words/NAME.go, add that table to the list in
//     words/words.go, and, when it is a section, a line in Sections (frame/view.go), in its group.
//     A page that others stand below gets a line in above (frame/view.go), and one of a record
//     with an id a line in recordPages (frame/audit_records.go), by which the audit log opens it.
//     What is recorded is a fact, which has texts of its own (package fact): it is shown
//     by {{fact .Reason}}, and where there may be none by {{with fact .Reason}}, because
//     a fact itself is never false in a template. A rejection or the refusal of a
//     cancellation goes through {{with rejection .Rejection}}, {{with refusal .Refusal}}.
//     Both are shown in the reader's language. A test reads every page for what is left
//     in English (pages_language_test.go).
//  5. In routes_test.go each new route gets a line in probes, and in browser_test.go the
//     page a line in walk; its main act joins acts (browser_acts_test.go), and a column
//     for a text of somebody else's hostileColumns (hostile_test.go). All but acts fail
//     until they have one, and say what is missing.
//
// A change that two people can make at the same time carries the version that its
// form was made from (see ChangeRole). What was typed is never lost: it comes back
// with a form's problems, with a conflict, and through the passkey's confirmation.
//
// A note that a person issues is reviewed first (notes/review.go). A new field of its form
// needs a name in IssueFields, a line in issue.gohtml and in issuance (notes/issue.go), and
// a line in factsOf, without which a test fails.
//
// # Why it is so
//
// The review of a note is a digest of the page that was shown: the note is made again from the same records and its
// facts are compared, so that no draft is stored. A key's page has no version either: its form carries a hash of what
// it shows. A key or a secret is the answer to the form that made it, kept nowhere, because a page to come back to
// would have to keep it. The request that a page shows is found by the note's hash.
//
// What cannot be undone is asked about also right after a passkey was used: a fresh passkey says who it is, and not
// whether they mean this key. Of a role and a profile only what is dangerous is asked about: an owner who is made or
// gives up, another environment, issuer or series.
//
// A session that was ended stays on record until its time is over, so that a request under way cannot bring it back.
// An invitation opens an account only if that has nothing yet: otherwise the person who invites somebody would hold a
// link into what others gave them. A link is mailed or shown, never both, so that it proves an address.
//
// A sum is not worded by the profile of today: sums of days before environment_changed_at say that notes without
// fiscal value may be in them.
package dashboard
