package dashboard

import (
	"emissor/dashboard/format"
	"emissor/dashboard/words"
)

// browserWords says by what somebody signed in, from its User-Agent: "Firefox no Windows".
func browserWords(language words.Language, userAgent string) string {
	browser, system := format.Browser(userAgent)
	switch {
	case browser != "" && system != "":
		return language.Say("session.on", browser, system)
	case browser+system != "":
		return browser + system
	}
	return language.Say("session.unknown")
}
