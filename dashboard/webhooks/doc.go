// Package webhooks is the pages of integrations: keys, endpoints, what was delivered, and receivers to copy.
package webhooks
