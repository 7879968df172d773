// Package web is what the API, the dashboard and the operator's listener share: the HTTP
// server, how many connections it has and how it stops, the id, the log line and the count
// of every request, who the client is behind proxies, and how often it may do something.
package web
