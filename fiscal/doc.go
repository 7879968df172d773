// Package fiscal is where the tax authorities live: the only room that knows
// XML. So far it holds the simulation of the test environment; the authorities
// of the live environment stand beside it.
package fiscal
