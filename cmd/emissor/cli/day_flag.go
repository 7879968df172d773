package cli

import (
	"time"

	"github.com/spf13/cobra"

	"emissor/fiscal/national/classification"
)

// dayFlag is a flag of a day, as 2027-01-01; without it today is meant.
type dayFlag struct {
	name  string
	given *string
}

func AddDayFlag(command *cobra.Command, name, usage string) dayFlag {
	return dayFlag{name, command.Flags().String(name, "", usage+", as 2027-01-01 (default: today)")}
}

// Check refuses what is no day, before a command does anything.
func (d dayFlag) Check([]string) error {
	if _, err := time.Parse(time.DateOnly, *d.given); *d.given != "" && err != nil {
		return Usage("--%s must be a day as 2027-01-01", d.name)
	}
	return nil
}

// OrToday returns the day that was given, or today's in Brasília.
func (d dayFlag) OrToday() string {
	if *d.given == "" {
		return classification.Day(time.Now())
	}
	return *d.given
}
