package webhook

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The contract tells receivers the schedule and the bounds of deliveries as they are.
func TestContract_Deliveries(t *testing.T) {
	text, err := os.ReadFile("../../api/llms-full.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, sentence := range []string{
		fmt.Sprintf("The service waits %.0f seconds to connect and %.0f seconds in all, and reads at most %d KiB of the",
			connectTimeout.Seconds(), attemptTimeout.Seconds(), maxAnswer>>10),
		fmt.Sprintf("and stop %.0f hours after the first;", Window(true).Hours()),
		fmt.Sprintf("is honoured up to %.0f hours.", MaxPause.Hours()),
		fmt.Sprintf("In test the same attempts stop after %.0f minutes.", Window(false).Minutes()),
	} {
		if !strings.Contains(string(text), sentence) {
			t.Errorf("the contract does not say: %s", sentence)
		}
	}
	schedule := regexp.MustCompile(`then after about (.*), then every (.*), with 10 % of variation`).FindSubmatch(text)
	if schedule == nil {
		t.Fatal("the contract has no schedule")
	}
	promised := append(strings.Split(string(schedule[1]), ", "), string(schedule[2]), string(schedule[2]))
	for i, pause := range promised {
		number, unit, _ := strings.Cut(pause, " ")
		count, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatal(err)
		}
		expected := time.Duration(count * float64(map[string]time.Duration{"s": time.Second, "min": time.Minute,
			"h": time.Hour}[unit]))
		waits, ok := Pause(i+1, 0, Window(true))
		if !ok || waits < expected*9/10 || waits > expected*11/10 {
			t.Errorf("pause %d is %s, and the contract says %s", i+1, waits, pause)
		}
	}
	if len(promised) != len(delays)+1 {
		t.Errorf("the contract has %d pauses, and the program %d", len(promised)-1, len(delays))
	}
}
