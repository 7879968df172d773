// Package adn reads what the ADN, the data environment beside SEFIN, distributes
// to contributors: batches of documents and of the events that were registered about
// them, whoever registered them. A batch is always bounded, one entry that cannot be
// read does not keep the others from being read, and nothing counts that the ADN did
// not say itself.
package adn
