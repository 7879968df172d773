package postgres

import (
	"time"

	"emissor/nfse"
)

// IDRange is the range of ids of a period, on the side of the cursor that it asks for.
func IDRange(prefix nfse.Prefix, since, until time.Time, cursor Cursor) (lowest, highest string) {
	lowest, highest = nfse.FirstID(prefix, since), "~"
	if cursor.Before != "" {
		lowest = max(lowest, cursor.Before+"!") // the first text after it
	}
	if !until.IsZero() {
		highest = nfse.FirstID(prefix, until)
	}
	if cursor.After != "" {
		highest = min(highest, cursor.After)
	}
	return lowest, highest
}

// MadeTogether is how far apart the ids of records may be that one transaction makes: far longer than it takes.
const MadeTogether = time.Hour

// IDBounds bounds the ids of the records of a kind that were made together with the record of another id. A statement
// that names these bounds is planned for the parts that can have them, and not for those of all the years.
func IDBounds(id string, of, kind nfse.Prefix) (lowest, highest string) {
	moment, known := nfse.TimeOf(of, id)
	if !known {
		return "", "~"
	}
	return nfse.FirstID(kind, moment.Add(-MadeTogether)), nfse.FirstID(kind, moment.Add(MadeTogether))
}

// FirstNumber is below every id that is a number and is made from this moment on, as nfse.FirstID is for others.
func FirstNumber(moment time.Time) int64 { return max(0, moment.UnixMilli()) << 20 }
