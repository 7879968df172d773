package national

// rulesOfTransport are about the connection and the form of what was sent.
// They are not in the tables of rules, but in the authority's other papers.
var rulesOfTransport = []rule{
	{"E1200", "", "The authority does not accept the certificate of the connection, or got none.", newCertificate, leave("The authority decides whom it trusts.")},
	{"E1203", "", "The certificate of the connection has expired, or is not valid yet.", newCertificate, leave("The authority's clock decides; expiry is warned of for 60 days.")},
	{"E1205", "", "The certificate of the connection belongs to a chain that the authority does not accept.", newCertificate, leave("The authority decides whom it trusts.")},
	{"E1206", "", "The authority could not reach the list of revoked certificates to check ours.",
		"Nothing to do: Emissor tries again by itself until the list is reachable.", leave("A passing trouble of the authority.")},
	{"E1207", "", "The certificate of the connection was revoked.", newCertificate, leave("Only the certificate authority knows.")},
	{"E1208", "", "The certificate of the connection is not of ICP-Brasil.", newCertificate, leave("Looked at when the certificate is added, not at every note.")},
	{"E1209", "", "The certificate of the connection names no CNPJ or CPF.", newCertificate, leave("Looked at when the certificate is added, not at every note.")},
	{"E1217", "", "The authority has paused the service for maintenance.",
		"Nothing to do: Emissor tries again by itself until the service is back.", leave("A passing trouble of the authority.")},
	{"E1225", "", "The authority could not read the base64 text that carries the document.", ourFault, cannot("The standard encoding is used.")},
	{"E1226", "", "The authority could not unpack the document, or it is no well-formed XML.", ourFault, cannot("Every rendering is well-formed XML.")},
	{"E1228", "", "The document uses namespace prefixes, which the authority forbids.", ourFault, cannot("No element has a prefix.")},
	{"E1229", "", "The document is not encoded in UTF-8.", ourFault, cannot("Every rendering is UTF-8.")},
	{"E1235", "", "The document does not follow the authority's schema.",
		"Read the authority's message, which names the element. If it holds data of the request, correct it and issue again with a new reference; else report it to the operators of Emissor.",
		leave("Every rendering of the tests is valid by the schema that we have; the authority's may be newer.")},
	{"E1242", "", "The document is of another kind than the address that it was sent to takes.", ourFault, cannot("The root is DPS, or pedRegEvento to cancel.")},
	{"E6154", "", "The authority found the document not to be encoded in UTF-8 (older code of E1229).", ourFault, cannot("Every rendering is UTF-8.")},
	{"E6155", "", "The authority found a namespace prefix in the document (older code of E1228).", ourFault, cannot("No element has a prefix.")},
	{"RNG6110", "", "The document does not follow the schema of the authority (older code of E1235).",
		"Read the authority's message, which names the element. If it holds data of the request, correct it and issue again with a new reference; else report it to the operators of Emissor.",
		leave("Every rendering of the tests is valid by the schema that we have; the authority's may be newer.")},
	{"RNG9999", "", "The authority failed in a way that it does not describe, often because it could not read the request.", ourFault,
		leave("No rule stands behind this code.")},
}

// rulesOfOurs have no code of the authority's: what no layout can carry.
var rulesOfOurs = []rule{
	{"national_tax_code_missing", fieldNationalCode, "The service has no national tax code, which every note of the national system needs.",
		"Choose the code of the national list with the accountant and set the service's national_tax_code." + again,
		checks("The service has a national tax code.")},
	{"text_not_printable", "", "Nothing is left of a text once the characters that fiscal documents cannot carry are taken away.",
		"Write the field with letters, digits and punctuation of the Latin alphabet." + again, checks("Something is left of every text.")},
	{"text_too_long", "", "A text is longer than fiscal documents can carry.", "Shorten the field." + again, checks("Every text fits its element of the layout.")},
	{"amount_out_of_range", fieldAmount, "The amount is not one that a note can carry: from 0.01 to 9,999,999,999,999.99.", "Correct the amount." + again,
		checks("The amount is in the range.")},
	{"fiscal_profile_invalid", "", "The fiscal profile of the organization has a value that the layout does not know.",
		"Correct the profile with `emissor fiscal-profile set`." + again, checks("The profile's values are those of the layout.")},
}
