// A receiver of webhooks with net/http. A real shop reads its own tables, and writes in one transaction.
package main

import (
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	"daric"
)

type shop struct {
	secret string
	mutex  sync.Mutex
	// The orders that you created, by reference, with the ID of the answer.
	orders    map[string]daric.ExpectedOrder
	delivered map[string]bool
}

func (s *shop) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	// The bytes as they came: verify before parsing.
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
	if err != nil {
		http.Error(response, "the body is cut", http.StatusBadRequest)
		return
	}
	event, err := daric.VerifyWebhook(body, request.Header, s.secret)
	var refused *daric.WebhookError
	if errors.As(err, &refused) {
		log.Print(err)
		http.Error(response, refused.Code, http.StatusBadRequest)
		return
	}
	s.fulfil(event)
	response.WriteHeader(http.StatusNoContent)
}

// fulfil delivers an order once: it must be known, its charge and its price must match, and all of its money must have arrived.
func (s *shop) fulfil(event *daric.Event) {
	var data struct{ OrderRef string }
	_ = event.As(&data) // an event without a reference is of no order
	s.mutex.Lock()
	defer s.mutex.Unlock()
	order, isKnown := s.orders[data.OrderRef]
	if !isKnown {
		log.Println("received", event.Event, data.OrderRef)
		return
	}
	reason, err := daric.ReasonNotToDeliver(event, order)
	switch {
	case err != nil:
		log.Println("not delivered", order.OrderRef, err)
	case reason != "":
		log.Println("not delivered", order.OrderRef, reason)
	case s.delivered[order.OrderRef]:
		log.Println("not delivered", order.OrderRef, "it is delivered already")
	default:
		s.delivered[order.OrderRef] = true
		log.Println("paid", order.OrderRef, order.Amount, order.Currency)
	}
}

func main() {
	own := &shop{
		secret: os.Getenv("WEBHOOK_SECRET"),
		orders: map[string]daric.ExpectedOrder{
			"A-1042": {OrderRef: "A-1042", DepositAddressID: os.Getenv("CHARGE_ID"), Amount: "25.50", Currency: "USDT"},
		},
		delivered: map[string]bool{},
	}
	http.Handle("/hook", own)
	log.Fatal(http.ListenAndServe("127.0.0.1:4000", nil))
}
