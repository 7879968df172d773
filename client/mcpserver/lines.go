package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Lines is the transport of standard input and output: a message a line. A line that is no message is answered as
// JSON-RPC says, and the session goes on; where the input ends, what it asked for is answered before the session ends.
// The SDK's own transport ends the session in both cases.
func Lines(in io.Reader, out io.Writer) mcp.Transport { return lines{in, out} }

type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect implements mcp.Transport.
func (l lines) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConnection{out: l.out, messages: make(chan jsonrpc.Message), changed: make(chan struct{}, 1),
		closed: make(chan struct{}), theirs: map[jsonrpc.ID]bool{}, ours: map[jsonrpc.ID]bool{}}
	go c.receive(bufio.NewReaderSize(l.in, maxMessage))
	return c, nil
}

type lineConnection struct {
	messages  chan jsonrpc.Message // nil after the end of the input; only Read looks
	changed   chan struct{}        // theirs or ours
	closed    chan struct{}
	closeOnce sync.Once

	mu           sync.Mutex // of what follows
	out          io.Writer
	theirs, ours map[jsonrpc.ID]bool // requests that have no answer yet
}

// errNoAnswer is what a question to the client is answered with after the end of the input.
var errNoAnswer = errors.New("the input has ended")

// Read implements mcp.Connection.
func (c *lineConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if c.messages == nil {
			if message, err := c.end(); message != nil || err != nil {
				return message, err
			}
		}
		select {
		case message, more := <-c.messages:
			if more {
				return message, nil
			}
			c.messages = nil
		case <-c.changed:
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// end is what is read after the end of the input: a refusal of each question to the client, and io.EOF when all that
// the client asked for is answered.
func (c *lineConnection) end() (jsonrpc.Message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.ours {
		delete(c.ours, id)
		return &jsonrpc.Response{ID: id, Error: errNoAnswer}, nil
	}
	if len(c.theirs) == 0 {
		return nil, io.EOF
	}
	return nil, nil
}

// Write implements mcp.Connection.
func (c *lineConnection) Write(_ context.Context, message jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch message := message.(type) {
	case *jsonrpc.Response:
		delete(c.theirs, message.ID)
	case *jsonrpc.Request:
		if message.ID.IsValid() {
			c.ours[message.ID] = true
		}
	}
	select {
	case c.changed <- struct{}{}:
	default:
	}
	_, err = c.out.Write(append(text, '\n'))
	return err
}

// Close implements mcp.Connection.
func (c *lineConnection) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements mcp.Connection.
func (*lineConnection) SessionID() string { return "" }

// receive reads lines until the input ends.
func (c *lineConnection) receive(in *bufio.Reader) {
	defer close(c.messages)
	for {
		line, err := in.ReadSlice('\n')
		tooLong := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if tooLong {
			c.refuse(nil, jsonrpc.CodeInvalidRequest, "a message has at most 128 KiB")
		} else if message := c.message(bytes.Clone(bytes.TrimSpace(line))); message != nil {
			select {
			case c.messages <- message:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// message reads a line, and refuses one that is no message.
func (c *lineConnection) message(line []byte) jsonrpc.Message {
	if len(line) == 0 {
		return nil
	}
	if !jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true)) {
		c.refuse(nil, jsonrpc.CodeParseError, "the line is not JSON: a message is one line")
		return nil
	}
	var named struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &named) != nil {
		c.refuse(nil, jsonrpc.CodeInvalidRequest,
			"the line is not an object: a message is one, and there are no batches")
		return nil
	}
	if named.ID != nil && !isID(named.ID) {
		c.refuse(nil, jsonrpc.CodeInvalidRequest, "an id is a string or a whole number")
		return nil
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil || !c.expect(message) {
		c.refuse(named.ID, jsonrpc.CodeInvalidRequest, "the line is no message of JSON-RPC 2.0, or its id is in use")
		return nil
	}
	return message
}

// expect notes that a request is to be answered, or that one of ours is, and reports whether the message can be one.
func (c *lineConnection) expect(message jsonrpc.Message) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch message := message.(type) {
	case *jsonrpc.Response:
		delete(c.ours, message.ID)
		return message.Result != nil || message.Error != nil
	case *jsonrpc.Request:
		if c.theirs[message.ID] {
			return false
		}
		if message.ID.IsValid() {
			c.theirs[message.ID] = true
		}
	}
	return true
}

// isID reports whether an answer can have the id as it was sent: the SDK keeps numbers as whole ones.
func isID(id json.RawMessage) bool {
	var number float64
	if json.Unmarshal(id, &number) == nil && id[0] != 'n' {
		return number == math.Trunc(number) && math.Abs(number) <= 1<<53
	}
	return id[0] == '"'
}

// refuse answers a line that is not handed on; without an id it is null.
func (c *lineConnection) refuse(id json.RawMessage, code int, why string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprintf(c.out, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`+"\n", id, code, why)
}
