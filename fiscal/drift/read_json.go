package drift

import "bytes"

type jsonReader struct {
	body []byte
	at   int
	tell func(event)
}

// value reads a value; ok is false where there is none, or only a part of one.
func (r *jsonReader) value(depth int) (ok bool) {
	r.space()
	if r.at == len(r.body) || depth > maxDepth {
		return false
	}
	from := r.at
	switch c := r.body[from]; c {
	case '{':
		r.tell(event{kind: object})
		return r.members('}', depth)
	case '[':
		r.tell(event{kind: list})
		return r.members(']', depth)
	case '"':
		if ok = r.string(); ok {
			r.tell(event{kind: text, from: from + 1, to: r.at - 1})
		}
		return ok
	default:
		for r.at < len(r.body) && isWord(r.body[r.at]) {
			r.at++
		}
		is := number
		switch word := string(r.body[from:r.at]); {
		case word == "true", word == "false":
			is = boolean
		case word == "null":
			is = null
		case c != '-' && !isDigit(c):
			return false
		}
		r.tell(event{kind: is, from: from, to: r.at})
		return true
	}
}

// members reads what is between brackets.
func (r *jsonReader) members(closing byte, depth int) bool {
	r.at++
	for first := true; ; first = false {
		if r.next(closing) {
			return true
		}
		if !first && !r.next(',') {
			return false
		}
		member := event{kind: name, under: "[]"}
		if closing == '}' {
			r.space()
			member = event{kind: name, under: ".", from: r.at + 1}
			if !r.string() {
				return false
			}
			member.to = r.at - 1
			if !r.next(':') {
				return false
			}
		}
		r.tell(member)
		if !r.value(depth + 1) {
			return false
		}
		r.tell(event{kind: ended})
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWord reports whether a byte may be one of a number, or of true, false and null.
func isWord(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c == 'E' || c == '+' || c == '-' || c == '.'
}

// string reads a string with its quotes.
func (r *jsonReader) string() (ok bool) {
	if r.at == len(r.body) || r.body[r.at] != '"' {
		return false
	}
	for r.at++; ; r.at++ {
		quote := bytes.IndexByte(r.body[r.at:], '"')
		if quote < 0 {
			r.at = len(r.body)
			return false
		}
		escape := bytes.IndexByte(r.body[r.at:r.at+quote], '\\')
		if escape < 0 {
			r.at += quote + 1
			return true
		}
		r.at = min(r.at+escape+1, len(r.body)-1) // what is escaped, behind which the loop goes on
	}
}

// next reads a character behind white space, if it is there.
func (r *jsonReader) next(character byte) bool {
	r.space()
	if r.at == len(r.body) || r.body[r.at] != character {
		return false
	}
	r.at++
	return true
}

func (r *jsonReader) space() {
	for r.at < len(r.body) && (r.body[r.at] == ' ' || r.body[r.at] >= '\t' && r.body[r.at] <= '\r') {
		r.at++
	}
}
