// Package mails is the e-mails to customers and their template. A row is stored with what it tells of, sent once, and
// tried again until it is given up.
package mails
