package saopaulo

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// record is a line of the ledger's file: a note, or what happened to one.
type record struct {
	Note     *Entry  `json:"note,omitempty"`
	RPS      []byte  `json:"rps,omitempty"`
	Replaces int64   `json:"replaces,omitempty"` // the note that is cancelled by this one
	Change   *change `json:"change,omitempty"`
}

// change is a cancellation or a mark.
type change struct {
	Registration string    `json:"registration"`
	Number       int64     `json:"number"`
	CancelledBy  string    `json:"cancelled_by,omitempty"`
	At           time.Time `json:"at,omitzero"`
	Mark         Mark      `json:"mark,omitempty"`
}

// openLedger reads the ledger kept in a directory; empty keeps none.
func openLedger(dir string) (*ledger, error) {
	l := &ledger{byNumber: map[noteKey]*note{}, byRPS: map[rpsKey]*note{}, last: map[string]int64{}}
	if dir == "" {
		return l, nil
	}
	file, err := os.OpenFile(filepath.Join(dir, "ledger.jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	whole, err := l.load(file)
	if err == nil {
		// A line that was cut by a crash was never answered for: it goes.
		err = errors.Join(file.Truncate(whole), seekTo(file, whole))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	l.file = file
	return l, nil
}

func seekTo(file *os.File, offset int64) error {
	_, err := file.Seek(offset, io.SeekStart)
	return err
}

// load reads whole lines, and returns how far they go.
func (l *ledger) load(file io.Reader) (whole int64, err error) {
	reader := bufio.NewReader(file)
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return whole, nil
		}
		if err != nil {
			return whole, err
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return whole, fmt.Errorf("ledger.jsonl: %w", err)
		}
		whole += int64(len(line))
		l.replay(r)
	}
}

func (l *ledger) replay(r record) {
	if r.Note != nil {
		l.index(&note{Entry: *r.Note, rps: r.RPS}, r.Replaces)
		return
	}
	n := l.byNumber[noteKey{r.Change.Registration, r.Change.Number}]
	switch {
	case n == nil:
	case r.Change.Mark != "":
		n.Marks = append(n.Marks, r.Change.Mark)
	default:
		n.cancel(r.Change.CancelledBy, r.Change.At)
	}
}

// write appends a line with one call, so that it is there whole or not at all
// whatever becomes of the process.
func (l *ledger) write(r record) error {
	if l.file == nil {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n'))
	return err
}

func (l *ledger) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
