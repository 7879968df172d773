package main

import (
	"strings"
	"testing"

	"emissor/cmd/emissor/cli"
)

// The secret stands in the URL of alarms, and goes nowhere with it.
func TestAlertsURL_Read(t *testing.T) {
	const secret = "0123456789-abcdefghi_J"
	var read cli.AlertsURL
	must(t, read.Decode("https://:"+secret+"@alarms.example.com/emissor?x=1"))
	if read != (cli.AlertsURL{URL: "https://alarms.example.com/emissor?x=1", Secret: secret}) {
		t.Errorf("it is %+v", read)
	}
	for _, wrong := range []string{"https://alarms.example.com", "https://:short@alarms.example.com",
		"https://user:" + secret + "@alarms.example.com", "https://:" + secret + "%20@alarms.example.com", "x", ":"} {
		if err := new(cli.AlertsURL).Decode(wrong); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	for url, good := range map[string]bool{"https://alarms.example.com/x": true, "http://alarms.example.com/x": false,
		"https://10.0.0.1/x": false, "": true} {
		if err := (cli.Config{SMTPConfig: cli.SMTPConfig{AlertsURL: cli.AlertsURL{URL: url,
			Secret: secret}}}).CheckAlerts(); (err == nil) != good {
			t.Errorf("%s: %v", url, err)
		}
	}
}
