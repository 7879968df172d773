package main

import "emissor/internal/apiclient"

// readerCallers are the commands of those who call the API, as emissor client: they know an
// installation by an address and an API key, and read nothing of config.
const readerCallers = "callers"

// callerSettings are the environment variables of those commands, in the order in which they are
// listed. They belong to the caller's machine, so that no process of the service, no
// docker-compose.yml and no chart has them; two of them have the names of what the service says of
// itself, because they are the same addresses.
func callerSettings() []setting {
	const subject = "Commands of callers"
	readers := []string{readerCallers}
	return []setting{
		{subject: subject, name: apiclient.VariableAPIURL, required: true, readers: readers,
			meaning: "Where the API is, as https://api.notas.example.com, without /v1. Plain http:// is for this machine only."},
		{subject: subject, name: apiclient.VariableAPIKey, required: true, readers: readers,
			meaning: "The API key (svc_test_... or svc_live_...) whose rights the command has. It is never a flag."},
		{subject: subject, name: apiclient.VariableDashboardURL, readers: readers,
			meaning: "Where the dashboard is, as https://notas.example.com, of the commands that ask there."},
	}
}
