package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"emissor/cmd/emissor/cli"
)

const chart = "../../deploy/helm/emissor/"

// chartDecides are the settings that the values of the Helm chart cannot set by name: it makes them of other values.
var chartDecides = []string{
	"EMISSOR_LISTEN", "EMISSOR_ADMIN_LISTEN", "EMISSOR_DASHBOARD_LISTEN", // ports of Services and probes
	"EMISSOR_KEYSET_FILE", "TEMPORAL_TLS_SERVER_CA_CERT_PATH", "TEMPORAL_TLS_CLIENT_CERT_PATH", // mounted Secrets
	"EMISSOR_DATABASE_URL", "TEMPORAL_API_KEY", "EMISSOR_SMTP_URL", "EMISSOR_ALERTS_URL", "EMISSOR_TRACES_URL",
	"EMISSOR_DASHBOARD_OIDC_CLIENT_SECRET", // secret
	"EMISSOR_KEYSET",                       // it has a file
	"EMISSOR_OPERATOR",                     // of each command that is run
}

const writtenBy = "go test ./cmd/emissor -run TestChart_Settings -update"

// The chart knows which process reads what, and the schema of its values knows every setting; with -update both are
// written.
func TestChart_Settings(t *testing.T) {
	var readers strings.Builder
	readers.WriteString("# Which kinds of processes read a setting. Written by " + writtenBy + "\n")
	properties := map[string]any{}
	for _, setting := range cli.DeclaredSettings() {
		fmt.Fprintf(&readers, "%s: [%s]\n", setting.Name, strings.Join(setting.Readers, ", "))
		if !slices.Contains(chartDecides, setting.Name) {
			properties[setting.Name] = map[string]any{"$ref": "#/$defs/setting", "description": setting.Meaning}
		}
	}
	isWritten(t, chart+"files/settings.yaml", readers.String())

	schema, err := os.ReadFile(chart + "values.schema.json")
	must(t, err)
	const begins = "    \"settings\": "
	byHand, _, found := bytes.Cut(schema, []byte(begins))
	if !found {
		t.Fatal("the schema has no settings at its end")
	}
	var settings bytes.Buffer
	encoder := json.NewEncoder(&settings)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("    ", "  ")
	must(t, encoder.Encode(map[string]any{
		"description": "Settings by name, as in docs/settings.md. Written by " + writtenBy + ".",
		"type":        "object", "additionalProperties": false, "properties": properties,
	}))
	isWritten(t, chart+"values.schema.json", string(byHand)+begins+settings.String()+"  }\n}\n")
}

// isWritten expects the content of a generated file; with -update it is written.
func isWritten(t *testing.T, file, wanted string) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(file, []byte(wanted), 0o644))
	}
	content, err := os.ReadFile(file)
	must(t, err)
	if string(content) != wanted {
		t.Errorf("%s is not what the settings declare: %s", file, writtenBy)
	}
}
