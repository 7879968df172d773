package retry_test

import (
	"fmt"
	"time"

	"emissor/internal/retry"
)

func ExampleBackoff() {
	backoff := retry.Backoff{Initial: time.Minute, Max: 4 * time.Hour}
	for failures := 1; failures <= 3; failures++ {
		pause := backoff.After(failures) // with jitter
		fmt.Println(failures, "failures:", pause.Round(time.Minute))
	}
	fmt.Println("in all", backoff.Total(3))
	// Output:
	// 1 failures: 1m0s
	// 2 failures: 2m0s
	// 3 failures: 4m0s
	// in all 7m0s
}
