// This program answers each case of stdin, as the test writes them: ok, or refused. The test appends verify of go.md,
// which takes no tolerance, and to which time is the variable below.
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	moment "time"
)

// clock stands for the package time: it says when a case is.
type clock struct {
	now    moment.Time
	Minute moment.Duration
}

var time = clock{Minute: moment.Minute}

func (c clock) Unix(seconds, nanoseconds int64) moment.Time { return moment.Unix(seconds, nanoseconds) }

func (c clock) Since(t moment.Time) moment.Duration { return c.now.Sub(t) }

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		given := strings.Split(lines.Text(), "\t")
		seconds, err := strconv.ParseInt(given[4], 10, 64)
		if err != nil {
			panic(err)
		}
		time.now = moment.Unix(seconds, 0)
		if verify(plain(given[0]), plain(given[2]), []byte(plain(given[3]))) {
			fmt.Println("ok")
		} else {
			fmt.Println("refused")
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}

func plain(text string) string {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return string(decoded)
}
