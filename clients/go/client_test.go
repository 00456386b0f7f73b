package daric

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"daric/darictest"
)

const testSecret = "whsec_0101010101010101010101010101010101010101010101010101010101010101"

// storingService is the part of the service that stores orders.
type storingService struct {
	mutex  sync.Mutex
	orders []map[string]any
	creates,
	requests int
	// fault answers instead of the service, after the request was carried out.
	fault func(response http.ResponseWriter, request *http.Request) bool
}

func (s *storingService) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.requests++
	var data any
	if request.Method == http.MethodPost {
		s.creates++
		var body map[string]any
		_ = json.NewDecoder(request.Body).Decode(&body)
		row := map[string]any{"id": fmt.Sprintf("order-%d", len(s.orders)+1), "currency": "USDT", "expected_amount": body["amount"], "order_ref": body["orderRef"], "payment_state": "none", "payment_status": "awaiting"}
		s.orders = append(s.orders, row)
		data = row
	} else {
		rows := []any{}
		for index := len(s.orders) - 1; index >= 0; index-- {
			if s.orders[index]["order_ref"] == request.URL.Query().Get("orderRef") {
				rows = append(rows, s.orders[index])
			}
		}
		data = rows
	}
	if s.fault != nil && s.fault(response, request) {
		return
	}
	succeed(response, data, map[string]any{"page": 1, "limit": 100, "total": 1})
}

func succeed(response http.ResponseWriter, data, meta any) {
	_ = json.NewEncoder(response).Encode(map[string]any{"success": true, "message": "", "data": data, "meta": meta})
}

func clientOf(t *testing.T, handler http.Handler, options ...Option) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client, err := New(server.URL, testKey, options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func codeOf(err error) string {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return fmt.Sprint(err)
}

func TestAnOrderIsMadeOnceAlsoByGoroutines(t *testing.T) {
	service := &storingService{}
	client := clientOf(t, service)
	var group sync.WaitGroup
	made := make(chan bool, 16)
	for n := 0; n < 16; n++ {
		group.Add(1)
		go func() {
			defer group.Done()
			_, isNew, err := client.CreateOrderOnce(context.Background(), CreateDepositAddressBody{OrderRef: "A-1", Amount: "25.50"})
			if err != nil {
				t.Error(err)
			}
			made <- isNew
		}()
	}
	group.Wait()
	close(made)
	count := 0
	for isNew := range made {
		if isNew {
			count++
		}
	}
	if count != 1 || service.creates != 1 {
		t.Fatalf("made %d by %d requests", count, service.creates)
	}
	_, _, err := client.CreateOrderOnce(context.Background(), CreateDepositAddressBody{OrderRef: "A-1", Amount: "26"})
	if codeOf(err) != "ORDER_REF_CONFLICT" {
		t.Fatal(err)
	}
	if len(client.turns.byRef) != 0 {
		t.Fatal("a reference is kept for ever")
	}
}

func TestAnOrderWhoseAnswerWasLostIsFound(t *testing.T) {
	service := &storingService{fault: func(_ http.ResponseWriter, request *http.Request) bool {
		if request.Method == http.MethodPost {
			panic(http.ErrAbortHandler)
		}
		return false
	}}
	client := clientOf(t, service)
	_, isNew, err := client.CreateOrderOnce(context.Background(), CreateDepositAddressBody{OrderRef: "A-1", Amount: "1"})
	if err != nil || isNew || service.creates != 1 {
		t.Fatal(isNew, err, service.creates)
	}
}

func TestAnOrderBehindA503WithRetryAfterIsAskedForAgain(t *testing.T) {
	service := &storingService{}
	service.fault = func(response http.ResponseWriter, request *http.Request) bool {
		if request.Method != http.MethodPost || service.creates > 1 {
			return false
		}
		service.orders = nil
		response.Header().Set("Retry-After", "0")
		response.WriteHeader(503)
		return true
	}
	client := clientOf(t, service)
	_, isNew, err := client.CreateOrderOnce(context.Background(), CreateDepositAddressBody{OrderRef: "A-1", Amount: "1"})
	if err != nil || !isNew || service.creates != 2 {
		t.Fatal(isNew, err, service.creates)
	}
}

func TestAnOrderOfAnotherReferenceIsNeverReturned(t *testing.T) {
	service := &storingService{fault: func(response http.ResponseWriter, _ *http.Request) bool {
		succeed(response, []any{map[string]any{"id": "x", "order_ref": "ALICE-1"}}, map[string]any{})
		return true
	}}
	_, _, err := clientOf(t, service).CreateOrderOnce(context.Background(), CreateDepositAddressBody{OrderRef: "BOB-1", Amount: "1"})
	if codeOf(err) != "UNEXPECTED_ANSWER" || service.creates != 0 {
		t.Fatal(err, service.creates)
	}
}

func TestACancelledContextEndsRequestsAndWaits(t *testing.T) {
	waiting := func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Retry-After", "30")
		response.WriteHeader(429)
	}
	hanging := func(_ http.ResponseWriter, request *http.Request) { <-request.Context().Done() }
	for _, handler := range []http.HandlerFunc{waiting, hanging} {
		client := clientOf(t, handler)
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		started := time.Now()
		_, err := client.RetrieveDeposit(ctx, "d-1")
		if !errors.Is(err, context.Canceled) || time.Since(started) > 5*time.Second {
			t.Fatal(err, time.Since(started))
		}
		if _, _, err := client.CreateOrderOnce(ctx, CreateDepositAddressBody{OrderRef: "A", Amount: "1"}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

func TestOptionsThatCannotWorkAreRefused(t *testing.T) {
	for _, wrong := range []struct {
		baseURL, key string
		option       Option
	}{
		{"pay.example.com", testKey, nil},
		{"https://pay.example.com/v1", testKey, nil},
		{"https://pay.example.com?x=1", testKey, nil},
		{"https://pay.example.com", testKey + " ", nil},
		{"https://pay.example.com", testKey + "\n", nil},
		{"https://pay.example.com", testSecret, nil},
		{"https://pay.example.com", testKey, WithMaxRetries(11)},
		{"https://pay.example.com", testKey, WithTimeout(0)},
	} {
		option := wrong.option
		if option == nil {
			option = func(*Client) error { return nil }
		}
		_, err := New(wrong.baseURL, wrong.key, option)
		if err == nil || strings.Contains(err.Error(), testSecret[6:]) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

func TestNothingIsSentForBadInput(t *testing.T) {
	service := &storingService{}
	client := clientOf(t, service)
	ctx := context.Background()
	_, noID := client.RetrieveDeposit(ctx, "..")
	_, noRef := client.AskForRefund(ctx, "a-1", AskForRefundBody{Amount: "1"})
	_, noASCII := client.RetrieveDeposit(ctx, "d-1", CorrelationID("snow ☃"))
	_, _, noAmount := client.CreateOrderOnce(ctx, CreateDepositAddressBody{OrderRef: "A"})
	keyless, err := New(client.baseURL.String(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, noKey := keyless.RetrieveDeposit(ctx, "d-1")
	for index, err := range []error{noID, noRef, noASCII, noAmount, noKey} {
		var failure *Error
		if err == nil || errors.As(err, &failure) {
			t.Errorf("%d: %v", index, err)
		}
	}
	if service.requests != 0 {
		t.Errorf("%d requests", service.requests)
	}
}

func TestAPrintedClientShowsNoKey(t *testing.T) {
	client, err := New("https://pay.example.com", testKey)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(client)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		text = append(text, fmt.Sprintf(verb, client)...)
	}
	if strings.Contains(string(text), "0123456789abcdef") {
		t.Fatal(string(text))
	}
}

func TestNullClearsAFieldAndAFieldThatIsLeftOutStays(t *testing.T) {
	var bodies []string
	client := clientOf(t, http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		bodies = append(bodies, string(body))
		succeed(response, map[string]any{}, nil)
	}))
	ctx := context.Background()
	_, one := client.UpdatePaymentLink(ctx, "l", UpdatePaymentLinkBody{Description: Null[string](), IsActive: Ptr(false)})
	_, two := client.UpdatePaymentLink(ctx, "l", UpdatePaymentLinkBody{Description: Set("a < b")})
	_, three := client.AcceptDepositAddress(ctx, "a", AcceptDepositAddressBody{})
	expected := []string{`{"description":null,"isActive":false}`, `{"description":"a < b"}`, `{}`}
	if one != nil || two != nil || three != nil || strings.Join(bodies, " ") != strings.Join(expected, " ") {
		t.Fatal(one, two, three, bodies)
	}
}

func TestANumberForMoneyIsNoAnswerOfDaric(t *testing.T) {
	client := clientOf(t, http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		succeed(response, map[string]any{"id": "1", "amount": 25.5}, nil)
	}))
	if _, err := client.RetrieveDeposit(context.Background(), "1"); codeOf(err) != "UNEXPECTED_ANSWER" {
		t.Fatal(err)
	}
}

func TestADownloadIsAFileAndAPageOfAProxyIsNone(t *testing.T) {
	asked := 0
	client := clientOf(t, http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		asked++
		switch asked {
		case 1:
			response.Header().Set("Content-Type", "text/csv")
			response.Header().Set("Content-Disposition", `attachment; filename="payments.csv"`)
			_, _ = io.WriteString(response, "id\r\n")
		case 2:
			_, _ = io.WriteString(response, "<html>")
		case 3:
			succeed(response, []any{}, nil)
		default:
			response.WriteHeader(403)
			_, _ = io.WriteString(response, `{"success":false,"message":"No.","error":{"code":"INSUFFICIENT_SCOPE"}}`)
		}
	}), WithMaxRetries(0))
	file, err := client.ExportPayments(context.Background(), ExportPaymentsQuery{Format: "csv"})
	if err != nil || string(file.Content) != "id\r\n" || file.Type != "text/csv" || file.Name != "payments.csv" {
		t.Fatal(file, err)
	}
	for _, code := range []string{"UNEXPECTED_ANSWER", "UNEXPECTED_ANSWER", "INSUFFICIENT_SCOPE"} {
		if _, err := client.ExportPayments(context.Background(), ExportPaymentsQuery{}); codeOf(err) != code {
			t.Errorf("%v, expected %s", err, code)
		}
	}
}

func TestEveryRowComesOnceReadOnAfterTheLastOne(t *testing.T) {
	client := clientOf(t, http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		start := 0
		if after := request.URL.Query().Get("after"); after != "" {
			_, _ = fmt.Sscan(after, &start)
			start++
		}
		rows := []any{}
		for n := start; n < 5 && len(rows) < 2; n++ {
			rows = append(rows, map[string]any{"id": fmt.Sprint(n)})
		}
		succeed(response, rows, map[string]any{"page": 1, "limit": 2, "total": 5})
	}))
	rows := client.AllDeposits(context.Background(), ListDepositsQuery{Limit: 2})
	var ids []string
	for rows.Next() {
		ids = append(ids, rows.Row().ID)
	}
	if rows.Err() != nil || strings.Join(ids, "") != "01234" {
		t.Fatal(ids, rows.Err())
	}
}

func TestFollowedEventsComeOnceOverAFaultAndALastingRefusalEnds(t *testing.T) {
	var asked, found []string
	client := clientOf(t, http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		asked = append(asked, request.URL.RawQuery)
		switch len(asked) {
		case 1:
			response.WriteHeader(503)
		case 2:
			rows := []any{map[string]any{"id": "1"}, map[string]any{"id": "2", "data": nil}}
			succeed(response, rows, map[string]any{"limit": 100, "next": "2", "has_more": true})
		default:
			response.WriteHeader(401)
			_, _ = io.WriteString(response, `{"success":false,"message":"No.","error":{"code":"UNAUTHORIZED"}}`)
		}
	}), WithMaxRetries(0))
	options := FollowOptions{After: "0", Types: []string{"order.paid"}, OnFault: func(fault *Error) { found = append(found, fault.Code) }}
	err := client.FollowEvents(context.Background(), options, func(_ context.Context, event Event) error {
		found = append(found, event.ID)
		return nil
	})
	if codeOf(err) != "UNAUTHORIZED" || strings.Join(found, " ") != "UNEXPECTED_ANSWER 1 2" {
		t.Fatal(err, found)
	}
	if asked[1] != asked[0] || asked[2] != "after=2&limit=100&types=order.paid" {
		t.Fatal(asked)
	}
}

func TestEveryEventOfTheContractCanBeMadeAndVerified(t *testing.T) {
	before := "whsec_" + strings.Repeat("23", 32)
	for _, name := range []string{"deposit.confirmed", "order.paid", "refund.requested", "refund.ready", "refund.completed", "refund.canceled", "settlement.completed", "webhook.test"} {
		sent, err := darictest.SignedEvent(name, map[string]any{"orderRef": "A-7"}, testSecret, before)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{testSecret, before} {
			event, err := VerifyWebhook(sent.Body, sent.Header, secret)
			if err != nil || event.Event != name {
				t.Fatal(name, err)
			}
			var data RefundEventData
			if err := event.As(&data); strings.HasPrefix(name, "refund.") && (err != nil || data.Amount != "4.5") {
				t.Fatal(name, err, data.Amount)
			}
		}
		sent.Header.Add("Webhook-Id", "another")
		if _, err := VerifyWebhook(sent.Body, sent.Header, testSecret); !strings.Contains(fmt.Sprint(err), "MISSING_HEADER") {
			t.Fatal(err)
		}
	}
}

func TestDecimalsAreExact(t *testing.T) {
	value, err := Decimal("-0.10").Rat()
	if err != nil || value.FloatString(2) != "-0.10" {
		t.Fatal(value, err)
	}
	for _, text := range []Decimal{"", "1e3", "--1", "0x1", "1/3"} {
		if _, err := text.Rat(); err == nil || text.Equal(text) {
			t.Errorf("%q passes", text)
		}
	}
}
