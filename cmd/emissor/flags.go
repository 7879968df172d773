package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/nfse"
)

// organizationFlag adds --organization, which must be given.
func organizationFlag(command *cobra.Command) *string {
	return requiredFlag(command, "organization", "id of the organization (org_...)")
}

// organizationFilter adds --organization, without which all are meant.
func organizationFilter(command *cobra.Command) *string {
	return command.Flags().String("organization", "", "only of this organization (org_...)")
}

// environmentFlag adds --environment, which must be given; parseEnvironment reads
// it.
func environmentFlag(command *cobra.Command) *string {
	environment := requiredFlag(command, "environment", "test or live")
	completeFlag(command, "environment", environments...)
	return environment
}

// environments are the values of --environment: where a note, a key or a customer is.
var environments = []string{nfse.Environment(false), nfse.Environment(true)}

// authorityEnvironments are those of an --environment that is the authority's.
var authorityEnvironments = []string{nfse.EnvironmentName(true), nfse.EnvironmentName(false)}

func requiredFlag(command *cobra.Command, name, usage string) *string {
	value := command.Flags().String(name, "", usage)
	_ = command.MarkFlagRequired(name)
	return value
}

// parseEnvironment reads --environment.
func parseEnvironment(s string) (livemode bool, err error) {
	switch s {
	case nfse.Environment(true):
		return true, nil
	case nfse.Environment(false):
		return false, nil
	}
	return false, usage("--environment must be test or live")
}

// parseStatus reads --status, which must be one of the words.
func parseStatus[S ~string](s string, words ...S) (S, error) {
	if !slices.Contains(words, S(s)) {
		listed := mapped(words, func(word S) string { return string(word) })
		last := len(listed) - 1
		return "", usage("--status must be %s or %s", strings.Join(listed[:last], ", "), listed[last])
	}
	return S(s), nil
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
	return time.Time{}, usage("--since must be a duration as 2h or 3d, or a time as 2026-11-21T08:00:00Z")
}

// parseUntil reads a moment to come: in so long (12h, 90d), or a time in RFC 3339.
func parseUntil(s string, now time.Time) (time.Time, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 {
			return now.AddDate(0, 0, n), nil
		}
	}
	if in, err := time.ParseDuration(s); err == nil && in > 0 {
		return now.Add(in), nil
	}
	if moment, err := time.Parse(time.RFC3339, s); err == nil && moment.After(now) {
		return moment, nil
	}
	return time.Time{}, errors.New("must be a duration as 12h or 90d, or a time to come as 2027-11-21T08:00:00Z")
}

// shorten returns the beginning of a text, on one line.
func shorten(s string) string {
	const most = 60
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
