package main

// visitsOfMonths are the notes of a month, in each order, and the month's closing.
var visitsOfMonths = []pageVisit{
	{name: "notes of a month", path: "/notes?month={month}"},
	{name: "notes of a month, by competence", path: "/notes?month={month}&sort=competence"},
	{name: "notes of a month, by value", path: "/notes?month={month}&sort=amount"},
	{name: "notes of a month, older from anywhere", path: "/notes?month={month}&older=nfse_{body}"},
	{name: "notes of a month, issued", path: "/notes?month={month}&state=issued"},
	{name: "notes of a month, rejected", path: "/notes?month={month}&state=rejected"},
	{name: "notes of a month, cancelled", path: "/notes?month={month}&state=cancelled"},
	{name: "notes of a month, processing (none)", path: "/notes?month={month}&state=processing"},
	{name: "notes of a month, by service", path: "/notes?month={month}&service={service}"},
	{name: "notes of a month, by amount", path: "/notes?month={month}&amount=123%2C45"},
	{name: "notes of a month, by amount (none)", path: "/notes?month={month}&amount=1%2C00"},
	{name: "notes of a month, by 100 takers", path: "/notes?month={month}&taker=Maria+100"},
	{name: "notes of a month without any", path: "/notes?month=2020-01"},
	{name: "notes by competence", path: "/notes?sort=competence"},
	{name: "notes by competence, older from anywhere", path: "/notes?sort=competence&older=nfse_{body}"},
	{name: "notes by competence, newer from anywhere", path: "/notes?sort=competence&newer=nfse_{body}"},
	{name: "notes by value", path: "/notes?sort=amount"},
	{name: "notes by value, issued", path: "/notes?sort=amount&state=issued"},
	{name: "notes by value, cancelled", path: "/notes?sort=amount&state=cancelled"},
	{name: "notes, search by a part of a reference", path: "/notes?q=voice-12"},
	{name: "notes, search by words of a name", path: "/notes?q=silva+maria+1234"},
	{name: "notes as CSV, of a month, first byte", path: "/notes.csv?month={month}", firstByte: true},
	{name: "messages of a note", path: "/notes/nfse_{body}/messages"},

	{name: "closing", path: "/closing"},
	{name: "closing of a month", path: "/closing?month={month}"},
	{name: "closing of a month without any", path: "/closing?month=2020-01"},
	{name: "closing, books of a month", path: "/closing/books?month={month}"},
	{name: "closing as CSV, first byte", path: "/closing.csv?month={month}", firstByte: true},
}

// visitsOfReceived are the notes received.
var visitsOfReceived = []pageVisit{
	{name: "received", path: "/received"},
	{name: "received, older from anywhere", path: "/received?older={received}"},
	{name: "received, newer from anywhere", path: "/received?newer={received}"},
	{name: "received, cancelled", path: "/received?state=cancelled"},
	{name: "received, replaced (none)", path: "/received?state=replaced"},
	{name: "received, to pay", path: "/received?pay=1"},
	{name: "received of a month", path: "/received?month={month}"},
	{name: "received of a month, cancelled", path: "/received?month={month}&state=cancelled"},
	{name: "received of a month, by issuer's name", path: "/received?month={month}&issuer=Fornecedor+12"},
	{name: "received of a month, by issuer's name (none)", path: "/received?month={month}&issuer=Zacarias"},
	{name: "received by issuer's tax id", path: "/received?issuer=11222333000181"},
	{name: "received by number", path: "/received?number={number}"},
	{name: "received of a month without any", path: "/received?month=2020-01"},
	{name: "received as CSV, first byte", path: "/received.csv?month={month}", firstByte: true},
	{name: "note received", path: "/received/{received}"},
}

// visitsOfRequests are the request log.
var visitsOfRequests = []pageVisit{
	{name: "requests", path: "/integrations/requests"},
	{name: "requests, older from anywhere", path: "/integrations/requests?older={api_request}"},
	{name: "requests, newer from anywhere", path: "/integrations/requests?newer={api_request}"},
	{name: "requests of a key", path: "/integrations/requests?key={key}"},
	{name: "requests, refused", path: "/integrations/requests?status=4"},
	{name: "requests, of our failures (none)", path: "/integrations/requests?status=5"},
	{name: "requests by code", path: "/integrations/requests?code=invalid_request"},
	{name: "requests by code (none)", path: "/integrations/requests?code=not_found"},
	{name: "requests of an operation", path: "/integrations/requests?op=POST+%2Fv1%2Fnfse"},
	{name: "requests of an operation (none)", path: "/integrations/requests?op=GET+%2Fv1%2Fcustomers"},
	{name: "requests of a note", path: "/integrations/requests?q={reference}"},
	{name: "request", path: "/integrations/requests/{api_request}"},
}

// visitsOfOthers are spreadsheets, customers by words, and what operators see.
var visitsOfOthers = []pageVisit{
	{name: "spreadsheets", path: "/batches"},
	{name: "customers by words", path: "/catalogue/customers?q=silva+maria+1234"},
	{name: "customers by a word that all have", path: "/catalogue/customers?q=silva"},
	{name: "customers by words (none)", path: "/catalogue/customers?q=zacarias"},
	{name: "customers by the beginning of a tax id", path: "/catalogue/customers?q=200"},
	{name: "alerts", path: "/alerts"},
	{name: "calendar", path: "/company/calendar"},
	{name: "status", path: "/status"},
	{name: "status as JSON", path: "/status.json"},
	{name: "status, to an operator", path: "/status", operator: true},
}
