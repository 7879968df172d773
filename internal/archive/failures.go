package archive

import (
	"context"
	"errors"
	"net"
)

// What reading and writing segments fails with, besides ErrBroken.
var (
	// ErrNotThere says that there is no such object, or that it is shorter.
	ErrNotThere = errors.New("archive: there is no such object")

	// ErrRefused says that the storage does not let us do something: credentials, rights, or no room.
	ErrRefused = errors.New("archive: the storage refuses it")
)

// IsAway reports whether err says that the storage could not be reached, or did not answer in time.
func IsAway(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network)
}

// IsBroken reports whether err says that what is there is not what was written: waiting does not bring it back. What is
// not there may only be away, as a folder that is not mounted.
func IsBroken(err error) bool { return errors.Is(err, ErrBroken) }
