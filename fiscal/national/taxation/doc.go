// Package taxation holds what the law and the authority's tables say of a
// service: its code, the municipality that its ISS is due to, and whether the
// rate of the ISS is sent.
package taxation
