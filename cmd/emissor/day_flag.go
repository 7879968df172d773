package main

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

func addDayFlag(command *cobra.Command, name, usage string) dayFlag {
	return dayFlag{name, command.Flags().String(name, "", usage+", as 2027-01-01 (default: today)")}
}

// check refuses what is no day, before a command does anything.
func (d dayFlag) check([]string) error {
	if _, err := time.Parse(time.DateOnly, *d.given); *d.given != "" && err != nil {
		return usage("--%s must be a day as 2027-01-01", d.name)
	}
	return nil
}

// orToday returns the day that was given, or today's in Brasília.
func (d dayFlag) orToday() string {
	if *d.given == "" {
		return classification.Day(time.Now())
	}
	return *d.given
}
