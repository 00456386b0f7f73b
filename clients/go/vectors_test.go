package daric

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

const testKey = "daric_test_sk_0123456789abcdef_secret"

type exchange struct {
	Name       string
	Operation  string
	Path       map[string]string
	Query      map[string]any
	Body       map[string]any
	MaxRetries *int
	TimeoutMs  int
	Answers    []struct{ Fault string }
	Expected   struct {
		Data  json.RawMessage
		Error map[string]any
	}
}

type vectors struct {
	Exchanges  []exchange
	Repeatable []struct {
		Operation string
		Body      map[string]json.RawMessage
		Expected  bool
	}
	Waits []struct {
		Code             string
		Status           int
		IsOutcomeUnknown bool
		RetryAfter       *int
		Tries            int
		MayRepeat        bool
		Random           float64
		WaitMs           *float64
	}
	Decimals []struct {
		Text      Decimal
		Canonical *string
	}
	Fulfilment []struct {
		Name   string
		Event  json.RawMessage
		Order  ExpectedOrder
		Reason *string
	}
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("../typescript/vectors/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func calls(t *testing.T) vectors {
	t.Helper()
	var found vectors
	read(t, "calls.json", &found)
	return found
}

func TestExchanges(t *testing.T) {
	service := os.Getenv("DARIC_VECTORS_URL")
	if service == "" {
		t.Skip("no DARIC_VECTORS_URL")
	}
	for index, vector := range calls(t).Exchanges {
		index, vector := index, vector
		t.Run(vector.Name, func(t *testing.T) {
			t.Parallel()
			base := fmt.Sprintf("%s/go/%d", service, index)
			if vector.Answers[0].Fault == "refuse" {
				base = "http://127.0.0.1:2"
			}
			found, err := outcomeOf(t, base, vector)
			var want any
			_ = json.Unmarshal(vector.Expected.Data, &want)
			if vector.Expected.Error == nil {
				if err != nil || !reflect.DeepEqual(found, want) {
					t.Fatalf("found %v and %v, expected %v", found, err, want)
				}
				return
			}
			if facts := factsOf(t, err); !reflect.DeepEqual(facts, vector.Expected.Error) {
				t.Fatalf("found %v, expected %v", facts, vector.Expected.Error)
			}
		})
	}
}

func outcomeOf(t *testing.T, base string, vector exchange) (any, error) {
	t.Helper()
	retries := 1
	if vector.MaxRetries != nil {
		retries = *vector.MaxRetries
	}
	client, err := New(base, testKey, WithMaxRetries(retries))
	if err != nil {
		t.Fatal(err)
	}
	given := parts{path: vector.Path}
	if vector.Query != nil {
		given.query = vector.Query
	}
	if vector.Body != nil {
		given.body = vector.Body
	}
	var options []CallOption
	if vector.TimeoutMs > 0 {
		options = append(options, Timeout(time.Duration(vector.TimeoutMs)*time.Millisecond))
	}
	var answer any
	err = client.call(context.Background(), vector.Operation, given, &answer, options)
	return answer, err
}

// factsOf are the facts of an error as the vectors have them.
func factsOf(t *testing.T, err error) map[string]any {
	t.Helper()
	var failure *Error
	if !errors.As(err, &failure) {
		t.Fatalf("no failure of a call: %v", err)
	}
	details := []any{}
	for _, fault := range failure.Details {
		details = append(details, map[string]any{"path": fault.Path, "message": fault.Message})
	}
	facts := map[string]any{
		"code":             failure.Code,
		"status":           nil,
		"isOutcomeUnknown": failure.OutcomeUnknown,
		"correlationId":    nil,
		"retryAfter":       nil,
		"details":          details,
		"docPath":          nil,
	}
	if failure.Status != 0 {
		facts["status"] = float64(failure.Status)
	}
	if failure.CorrelationID != "" {
		facts["correlationId"] = failure.CorrelationID
	}
	if failure.RetryAfter != nil {
		facts["retryAfter"] = failure.RetryAfter.Seconds()
	}
	if failure.DocURL != "" {
		_, path, _ := strings.Cut(strings.TrimPrefix(failure.DocURL, "http://"), "/")
		facts["docPath"] = "/" + path
	}
	return facts
}

func TestRepeatable(t *testing.T) {
	for _, vector := range calls(t).Repeatable {
		if found := isRepeatable(vector.Operation, vector.Body); found != vector.Expected {
			t.Errorf("%s with %s: %v", vector.Operation, vector.Body, found)
		}
	}
}

func TestWaits(t *testing.T) {
	for _, vector := range calls(t).Waits {
		failure := &Error{Code: vector.Code, Status: vector.Status, OutcomeUnknown: vector.IsOutcomeUnknown}
		if vector.RetryAfter != nil {
			failure.RetryAfter = Ptr(time.Duration(*vector.RetryAfter) * time.Second)
		}
		wait, ok := retryWait(failure, vector.Tries, vector.MayRepeat, vector.Random)
		isRight := ok == (vector.WaitMs != nil)
		if ok && isRight {
			isRight = float64(wait) == *vector.WaitMs*float64(time.Millisecond)
		}
		if !isRight {
			t.Errorf("%+v: %v, %v", vector, wait, ok)
		}
	}
}

func TestDecimals(t *testing.T) {
	for _, vector := range calls(t).Decimals {
		found, ok := vector.Text.Canonical()
		if ok != (vector.Canonical != nil) || ok && found != *vector.Canonical {
			t.Errorf("%q: %q, %v", vector.Text, found, ok)
		}
	}
}

func TestFulfilment(t *testing.T) {
	for _, vector := range calls(t).Fulfilment {
		var event Event
		if err := json.Unmarshal(vector.Event, &event); err != nil {
			t.Fatal(err)
		}
		expected := ""
		if vector.Reason != nil {
			expected = *vector.Reason
		}
		found, err := ReasonNotToDeliver(&event, vector.Order)
		if err != nil || found != expected {
			t.Errorf("%s: %q and %v, expected %q", vector.Name, found, err, expected)
		}
	}
}

func TestWebhooks(t *testing.T) {
	var file struct {
		Vectors []struct {
			Name             string
			Secrets          []string
			Headers          map[string]string
			Body             string
			Now              int64
			ToleranceSeconds *int64
			Expected         string
		}
	}
	read(t, "webhooks.json", &file)
	for _, vector := range file.Vectors {
		header := http.Header{}
		for name, value := range vector.Headers {
			header.Set(name, value)
		}
		tolerance := AnyAge
		if vector.ToleranceSeconds != nil {
			tolerance = time.Duration(*vector.ToleranceSeconds) * time.Second
		}
		found := "valid"
		_, err := VerifyWebhookAt(time.Unix(vector.Now, 0), tolerance, []byte(vector.Body), header, vector.Secrets...)
		var refused *WebhookError
		if errors.As(err, &refused) {
			found = refused.Code
		}
		if found != vector.Expected {
			t.Errorf("%s: %s, expected %s", vector.Name, found, vector.Expected)
		}
	}
}
