package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/testkit"
)

// As many connections as the process takes at all by default, from one address: each asks
// for something that needs no key, and then stays.
func TestServe_IdleConnectionsKeepNobodyOut(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	organization, err := database.Changes().Access.CreateOrganization(t.Context(), "Clínica")
	must(t, err)
	key := nfse.NewAPIKeyText(false)
	_, err = database.Changes().Access.CreateAPIKey(t.Context(),
		nfse.APIKey{Scope: nfse.Scope{OrganizationID: organization.ID}, Label: "test"}, key)
	must(t, err)
	p := start(t, settingsOf(database).withoutTemporal(), "api")

	address := strings.TrimPrefix(p.api, "http://")
	for range 2000 {
		connection, err := net.Dial("tcp", address)
		must(t, err)
		defer connection.Close()
		_, err = io.WriteString(connection, "GET /llms-full.txt HTTP/1.1\r\nHost: x\r\n\r\n")
		must(t, err)
		if response, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
		}
	}

	request, err := http.NewRequest(http.MethodGet, p.api+"/v1/services", nil)
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+key)
	client := http.Client{Timeout: 15 * time.Second}
	response, err := client.Do(request)
	must(t, err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("a valid key is answered by %s", response.Status)
	}
}
