package api

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/operate"
)

// maxBody is the largest request body, in bytes.
const maxBody = 64 << 10

// body is a request body that is read field by field, in the order of the contract's
// tables. It keeps the first problem, so that the error names the first offending field in
// that order.
type body struct {
	problem *nfse.Error
	unknown []string // paths of fields that were not read
	size    int      // in bytes
	sent    operate.SentFields
}

// object is one JSON object of a body. Reading a field removes it; what is left in the
// end is unknown.
type object struct {
	body    *body
	path    string // of this object: empty, or ending in a dot
	members map[string]jsontext.Value
}

// readBody reads a JSON object strictly: duplicate names, broken UTF-8 and anything after
// the object are errors.
func readBody(w http.ResponseWriter, r *http.Request) (*object, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, nfse.NewError(nfse.CodePayloadTooLarge, "", "the body is larger than %d KiB", maxBody>>10)
	}
	if err != nil {
		return nil, nfse.Invalid("", "the body could not be read")
	}
	if len(raw) > 0 && !isJSON(r.Header.Get("Content-Type")) {
		return nil, nfse.NewError(nfse.CodeUnsupportedMediaType, "", "Content-Type must be application/json")
	}
	read := &body{size: len(raw)}
	requestOf(r.Context()).sent = read
	members, err := parseObject(raw, "")
	if err != nil {
		return nil, err
	}
	return &object{body: read, members: members}, nil
}

func isJSON(contentType string) bool {
	mediaType, parameters, err := mime.ParseMediaType(contentType)
	charset := parameters["charset"]
	return err == nil && mediaType == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

func parseObject(raw []byte, path string) (map[string]jsontext.Value, error) {
	var members map[string]jsontext.Value
	err := json.Unmarshal(raw, &members)
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		field := path + dotted(syntax.JSONPointer)
		return nil, nfse.Invalid(field, "%s is sent twice", quoted(field))
	case err != nil || members == nil:
		return nil, nfse.Invalid("", "the body must be one JSON object in UTF-8")
	}
	return members, nil
}

func dotted(pointer jsontext.Pointer) string {
	return strings.Join(slices.Collect(pointer.Tokens()), ".")
}

// quoted prints what a caller sent as a name, shortened and escaped.
func quoted(name string) string {
	const most = 60
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most]) + "…"
	}
	return strconv.Quote(name)
}

// close ends the reading: it reports the first problem, and fields that are not
// in the contract after those that are.
func (o *object) close() error {
	o.leaveUnknown()
	if o.body.problem != nil {
		return o.body.problem
	}
	if len(o.body.unknown) > 0 {
		slices.Sort(o.body.unknown)
		field := o.body.unknown[0]
		return nfse.Invalid(field, "%s is not a field of this request", quoted(field))
	}
	return nil
}

func (o *object) leaveUnknown() {
	for name := range o.members {
		o.body.unknown = append(o.body.unknown, o.path+name)
	}
}

// refuse records a problem, unless there is one already.
func (o *object) refuse(name, problem string) {
	if o.body.problem == nil {
		field := o.path + name
		o.body.problem = nfse.Invalid(field, "%s %s", field, problem)
	}
}

// take removes a field and returns its value; ok is false when it was not sent.
// null counts as sent and is nil.
func (o *object) take(name string) (value jsontext.Value, ok bool) {
	value, ok = o.members[name]
	delete(o.members, name)
	if ok {
		o.body.sent = append(o.body.sent, operate.SentField{Name: o.path + name, Bytes: len(value)})
	}
	if ok && value.Kind() == 'n' {
		value = nil
	}
	return value, ok
}

// required reads a text that cannot be cleared; nil when it was left out, which
// it may be where must is false.
func (o *object) required(name string, must bool, rule catalogue.Rule) *string {
	value, sent := o.take(name)
	switch {
	case !sent && !must:
		return nil
	case !sent || value == nil:
		o.refuse(name, "is required")
		return nil
	}
	return o.text(name, value, rule)
}

// optional reads a text; nil when it was left out or sent as null.
func (o *object) optional(name string, rule catalogue.Rule) *string {
	value, _ := o.take(name)
	if value == nil {
		return nil
	}
	return o.text(name, value, rule)
}

// change reads a text that may be left alone (nil), cleared (a pointer to nil)
// or set.
func (o *object) change(name string, rule catalogue.Rule) **string {
	if _, sent := o.members[name]; !sent {
		return nil
	}
	text := o.optional(name, rule)
	return &text
}

func (o *object) text(name string, value jsontext.Value, rule catalogue.Rule) *string {
	if value.Kind() != '"' {
		o.refuse(name, "must be a string")
		return nil
	}
	unquoted, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		o.refuse(name, "is not valid Unicode text")
		return nil
	}
	text, err := rule(string(unquoted))
	if err != nil {
		o.refuse(name, err.Error())
		return nil
	}
	return &text
}

// amount reads an amount in cents: a whole number without fraction or exponent.
func (o *object) amount(name string, must bool) *int64 {
	value, sent := o.take(name)
	if !sent && !must {
		return nil
	}
	if !sent || value == nil {
		o.refuse(name, "is required")
		return nil
	}
	cents, err := catalogue.AmountCents(string(value))
	if err != nil {
		o.refuse(name, err.Error())
		return nil
	}
	return &cents
}

// boolean reads true or false; null gives the default, absence nil.
func (o *object) boolean(name string, defaultValue bool) *bool {
	value, sent := o.take(name)
	if !sent {
		return nil
	}
	truth := defaultValue
	switch {
	case value == nil:
	case value.Kind() == 't':
		truth = true
	case value.Kind() == 'f':
		truth = false
	default:
		o.refuse(name, "must be true or false")
	}
	return &truth
}

// rate reads an ISS rate, which null clears.
func (o *object) rate(name string) **nfse.Rate {
	value, sent := o.take(name)
	if !sent {
		return nil
	}
	var rate *nfse.Rate
	switch {
	case value == nil:
	case value.Kind() != '0':
		o.refuse(name, "must be a number")
	default:
		parsed, err := nfse.ParseRate(string(value))
		if err != nil {
			o.refuse(name, err.Error())
		}
		rate = &parsed
	}
	return &rate
}

// value is what was read, or the zero value where it was refused.
func value[T any](read *T) (value T) {
	if read != nil {
		value = *read
	}
	return value
}

// object opens a nested object; nil when it was not sent, or sent as null.
func (o *object) object(name string) (nested *object, sent bool) {
	value, sent := o.take(name)
	if !sent || value == nil {
		return nil, sent
	}
	if value.Kind() != '{' {
		o.refuse(name, "must be an object")
		return nil, sent
	}
	members, err := parseObject(value, o.path+name+".")
	if err != nil {
		o.refuse(name, "must be an object")
		return nil, sent
	}
	return &object{body: o.body, path: o.path + name + ".", members: members}, sent
}
