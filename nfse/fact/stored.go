package fact

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"log/slog"
)

// stored is a fact as JSON, in a column or as an argument of another fact.
type stored struct {
	Code      Code      `json:"code"`
	Arguments Arguments `json:"arguments,omitempty"`
}

// Value is what a column holds: a JSON object of code and arguments, or NULL.
func (f Fact) Value() (driver.Value, error) {
	if f.None() {
		return nil, nil
	}
	content, err := json.Marshal(stored{f.Code, storedArguments(f.Arguments)})
	return string(content), err
}

// storedArguments are arguments whose facts are stored without their texts.
func storedArguments(arguments Arguments) Arguments {
	kept := make(Arguments, len(arguments))
	for name, value := range arguments {
		switch v := value.(type) {
		case Fact:
			value = stored{v.Code, storedArguments(v.Arguments)}
		case []Fact:
			list := make([]stored, len(v))
			for i, one := range v {
				list[i] = stored{one.Code, storedArguments(one.Arguments)}
			}
			value = list
		}
		kept[name] = value
	}
	return kept
}

// Scan reads a column.
func (f *Fact) Scan(v any) error {
	switch content := v.(type) {
	case nil:
		*f = Fact{}
		return nil
	case []byte:
		return f.UnmarshalJSON(content)
	case string:
		return f.UnmarshalJSON([]byte(content))
	}
	return fmt.Errorf("fact: cannot be read from %T", v)
}

// MarshalJSON shows a fact to programs: code, arguments, and the English text. None is
// null.
func (f Fact) MarshalJSON() ([]byte, error) {
	if f.None() {
		return []byte("null"), nil
	}
	return json.Marshal(struct {
		stored
		Text string `json:"text"`
	}{stored{f.Code, storedArguments(f.Arguments)}, f.English()})
}

// UnmarshalJSON reads what Value or MarshalJSON wrote.
func (f *Fact) UnmarshalJSON(content []byte) error {
	var read *struct {
		Code      Code           `json:"code"`
		Arguments map[string]any `json:"arguments"`
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	if err := decoder.Decode(&read); err != nil {
		return fmt.Errorf("fact: %w", err)
	}
	*f = Fact{}
	if read != nil {
		*f = Fact{read.Code, readArguments(read.Arguments)}
	}
	return nil
}

func readArguments(arguments map[string]any) Arguments {
	if len(arguments) == 0 {
		return nil
	}
	read := make(Arguments, len(arguments))
	for name, value := range arguments {
		read[name] = readArgument(value)
	}
	return read
}

func readArgument(value any) any {
	switch v := value.(type) {
	case json.Number:
		if number, err := v.Int64(); err == nil {
			return number
		}
		return v.String()
	case map[string]any:
		code, _ := v["code"].(string)
		arguments, _ := v["arguments"].(map[string]any)
		return Fact{Code(code), readArguments(arguments)}
	case []any:
		list := make([]Fact, 0, len(v))
		for _, one := range v {
			if known, is := readArgument(one).(Fact); is {
				list = append(list, known)
			}
		}
		return list
	}
	return value
}

// LogValue implements slog.LogValuer: the code and the English text.
func (f Fact) LogValue() slog.Value {
	if f.None() {
		return slog.StringValue("")
	}
	return slog.GroupValue(slog.String("code", string(f.Code)), slog.String("text", f.English()))
}
