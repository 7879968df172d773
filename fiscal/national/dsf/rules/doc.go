// Package rules is what the codes of the family DSF mean, beside the national ones, which its
// servers give too; and what its words mean that come without a code.
package rules
