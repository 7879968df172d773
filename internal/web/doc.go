// Package web is what the doors over HTTP share, the API, the dashboard and the operator's
// listener: the server, how many connections it has and how it stops, the id, the log line and the
// count of every request, who the client is behind proxies, and how often somebody may do something.
package web
