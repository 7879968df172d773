package renegotiation

// parser reads the fields of a message one after another. After the first that is not there it is bad, and reads
// nothing more.
type parser struct {
	rest []byte
	bad  bool
}

// bytes returns the next so many bytes.
func (p *parser) bytes(size int) []byte {
	if p.bad || size > len(p.rest) {
		p.bad = true
		return nil
	}
	field := p.rest[:size]
	p.rest = p.rest[size:]
	return field
}

// number returns the next number of so many bytes.
func (p *parser) number(size int) int {
	number := 0
	for _, b := range p.bytes(size) {
		number = number<<8 | int(b)
	}
	return number
}

// vector returns the next bytes after their length, which has so many bytes.
func (p *parser) vector(lengthSize int) []byte { return p.bytes(p.number(lengthSize)) }

// more says whether there is another field.
func (p *parser) more() bool { return !p.bad && len(p.rest) > 0 }

// complete says whether all was read, and everything was there.
func (p *parser) complete() bool { return !p.bad && len(p.rest) == 0 }

// numbers returns the numbers of two bytes each that a list consists of.
func numbers(list []byte) []uint16 {
	var all []uint16
	for ; len(list) >= 2; list = list[2:] {
		all = append(all, uint16(list[0])<<8|uint16(list[1]))
	}
	return all
}

// vector is parts after their length, which has so many bytes.
func vector(lengthSize int, parts ...[]byte) []byte {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	field := make([]byte, 0, lengthSize+length)
	for shift := 8 * (lengthSize - 1); shift >= 0; shift -= 8 {
		field = append(field, byte(length>>shift))
	}
	for _, part := range parts {
		field = append(field, part...)
	}
	return field
}

// message is a handshake message.
func message(kind byte, parts ...[]byte) []byte {
	return append([]byte{kind}, vector(3, parts...)...)
}

// pair is a number of two bytes.
func pair[N ~uint16](number N) []byte { return []byte{byte(number >> 8), byte(number)} }
