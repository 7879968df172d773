// Package rules is what the codes of the family ISSNet mean, beside the national ones, which its
// servers give too; what its words mean that come without a code; and what of a declaration its
// layout does not take.
package rules
