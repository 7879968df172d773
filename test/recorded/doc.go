// Package recorded holds answers of real hosts, as others recorded them, and reads each as it came: by the
// product's own client, over a real TLS connection, from a server that behaves as the host does but for the one
// answer that was recorded. What follows is compared with what the file expects: outcome, code, advice, hold or
// retry, alarm.
//
// A recording is a file in answers and nothing else. It keeps the shape of what was published, with invented
// identities, and says where it comes from:
//
//	# recording: 04-sefin-post-400-E0712-production.txt   its name in the collection, if it is there
//	# source: who published it
//	# host: whose answer it is, of which environment and day
//	# authority: national                                 a word of fiscal profiles
//	# environment: production
//	# call: issue                                         what is asked: a Call
//	# before: cancelled                                   of a cancellation: the document is cancelled already
//	# expect: outcome rejected                            one line each, all of them
//
//	<== issue 400 application/json
//	{"erros":[{"Codigo":"E0712"}]}
//
// Behind "<==" stand the call that an answer is to, its status and its media type. Calls without an answer are served
// as the simulators serve them. In a body {{key}} is the access key of the document, {{dps}} the Id of its DPS,
// {{nfse}} the document and {{event}} its cancellation, as the host packs them; {{other key}} is another document's
// access key. `go test ./test/recorded -update` writes what follows today into the files, for a person to judge.
//
// These answers are evidence. What was made from the authorities' documents stands apart, beside the tests that use it.
package recorded
