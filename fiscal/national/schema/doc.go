// Package schema holds the single values of the national layouts as the official
// schema defines them (tiposSimples): texts, municipality and zip codes, tax ids
// and access keys.
package schema
