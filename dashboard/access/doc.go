// Package access is the pages of who may do what: signing in, links, passkeys and the company's sign-on, people.
package access
