package postgres

import (
	"time"

	"emissor/nfse"
)

func FirstDay(month nfse.Month) string { return string(month) + "-01" }

func Seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

const FiscalYears = 5
