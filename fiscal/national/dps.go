package national

import (
	"time"

	"emissor/fiscal"
)

// Schedule placeholder.
type Schedule struct{}

func renderDPS(Options, fiscal.Document, *fiscal.Credentials, time.Time) (fiscal.Rendering, error) {
	panic("placeholder")
}
func renderCancellation(Options, fiscal.Cancellation, *fiscal.Credentials, time.Time) (fiscal.Rendering, error) {
	panic("placeholder")
}
