// Package callers is the commands of who calls the API, with a key and no database: client, listen, logs, trigger and
// the tools for agents (mcp).
package callers
