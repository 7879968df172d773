package cli

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/nfse"
)

// OrganizationFlag adds --organization, which must be given.
func OrganizationFlag(command *cobra.Command) *string {
	return RequiredFlag(command, "organization", "id of the organization (org_...)")
}

// OrganizationFilter adds --organization, without which all are meant.
func OrganizationFilter(command *cobra.Command) *string {
	return command.Flags().String("organization", "", "only of this organization (org_...)")
}

// EnvironmentFlag adds --environment, which must be given; ParseEnvironment reads
// it.
func EnvironmentFlag(command *cobra.Command) *string {
	environment := RequiredFlag(command, "environment", "test or live")
	CompleteFlag(command, "environment", Environments...)
	return environment
}

// Environments are the values of --environment: where a note, a key or a customer is.
var Environments = []string{nfse.Environment(false), nfse.Environment(true)}

// AuthorityEnvironments are the values of an --environment that means the authority's environment.
var AuthorityEnvironments = []string{nfse.EnvironmentName(true), nfse.EnvironmentName(false)}

func RequiredFlag(command *cobra.Command, name, usage string) *string {
	value := command.Flags().String(name, "", usage)
	_ = command.MarkFlagRequired(name)
	return value
}

// ParseEnvironment reads --environment.
func ParseEnvironment(s string) (livemode bool, err error) {
	switch s {
	case nfse.Environment(true):
		return true, nil
	case nfse.Environment(false):
		return false, nil
	}
	return false, Usage("--environment must be test or live")
}

// ParseStatus reads --status, which must be one of the words.
func ParseStatus[S ~string](s string, words ...S) (S, error) {
	if !slices.Contains(words, S(s)) {
		listed := Mapped(words, func(word S) string { return string(word) })
		last := len(listed) - 1
		return "", Usage("--status must be %s or %s", strings.Join(listed[:last], ", "), listed[last])
	}
	return S(s), nil
}

// ParseSince reads a moment: so long ago (90m, 2h, 3d), or a time in RFC 3339.
// Empty is the zero time.
func ParseSince(s string, now time.Time) (time.Time, error) {
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
	return time.Time{}, Usage("--since must be a duration as 2h or 3d, or a time as 2026-11-21T08:00:00Z")
}

// ParseUntil reads a moment to come: in so long (12h, 90d), or a time in RFC 3339.
func ParseUntil(s string, now time.Time) (time.Time, error) {
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

// Shorten returns the beginning of a text, on one line.
func Shorten(s string) string {
	const most = 60
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
