// Package web is what the doors over HTTP share, the API and the dashboard: the server
// and how many connections it has, who the client is behind proxies, and how often
// somebody may do something.
package web
