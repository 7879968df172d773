package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"time"

	"emissor/internal/webhook"
)

// A receiver trusts a delivery only when it was signed with a secret of its
// endpoint, for exactly these bytes, and lately.
func ExampleSign() {
	const secret = "whsec_example" // shown once, when the endpoint is added
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !verify(secret, r.Header.Get(webhook.SignatureHeader), body) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		fmt.Printf("received %s\n", body)
	}))
	defer receiver.Close()

	client := webhook.NewClient(webhook.Options{AllowLoopback: true}) // the receiver is on this machine
	for _, secrets := range [][]string{{secret}, {"whsec_new", secret}, {"whsec_of_somebody_else"}} {
		attempt := client.Send(context.Background(), receiver.URL, secrets, []byte(`{"id":"evt_1"}`))
		fmt.Println(attempt.Status, "accepted:", attempt.Succeeded())
	}
	// Output:
	// received {"id":"evt_1"}
	// 200 accepted: true
	// received {"id":"evt_1"}
	// 200 accepted: true
	// 400 accepted: false
}

// verify is the README's example: it reports whether one of the signatures in the header (t=...,v1=...,v1=...) is of
// the body, and made at most five minutes ago.
func verify(secret, header string, body []byte) bool {
	fields := strings.Split(header, ",")
	moment, timed := strings.CutPrefix(fields[0], "t=")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(append([]byte(moment+"."), body...))
	expected := "v1=" + hex.EncodeToString(mac.Sum(nil))
	seconds, err := strconv.ParseUint(moment, 10, 63) // without a sign
	fresh := timed && len(moment) <= 12 && err == nil && time.Since(time.Unix(int64(seconds), 0)).Abs() <= 5*time.Minute
	same := func(field string) bool { return hmac.Equal([]byte(field), []byte(expected)) }
	return secret != "" && fresh && slices.ContainsFunc(fields, same)
}

// Pauses grow, and the last attempt comes at the end of the window.
func ExamplePause() {
	window := webhook.Window(true) // of live events
	for failures := 1; failures <= 2; failures++ {
		pause, _ := webhook.Pause(failures, 0, window) // with jitter
		fmt.Println(failures, "failures:", pause.Round(10*time.Second))
	}
	pause, _ := webhook.Pause(1, time.Hour, window) // the receiver asked for it by Retry-After
	fmt.Println("asked for more:", pause)
	_, again := webhook.Pause(30, 0, 0)
	fmt.Println("after the window:", again)
	// Output:
	// 1 failures: 10s
	// 2 failures: 40s
	// asked for more: 1h0m0s
	// after the window: false
}
