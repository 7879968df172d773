package dps

// writer writes elements as canonical XML wants them: compact, without
// prefixes, an end tag for every start tag, text escaped. What it writes is
// signed as it stands.
type writer struct{ text []byte }

// group writes an element that holds others.
func (w *writer) group(name string, content func()) {
	w.start(name)
	content()
	w.end(name)
}

// element writes an element that holds text.
func (w *writer) element(name, text string) {
	w.start(name)
	w.escape(text)
	w.end(name)
}

// identified writes a group with an Id.
func (w *writer) identified(name, id string, content func()) {
	w.text = append(w.text, '<')
	w.text = append(w.text, name...)
	w.text = append(w.text, ` Id="`...)
	w.text = append(w.text, id...)
	w.text = append(w.text, `">`...)
	content()
	w.end(name)
}

func (w *writer) start(name string) {
	w.text = append(w.text, '<')
	w.text = append(w.text, name...)
	w.text = append(w.text, '>')
}

func (w *writer) end(name string) {
	w.text = append(w.text, "</"...)
	w.text = append(w.text, name...)
	w.text = append(w.text, '>')
}

// escape writes text as C14N does, for text outside attributes. A carriage return
// is written as a reference, because a reader would drop it.
func (w *writer) escape(text string) {
	for i := range len(text) {
		switch c := text[i]; c {
		case '&':
			w.text = append(w.text, "&amp;"...)
		case '<':
			w.text = append(w.text, "&lt;"...)
		case '>':
			w.text = append(w.text, "&gt;"...)
		case '\r':
			w.text = append(w.text, "&#xD;"...)
		default:
			w.text = append(w.text, c)
		}
	}
}
