package workflows

// Types are the workflows, by the names that the engine knows them by. Workers register none but these,
// and each has a recorded history in testdata/replay (TestReplay_EveryType).
func Types() map[string]any {
	return map[string]any{
		NoteType:          Note,
		DeliveryType:      Delivery,
		EmailType:         Email,
		DistributionType:  Distribution,
		ExportType:        Export,
		MaintenanceType:   Maintenance,
		BatchType:         AcceptBatch,
		RecurringNoteType: RecurringNote,
	}
}
