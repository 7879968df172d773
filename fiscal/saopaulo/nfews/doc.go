// Package nfews is the client of the web service of the city of São Paulo (SOAP
// over mutual TLS): it sends messages, asks what became of them, and interprets the
// answers, which are read as liberally as the service demands, and taken for no
// more than they prove.
//
// Sending an RPS again cancels the note that was made of it first and issues another: so everything that is not
// certain is unknown, and leads to a question.
package nfews
