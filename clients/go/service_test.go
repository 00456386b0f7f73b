package daric

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// errDone ends a feed.
var errDone = errors.New("done")

// TestShopsDay runs against a real service on a devnet, at DARIC_URL with the key DARIC_KEY and a receiver at DARIC_RECEIVER.
func TestShopsDay(t *testing.T) {
	if os.Getenv("DARIC_URL") == "" {
		t.Skip("no DARIC_URL")
	}
	client, err := New(os.Getenv("DARIC_URL"), os.Getenv("DARIC_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	t.Run("an order is made once, paid and proved, and its money promised back once", func(t *testing.T) {
		order := CreateDepositAddressBody{OrderRef: "go-1", Amount: "25.50", SuccessURL: "https://shop.example/thanks"}
		made, isNew, err := client.CreateOrderOnce(ctx, order)
		must(t, err)
		found, isNewAgain, err := client.CreateOrderOnce(ctx, order)
		must(t, err)
		if !isNew || isNewAgain || found.ID != made.ID {
			t.Fatal(isNew, isNewAgain, found.ID, made.ID)
		}
		order.Amount = "26"
		if _, _, err := client.CreateOrderOnce(ctx, order); codeOf(err) != "ORDER_REF_CONFLICT" {
			t.Fatal(err)
		}
		checkout, err := client.RetrieveCheckout(ctx, made.CheckoutToken)
		must(t, err)
		_, err = client.SimulatePayment(ctx, made.ID, SimulatePaymentBody{Case: "exact"})
		must(t, err)
		own := ExpectedOrder{OrderRef: "go-1", Amount: "25.50", Currency: "USDT", DepositAddressID: made.ID}
		options := FollowOptions{Types: []string{"deposit.confirmed"}, Poll: 100 * time.Millisecond}
		err = client.FollowEvents(ctx, options, func(_ context.Context, event Event) error {
			reason, err := ReasonNotToDeliver(&event, own)
			if err == nil && reason == "" {
				return errDone
			}
			return err
		})
		row, rowErr := client.RetrieveDepositAddress(ctx, made.ID)
		must(t, rowErr)
		if checkout.State != "awaiting" || !errors.Is(err, errDone) || row.AmountReceived != "25.5" || *row.PaymentStatus != "paid" {
			t.Fatal(checkout.State, err, row.AmountReceived)
		}
		body := AskForRefundBody{RefundRef: "R-go-1", Amount: "4.5", Reason: "One came broken"}
		refund, err := client.AskForRefund(ctx, made.ID, body)
		must(t, err)
		same, err := client.AskForRefund(ctx, made.ID, body)
		must(t, err)
		canceled, err := client.CancelRefund(ctx, refund.ID)
		must(t, err)
		if same.ID != refund.ID || canceled.Status != "CANCELED" {
			t.Fatal(same.ID, refund.ID, canceled.Status)
		}
	})
	t.Run("a short order asks for its rest", func(t *testing.T) {
		made, err := client.CreateDepositAddress(ctx, CreateDepositAddressBody{OrderRef: "go-short", Amount: "10"})
		must(t, err)
		_, err = client.SimulatePayment(ctx, made.ID, SimulatePaymentBody{Case: "under"})
		must(t, err)
		for {
			row, err := client.RetrieveDepositAddress(ctx, made.ID)
			must(t, err)
			if row.AmountReceived == "5" {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		rest, err := client.AskForRest(ctx, made.ID)
		must(t, err)
		if *rest.RestOf != made.ID || !rest.ExpectedAmount.Equal("5") {
			t.Fatal(*rest.RestOf, *rest.ExpectedAmount)
		}
	})
	t.Run("lists, links, endpoints and refusals", func(t *testing.T) {
		ids := map[string]bool{}
		for n := 0; n < 5; n++ {
			_, err := client.CreateDepositAddress(ctx, CreateDepositAddressBody{OrderRef: "go-many", Amount: "1"})
			must(t, err)
		}
		rows := client.AllDepositAddresses(ctx, ListDepositAddressesQuery{OrderRef: "go-many", Limit: 2})
		for rows.Next() {
			ids[rows.Row().ID] = true
		}
		must(t, rows.Err())
		link, err := client.CreatePaymentLink(ctx, CreatePaymentLinkBody{Title: "Tasting", Amount: "5", Description: "With cheese"})
		must(t, err)
		changed, err := client.UpdatePaymentLink(ctx, link.ID, UpdatePaymentLinkBody{Description: Null[string](), IsActive: Ptr(false)})
		must(t, err)
		endpoint, err := client.CreateWebhookEndpoint(ctx, CreateWebhookEndpointBody{URL: os.Getenv("DARIC_RECEIVER")})
		must(t, err)
		sent, err := client.SendTestEvent(ctx, endpoint.ID)
		must(t, err)
		_, err = client.DeleteWebhookEndpoint(ctx, endpoint.ID)
		must(t, err)
		if len(ids) != 5 || changed.Description != nil || !sent.Ok {
			t.Fatal(len(ids), changed.Description, sent.Ok)
		}
		file, err := client.ExportPayments(ctx, ExportPaymentsQuery{Format: "csv", Bom: "0", From: Ptr(time.Now().Add(-time.Hour))})
		must(t, err)
		account, err := client.RetrieveAccount(ctx)
		must(t, err)
		if !strings.Contains(string(file.Content), "go-many") || !strings.HasSuffix(file.Name, ".csv") || account.Environment != "test" {
			t.Fatal(file.Name, account.Environment)
		}
		_, err = client.CreateDepositAddress(ctx, CreateDepositAddressBody{Amount: "1", SuccessURL: "shop.example"}, CorrelationID("mine-1"))
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != "VALIDATION_ERROR" || refused.Details[0].Path != "successUrl" || refused.CorrelationID != "mine-1" {
			t.Fatal(err)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
