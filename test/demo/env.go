package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The names in the file env.
const (
	urlName         = "EMISSOR_URL"
	testKeyName     = "EMISSOR_TEST_KEY"
	liveKeyName     = "EMISSOR_LIVE_KEY"
	serviceName     = "EMISSOR_SERVICE_ID"
	liveServiceName = "EMISSOR_LIVE_SERVICE_ID"
	controlName     = "EMISSOR_AUTHORITY_CONTROL_URL"
	databaseURLName = "EMISSOR_DATABASE_URL"
	temporalName    = "TEMPORAL_ADDRESS"
	namespaceName   = "TEMPORAL_NAMESPACE"
	uiName          = "TEMPORAL_UI_URL"
	keysetName      = "EMISSOR_KEYSET_FILE"
	rootsName       = "EMISSOR_CERTIFICATE_ROOTS"
	authorityCAName = "EMISSOR_AUTHORITY_CA"
	dashboardName   = "EMISSOR_DASHBOARD_URL"

	// With the dashboard's, what commands of callers need.
	apiURLName = "EMISSOR_API_URL"
	apiKeyName = "EMISSOR_API_KEY"
)

// The names of each authority: of one that is not shown they are not set.
var (
	nationalNames = []string{
		controlName, restrictedURLName, adnURLName, signersName, intervalName, citiesName,
	}
	cityNames = []string{cityControlName, cityURLName, graceName}
)

// environment is what a shell needs to use the demo.
type environment map[string]string

// readEnv reads the file as write left it; a missing file is empty.
func readEnv(path string) (environment, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	env := environment{}
	for line := range strings.Lines(string(text)) {
		assignment, set := strings.CutPrefix(strings.TrimSpace(line), "export ")
		if !set {
			continue
		}
		name, value, _ := strings.Cut(assignment, "=")
		env[name] = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(value, "'"), "'"), `'\''`, `'`)
	}
	return env, nil
}

// write replaces the file as a whole. Only its owner can read it: it holds keys.
func (e environment) write(path string) error {
	var text strings.Builder
	names := []string{
		urlName, testKeyName, liveKeyName, serviceName, liveServiceName, databaseURLName, temporalName, namespaceName,
		uiName, keysetName, rootsName, authorityCAName, dashboardName, apiURLName, apiKeyName,
		cityLiveKeyName, cityServiceName,
	}
	for _, name := range slices.Concat(names, nationalNames, cityNames, ownNames()) {
		if e[name] == "" { // also in a shell that read an earlier file
			text.WriteString("unset " + name + "\n")
			continue
		}
		text.WriteString("export " + name + "='" + strings.ReplaceAll(e[name], `'`, `'\''`) + "'\n")
	}
	unfinished, err := os.CreateTemp(filepath.Dir(path), "env-") // made with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(unfinished.Name()) // nothing is there any more if all went well
	_, err = unfinished.WriteString(text.String())
	if err := errors.Join(err, unfinished.Close()); err != nil {
		return err
	}
	return os.Rename(unfinished.Name(), path)
}
