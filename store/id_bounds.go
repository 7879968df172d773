package store

import (
	"time"

	"emissor/nfse"
)

// madeTogether is how far apart the ids of records may be that one transaction makes: far longer than it takes.
const madeTogether = time.Hour

// idBounds bounds the ids of the records of a kind that were made together with the record of another id. A statement
// that names these bounds is planned for the parts that can have them, and not for those of all the years.
func idBounds(id string, of, kind nfse.Prefix) (lowest, highest string) {
	moment, known := nfse.TimeOf(of, id)
	if !known {
		return "", "~"
	}
	return nfse.FirstID(kind, moment.Add(-madeTogether)), nfse.FirstID(kind, moment.Add(madeTogether))
}

// firstNumber is below every id that is a number and is made from this moment on, as nfse.FirstID is for others.
func firstNumber(moment time.Time) int64 { return max(0, moment.UnixMilli()) << 20 }
