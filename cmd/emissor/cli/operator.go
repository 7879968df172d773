package cli

import (
	"cmp"
	"os"
	"os/user"
	"strconv"

	"emissor/nfse"
)

// operator is who runs this command, for the audit log: the operating-system user,
// behind sudo the one who called it, and the name of this machine.
//
// In a container all are one user: there EMISSOR_OPERATOR says who it is, and the log
// says that this is only claimed.
func operator(claimed string) nfse.Actor {
	name := "uid " + strconv.Itoa(os.Getuid()) // of a container that has no name for it
	if current, err := user.Current(); err == nil && current.Username != "" {
		name = current.Username
	}
	if os.Geteuid() == 0 {
		name = cmp.Or(os.Getenv("SUDO_USER"), name)
	}
	if claimed != "" {
		name = claimed + " (says " + name + ")"
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "unknown"
	}
	return nfse.Actor{Kind: nfse.ActorCommand, ID: name, From: host}
}
