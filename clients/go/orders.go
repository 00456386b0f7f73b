package daric

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
)

const createOperation = "POST /v1/deposit-addresses"

// CreateOrderOnce is the order of this reference: found, or made if there is none. A true result says that this call made it.
//
// One call after another finds the same order, and so do parallel calls of one client. Two processes in parallel may make two: the
// service has no idempotency key. Keep the order's ID under a unique key of your own. After an error with OutcomeUnknown wait 15 s,
// or RetryAfter if that is longer, and call again: it finds a late order. An existing order is returned in its state, also when it
// is paid or archived. It fails with ORDER_REF_CONFLICT if that order has another amount or currency.
func (c *Client) CreateOrderOnce(ctx context.Context, order CreateDepositAddressBody, options ...CallOption) (*DepositAddress, bool, error) {
	if order.OrderRef == "" || order.Amount == "" {
		return nil, false, errors.New("daric: CreateOrderOnce needs an OrderRef, which the order is looked up by, and an Amount")
	}
	own, leave, err := c.turns.take(ctx, order.OrderRef)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	if own.isUnknown {
		// Its request may still be carried out, and a second one would repeat it.
		message := "the previous call with this OrderRef ended without an answer: wait and call again"
		return nil, false, &Error{Code: "CONNECTION", Message: message, Operation: createOperation, OutcomeUnknown: true}
	}
	row, isNew, err := c.findOrCreate(ctx, order, options)
	var failure *Error
	own.isUnknown = err != nil && (!errors.As(err, &failure) || failure.OutcomeUnknown)
	return row, isNew, err
}

func (c *Client) findOrCreate(ctx context.Context, order CreateDepositAddressBody, options []CallOption) (*DepositAddress, bool, error) {
	for tries := 1; ; tries++ {
		found, err := c.findOrder(ctx, order, options)
		if found != nil || err != nil {
			return found, false, err
		}
		// The new row has the fields of any other, but those of payments.
		var made DepositAddress
		err = c.call(ctx, createOperation, parts{body: order}, &made, options)
		var failure *Error
		if err == nil {
			return &made, true, nil
		}
		if !errors.As(err, &failure) || !failure.OutcomeUnknown {
			return nil, false, err
		}
		// The order may exist nevertheless. If it is not visible yet, the caller asks again later.
		if found, findErr := c.findOrder(ctx, order, options); findErr == nil && found != nil {
			return found, false, nil
		}
		// A 503 with Retry-After refused the order for now. After any other failure it may still be on its way.
		wait, ok := retryWait(failure, tries, true, rand.Float64())
		if !ok || failure.Status != 503 || failure.RetryAfter == nil || tries > c.maxRetries {
			return nil, false, failure
		}
		if err := pause(ctx, wait); err != nil {
			return nil, false, err
		}
	}
}

func (c *Client) findOrder(ctx context.Context, order CreateDepositAddressBody, options []CallOption) (*DepositAddress, error) {
	query := ListDepositAddressesQuery{OrderRef: order.OrderRef, Kind: "order", Limit: maxRows}
	page, err := c.ListDepositAddresses(ctx, query, options...)
	if err != nil {
		return nil, err
	}
	var found *DepositAddress
	rank := 0
	for index := range page.Data {
		row := &page.Data[index]
		// A service that ignored the filter would return another customer's order.
		if row.OrderRef == nil || *row.OrderRef != order.OrderRef {
			message := fmt.Sprintf("asked for the orders of %q, the service answered %s of another reference", order.OrderRef, row.ID)
			return nil, &Error{Code: "UNEXPECTED_ANSWER", Message: message, Operation: "GET /v1/deposit-addresses"}
		}
		// A rest is part of another order of this reference.
		if row.RestOf != nil {
			continue
		}
		// Independent callers may have made several orders: the newest paid one counts, else the newest with money above dust, else
		// the oldest.
		if own := rankOf(row); found == nil || own > rank || own == 0 && rank == 0 {
			found, rank = row, own
		}
	}
	if found == nil {
		return nil, nil
	}
	if details := differences(order, found); len(details) > 0 {
		message := fmt.Sprintf("there is an order %q at another price (%s): a new order needs an OrderRef of its own", order.OrderRef, found.ID)
		return nil, &Error{Code: "ORDER_REF_CONFLICT", Message: message, Operation: createOperation, Details: details}
	}
	return found, nil
}

func rankOf(row *DepositAddress) int {
	status := ""
	if row.PaymentStatus != nil {
		status = *row.PaymentStatus
	}
	switch {
	case status == "paid":
		return 2
	case row.PaymentState != "none" || status == "confirming" || status == "detected":
		return 1
	default:
		return 0
	}
}

func differences(order CreateDepositAddressBody, row *DepositAddress) []FieldFault {
	coin, existing, pricedIn := order.Currency, row.ExpectedAmount, row.Currency
	if coin == "" {
		coin = "USDT"
	}
	if order.PricingCurrency != "" && order.PricingCurrency != "USDT" {
		existing, pricedIn = row.FiatAmount, order.PricingCurrency
	}
	rowPricedIn := row.Currency
	if row.FiatCurrency != nil {
		rowPricedIn = *row.FiatCurrency
	}
	var details []FieldFault
	add := func(path, found string) {
		details = append(details, FieldFault{Path: path, Message: "is " + found + " in the existing order"})
	}
	if coin != row.Currency {
		add("currency", row.Currency)
	}
	if pricedIn != rowPricedIn {
		add("pricingCurrency", rowPricedIn)
	}
	if existing == nil {
		add("amount", "not set")
	} else if !order.Amount.Equal(*existing) {
		add("amount", string(*existing))
	}
	return details
}
