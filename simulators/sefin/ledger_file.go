package sefin

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// record is a line of the ledger's file: a note, or an event of one.
type record struct {
	Note      *Entry   `json:"note,omitempty"`
	NSU       int64    `json:"nsu,omitempty"`
	Actors    []string `json:"actors,omitempty"`
	DPS       []byte   `json:"dps,omitempty"`
	XML       []byte   `json:"xml,omitempty"`
	AccessKey string   `json:"access_key,omitempty"`
	Event     *event   `json:"event,omitempty"`
}

// openLedger reads the ledger kept in a directory; empty keeps none.
func openLedger(dir string) (*ledger, error) {
	l := &ledger{
		byKey: map[string]*note{}, byDPS: map[string]*note{}, byNumber: map[string]*note{},
		sequence: map[string]int64{},
	}
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
		switch {
		case r.Note != nil:
			l.index(&note{Entry: *r.Note, nsu: r.NSU, actors: r.Actors, dps: r.DPS, xml: r.XML})
		case r.Event != nil && l.byKey[r.AccessKey] != nil:
			l.indexEvent(l.byKey[r.AccessKey], r.Event)
		}
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
