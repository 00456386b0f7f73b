package daric

import (
	"encoding/json"
	"math"
	"time"
)

const (
	firstWait = 500 * time.Millisecond
	maxWait   = 8 * time.Second
	// For a longer Retry-After the call fails at once, so that the caller decides.
	maxRetryAfter = time.Minute
)

// isRepeatable says whether a repetition does no harm, whatever happened to the first call.
func isRepeatable(name string, body map[string]json.RawMessage) bool {
	if operations[name].isRepeatable {
		return true
	}
	// A receive address, and a refund with a reference, are found or created.
	ref := body["refundRef"]
	return (name == "POST /v1/deposit-addresses" && string(body["reusable"]) == "true") ||
		(name == "POST /v1/deposit-addresses/{id}/refunds" && len(ref) > 0 && ref[0] == '"')
}

// retryWait is the wait before the next try; false for no retry. There is none after a lasting failure, after a possible success
// that must not repeat, or beyond a Retry-After of a minute.
//
// Full jitter: random between zero and a bound that doubles with each try, added to Retry-After.
func retryWait(failure *Error, tries int, mayRepeat bool, random float64) (time.Duration, bool) {
	if !isPassing(failure) || (failure.OutcomeUnknown && !mayRepeat) {
		return 0, false
	}
	var retryAfter time.Duration
	if failure.RetryAfter != nil {
		retryAfter = *failure.RetryAfter
	}
	if retryAfter > maxRetryAfter {
		return 0, false
	}
	bound := math.Min(float64(firstWait)*math.Pow(2, float64(tries-1)), float64(maxWait))
	return retryAfter + time.Duration(random*bound), true
}

// isPassing says whether a later call may succeed without a change.
func isPassing(failure *Error) bool {
	// A proxy that limits calls has no code.
	if failure.Status == 429 && failure.RetryAfter != nil {
		return true
	}
	switch failure.Code {
	case "RATE_LIMITED", "RATE_UNAVAILABLE", "TIMEOUT", "CONNECTION":
		return true
	}
	return failure.Status >= 500
}
