package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// bodied are the operations that take a body, each with a valid one.
func bodied(t *testing.T, s *testkit.System) map[string]struct{ method, path, body string } {
	service := s.NewService(t, s.TestKey)
	customer := post(t, s, "/v1/customers", customerBody()).Expect(t, http.StatusCreated).Text("id")
	return map[string]struct{ method, path, body string }{
		"create a service": {"POST", "/v1/services",
			`{"name":"Consulta","description":"Consulta médica","municipality_code":"3550308",
			"default_amount_cents":1}`},
		"change a service": {"PATCH", "/v1/services/" + service, `{"name":"Consulta"}`},
		"synchronize a customer": {"POST", "/v1/customers",
			`{"document":"52998224725","name":"Maria","address":{"number":"1"}}`},
		"change a customer": {"PATCH", "/v1/customers/" + customer, `{"name":"Maria","address":{"number":"1"}}`},
		"issue a note": {"POST", "/v1/nfse", `{"reference":"r","service_id":"` + service + `","amount_cents":1,
			"customer":{"document":"52998224725","name":"Maria",
			"address":{"zip_code":"01310100","street":"Rua","number":"1","district":"Centro"}}}`},
	}
}

func TestBody_StrictJSON(t *testing.T) {
	s := newSystem(t)
	operations := bodied(t, s)
	for name, corrupt := range map[string]func(valid string) (body, field string){
		"nothing":             func(string) (string, string) { return "", "" },
		"white space":         func(string) (string, string) { return " \r\n\t", "" },
		"not JSON":            func(string) (string, string) { return "name=Consulta", "" },
		"null":                func(string) (string, string) { return "null", "" },
		"a list":              func(valid string) (string, string) { return "[" + valid + "]", "" },
		"a string":            func(string) (string, string) { return `"name"`, "" },
		"a number":            func(string) (string, string) { return "1", "" },
		"cut short":           func(valid string) (string, string) { return valid[:len(valid)-1], "" },
		"an object behind it": func(valid string) (string, string) { return valid + "{}", "" },
		"a bracket behind it": func(valid string) (string, string) { return valid + "}", "" },
		"a NUL behind it":     func(valid string) (string, string) { return valid + "\x00", "" },
		"a byte order mark":   func(valid string) (string, string) { return "\ufeff" + valid, "" },
		"a comment":           func(valid string) (string, string) { return valid[:1] + "/* */" + valid[1:], "" },
		"a trailing comma":    func(valid string) (string, string) { return valid[:len(valid)-1] + ",}", "" },
		"single quotes":       func(valid string) (string, string) { return strings.ReplaceAll(valid, `"`, `'`), "" },
		"invalid UTF-8": func(valid string) (string, string) {
			return valid[:1] + `"x":"` + "\xff" + `",` + valid[1:], ""
		},
		"UTF-8 of a surrogate": func(valid string) (string, string) {
			return valid[:1] + `"x":"` + "\xed\xa0\x80" + `",` + valid[1:], ""
		},
		"an unpaired surrogate": func(valid string) (string, string) {
			return valid[:1] + `"x":"\ud83d",` + valid[1:], ""
		},
		"a bare control character": func(valid string) (string, string) {
			return valid[:1] + "\"x\":\"\x01\"," + valid[1:], ""
		},
		"too deep": func(string) (string, string) { return strings.Repeat(`{"a":`, 12000), "" },
		"an unknown field": func(valid string) (string, string) {
			return valid[:1] + `"zzz":1,` + valid[1:], "zzz"
		},
		"an unknown field of null": func(valid string) (string, string) {
			return valid[:1] + `"zzz":null,` + valid[1:], "zzz"
		},
		"an empty name": func(valid string) (string, string) {
			return valid[:1] + `"":null,` + valid[1:], ""
		},
		"a duplicate unknown field": func(valid string) (string, string) {
			return valid[:1] + `"z":1,"z":1,` + valid[1:], "z"
		},
		"a duplicate in a list": func(valid string) (string, string) {
			return valid[:1] + `"z":[{"a":1,"a":1}],` + valid[1:], "z.0.a"
		},
	} {
		for operation, o := range operations {
			t.Run(name+"/"+operation, func(t *testing.T) {
				body, field := corrupt(o.body)
				s.Call(t, o.method, o.path, s.TestKey, body).
					ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, field)
			})
		}
	}
	same(t, "notes after all that", s.Count(t, `SELECT count(*) FROM notes`), 0)
	same(t, "services after all that", s.Count(t, `SELECT count(*) FROM services`), 1)
	same(t, "customers after all that", s.Count(t, `SELECT count(*) FROM customers`), 1)
	for operation, o := range operations {
		t.Run("valid/"+operation, func(t *testing.T) {
			if answer := s.Call(t, o.method, o.path, s.TestKey, " \n"+o.body+"\t "); answer.Status >= 300 {
				t.Errorf("the body of these tests is not valid: %s", answer.Raw)
			}
		})
	}
}

func TestBody_FieldNames(t *testing.T) {
	s := newSystem(t)
	operations := bodied(t, s)
	for _, test := range []struct{ operation, find, replace, field string }{
		{"create a service", `"name":`, `"name":"Exame","name":`, "name"},
		{"create a service", `"name":`, `"\u006eame":"Exame","name":`, "name"}, // the same name, written otherwise
		{"create a service", `"name":`, `"Name":"Exame","name":`, "Name"},
		{"change a service", `"name":`, `"name":"Exame","name":`, "name"},
		{"change a service", `"name":`, `"NAME":`, "NAME"},
		{"change a service", `"name":`, `"name ":`, "name "},
		{"synchronize a customer", `"number":`, `"number":"2","number":`, "address.number"},
		{"synchronize a customer", `"number":`, `"Number":`, "address.Number"},
		{"change a customer", `"number":`, `"number":"2","number":`, "address.number"},
		{"change a customer", `"number":`, `"house":`, "address.house"},
		{"issue a note", `"reference":`, `"reference":"r","reference":`, "reference"},
		{"issue a note", `"street":`, `"street":"R","street":`, "customer.address.street"},
		{"issue a note", `"street":`, `"Street":"R","street":`, "customer.address.Street"},
		{"issue a note", `"name":`, `"nickname":"M","name":`, "customer.nickname"},
		{"issue a note", `"name":`, `"email":"a@example.com","name":`, "customer.email"},
		{"issue a note", `"reference":`, `"service":{"description":"Consulta","iss_rate":2},"reference":`,
			"service.iss_rate"},
		{"issue a note", `"reference":`, `"municipality_code":"3550308","reference":`, "municipality_code"},
		{"issue a note", `"reference":`, `"Reference":"r","reference":`, "Reference"},
	} {
		o := operations[test.operation]
		body := strings.Replace(o.body, test.find, test.replace, 1)
		t.Run(test.operation+"/"+test.field, func(t *testing.T) {
			s.Call(t, o.method, o.path, s.TestKey, body).
				ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, test.field)
		})
	}
}

func TestBody_UnknownFieldsComeLast(t *testing.T) {
	s := newSystem(t)
	for range 5 { // a map in the wrong place would answer differently now and then
		post(t, s, "/v1/services", Body{"zz": 1, "aa": 1, "mm": 1}).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "name")
		post(t, s, "/v1/services", with(serviceBody(), Body{"zz": 1, "aa": 1, "mm": 1})).
			ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "aa")
	}
}

func TestBody_StrangeNameIsNotRepeated(t *testing.T) {
	s := newSystem(t)
	name := strings.Repeat("x", 5000) + "\u202e\n"
	answer := post(t, s, "/v1/services", with(serviceBody(), Body{name: 1})).
		ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, name)
	if said := message(answer); len(said) > 200 || strings.ContainsAny(said, "\u202e\n") {
		t.Errorf("the message is %q", said)
	}
}

func TestBody_Size(t *testing.T) {
	s := newSystem(t)
	for operation, o := range bodied(t, s) {
		t.Run(operation, func(t *testing.T) {
			full := o.body + strings.Repeat(" ", 64<<10-len(o.body))
			if answer := s.Call(t, o.method, o.path, s.TestKey, full); answer.Status >= 300 {
				t.Errorf("64 KiB: %d %s", answer.Status, answer.Raw)
			}
			answer := s.Call(t, o.method, o.path, s.TestKey, full+" ").
				ExpectError(t, http.StatusRequestEntityTooLarge, nfse.CodePayloadTooLarge, "")
			same(t, "retryable", retryable(answer), false)
			chunked := http.Header{"Authorization": {"Bearer " + s.TestKey}, "Content-Type": {"application/json"},
				"Transfer-Encoding": {"chunked"}}
			s.Send(t, o.method, o.path, chunked, full+" ").
				ExpectError(t, http.StatusRequestEntityTooLarge, nfse.CodePayloadTooLarge, "")
		})
	}
}

func TestBody_ContentType(t *testing.T) {
	s := newSystem(t)
	for operation, o := range bodied(t, s) {
		for contentType, accepted := range map[string]bool{
			"application/json":                      true,
			"Application/JSON":                      true,
			"application/json; charset=utf-8":       true,
			`application/json;charset="UTF-8"`:      true,
			"":                                      false,
			"text/plain":                            false,
			"application/json; charset=iso-8859-1":  false,
			"application/json, application/json":    false,
			"application/jsonp":                     false,
			"application/merge-patch+json":          false,
			"application/x-www-form-urlencoded":     false,
			"multipart/form-data; boundary=x":       false,
			"application/json; charset=utf-8; char": false,
		} {
			t.Run(fmt.Sprintf("%s/%s", operation, contentType), func(t *testing.T) {
				header := http.Header{"Authorization": {"Bearer " + s.TestKey}}
				if contentType != "" {
					header.Set("Content-Type", contentType)
				}
				answer := s.Send(t, o.method, o.path, header, o.body)
				if accepted && answer.Status >= 300 {
					t.Errorf("%d %s", answer.Status, answer.Raw)
				}
				if !accepted {
					answer.ExpectError(t, http.StatusUnsupportedMediaType, nfse.CodeUnsupportedMediaType, "")
				}
			})
		}
	}
}
