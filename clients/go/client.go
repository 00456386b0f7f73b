package daric

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Version is the version of this module.
const Version = "0.1.0"

const (
	defaultTimeout = 15 * time.Second
	defaultRetries = 2
	maxRetries     = 10
	maxRows        = 100
)

var keyPattern = regexp.MustCompile(`^daric_(test|live)_sk_[0-9A-Za-z]+_[0-9A-Za-z]+$`)

// Client is a client of one deployment. Goroutines may share it. Every call fails with an *Error, with the error of its context
// after a cancellation, or with another error before anything is sent.
type Client struct {
	baseURL     *url.URL
	apiKey      secret
	environment string
	timeout     time.Duration
	maxRetries  int
	userAgent   string
	http        *http.Client
	warn        func(message string)
	turns       turns
}

// secret is a text that no format verb shows.
type secret struct{ text func() string }

func (secret) String() string { return "(secret)" }

// GoString hides the text from %#v.
func (secret) GoString() string { return "(secret)" }

// Option changes a client.
type Option func(*Client) error

// WithTimeout limits each try, until the answer is read completely; 15 s by default.
func WithTimeout(timeout time.Duration) Option {
	return func(c *Client) error {
		if timeout <= 0 {
			return fmt.Errorf("daric: the timeout must be above 0, not %v", timeout)
		}
		c.timeout = timeout
		return nil
	}
}

// WithMaxRetries is the number of retries of safe calls; 2 by default, 10 at most.
func WithMaxRetries(retries int) Option {
	return func(c *Client) error {
		if retries < 0 || retries > maxRetries {
			return fmt.Errorf("daric: the retries must be from 0 to %d, not %d", maxRetries, retries)
		}
		c.maxRetries = retries
		return nil
	}
}

// WithHTTPClient uses another client, for a proxy or certificates. Its redirects are not followed, so that the key reaches no
// other host.
func WithHTTPClient(client *http.Client) Option {
	return func(c *Client) error {
		own := *client
		c.http = &own
		return nil
	}
}

// WithUserAgent appends to the client's own: shop/1.2.
func WithUserAgent(agent string) Option {
	return func(c *Client) error {
		c.userAgent += " " + agent
		return nil
	}
}

// WithWarn is called when the service ignored a field, and for each temporary fault of a feed; log.Print by default.
func WithWarn(warn func(message string)) Option {
	return func(c *Client) error {
		c.warn = warn
		return nil
	}
}

// New makes a client. The base URL is that of the deployment, https://pay.example.com, without /v1. The key is optional if only
// operations by a token are called. It fails for an option that cannot work.
func New(baseURL, apiKey string, options ...Option) (*Client, error) {
	base, err := checkedBaseURL(baseURL)
	if err != nil {
		return nil, err
	}
	c := &Client{
		baseURL:    base,
		apiKey:     secret{func() string { return apiKey }},
		timeout:    defaultTimeout,
		maxRetries: defaultRetries,
		userAgent:  "daric-go/" + Version,
		http:       &http.Client{},
		warn:       func(message string) { log.Print(message) },
	}
	if apiKey != "" {
		parts := keyPattern.FindStringSubmatch(apiKey)
		if parts == nil {
			return nil, errors.New(faultOfKey(apiKey))
		}
		c.environment = parts[1]
	}
	for _, option := range options {
		if err := option(c); err != nil {
			return nil, err
		}
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

// Environment is test or live, as the key says; empty without a key.
func (c *Client) Environment() string { return c.environment }

// CallOption changes one call.
type CallOption func(*callOptions)

type callOptions struct {
	timeout       time.Duration
	correlationID string
}

// Timeout limits each try of this call, instead of the client's limit.
func Timeout(timeout time.Duration) CallOption {
	return func(o *callOptions) { o.timeout = timeout }
}

// CorrelationID is sent as x-correlation-id, and repeated in errors and the operator's logs; at most 128 printable ASCII
// characters.
func CorrelationID(id string) CallOption {
	return func(o *callOptions) { o.correlationID = id }
}

// operation holds the facts of an operation of the contract.
type operation struct {
	isKeyless, isRepeatable bool
	timeout                 time.Duration
	required                []string
}

// parts are the parts of a call: a path by names, and a query or a body that JSON can hold.
type parts struct {
	path        map[string]string
	query, body any
}

func (c *Client) call(ctx context.Context, name string, given parts, answer any, options []CallOption) error {
	return c.send(ctx, name, given, options, c.inEnvelope(func(found envelope) error {
		return json.Unmarshal(found.Data, answer)
	}))
}

func (c *Client) page(ctx context.Context, name string, given parts, answer pageReader, options []CallOption) error {
	return c.send(ctx, name, given, options, c.inEnvelope(answer.read))
}

func (c *Client) file(ctx context.Context, name string, given parts, answer *File, options []CallOption) error {
	return c.send(ctx, name, given, options, func(operation string, response *http.Response, content []byte) *Error {
		return c.readFile(operation, response, content, answer)
	})
}

// reader reads a whole answer, or fails.
type reader func(operation string, response *http.Response, content []byte) *Error

// inEnvelope reads an answer with an envelope. One that the envelope's reader cannot use is not Daric's.
func (c *Client) inEnvelope(read func(envelope) error) reader {
	return func(operation string, response *http.Response, content []byte) *Error {
		found, failure := c.readAnswer(operation, response, content)
		if failure == nil && read(found) != nil {
			failure = c.unexpected(operation, response)
		}
		return failure
	}
}

// send sends a call, and retries it if that is safe.
func (c *Client) send(ctx context.Context, name string, given parts, options []CallOption, read reader) error {
	request, err := c.prepare(name, given, options)
	if err != nil {
		return err
	}
	for tries := 1; ; tries++ {
		failure := c.try(ctx, request, read)
		if failure == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("daric: %s: %w", name, context.Cause(ctx))
		}
		wait, ok := retryWait(failure, tries, request.mayRepeat, rand.Float64())
		if !ok || tries > c.maxRetries {
			return failure
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

type request struct {
	operation, method, url string
	header                 http.Header
	body                   []byte
	timeout                time.Duration
	mayRepeat              bool
}

func (c *Client) prepare(name string, given parts, options []CallOption) (*request, error) {
	facts := operations[name]
	chosen := callOptions{timeout: c.timeout}
	if facts.timeout > 0 {
		chosen.timeout = facts.timeout
	}
	for _, option := range options {
		option(&chosen)
	}
	method, template, _ := strings.Cut(name, " ")
	target, err := c.target(template, given)
	if err != nil {
		return nil, err
	}
	header := http.Header{"Accept": {"application/json"}, "User-Agent": {c.userAgent}}
	// No key is sent where none is needed: a token is its own credential, and currencies are public.
	if !facts.isKeyless {
		key := c.apiKey.text()
		if key == "" {
			return nil, fmt.Errorf("daric: %s needs a key, and this client was made without one", name)
		}
		header.Set("X-Api-Key", key)
	}
	if chosen.correlationID != "" {
		if !printable.MatchString(chosen.correlationID) {
			return nil, errors.New("daric: a correlation id has at most 128 printable ASCII characters")
		}
		header.Set("X-Correlation-Id", chosen.correlationID)
	}
	prepared := &request{operation: name, method: method, url: target, header: header, timeout: chosen.timeout}
	if given.body != nil {
		header.Set("Content-Type", "application/json")
		if prepared.body, err = encoded(given.body); err != nil {
			return nil, fmt.Errorf("daric: the body of %s: %w", name, err)
		}
	}
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(prepared.body, &fields) // a call without a body has no fields
	for _, field := range facts.required {
		if value := string(fields[field]); value == "" || value == `""` {
			return nil, fmt.Errorf("daric: %s needs the field %s", name, field)
		}
	}
	prepared.mayRepeat = isRepeatable(name, fields)
	return prepared, nil
}

var (
	placeholder = regexp.MustCompile(`\{(\w+)\}`)
	printable   = regexp.MustCompile(`^[\x20-\x7e]{1,128}$`)
)

func (c *Client) target(template string, given parts) (string, error) {
	var fault error
	path := placeholder.ReplaceAllStringFunc(template, func(found string) string {
		value := given.path[found[1:len(found)-1]]
		if value == "" || value == "." || value == ".." {
			fault = fmt.Errorf("daric: %s must be the text that the service answered, not %q", found, value)
		}
		return url.PathEscape(value)
	})
	if fault != nil {
		return "", fault
	}
	values, err := queryOf(given.query)
	if err != nil {
		return "", err
	}
	target := c.baseURL.String() + path
	if len(values) > 0 {
		target += "?" + values.Encode()
	}
	return target, nil
}

// queryOf has a value for each field of a query that is not left out.
func queryOf(query any) (url.Values, error) {
	values := url.Values{}
	if query == nil {
		return values, nil
	}
	text, err := encoded(query)
	if err != nil {
		return nil, fmt.Errorf("daric: the query: %w", err)
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("daric: the query: %w", err)
	}
	for name, raw := range fields {
		var value string
		if json.Unmarshal(raw, &value) != nil {
			value = string(raw) // a number or a boolean
		}
		values.Set(name, value)
	}
	return values, nil
}

// encoded is a value as JSON, with its letters as they are.
func encoded(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(buffer.Bytes()), err
}

// try makes one try.
func (c *Client) try(ctx context.Context, r *request, read reader) *Error {
	limited, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	sent, err := http.NewRequestWithContext(limited, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return c.unreachable(r, err)
	}
	if r.body == nil {
		sent.Body, sent.GetBody, sent.ContentLength = nil, nil, 0
	}
	sent.Header = r.header.Clone()
	response, err := c.http.Do(sent)
	if err != nil {
		return c.unreachable(r, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return c.unreachable(r, err)
	}
	return read(r.operation, response, content)
}

// unreachable is the error of a call without an answer.
func (c *Client) unreachable(r *request, cause error) *Error {
	var dial *net.OpError
	isUnsent := errors.As(cause, &dial) && dial.Op == "dial"
	failure := &Error{
		Code:           "CONNECTION",
		Operation:      r.operation,
		OutcomeUnknown: r.method != http.MethodGet && !isUnsent,
		Message:        fmt.Sprintf("%s could not be reached for %s: %v", c.origin(), r.operation, cause),
		cause:          cause,
	}
	var slow net.Error
	if errors.Is(cause, context.DeadlineExceeded) || (errors.As(cause, &slow) && slow.Timeout()) {
		failure.Code = "TIMEOUT"
		failure.Message = fmt.Sprintf("%s did not answer %s within %v", c.origin(), r.operation, r.timeout)
	}
	return failure
}

func (c *Client) origin() string { return c.baseURL.Scheme + "://" + c.baseURL.Host }

// pause waits, and ends early with the error of the context.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return fmt.Errorf("daric: %w", context.Cause(ctx))
	case <-timer.C:
		return nil
	}
}

func checkedBaseURL(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Hostname() == "" {
		return nil, fmt.Errorf("daric: the base URL must be that of the deployment, like https://pay.example.com, not %q", text)
	}
	path := strings.TrimRight(base.Path, "/")
	if strings.HasSuffix(path, "/v1") {
		return nil, errors.New("daric: the base URL must not end with /v1: the client adds it to every path")
	}
	if base.RawQuery != "" || base.Fragment != "" || base.User != nil {
		return nil, errors.New("daric: the base URL must have no query, fragment or password")
	}
	return &url.URL{Scheme: base.Scheme, Host: base.Host, Path: path}, nil
}

func faultOfKey(apiKey string) string {
	if strings.HasPrefix(apiKey, "whsec_") {
		return "daric: the key is the secret of a webhook endpoint: it goes to VerifyWebhook. A key begins with daric_test_sk_ or daric_live_sk_"
	}
	return "daric: the key is not in the form of one: daric_test_sk_… or daric_live_sk_…, without blanks around it"
}

// turns lets one call at a time work on a reference, so that the later one finds the earlier one's order.
type turns struct {
	mutex sync.Mutex
	byRef map[string]*turn
}

type turn struct {
	users     int
	token     chan struct{}
	isUnknown bool
}

// take waits for the turn, and gives the function that ends it.
func (t *turns) take(ctx context.Context, ref string) (*turn, func(), error) {
	t.mutex.Lock()
	if t.byRef == nil {
		t.byRef = map[string]*turn{}
	}
	own := t.byRef[ref]
	if own == nil {
		own = &turn{token: make(chan struct{}, 1)}
		t.byRef[ref] = own
	}
	own.users++
	t.mutex.Unlock()
	leave := func() {
		t.mutex.Lock()
		defer t.mutex.Unlock()
		if own.users--; own.users == 0 {
			delete(t.byRef, ref)
		}
	}
	select {
	case own.token <- struct{}{}:
		return own, func() { <-own.token; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, nil, fmt.Errorf("daric: %w", context.Cause(ctx))
	}
}
