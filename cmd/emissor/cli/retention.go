package cli

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"emissor/store/operate"
)

// RetentionConfig says for how long copies are kept that nothing needs any more;
// the maintenance of the workers removes them.
type RetentionConfig struct {
	KeepTestNotes       Age `envconfig:"EMISSOR_KEEP_TEST_NOTES" default:"90d" readers:"worker" desc:"For how long test notes keep documents, events and attempts, in days or years, as 90d or 2y. 0 is for ever."`
	KeepEvents          Age `envconfig:"EMISSOR_KEEP_EVENTS" default:"1y" readers:"worker" desc:"The same of live events, which can be sent again for so long. 0 is for ever."`
	KeepFiscalDocuments Age `envconfig:"EMISSOR_KEEP_FISCAL_DOCUMENTS" default:"0" readers:"worker" desc:"The same of what was sent to the authority and what it made of it, counted from the year after, for 5y at least. 0 is for ever."`
}

// What only helps to find out what went wrong is kept for as long as that takes: the
// attempts at webhooks of live notes, and the authority's answers that were not
// understood or not expected.
const keepAttempts, keepAnswers = 90 * day, 180 * day

func (c RetentionConfig) Retention() operate.Retention {
	return operate.Retention{
		TestNotes: time.Duration(c.KeepTestNotes), Events: time.Duration(c.KeepEvents),
		Attempts: time.Duration(keepAttempts), Answers: time.Duration(keepAnswers),
		FiscalDocuments: time.Duration(c.KeepFiscalDocuments),
	}
}

// leastAge is longer than a webhook is tried.
const leastAge = 7 * day

func (c RetentionConfig) check() error {
	for _, one := range []struct {
		name string
		age  Age
	}{
		{"EMISSOR_KEEP_TEST_NOTES", c.KeepTestNotes}, {"EMISSOR_KEEP_EVENTS", c.KeepEvents},
	} {
		if one.age != 0 && one.age < leastAge {
			return fmt.Errorf("%s must be 7d or more, or 0 for ever", one.name)
		}
	}
	if keep := time.Duration(c.KeepFiscalDocuments); keep != 0 && keep < operate.LeastFiscalRetention {
		return errors.New("EMISSOR_KEEP_FISCAL_DOCUMENTS must be 5y or more, or 0 for ever: " +
			"the law asks for fiscal documents for five years")
	}
	return nil
}

// Age is a time in days or years, as 90d or 5y. A year counts as 366 days, so that
// it is never too short. Zero is for ever.
type Age time.Duration

const day = Age(24 * time.Hour)

// Decode implements envconfig.Decoder.
func (a *Age) Decode(value string) error {
	if value == "" || value == "0" {
		*a = 0
		return nil
	}
	const most = 36_600 // days: the century after is not planned
	unit := map[byte]int{'d': 1, 'y': 366}[value[len(value)-1]]
	n, err := strconv.Atoi(value[:len(value)-1])
	if err != nil || unit == 0 || n < 1 || n > most/unit {
		return errors.New("must be days or years, as 90d or 5y, or 0")
	}
	*a = Age(n*unit) * day
	return nil
}
