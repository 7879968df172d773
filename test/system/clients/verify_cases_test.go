package clients

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"emissor/internal/webhook"
)

// verifyCase is what a receiver is given, and what every verification has to say of it.
type verifyCase struct {
	name           string
	secret, header string
	form           headerForm
	body           string
	now, tolerance int64 // seconds
	want           string
}

// headerForm is how a language whose texts are of characters gets a header. Others get its bytes.
type headerForm string

const (
	missing    headerForm = "none"
	characters headerForm = "text"  // of UTF-8
	octets     headerForm = "bytes" // a character for each, as servers read headers
)

// What files of docs/integrating/verify say, each in the same words.
const (
	accepted    = "ok"
	noSecret    = "refused the secret of the endpoint is missing"
	noTime      = "refused the header service-signature is missing, or has no time"
	notLately   = "refused it was not signed lately: it is a replay, or a clock is wrong"
	noSignature = "refused no signature is of this body, by this secret"
)

// line is how the programs of testdata/verify read a case.
func (c *verifyCase) line() string {
	encoded := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%d\n", encoded([]byte(c.secret)), c.form, encoded([]byte(c.header)),
		encoded([]byte(c.body)), c.now, c.tolerance)
}

const (
	caseSecret = "whsec_AbCdEf0123456789-_AbCdEf0123456789-_AbCdEf0"
	caseBody   = `{"id":"evt_1","name":"Conceição"}`
	caseTime   = 1700000000
)

// verifyCases are the cases of all languages.
type verifyCases []verifyCase

// add adds a case at the time of signing, with the usual tolerance.
func (c *verifyCases) add(name, header, want string) *verifyCase {
	*c = append(*c, verifyCase{name: name, secret: caseSecret, header: header, form: octets, body: caseBody,
		now: caseTime, tolerance: 300, want: want})
	return &(*c)[len(*c)-1]
}

// addForms adds a case for each form in which a header may come.
func (c *verifyCases) addForms(name, header, want string) {
	c.add(name+", bytes", header, want)
	if utf8.ValidString(header) {
		c.add(name+", characters", header, want).form = characters
	}
}

// signed is what the service sends.
func signed(body string, secrets ...string) string {
	return webhook.Sign(secrets, time.Unix(caseTime, 0), []byte(body))
}

// signature is the right one of any text in the place of the time.
func signature(moment string) string {
	mac := hmac.New(sha256.New, []byte(caseSecret))
	mac.Write([]byte(moment + "." + caseBody))
	return hex.EncodeToString(mac.Sum(nil))
}

// allVerifyCases makes every case, by the code that signs deliveries.
func allVerifyCases() verifyCases {
	var c verifyCases
	c.right()
	c.forged()
	c.replayed()
	c.rotated()
	c.cut()
	c.absurdTimes()
	c.absurdSignatures()
	c.absurdFields()
	c.large()
	slices.SortFunc(c, func(a, b verifyCase) int { return strings.Compare(a.name, b.name) })
	return c
}

func (c *verifyCases) right() {
	c.addForms("ours", signed(caseBody, caseSecret), accepted)
	published := c.add("the vector of the contract",
		"t=1700000000,v1=c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925", accepted)
	published.secret, published.body = "whsec_test", `{"id":"evt_1"}`
	var everyByte strings.Builder
	for i := range 256 {
		everyByte.WriteByte(byte(i))
	}
	for name, body := range map[string]string{
		"empty": "", "no JSON": "no JSON", "of invalid UTF-8": "{\"id\":\"\xff\xc3\"}", "of every byte": everyByte.String(),
		"with a line's end": caseBody + "\r\n", "of a megabyte": strings.Repeat("é", 1<<19),
	} {
		c.add("a body "+name, signed(body, caseSecret), accepted).body = body
	}
}

func (c *verifyCases) forged() {
	right := signed(caseBody, caseSecret)
	c.add("another secret", signed(caseBody, "whsec_other"), noSignature)
	c.add("another body", right, noSignature).body = `{"id":"evt_2"}`
	c.add("no secret", signed(caseBody, ""), noSecret).secret = ""
	c.add("a secret with a line's end", right, noSignature).secret = caseSecret + "\n"
	c.add("a secret without its beginning", right, noSignature).secret = strings.TrimPrefix(caseSecret, "whsec_")
	c.add("an old signature with a new time", fmt.Sprintf("t=%d,v1=%s", caseTime, signature("1600000000")), noSignature)
	comma := strings.Index(right, ",")
	for i := range right {
		changed := []byte(right)
		changed[i] ^= 1
		want := noSignature
		switch {
		case i < len("t="), i == comma: // no digit becomes another thing
			want = noTime
		case i < comma-3: // the time changes by a thousand seconds or more
			want = notLately
		}
		c.add(fmt.Sprint("the header's byte ", i, " changed"), string(changed), want)
	}
	for i := range caseBody {
		changed := []byte(caseBody)
		changed[i] ^= 1
		c.add(fmt.Sprint("the body's byte ", i, " changed"), right, noSignature).body = string(changed)
	}
}

func (c *verifyCases) replayed() {
	right := signed(caseBody, caseSecret)
	for _, one := range []struct {
		age, tolerance int64
		want           string
	}{
		{300, 300, accepted}, {301, 300, notLately}, {3600, 300, notLately}, {-300, 300, accepted}, {-301, 300, notLately},
		{-3600, 300, notLately}, {0, 0, accepted}, {1, 0, notLately}, {-1, 0, notLately}, {10, 10, accepted},
		{11, 10, notLately}, {3600, 3600, accepted}, {-caseTime, 300, notLately},
	} {
		replayed := c.add(fmt.Sprintf("%d s old where %d s may be", one.age, one.tolerance), right, one.want)
		replayed.now, replayed.tolerance = caseTime+one.age, one.tolerance
	}
}

func (c *verifyCases) rotated() {
	c.add("the old secret behind the new one", signed(caseBody, "whsec_new", caseSecret), accepted)
	c.add("the old secret before the new one", signed(caseBody, caseSecret, "whsec_new"), accepted)
	c.add("two other secrets", signed(caseBody, "whsec_new", "whsec_newer"), noSignature)
	c.add("three secrets", signed(caseBody, "whsec_new", "whsec_newer", caseSecret), accepted)
	replayed := c.add("two secrets, an hour ago", signed(caseBody, "whsec_new", caseSecret), notLately)
	replayed.now += 3600
}

func (c *verifyCases) cut() {
	c.add("no header", "", noTime).form = missing
	for header, want := range map[string]string{
		"": noTime, "t": noTime, "t=": noTime, "v1=": noTime, "v1": noTime, "t=,v1=": noTime, ",": noTime, ",,,,": noTime,
		"=": noTime, "t=1700000000": noSignature, "t=1700000000,": noSignature, "t=1700000000,v1": noSignature,
		"t=1700000000,v1=": noSignature, "v1=" + signature("1700000000"): noTime, "t=,v1=" + signature(""): noTime,
	} {
		c.add("cut to "+header, header, want)
	}
	right, first := signed(caseBody, caseSecret, "whsec_new"), len(signed(caseBody, caseSecret))
	moment := strings.Index(right, ",")
	for end := range right {
		want := noSignature
		switch {
		case end <= len("t="):
			want = noTime
		case end < moment:
			want = notLately
		case end >= first: // the first signature is whole
			want = accepted
		}
		c.add(fmt.Sprint("the header's first ", end, " bytes"), right[:end], want)
		if end > 0 {
			c.add(fmt.Sprint("the header without ", end, " bytes"), right[end:], noTime)
		}
	}
	for end := range caseBody {
		c.add(fmt.Sprint("the body's first ", end, " bytes"), right, noSignature).body = caseBody[:end]
		c.add(fmt.Sprint("the body without ", end, " bytes"), right, noSignature).body = caseBody[end:] + "}"
	}
}

// absurdTimes are signed as they are, so that their form alone decides.
func (c *verifyCases) absurdTimes() {
	for _, moment := range []string{
		"-1700000000", "+1700000000", " 1700000000", "1700000000 ", "1700000000\n", "1700000000\r\n", "\n1700000000",
		"1700000000\x00", "\x001700000000", "1700000000.0", "1700000000.", "1.7e9", "17e8", "1e9", "NaN", "nan", "Infinity",
		"-Infinity", "null", "0x6553f100", "0o14524770400", "1_700_000_000", "1.700.000.000", "1700000000;", "1700000000L",
		"=1700000000", "t=1700000000", `"1700000000"`, "-9223372036854775808", "9223372036854775807", "9223372036854775808",
		"18446744075409551616", "-0", "2023-11-14T22:13:20Z", "١٧٠٠٠٠٠٠٠٠", "१७००००००००", "１７００００００００", "𝟏𝟕𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎",
		"1700000000²", "1700000000\u200b", "\ufeff1700000000", "170000000\xb0", "\xff", strings.Repeat("9", 13),
		strings.Repeat("9", 5000), strings.Repeat("0", 4990) + "1700000000", strings.Repeat("9", 5000) + ".5",
	} {
		c.addForms(fmt.Sprintf("the time %.40q", moment), "t="+moment+",v1="+signature(moment), noTime)
	}
	for _, moment := range []string{"0", "1", "1000000000", "999999999999"} {
		c.add("the time "+moment, "t="+moment+",v1="+signature(moment), notLately)
	}
}

func (c *verifyCases) absurdSignatures() {
	right := signature("1700000000")
	fullWidth := strings.Map(func(digit rune) rune { return digit - '0' + '０' }, right)
	for _, wrong := range []string{
		"v1=" + right[:63], "v1=" + right[1:], "v1=" + right + "0", "v1=0" + right, "v1=" + strings.ToUpper(right),
		"v1=" + right[:40] + strings.ToUpper(right[40:]), "V1=" + right, "v1=" + right + "zz", "v1=" + right + "=zz",
		"v1=" + right + "=", "v1=" + right + " ", "v1=" + right + "\n", "v1=" + right + "\r\n", "v1=" + right + "\x00",
		"v1=" + right + "\x00zz", "v1=" + right + "é", "v1=" + right + "\xff", "v1=" + right + "\u200d", "v1=\u00ad" + right,
		"v1= " + right, " v1=" + right, "\tv1=" + right, "v1==" + right, "v1:" + right, `v1="` + right + `"`, "v1=0x" + right,
		"v1" + right, right, "v2=" + right, "v0=" + right, "v=" + right, "v1=" + fullWidth, "v1=" + strings.Repeat("0", 64),
		"v1=" + strings.Repeat("é", 64), "v1=" + strings.Repeat("é", 32), "v1=" + right[:32] + "\x00" + right[33:],
		"v1=" + right[:32] + "," + right[32:], "v1=" + strings.Repeat("\x00", 64), "v1=" + base64.StdEncoding.EncodeToString(
			[]byte(right)), "v1=true", "v1=[]", "v1=null", "é", "\xff\xfe", "\x00",
	} {
		c.addForms(fmt.Sprintf("the signature %.90q", wrong), "t=1700000000,"+wrong, noSignature)
		c.addForms(fmt.Sprintf("the signature %.90q before the right one", wrong), "t=1700000000,"+wrong+",v1="+right,
			accepted)
	}
}

// absurdFields are fields where they should not be. The first one is the time, and the only one that is.
func (c *verifyCases) absurdFields() {
	right, old := "v1="+signature("1700000000"), "v1="+signature("1600000000")
	for header, want := range map[string]string{
		"t=1600000000," + old + ",t=1700000000":                          notLately,
		"t=1600000000,t=1700000000," + old:                               notLately,
		"t=1700000000,t=1600000000," + old:                               noSignature,
		"t=1700000000," + right + ",t=1600000000":                        accepted,
		right + ",t=1700000000":                                          noTime,
		"," + signed(caseBody, caseSecret):                               noTime,
		"v0=x," + signed(caseBody, caseSecret):                           noTime,
		"t=1700000000,v0=x,," + right + ",v2=" + signature("1700000000"): accepted,
		"t=1700000000;" + right:                                          noTime,
		"t=1700000000&" + right:                                          noTime,
		"t=1700000000 " + right:                                          noTime,
		"t=1700000000" + right:                                           noTime,
		"t=1700000000, " + right:                                         noSignature,
		"t: 1700000000," + right:                                         noTime,
		"T=1700000000," + right:                                          noTime,
		" t=1700000000," + right:                                         noTime,
		"\x00t=1700000000," + right:                                      noTime,
		"\u200dt=1700000000," + right:                                    noTime,
		"\u00adt=1700000000," + right:                                    noTime,
		"\ufefft=1700000000," + right:                                    noTime,
		"ｔ=1700000000," + right:                                          noTime,
		"t=1700000000，" + right:                                          noTime,
		"t\x00=1700000000," + right:                                      noTime,
		"service-signature: t=1700000000," + right:                       noTime,
		"1700000000," + right:                                            noTime,
		`{"t":1700000000,"v1":"` + right + `"}`:                          noTime,
		"é":                                                              noTime,
		"\xff\xfe\x00":                                                   noTime,
		"t=é,v1=é,x":                                                     noTime,
		"\x00\x00\x00\x00":                                               noTime,
	} {
		c.addForms(fmt.Sprintf("the header %.60q", header), header, want)
	}
}

// large are headers of half a megabyte: what takes time that grows with the square of it does not end.
func (c *verifyCases) large() {
	right := signed(caseBody, caseSecret)
	for _, part := range []string{
		"a", ",", "=", "t=", "t=1,", "v1=", "v1=,", "9", "\x00", " ", "é", "\xff", ",v1=" + strings.Repeat("0", 64),
	} {
		long := strings.Repeat(part, 1<<19/len(part))
		c.add(fmt.Sprintf("half a megabyte of %.10q behind a good header", part), right+","+long, accepted)
		c.add(fmt.Sprintf("half a megabyte of %.10q behind a time", part), "t=1700000000,"+long, noSignature)
		c.add(fmt.Sprintf("half a megabyte of %.10q as the time", part), "t="+long, noTime)
	}
}
