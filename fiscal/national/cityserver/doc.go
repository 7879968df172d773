// Package cityserver issues by the servers of cities that take the national declaration, as
// authorities of their own: one for each city of the table in package cities. What is sent, and
// the rules that it is checked by, are the national ones; the city's row says where its server
// is, how messages are signed, and what it wants beside.
//
// A family of servers is a folder beside this one, a line in rules/families.go of what is known of it, and one in
// families.go of how it is called.
package cityserver
