// Package companies is the pages of how a company issues: its profile, city and certificates.
package companies
