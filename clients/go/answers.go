package daric

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Error is the failure of a call. Distinguish by Code: one of the service, or TIMEOUT, CONNECTION, UNEXPECTED_ANSWER,
// ORDER_REF_CONFLICT.
type Error struct {
	Code    string
	Message string
	// Operation is the operation: POST /v1/deposit-addresses.
	Operation string
	// Status is the HTTP status; 0 without an answer.
	Status int
	// Details has every failing field of a VALIDATION_ERROR.
	Details []FieldFault
	// CorrelationID is the id of the call in the operator's logs.
	CorrelationID string
	// RetryAfter is the time to wait before another try; nil where the answer named none.
	RetryAfter *time.Duration
	// DocURL is the page with the cause and the remedy.
	DocURL string
	// OutcomeUnknown says that the call may have been carried out although it failed here: look before you send it again.
	OutcomeUnknown bool
	cause          error
}

// FieldFault is one failing field: its path as sent, and the broken rule.
type FieldFault struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

func (e *Error) Error() string {
	text := fmt.Sprintf("daric: %s: %s", e.Code, e.Message)
	if e.CorrelationID != "" {
		text += " (correlation id " + e.CorrelationID + ")"
	}
	return text
}

// Unwrap is the cause of a failed connection.
func (e *Error) Unwrap() error { return e.cause }

type envelope struct {
	Success       *bool           `json:"success"`
	Message       *string         `json:"message"`
	Data          json.RawMessage `json:"data"`
	Meta          json.RawMessage `json:"meta"`
	CorrelationID string          `json:"correlationId"`
	Error         *struct {
		Code    *string      `json:"code"`
		DocURL  string       `json:"docUrl"`
		Details []FieldFault `json:"details"`
	} `json:"error"`
}

// readAnswer is the envelope of a success, or the failure.
func (c *Client) readAnswer(operation string, response *http.Response, content []byte) (envelope, *Error) {
	var found envelope
	isJSON := json.Unmarshal(content, &found) == nil
	isOK := response.StatusCode >= 200 && response.StatusCode < 300
	if isJSON && isOK && found.Success != nil && *found.Success && found.Data != nil {
		if ignored := response.Header.Get("X-Ignored-Fields"); ignored != "" {
			c.warn("Daric ignored unknown fields of " + operation + ": " + ignored)
		}
		return found, nil
	}
	isRefusal := isJSON && found.Success != nil && !*found.Success && found.Message != nil && found.Error != nil && found.Error.Code != nil
	if !isRefusal {
		return found, c.unexpected(operation, response)
	}
	code, message := *found.Error.Code, *found.Message
	if code == "WRONG_ENVIRONMENT" {
		message += fmt.Sprintf(" The key of this client is a %s key, and %s is a deployment of the other environment: change the key or the base URL.", c.environment, c.origin())
	}
	return found, &Error{
		Code:          code,
		Message:       message,
		Operation:     operation,
		Status:        response.StatusCode,
		Details:       found.Error.Details,
		CorrelationID: found.CorrelationID,
		RetryAfter:    retryAfterOf(response),
		DocURL:        c.docURL(found.Error.DocURL),
		// RATE_UNAVAILABLE is the only 5xx code that means that nothing was done.
		OutcomeUnknown: isUnknown(operation, response) && code != "RATE_UNAVAILABLE",
	}
}

// File is a downloaded file. It is held in memory: ask for a range that fits.
type File struct {
	Content []byte
	// Type is its media type: text/csv; charset=utf-8.
	Type string
	// Name is the name that the service gave it; empty without one.
	Name string
}

// readFile reads a download, which has no envelope.
func (c *Client) readFile(operation string, response *http.Response, content []byte, file *File) *Error {
	disposition, parameters, err := mime.ParseMediaType(response.Header.Get("Content-Disposition"))
	if response.StatusCode < 200 || response.StatusCode > 299 || err != nil || disposition != "attachment" {
		if _, failure := c.readAnswer(operation, response, content); failure != nil {
			return failure
		}
		return c.unexpected(operation, response)
	}
	*file = File{Content: content, Type: response.Header.Get("Content-Type")}
	if name := parameters["filename"]; name != "" {
		file.Name = path.Base(name)
	}
	return nil
}

// unexpected is the error for an answer of a proxy or another server.
func (c *Client) unexpected(operation string, response *http.Response) *Error {
	status, kind := response.StatusCode, response.Header.Get("Content-Type")
	message := fmt.Sprintf("%s answered %s with %d and %q, not as Daric does: is the base URL right, or is a proxy in between down?", c.origin(), operation, status, kind)
	if status >= 300 && status < 400 {
		message = fmt.Sprintf("%s redirects %s, and a key is not sent after a redirect: set the base URL to the target of the redirect", c.origin(), operation)
	}
	return &Error{
		Code:           "UNEXPECTED_ANSWER",
		Message:        message,
		Operation:      operation,
		Status:         status,
		CorrelationID:  response.Header.Get("X-Correlation-Id"),
		RetryAfter:     retryAfterOf(response),
		OutcomeUnknown: isUnknown(operation, response),
	}
}

func isUnknown(operation string, response *http.Response) bool {
	isOK := response.StatusCode >= 200 && response.StatusCode < 300
	return !strings.HasPrefix(operation, "GET ") && (isOK || response.StatusCode >= 500)
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// retryAfterOf is the time of Retry-After, which has seconds or an HTTP date.
func retryAfterOf(response *http.Response) *time.Duration {
	text := strings.TrimSpace(response.Header.Get("Retry-After"))
	if digits.MatchString(text) {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if limit := int64(1) << 32; err != nil || seconds > limit {
			seconds = limit // more than a century
		}
		return Ptr(time.Duration(seconds) * time.Second)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return nil
	}
	return Ptr(max(0, time.Until(at).Round(time.Second)))
}

func (c *Client) docURL(text string) string {
	if text == "" {
		return ""
	}
	page, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return c.baseURL.ResolveReference(page).String()
}
