package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader is the header of a webhook that has its signatures.
const SignatureHeader = "service-signature"

// Tolerance is how much earlier or later than now a webhook may be signed.
const Tolerance = 5 * time.Minute

// Why a webhook is refused.
var (
	ErrSignature = errors.New("the webhook is not signed with this secret")
	ErrMoment    = errors.New("the webhook was not signed within five minutes of now")
	ErrEvent     = errors.New("the webhook is no event")
)

// VerifyWebhook reads the event of a webhook from its body, the bytes as they came, if one of the signatures of the
// header SignatureHeader is made with the endpoint's secret: there are two for a day after the secret was changed. An
// event comes at least once: who has seen its ID does nothing.
func VerifyWebhook(secret, header string, body []byte, now time.Time) (Event, error) {
	fields := strings.Split(header, ",")
	moment, timed := strings.CutPrefix(fields[0], "t=")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(append([]byte(moment+"."), body...))
	expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
	seconds, err := strconv.ParseUint(moment, 10, 40)
	var event Event
	switch {
	case secret == "" || !timed ||
		!slices.ContainsFunc(fields, func(one string) bool { return hmac.Equal([]byte(one), expected) }):
		return event, ErrSignature
	case err != nil || len(moment) > 12 || now.Sub(time.Unix(int64(seconds), 0)).Abs() > Tolerance:
		return event, ErrMoment
	case json.Unmarshal(body, &event) != nil || event.ID == "":
		return Event{}, ErrEvent
	}
	return event, nil
}
