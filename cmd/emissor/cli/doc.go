// Package cli is what the program's commands have in common. A command of operators is a DatabaseCommand, which gets
// a CommandRun with an open database and prints a table for people or JSON for scripts; one of callers is a
// CallerCommand, which gets a client of the API instead. The environment is read once, into a Config, whose parts are
// structs beside their subject, and which makes what they describe: authorities, the sealer of secrets, the mail
// server.
package cli
