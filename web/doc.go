// Package web is the one HTTP server of API and dashboard: how many connections it has
// and which it closes, who the client is behind proxies, and how often somebody may do
// something.
package web
