package daric

import (
	"fmt"
)

// ExpectedOrder is your own record of an order, from the time when you made it.
type ExpectedOrder struct {
	OrderRef string
	// DepositAddressID is the ID of the answer when you made it; empty for any charge of this reference. Several charges may have
	// one reference, and an event of another one counts for none.
	DepositAddressID string
	// Amount is the price as a decimal, 12.50 or 12.5.
	Amount Decimal
	// Currency is EUR if the order was made with the PricingCurrency EUR, else the coin.
	Currency string
}

// proof has the fields that an event of a deposit or of an order proves an order by.
type proof struct {
	OrderRef         *string  `json:"orderRef"`
	DepositAddressID string   `json:"depositAddressId"`
	RestOf           *string  `json:"restOf"`
	RestCompletes    bool     `json:"restCompletes"`
	OrderAmount      *Decimal `json:"orderAmount"`
	FiatAmount       *Decimal `json:"fiatAmount"`
	FiatCurrency     *string  `json:"fiatCurrency"`
	Currency         string   `json:"currency"`
	PaymentState     string   `json:"paymentState"`
	AmountReceived   Decimal  `json:"amountReceived"`
}

// ReasonNotToDeliver is the reason why an event is not enough to deliver an order, for your log; empty if it is enough.
//
// It is deposit.confirmed of this charge, at this price, with a paymentState of exact or over; order.accepted of it; or the payment
// of its rest. You must check that you have not delivered it before. It fails if Amount is no decimal, since no event could equal
// it.
func ReasonNotToDeliver(event *Event, order ExpectedOrder) (string, error) {
	if _, ok := order.Amount.Canonical(); !ok {
		return "", fmt.Errorf("daric: Amount must be a decimal like 12.50, not %q", string(order.Amount))
	}
	isPaid, isAccepted := event.Event == "order.paid", event.Event == "order.accepted"
	var data proof
	if !isPaid && !isAccepted && event.Event != "deposit.confirmed" {
		return "the event is " + event.Event, nil
	}
	if err := event.As(&data); err != nil {
		return "", err
	}
	isRest := data.RestCompletes && (isPaid || isAccepted)
	if isPaid && !isRest {
		return "the event is " + event.Event, nil
	}
	// An event without a reference belongs to no order, not even to one that is stored without a reference.
	if data.OrderRef == nil || *data.OrderRef != order.OrderRef {
		shown, _ := encoded(data.OrderRef)
		return "the event is of " + string(shown), nil
	}
	charge := data.DepositAddressID
	if isRest && data.RestOf != nil {
		charge = *data.RestOf
	}
	if order.DepositAddressID != "" && charge != order.DepositAddressID {
		return "the event is of the charge " + charge, nil
	}
	// The price of a rest is what was missing.
	if isRest {
		return "", nil
	}
	return data.faultOfPrice(event.Event, order), nil
}

func (p proof) faultOfPrice(name string, order ExpectedOrder) string {
	// The price of an order in a currency is fiatAmount: its orderAmount is in coins and moves with the rate.
	amount, currency := p.OrderAmount, p.Currency
	if p.FiatAmount != nil {
		amount = p.FiatAmount
	}
	if p.FiatCurrency != nil {
		currency = *p.FiatCurrency
	}
	if amount == nil || !amount.Equal(order.Amount) || currency != order.Currency {
		shown := "null"
		if amount != nil {
			shown = string(*amount)
		}
		return fmt.Sprintf("its price is %s %s, and %s %s was asked for", shown, currency, order.Amount, order.Currency)
	}
	if name == "deposit.confirmed" && p.PaymentState != "exact" && p.PaymentState != "over" {
		return fmt.Sprintf("only %s %s has arrived", p.AmountReceived, p.Currency)
	}
	return ""
}
