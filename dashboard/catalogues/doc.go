// Package catalogues is the pages of what notes are made of: services, their classification and taxation, customers,
// works and events.
package catalogues
