package doctor

import "emissor/nfse/fact"

// settings are the settings with which no part of it can begin.
func (d *Doctor) settings() (found []Finding) {
	for _, wrong := range d.Settings {
		found = append(found, problem(Settings, fact.DoctorSettingWrong.With("why", fact.OfError(wrong)),
			fact.DoctorDoSettings.Fact()))
	}
	return found
}

// Settled is the report where nothing can be examined, because the settings cannot be read.
func (d *Doctor) Settled() Report { return Report{d.settings()} }
