package generate

import "unicode/utf8"

// kind is a kind of text, by the pieces that its texts are made of. Each piece
// begins with a visible character, so that its beginning is a valid text too, and
// none begins with a mark that would compose with the piece before it.
type kind struct {
	name   string
	pieces []string

	// decomposed: each piece is one character when it is composed (NFC).
	decomposed bool
	// hidden: pieces hold what no reference may have, format characters or spaces
	// other than U+0020.
	hidden bool
	// lines: pieces hold line breaks and tabs, which only descriptions may have.
	lines bool
}

// characters counts a piece as the contract does.
func (k kind) characters(piece string) int {
	if k.decomposed {
		return 1
	}
	return utf8.RuneCountInString(piece)
}

// kinds are all kinds of texts: what most callers send, and then the others.
var kinds = []kind{
	{name: "ordinary Portuguese", pieces: []string{
		"Maria", "João", "Conceição", "Antônio", "José", "Luís", "Ângela", "Íris", "da Silva", "dos Santos", "D'Ávila",
		"Sant'Anna", "Müller", "Araújo", "Ltda.", "S/A", "& Cia", "ME", "São", "Avenida", "Praça", "Manutenção",
		"Serviço", "Nota", "Pedido", "12", "2026", "nº 7",
	}},
	{name: "plain ASCII", pieces: []string{
		"order", "-", "1001", "_", "charge", "a", "Z", "0", "~", "!", "^", "*", "()", "[]",
	}},
	{name: "accents", pieces: []string{
		"á", "à", "â", "ã", "ä", "é", "ê", "í", "ó", "ô", "õ", "ú", "ü", "ç", "Ç", "Ã", "Õ", "ñ", "Ø", "ß", "ÿ", "Ž",
		"ł", "œ",
	}},
	{name: "decomposed (NFD)", decomposed: true, pieces: []string{
		"a\u0303", "e\u0301", "c\u0327", "o\u0302\u0301", "u\u0308", "A\u030a", "\u1112\u1161\u11ab",
		"\u03b1\u0313\u0300\u0345", "s",
	}},
	{name: "marks that compose with nothing", pieces: []string{
		"x\u0301\u0302", "q\u0307\u0323", "Z\u0351\u036b\u0346", "क्षि", "กำ", "ल\u20dd",
	}},
	{name: "ordinals and signs", pieces: []string{
		"nº", "1ª", "2º", "°", "§", "№", "½", "²", "€", "£", "™", "✓", "—", "…", "•", "×",
	}},
	{name: "emoji", pieces: []string{"😀", "🧾", "🇧🇷", "👍🏽", "❤\ufe0f", "🏴"}},
	{name: "joined emoji", hidden: true, pieces: []string{
		"👩\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "🧑🏾\u200d🚀",
	}},
	{name: "CJK", pieces: []string{
		"漢字", "かな", "カナ", "ﾊﾝｶｸ", "한글", "請求書", "。", "１２３", "株式会社",
	}},
	{name: "right to left", pieces: []string{"שלום", "مرحبا", "فاتورة", "٣", "ש\u05c1", "ו\u05bc"}},
	{name: "directions and joiners", hidden: true, pieces: []string{
		"a\u202eb", "x\u2066y\u2069", "ש\u200f", "co\u00adop", "a\u200b", "b\ufeff", "نمی\u200cخواهم",
	}},
	{name: "other spaces", hidden: true, pieces: []string{
		"a\u00a0b", "c\u3000d", "e\u2003f", "g\u2028h", "i\u2029j", "k\u202fl",
	}},
	{name: "spaces", pieces: []string{"a  b", "c   d", "e f"}},
	{name: "beyond the basic plane", pieces: []string{"𝔄", "𝒜", "𐍈", "𠜎", "🄰", "𞤀"}},
	{name: "change of case", pieces: []string{"İ", "ı", "ẞ", "ﬁ", "Ǆ", "ς", "Σ", "ŉ", "\u212a"}},
	{name: "quotes", pieces: []string{
		`'`, `"`, "`", "«»", "“”", "‘’", `""`, `''`, "´", "d'água", `"quoted"`,
	}},
	{name: "markup", pieces: []string{
		`<b>`, `</title><script>alert("x")</script>`, `<img src=x onerror=alert('x')>`, "&amp;", "&#0;", "]]>", "<!--",
		"<![CDATA[", "<?xml?>", "&", "<", ">",
	}},
	{name: "SQL", pieces: []string{
		`'; DROP TABLE notes; --`, `' OR 1=1 --`, "$1", "$$", `E'\\'`, "%_", "/* */", ":name", "?", "NULL",
	}},
	{name: "percent signs", pieces: []string{"%", "%s", "%00", "%2F", "%!d(", "%25", "100%", "%n", "%%"}},
	{name: "backslashes", pieces: []string{`\`, `\n`, `\u0000`, `\x00`, `C:\temp`, `\\`, `\"`}},
	{name: "templates", pieces: []string{
		"{{.}}", "${x}", "<%= x %>", `{{template "main" .}}`, "#{x}", "$(id)", "{0}",
	}},
	{name: "paths and addresses", pieces: []string{
		"a/b/../c", "//", "..", ".", "?q=1&x=2", "#", ":", "javascript:alert(1)", "a@b.example", "+", "=",
		"http://x.example/",
	}},
	{name: "spreadsheets", pieces: []string{
		"=1+1", "-1", "@SUM(A1)", "a;b", ",", "|x", `=HYPERLINK("http://x.example")`, "+55",
	}},
	{name: "numbers and words of programs", pieces: []string{
		"0", "007", "1e9", "-0", "null", "true", "NaN", "undefined", "1.0", "0x1F",
	}},
	{name: "not characters", pieces: []string{
		"a\ufffd", "b\uffff", "c\ufffe", "d\ufdd0", "e\ue000", "f\U0010ffff", "g\u0378",
	}},
	{name: "lines", lines: true, pieces: []string{"a\nb", "c\r\nd", "e\tf", "g\rh", "• item\n", "\"x\"\n\n"}},
}

// ofOneLine are the kinds of texts of one line, and ofReferences of those that may
// hold nothing invisible.
var ofOneLine, ofReferences = func() (line, references []kind) {
	for _, k := range kinds {
		if !k.lines {
			line = append(line, k)
		}
		if !k.lines && !k.hidden {
			references = append(references, k)
		}
	}
	return line, references
}()
