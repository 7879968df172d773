package rps

// writer writes elements as canonical XML wants them: compact, without
// prefixes, an end tag for every start tag, text escaped. What it writes is
// signed as it stands.
type writer struct{ text []byte }

// root writes the root of a message, whose children have no namespace.
func (w *writer) root(name string, content func()) {
	w.raw(`<` + name + ` xmlns="` + Namespace + `">`)
	content()
	w.end(name)
}

// header writes the header of a message, which names the sender.
func (w *writer) header(sender func(), more ...func()) {
	w.raw(`<Cabecalho xmlns="" Versao="` + Layout + `">`)
	w.group("CPFCNPJRemetente", sender)
	for _, write := range more {
		write()
	}
	w.end("Cabecalho")
}

// child writes a child of the root.
func (w *writer) child(name string, content func()) {
	w.raw(`<` + name + ` xmlns="">`)
	content()
	w.end(name)
}

// group writes an element that holds others.
func (w *writer) group(name string, content func()) {
	w.raw("<" + name + ">")
	content()
	w.end(name)
}

// element writes an element that holds text.
func (w *writer) element(name, text string) {
	w.raw("<" + name + ">")
	w.escape(text)
	w.end(name)
}

// optional writes an element that holds text, if there is any: the city refuses
// empty elements.
func (w *writer) optional(name, text string) {
	if text != "" {
		w.element(name, text)
	}
}

func (w *writer) end(name string) { w.raw("</" + name + ">") }

func (w *writer) raw(text string) { w.text = append(w.text, text...) }

// escape writes text as C14N does.
func (w *writer) escape(text string) {
	for i := range len(text) {
		switch c := text[i]; c {
		case '&':
			w.raw("&amp;")
		case '<':
			w.raw("&lt;")
		case '>':
			w.raw("&gt;")
		case '\r':
			w.raw("&#xD;")
		default:
			w.text = append(w.text, c)
		}
	}
}
