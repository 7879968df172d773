package cities

// Words are what a quirk means, for people.
func (q Quirk) Words() string { return quirkWords[q] }

var quirkWords = map[Quirk]string{
	Series:      "the series that the city leaves to companies; others are held",
	Paths:       "the operations are under other paths than those of the family",
	KeyInfo:     "a signature names its certificate by subject and serial number too",
	Cancelling:  "whether, or by which event, the city takes cancellations from programs",
	NotFounds:   "so many questions must find nothing before a declaration is sent again",
	GracePeriod: "for so long after a sending a question that finds nothing proves nothing",
	SendTimeout: "the longest that a sending may take",
	AskTimeout:  "the longest that a question may take",
	Rate:        "calls a second, of all workers together",
	TLS:         "the highest version of TLS, and whether the server may renegotiate",

	FindOperation: "the operation by which a declaration is asked about",
	NotFoundCodes: "the codes by which that question finds nothing",
	TestCity:      "the IBGE code that the test server wants of the issuer's city",
}
