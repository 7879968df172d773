package main

import (
	"io"
	"os"
	"strings"
)

// How much of a log a failure shows.
const (
	tailLines = 20
	tailBytes = 16 << 10
)

// logFile is where a server's output goes. It begins empty with every devstack.
type logFile struct {
	path string
	file *os.File
}

// openLog opens path as an empty log.
func openLog(path string) (*logFile, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	return &logFile{path: path, file: file}, nil
}

// size is how long the log is now, for a later call of since.
func (l *logFile) size() int64 {
	info, err := l.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// since is what was written after the log had the given size, by all who write into it.
func (l *logFile) since(size int64) string {
	// An error only makes the text shorter.
	text, _ := io.ReadAll(io.NewSectionReader(l.file, size, l.size()-size))
	return string(text)
}

// tail is the end of the log under a heading, ready to print.
func (l *logFile) tail() string {
	text := strings.TrimSpace(l.since(max(0, l.size()-tailBytes)))
	if text == "" {
		return "(its log " + l.path + " is empty)"
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	return "the end of " + l.path + ":\n  " + strings.Join(lines, "\n  ")
}
