// Package rotation replaces the key that seals secrets at rest, one step at a time, while processes run on: a new key
// is added, becomes the primary one, what older keys sealed is sealed again, and the older keys are removed.
//
// Where a rotation stands is kept nowhere. The keys in the file, what is sealed under each and what
// the processes report say it.
package rotation
