package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/lib/pq"
)

// ErrLostRace: another transaction inserted the same reference or customer.
var ErrLostRace = errors.New("store: lost a race")

// IsUnavailable reports whether err says that the database could not be asked
// or did not answer in time: repeating the same call later can succeed. A write
// that failed so may have happened all the same.
func IsUnavailable(err error) bool {
	var network net.Error
	var server *pq.Error
	switch {
	case errors.As(err, &server):
		return isTransient(server)
	case errors.As(err, &network),
		errors.Is(err, errNoConnection),
		errors.Is(err, driver.ErrBadConn),
		errors.Is(err, sql.ErrConnDone),
		errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, context.DeadlineExceeded):
		return true
	}
	return false
}

// TookTooLong reports whether err says that a statement was given up because it took too
// long. Whether that is the statement's fault or the database's is seen only by other
// statements.
func TookTooLong(err error) bool {
	var server *pq.Error
	if errors.As(err, &server) {
		return server.Code == "57014"
	}
	return errors.Is(err, context.DeadlineExceeded)
}

// IsUnstorable reports whether err says that a text holds what PostgreSQL stores in no
// text: a NUL, or bytes that are no UTF-8.
func IsUnstorable(err error) bool {
	var server *pq.Error
	return errors.As(err, &server) && (server.Code == "22021" || server.Code == "22P05")
}

func isTransient(err *pq.Error) bool {
	switch err.Code.Class() {
	case "08", "53", "57": // connection, resources, shutdown and cancelled statements
		return true
	}
	switch err.Code {
	case "40001", "40P01", "55P03", "25006": // serialization, deadlock, lock timeout, a standby
		return true
	}
	return false
}

// NoRow gives an error in place of the one that says that a query found no row; nil says that finding none is good.
func NoRow(err, instead error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return instead
	}
	return err
}

// ignoreDone drops the error of a rollback after the transaction has ended.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) || errors.Is(err, driver.ErrBadConn) {
		return nil
	}
	return err
}

// ErrChanged says that somebody else changed a record since it was read, so that nothing
// was written.
var ErrChanged = errors.New("store: the record was changed by somebody else meanwhile")
