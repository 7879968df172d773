package dashboard_test

import (
	"flag"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"emissor/test/long"
)

var update = flag.Bool("update", false, "write how the components look into testdata/design.tsv")

// notOnDesign are the classes of the stylesheet that are no components but places on a page, with where that is.
var notOnDesign = map[string]string{
	"across": "the form of a note", "issue": "the form of a note", "bare": "the frame without a menu",
	"printed": "the frame on paper", "palette-group": "what the script finds", "retry-all": "the e-mails",
	"data": "the page of a note", "developer": "the page of a note", "document": "the page of a note",
	"more-acts": "the page of a note", "note": "the page of a note", "title": "the page of a record",
	"regime": "the fiscal profile", "only-me": "the fiscal profile", "only-none": "the fiscal profile",
	"not-mei": "the fiscal profile", "not-none": "the fiscal profile",
}

var (
	cssComment   = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssRule      = regexp.MustCompile(`\{[^{}]*\}`)
	cssClass     = regexp.MustCompile(`\.([a-z][a-z0-9_-]*)`)
	classesShown = regexp.MustCompile(`class="([^"]*)"`)
)

// Every class that the stylesheet names is on the page of components, or is named here with where it is.
func TestDesign_ShowsEveryComponent(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	operator := s.signedIn(t, "operador@example.com", "", "")
	shown := map[string]bool{}
	page := operator.get(t, "/design").expect(t, http.StatusOK)
	for _, found := range classesShown.FindAllStringSubmatch(page.body, -1) {
		for _, class := range strings.Fields(found[1]) {
			shown[class] = true
		}
	}
	style, err := os.ReadFile("assets/style.css")
	must(t, err)
	styled := map[string]bool{}
	selectors := cssRule.ReplaceAllString(cssComment.ReplaceAllString(string(style), ""), "")
	for _, found := range cssClass.FindAllStringSubmatch(selectors, -1) {
		styled[found[1]] = true
	}
	for class := range styled {
		if !shown[class] && notOnDesign[class] == "" {
			t.Errorf(".%s of the stylesheet is not on /design", class)
		}
	}
	for class := range notOnDesign {
		if !styled[class] || shown[class] {
			t.Errorf(".%s is on /design, or no class of the stylesheet: it needs no exception", class)
		}
	}
}

// measured says how each kind of element on the page looks: a line for each property that the stylesheet decides. Left
// out is what the browser alone decides (it is measured without the stylesheet as well), and what comes down from the
// element around it.
const measured = `(() => {
	const inherited = ["color", "fontSize", "fontWeight", "lineHeight", "textAlign", "whiteSpace"];
	const own = ["backgroundColor", "display", "position", "padding", "marginTop", "marginBottom", "gap", "minHeight",
		"boxShadow", "borderRadius", "outline", "content", "fill", "stroke", "strokeWidth"];
	const sides = ["Top", "Right", "Bottom", "Left"];
	const looksOf = (element, pseudo) => {
		const style = getComputedStyle(element, pseudo), looks = {};
		const around = getComputedStyle(pseudo ? element : element.parentElement);
		if (pseudo && (style.content === "none" || style.content === "normal")) return looks;
		inherited.forEach(name => { if (style[name] !== around[name]) looks[name] = style[name]; });
		own.forEach(name => { looks[name] = style[name]; });
		if (pseudo) ["fill", "stroke", "strokeWidth"].forEach(name => delete looks[name]);
		const borders = sides.map(side => style["border" + side + "Width"] === "0px" ? "0px" : ["Width", "Style", "Color"]
			.map(part => style["border" + side + part]).join(" "));
		looks.border = new Set(borders).size === 1 ? borders[0] : borders.join(", ");
		if (style.outlineStyle === "none") delete looks.outline;
		return looks;
	};
	const kinds = new Map();
	document.querySelectorAll("body *").forEach(element => {
		const type = element.matches("input") ? "[" + element.type + "]" : "";
		const classes = [...element.classList].sort().map(name => "." + name).join("");
		const within = classes ? "" : (element.closest("[class]")?.classList[0] ?? "body") + " ";
		const states = [":disabled", ":focus-visible", "[readonly]", "[aria-current]", "[aria-pressed]", "[aria-invalid]"];
		const kind = within + element.localName + type + classes + states.filter(state => element.matches(state)).join("");
		if (!kinds.has(kind)) kinds.set(kind, element);
	});
	const all = () => [...kinds].flatMap(([kind, element]) => ["", "::before", "::after"].map(pseudo =>
		[kind + pseudo, looksOf(element, pseudo || undefined)]));
	const sheet = document.styleSheets[0], styled = all();
	sheet.disabled = true;
	const plain = all();
	sheet.disabled = false;
	const nothing = ["auto", "none", "normal", "0px", "static", "rgba(0, 0, 0, 0)"]; // of what is there by the sheet alone
	const lines = ([kind, looks], i) => Object.entries(looks).filter(([name, value]) =>
		value !== (plain[i][1][name] ?? (nothing.includes(value) ? value : "")) && value !== "auto")
		.map(line => [kind, ...line].join("\t"));
	return styled.flatMap(lines).sort().join("\n");
})()`

// looksOfDesign are the lines of measured in some looks, by their first two columns.
func (w *walker) looksOfDesign(t *testing.T, width int64, scheme string) map[string]string {
	t.Helper()
	w.looks(t, width, scheme)
	command(t, w.browser, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"}}, // nothing is measured on its way
	})
	w.open(t, "/design")
	w.answer(t, `document.querySelector("main button.primary").focus() ?? ""`)
	return w.measuredLooks(t)
}

func (w *walker) measuredLooks(t *testing.T) map[string]string {
	t.Helper()
	looks := map[string]string{}
	for line := range strings.SplitSeq(w.answer(t, measured), "\n") {
		columns := strings.Split(line, "\t")
		looks[columns[0]+"\t"+columns[1]] = columns[2]
	}
	return looks
}

// designFile is how the components look: component, property, and the value in light, in dark and on a phone, where =
// stands for that in light.
const designFile = "testdata/design.tsv"

// The components look as they did. Pictures would be compared with more than that: fonts, their hinting and the version
// of the browser differ between machines, so that pictures of the same stylesheet do. What is compared are the values
// that the stylesheet comes to in the browser, after the cascade and with every token resolved: colours, sizes of text,
// padding, borders, radii, gaps and shadows, of each component and of its ::before and ::after, in each scheme, small
// and in both languages. No width and no height is among them, as those follow from the fonts.
func TestBrowser_Design(t *testing.T) {
	long.Only(t, "measures every component in the browser")
	t.Parallel()
	s := newSite(t, nil)
	w := &walker{site: s, browser: newBrowser(t, s)}
	w.signUp(t, "dona@example.com")
	w.member(t, "dona@example.com", "", "")
	light := w.looksOfDesign(t, 1280, "light")
	w.look(t, "design-light")
	dark := w.looksOfDesign(t, 1280, "dark")
	w.look(t, "design-dark")
	phone := w.looksOfDesign(t, 360, "light")
	w.fits(t, "design")
	w.look(t, "design-phone")
	w.changesShow(t, phone)

	var lines []string
	for _, name := range slices.Sorted(maps.Keys(mergedLooks(light, dark, phone))) {
		line := name + "\t" + light[name]
		for _, other := range []string{dark[name], phone[name]} {
			if other == light[name] {
				other = "="
			}
			line += "\t" + other
		}
		lines = append(lines, line)
	}
	compareDesign(t, "component\tproperty\tlight\tdark\tphone\n"+strings.Join(lines, "\n")+"\n")

	w.open(t, "/session")
	w.press(t, `main button[name=language][value="en"]`)
	if english := w.looksOfDesign(t, 1280, "light"); !maps.Equal(english, light) {
		t.Errorf("in English it looks otherwise: %v", differingLooks(light, english))
	}
	w.speaks(t, "design", "en")
	w.look(t, "design-en")
}

// changesShow expects that a token and a rule that are changed are seen.
func (w *walker) changesShow(t *testing.T, before map[string]string) {
	t.Helper()
	for change, seen := range map[string]string{
		`document.documentElement.style.setProperty("--accent", "#123456")`:      "button.primary\tbackgroundColor",
		`document.documentElement.style.setProperty("--unit", "0.3rem")`:         "div.warning\tpadding",
		`document.styleSheets[0].insertRule(".danger { border-width: 3px }", 0)`: "button.danger\tborder",
	} {
		w.open(t, "/design")
		w.answer(t, `String(`+change+`)`)
		if !slices.Contains(differingLooks(before, w.measuredLooks(t)), seen) {
			t.Errorf("%s does not change %s", change, seen)
		}
	}
}

func mergedLooks(all ...map[string]string) map[string]string {
	merged := map[string]string{}
	for _, one := range all {
		maps.Copy(merged, one)
	}
	return merged
}

// differingLooks names what is not the same in both.
func differingLooks(a, b map[string]string) (names []string) {
	for name := range mergedLooks(a, b) {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	return names
}

// compareDesign compares with the file, or writes it.
func compareDesign(t *testing.T, now string) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(designFile, []byte(now), 0o644))
		return
	}
	kept, err := os.ReadFile(designFile)
	must(t, err)
	before, after := strings.Split(string(kept), "\n"), strings.Split(now, "\n")
	for i, lines := range [][]string{before, after} {
		for _, line := range lines {
			if !slices.Contains([][]string{after, before}[i], line) {
				t.Errorf("%s: %s", []string{"it looked so", "it looks so now"}[i], line)
			}
		}
	}
	if t.Failed() {
		t.Log("where that is meant: go test ./dashboard -run TestBrowser_Design -update")
	}
}
