package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/api"
	"emissor/nfse"
	"emissor/test/testkit"
)

func TestProtocol_Headers(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{RateLimit: 1000, FailedAuthLimit: 1000}})
	note := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-1"))
	seen := map[string]bool{}
	for what, answer := range map[string]testkit.Answer{
		"200":               get(t, s, "/v1/services"),
		"200 without a key": s.Call(t, "GET", "/v1/health", "", nil),
		"201":               post(t, s, "/v1/services", serviceBody()),
		"202":               post(t, s, "/v1/nfse", testkit.Issuance(s.NewService(t, s.TestKey), "order-2")),
		"400":               post(t, s, "/v1/nfse", Body{}),
		"401":               s.Call(t, "GET", "/v1/services", "", nil),
		"404 of a path":     get(t, s, "/v1/nothing"),
		"404 of a record":   get(t, s, "/v1/services/1"),
		"405":               s.Call(t, "DELETE", "/v1/services", s.TestKey, nil),
		"409":               get(t, s, "/v1/nfse/"+note+"/xml"),
		"413":               post(t, s, "/v1/services", strings.Repeat(" ", 70_000)),
		"415": s.Send(t, "POST", "/v1/services",
			http.Header{"Authorization": {"Bearer " + s.TestKey}}, "{}"),
		"422":                   post(t, s, "/v1/customers", with(customerBody(), Body{"municipality_code": rio})),
		"the contract":          s.Call(t, "GET", "/llms-full.txt", "", nil),
		"the contract, briefly": s.Call(t, "HEAD", "/llms-full.txt", "", nil),
	} {
		if number, _, _ := strings.Cut(what, " "); number[0] >= '2' && number[0] <= '4' {
			same(t, "the status of "+what, http.StatusText(answer.Status), map[string]string{
				"200": "OK", "201": "Created", "202": "Accepted", "400": "Bad Request", "401": "Unauthorized",
				"404": "Not Found", "405": "Method Not Allowed",
				"409": "Conflict", "413": "Request Entity Too Large", "415": "Unsupported Media Type",
				"422": "Unprocessable Entity",
			}[number])
		}
		id := answer.Header.Get("X-Request-Id")
		if !nfse.IsID(nfse.PrefixRequest, id) || seen[id] {
			t.Errorf("%s: X-Request-Id is %q", what, id)
		}
		seen[id] = true
		same(t, what+": X-Content-Type-Options", answer.Header.Get("X-Content-Type-Options"), "nosniff")
		expected := "no-store"
		if strings.HasPrefix(what, "the contract") {
			expected = "no-cache" // kept, but asked for again each time
		}
		same(t, what+": Cache-Control", answer.Header.Get("Cache-Control"), expected)
		for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
			if len(answer.Header.Values(name)) != 1 {
				t.Errorf("%s: %s is %q", what, name, answer.Header.Values(name))
			}
		}
		if answer.JSON != nil {
			same(t, what+": Content-Type", answer.Header.Get("Content-Type"), "application/json; charset=utf-8")
		}
	}
}

func TestProtocol_RequestID(t *testing.T) {
	s := newSystem(t)
	own := unknownID(nfse.PrefixRequest)
	answer := s.Send(t, "GET", "/v1/health", http.Header{"X-Request-Id": {own}}, nil)
	if answer.Header.Get("X-Request-Id") == own {
		t.Error("the caller chose the request id")
	}
}

func TestProtocol_UnknownPath(t *testing.T) {
	s := newSystem(t)
	for _, path := range []string{
		"/", "/v1", "/v1/", "/v2/services", "/v1/Services", "/V1/services", "/v1/services/", "/v1//services",
		"/v1/services/1/", "/v1/services/1/xml", "/v1/nfse/1/pdf",
		"/v1/nfse/1/xml/", "/v1/health/", "/v1/webhooks", "/llms.txt", "/llms-full.txt/", "/openapi.yaml", "/metrics",
		"/debug/pprof/", "/v1/./services", "/v1/x/../services",
	} {
		for _, method := range []string{"GET", "POST", "HEAD", "DELETE", "FOO"} {
			for _, key := range []string{"", s.TestKey} {
				answer := s.Call(t, method, path, key, nil)
				same(t, method+" "+path, answer.Status, http.StatusNotFound)
				same(t, "Allow", answer.Header.Get("Allow"), "")
				if method != "HEAD" {
					answer.ExpectError(t, http.StatusNotFound, nfse.CodeNotFound, "")
				}
			}
		}
	}
}

func TestProtocol_MethodNotAllowed(t *testing.T) {
	s := newSystem(t)
	for path, allowed := range map[string]string{
		"/v1/health":          "GET, HEAD",
		"/llms-full.txt":      "GET, HEAD",
		"/v1/services":        "GET, POST",
		"/v1/services/1":      "GET, PATCH",
		"/v1/services/a%2Fb":  "GET, PATCH",
		"/v1/customers":       "GET, POST",
		"/v1/customers/1":     "GET, PATCH",
		"/v1/nfse":            "GET, POST",
		"/v1/nfse/1":          "GET",
		"/v1/nfse/1/xml":      "GET, HEAD",
		"/v1/nfse/a%2Fb/xml":  "GET, HEAD",
		"/v1/nfse/%2e%2e/xml": "GET, HEAD",
	} {
		for _, method := range []string{"HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "FOO", "POST", "PATCH", "get"} {
			if strings.Contains(allowed, method) {
				continue
			}
			answer := s.Call(t, method, path, "", nil)
			same(t, method+" "+path, answer.Status, http.StatusMethodNotAllowed)
			same(t, "Allow", answer.Header.Values("Allow"), []string{allowed})
			if method != "HEAD" {
				answer.ExpectError(t, http.StatusMethodNotAllowed, nfse.CodeMethodNotAllowed, "")
			}
		}
	}
}

// HEAD answers what GET does, but for the body.
func TestProtocol_Head(t *testing.T) {
	s := newSystem(t)
	service := s.NewService(t, s.TestKey)
	with := s.Issue(t, s.TestKey, testkit.Issuance(service, "order-1"))
	s.Exec(t, `INSERT INTO note_documents (note_id, xml) VALUES ($1, '<nfse/>')`, with)
	without := s.Issue(t, s.TestKey, testkit.Issuance(service, "order-2"))
	for _, c := range []struct {
		path, key string
		status    int
	}{
		{"/v1/health", "", http.StatusOK},
		{"/v1/nfse/" + with + "/xml", s.TestKey, http.StatusOK},
		{"/v1/nfse/" + with + "/xml", "", http.StatusUnauthorized},
		{"/v1/nfse/" + with + "/xml", s.LiveKey, http.StatusNotFound},
		{"/v1/nfse/" + without + "/xml", s.TestKey, http.StatusConflict},
	} {
		full, brief := s.Call(t, "GET", c.path, c.key, nil), s.Call(t, "HEAD", c.path, c.key, nil)
		same(t, "GET "+c.path, full.Status, c.status)
		same(t, "HEAD "+c.path, brief.Status, c.status)
		same(t, "bytes", len(brief.Raw), 0)
		for _, name := range []string{"X-Request-Id", "Date"} {
			full.Header.Del(name)
			brief.Header.Del(name)
		}
		same(t, "the headers of "+c.path, brief.Header, full.Header)
	}
	header := http.Header{"Authorization": {"Bearer " + s.TestKey}, "Range": {"bytes=0-1"}}
	whole := s.Send(t, "GET", "/v1/nfse/"+with+"/xml", header, nil).Expect(t, http.StatusOK)
	same(t, "the XML", string(whole.Raw), "<nfse/>")
	same(t, "Accept-Ranges", whole.Header.Get("Accept-Ranges"), "none")
	header = http.Header{"Authorization": {"Bearer " + s.TestKey}, "If-None-Match": {whole.Header.Get("ETag")}}
	s.Send(t, "HEAD", "/v1/nfse/"+with+"/xml", header, nil).Expect(t, http.StatusNotModified)
}

// say sends bytes to the server and reads its first answer.
func say(t *testing.T, s *testkit.System, text string) (*http.Response, string) {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, text); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body) // a server that refuses may tear the connection down behind its answer
	return response, string(body)
}

func TestServer_HTTP1Only(t *testing.T) {
	s := newSystem(t)
	response, _ := say(t, s, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
	if response.ProtoMajor != 1 || response.StatusCode < 400 {
		t.Errorf("a preface of HTTP/2 is answered by %s %s", response.Proto, response.Status)
	}
	upgrade := "GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\n" +
		"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
	response, body := say(t, s, upgrade)
	if response.Proto != "HTTP/1.1" || response.StatusCode != http.StatusOK || body != `{"status":"ok"}` {
		t.Errorf("an upgrade to HTTP/2 is answered by %s %s %s", response.Proto, response.Status, body)
	}
}

func TestServer_LargeHeader(t *testing.T) {
	s := newSystem(t)
	get := func(size int) *http.Response {
		response, _ := say(t, s,
			"GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Padding: "+strings.Repeat("x",
				size)+"\r\n\r\n")
		return response
	}
	same(t, "12 KiB", get(12<<10).StatusCode, http.StatusOK)
	same(t, "32 KiB", get(32<<10).StatusCode, http.StatusRequestHeaderFieldsTooLarge)
}

// What the server refuses before there is a handler has the envelope and an id too.
func TestServer_RefusesInTheEnvelope(t *testing.T) {
	s := newSystem(t)
	get := func(head string) string { return "GET /v1/health HTTP/1.1\r\nHost: x\r\n" + head + "\r\n\r\n" }
	for name, c := range map[string]struct {
		request string
		status  int
		says    string
	}{
		"a head too large":       {get("X-Padding: " + strings.Repeat("x", 16<<10)), 431, "16 KiB"},
		"an unknown expectation": {get("Expect: the-unexpected"), 417, "100-continue"},
		"one of HTTP/1.0":        {"GET /v1/health HTTP/1.0\r\nExpect: x\r\n\r\n", 417, "100-continue"},
		"a user agent with control characters": {get("User-Agent: curl\x01\x1b[31m"), 400,
			"a control character in a header"},
		"no host":          {"GET /v1/health HTTP/1.1\r\n\r\n", 400, "Host"},
		"no HTTP":          {"hello\r\n\r\n", 400, "not well-formed HTTP/1.1"},
		"another version":  {"GET /v1/health HTTP/3.0\r\nHost: x\r\n\r\n", 505, "version"},
		"another encoding": {get("Transfer-Encoding: gzip"), 501, "encoding"},
	} {
		response, body := say(t, s, c.request)
		var envelope struct {
			Error map[string]any `json:"error"`
		}
		if err := json.Unmarshal([]byte(body), &envelope); err != nil {
			t.Errorf("%s: answered %s %q", name, response.Status, body)
			continue
		}
		id, message := response.Header.Get("X-Request-Id"), fmt.Sprint(envelope.Error["message"])
		if response.StatusCode != c.status || !strings.HasPrefix(id, "req_") || envelope.Error["request_id"] != id ||
			envelope.Error["code"] != "invalid_request" || envelope.Error["retryable"] != false ||
			!strings.Contains(message, c.says) || len(envelope.Error) != 5 ||
			response.Header.Get("Content-Type") != "application/json; charset=utf-8" || !response.Close {
			t.Errorf("%s: answered %s %v %s", name, response.Status, response.Header, body)
		}
	}
}

func TestServer_Panic(t *testing.T) {
	var fixed atomic.Bool
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{Accepted: func() {
		if !fixed.Load() {
			panic("a bug after the commit")
		}
	}}})
	body := testkit.Issuance(s.NewService(t, s.TestKey), "order-1")
	answer := post(t, s, "/v1/nfse", body).ExpectError(t, http.StatusInternalServerError, nfse.CodeInternal, "")
	same(t, "retryable", retryable(answer), true)
	if strings.Contains(string(answer.Raw), "bug") {
		t.Errorf("the caller sees the bug: %s", answer.Raw)
	}
	fixed.Store(true)
	again := post(t, s, "/v1/nfse", body).Expect(t, http.StatusAccepted)
	same(t, "idempotent", again.At("idempotent"), true)
	expectOneOfEach(t, s)
}
