// Package mails is the pages of e-mails to customers and their template.
package mails
