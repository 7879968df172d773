// Package operate is the pages of an installation and of an organization's day: overview, operations, status, alerts,
// requests, the audit log, the check before the first live note, and the API's reference.
package operate
