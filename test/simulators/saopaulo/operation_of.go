package saopaulo

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"io"
	"mime"
	"net/http"
	"strings"
)

// operationOf is the operation that a request is for: by the header SOAPAction, or in SOAP 1.2 by the action of the
// media type, and without one by the element in the envelope. Nil is none that is known.
func operationOf(r *http.Request, version soapVersion) *operation {
	action := strings.Trim(r.Header.Get("SOAPAction"), `"`)
	if action == "" && version == soap12 {
		action = actionParameter(r)
	}
	if action == "" && version == soap12 {
		return operationNamed(wrapperName(r))
	}
	name, ours := strings.CutPrefix(action, actionBase)
	if !ours {
		return nil
	}
	return operations[name]
}

// actionParameter is the action of the media type, as SOAP 1.2 has it.
func actionParameter(r *http.Request) string {
	_, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return parameters["action"]
}

// operationNamed is the one with a name as in EnvioRPSRequest; nil where there is none.
func operationNamed(wrapper string) *operation {
	for _, one := range operations {
		if wrapper == one.name+"Request" {
			return one
		}
	}
	return nil
}

// longestHead is in how many bytes the element in the envelope must have begun.
const longestHead = 4 << 10

// wrapperName is the local name of the element in the envelope's body. The request's body is left as it was.
func wrapperName(r *http.Request) string {
	buffered := bufio.NewReaderSize(r.Body, longestHead)
	r.Body = struct {
		io.Reader
		io.Closer
	}{buffered, r.Body}
	head, _ := buffered.Peek(longestHead) // as much as there is
	decoder := xml.NewDecoder(bytes.NewReader(head))
	for inBody := false; ; {
		token, err := decoder.RawToken()
		if err != nil {
			return ""
		}
		switch start, isStart := token.(xml.StartElement); {
		case isStart && inBody:
			return start.Name.Local
		case isStart:
			inBody = start.Name.Local == "Body"
		}
	}
}
