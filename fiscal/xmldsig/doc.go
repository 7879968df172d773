// Package xmldsig signs and verifies XML as Brazil's tax authorities want it:
// one enveloped signature over one element with an Id.
package xmldsig
