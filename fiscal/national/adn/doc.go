// Package adn reads what the ADN, the data environment beside SEFIN, distributes to contributors: batches of
// documents and of the events that were registered about them, no matter by whom. A batch is always bounded, one
// entry that cannot be read does not keep the others from being read, and only what the ADN itself says counts.
package adn
