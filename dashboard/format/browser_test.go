package format

import "testing"

func TestBrowser(t *testing.T) {
	for userAgent, expected := range map[string][2]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0": {"Firefox", "Windows"},
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 " +
			"Safari/537.36 Edg/126.0.0.0": {"Edge", "Windows"},
		"Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile " +
			"Safari/537.36": {"Chrome", "Android"},
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"Version/17.5 Mobile/15E148 Safari/604.1": {"Safari", "iPhone"},
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"Version/17.5 Safari/605.1.15": {"Safari", "Mac"},
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0": {"Firefox", "Linux"},
		"curl/8.5.0": {}, "": {},
	} {
		if browser, system := Browser(userAgent); browser != expected[0] || system != expected[1] {
			t.Errorf("%q is %q on %q, expected %q", userAgent, browser, system, expected)
		}
	}
}
