// A worker that delivers paid orders from the events feed, without a webhook. A real one stores the ID of the last event together
// with the order, in one transaction, and begins after it.
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"os/signal"
	"syscall"

	"daric"
)

func main() {
	client, err := daric.New(os.Getenv("DARIC_URL"), os.Getenv("DARIC_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	order := daric.ExpectedOrder{OrderRef: "A-1042", Amount: "25.50", Currency: "USDT"}
	made, isNew, err := client.CreateOrderOnce(ctx, daric.CreateDepositAddressBody{OrderRef: order.OrderRef, Amount: order.Amount})
	if err != nil {
		log.Fatal(err)
	}
	order.DepositAddressID = made.ID
	if made.CheckoutURL != nil {
		log.Println("pay at", *made.CheckoutURL, "new:", isNew)
	}
	options := daric.FollowOptions{Types: []string{"deposit.confirmed", "order.paid", "order.accepted"}}
	err = client.FollowEvents(ctx, options, func(_ context.Context, event daric.Event) error {
		reason, err := daric.ReasonNotToDeliver(&event, order)
		if err == nil && reason == "" {
			log.Println("paid", order.OrderRef, order.Amount, order.Currency)
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		log.Fatal(err)
	}
}
