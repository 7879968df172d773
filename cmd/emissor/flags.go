package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"emissor/nfse"
)

// parseEnvironment reads --environment.
func parseEnvironment(s string) (livemode bool, err error) {
	switch s {
	case nfse.Environment(true):
		return true, nil
	case nfse.Environment(false):
		return false, nil
	}
	return false, errors.New("--environment must be test or live")
}

// parseSince reads a moment: so long ago (90m, 2h, 3d), or a time in RFC 3339.
// Empty is the zero time.
func parseSince(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if ago, err := time.ParseDuration(s); err == nil && ago > 0 {
		return now.Add(-ago), nil
	}
	if moment, err := time.Parse(time.RFC3339, s); err == nil {
		return moment, nil
	}
	return time.Time{}, errors.New("--since must be a duration as 2h or 3d, or a time as 2026-11-21T08:00:00Z")
}

// shorten prints the beginning of a text on one line.
func shorten(s string) string {
	const most = 60
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
