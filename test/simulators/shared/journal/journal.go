// Package journal keeps what a simulator has done: in a file, a record a line, so that it
// outlives the process, also one that was killed, and the latest of this run in memory.
package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// File is the journal's name in its directory.
const File = "ledger.jsonl"

// Journal is an open journal of records. A nil one keeps nothing.
type Journal[Record any] struct{ file *os.File }

// Open replays the records that a directory keeps, oldest first. Without a directory
// there is no journal: nil.
func Open[Record any](dir string, replay func(Record)) (*Journal[Record], error) {
	if dir == "" {
		return nil, nil
	}
	file, err := os.OpenFile(filepath.Join(dir, File), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	whole, err := load(file, replay)
	if err == nil {
		// What a line says that was cut by a crash was never answered: it is removed.
		_, seekErr := file.Seek(whole, io.SeekStart)
		err = errors.Join(file.Truncate(whole), seekErr)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Journal[Record]{file}, nil
}

// load reads whole lines, and returns how far they go.
func load[Record any](file io.Reader, replay func(Record)) (whole int64, err error) {
	reader := bufio.NewReader(file)
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return whole, nil
		}
		if err != nil {
			return whole, err
		}
		var record Record
		if err := json.Unmarshal(line, &record); err != nil {
			return whole, fmt.Errorf("%s: %w", File, err)
		}
		whole += int64(len(line))
		replay(record)
	}
}

// Write appends a record with one call, so that it is there whole or not at all, even if the process dies.
func (j *Journal[Record]) Write(record Record) error {
	if j == nil {
		return nil
	}
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(line, '\n'))
	return err
}

// Close closes the file.
func (j *Journal[Record]) Close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}
