// Package rules is what the codes of the family Fiorilli mean, beside the national ones; what its words mean that come
// without a code; and what rows may say of its cities.
package rules
