// Package operate is what operators look at and what keeps the installation running: gauges, health, requests, figures,
// alerts and their mails, retention and parts of tables by month, the keyset, and what is found after a recovery.
package operate
