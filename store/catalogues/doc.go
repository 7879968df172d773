// Package catalogues is what notes are made of: services with their classification and taxation, customers, works and
// events, and which city a zip code is in.
package catalogues
