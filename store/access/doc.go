// Package access is who may do what: organizations, keys, users, their sessions, passkeys, identities and links, and
// memberships.
package access
