package national

import (
	"time"

	"emissor/fiscal"
	"emissor/nfse"
)

func check(fiscal.Document, time.Time) *nfse.Rejection { panic("placeholder") }
