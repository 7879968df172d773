// Package operate is the commands of who operates an installation, a file for each: the database's upkeep, recovery,
// keyset and archive, deliveries and mails, authorities and cities, and what is on record.
package operate
