package api

import (
	"net/http"
	"time"

	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store/operate"
)

// IsContractField is for tests.
var IsContractField = isContractField

// MostWaiting is how many requests may wait to be written.
const MostWaiting = requestsWaiting

// Wait puts requests among those that wait to be written.
func (a *API) Wait(requests []operate.APIRequest) {
	a.log.mu.Lock()
	defer a.log.mu.Unlock()
	a.log.requests = append(a.log.requests, requests...)
}

// LogRequest adds a request of a key to the request log, as each that is answered is added.
func (a *API) LogRequest(key nfse.APIKey, r *http.Request) {
	a.log.add(&request{Answer: &web.Answer{ID: nfse.NewID(nfse.PrefixRequest), Started: time.Now()}, key: key}, r)
}
