package workflows

import "go.temporal.io/sdk/workflow"

// ExportInput names the ZIP of a run; its workflow id is the same.
type ExportInput struct {
	ArchiveID string
}

// ExportResult is how far an attempt at a ZIP came.
type ExportResult struct {
	Ended bool // it is ready, or was removed meanwhile
}

// exportAttempts is after how many attempts a run is followed by another, so that none grows.
const exportAttempts = 100

// Export makes the ZIP of a month, part by part. The database says what is done: a run does what is left, no matter
// what started it.
func Export(ctx workflow.Context, input ExportInput) (ExportResult, error) {
	for range exportAttempts {
		result, err := makeArchive(ctx, input.ArchiveID)
		if err != nil || result.Ended {
			return result, err
		}
	}
	return ExportResult{}, workflow.NewContinueAsNewError(ctx, ExportType, input)
}
