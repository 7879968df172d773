package sefin

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// largestDocument is the most that a document may be after decompression.
const largestDocument = 1 << 20

// pack writes a document as it travels in JSON: gzip, then standard base64.
func pack(document []byte) string { return base64.StdEncoding.EncodeToString(compress(document)) }

// zippers are kept because one is a megabyte.
var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func compress(document []byte) []byte {
	var packed bytes.Buffer
	writer := zippers.Get().(*gzip.Writer)
	defer zippers.Put(writer)
	writer.Reset(&packed)
	// Writing to memory cannot fail.
	_, _ = writer.Write(document)
	_ = writer.Close()
	return packed.Bytes()
}

// unpack reverses pack for the property of a JSON body.
func unpack(body []byte, property string) ([]byte, *rejection) {
	var properties map[string]json.RawMessage
	var packed string
	isObject := json.Unmarshal(body, &properties) == nil
	if !isObject || json.Unmarshal(properties[property], &packed) != nil || packed == "" {
		return nil, reject("RNG9999").withComplement("The " + property + " field is required.")
	}
	compressed, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return nil, reject("E1225")
	}
	document, err := decompress(compressed)
	if err != nil {
		return nil, reject("E1226")
	}
	return document, nil
}

func decompress(compressed []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	document, err := io.ReadAll(io.LimitReader(reader, largestDocument+1))
	if err == nil && len(document) > largestDocument {
		return nil, fmt.Errorf("the document is larger than %d bytes", largestDocument)
	}
	return document, err
}
