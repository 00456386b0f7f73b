// Code generated from clients/typescript/openapi.json by `npm run generate`. DO NOT EDIT.

package daric

import (
	"context"
	"time"
)

var operations = map[string]operation{
	"POST /v1/deposit-addresses/{id}/accept":         {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: nil},
	"POST /v1/deposit-addresses/{id}/archive":        {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"POST /v1/deposit-addresses/{id}/refunds":        {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: []string{"refundRef"}},
	"POST /v1/refunds/{id}/ask-again":                {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: nil},
	"POST /v1/deposit-addresses/{id}/rest":           {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"POST /v1/refunds/{id}/cancel":                   {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"POST /v1/refund-claims/{token}":                 {isKeyless: true, isRepeatable: true, timeout: 0 * time.Second, required: []string{"address"}},
	"POST /v1/shop-connections":                      {isKeyless: true, isRepeatable: false, timeout: 0 * time.Second, required: []string{"code", "site", "webhookUrl"}},
	"POST /v1/deposit-addresses":                     {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: nil},
	"POST /v1/links/{token}/orders":                  {isKeyless: true, isRepeatable: false, timeout: 0 * time.Second, required: nil},
	"POST /v1/payment-links":                         {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: []string{"title"}},
	"POST /v1/webhooks/endpoints":                    {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: []string{"url"}},
	"DELETE /v1/webhooks/endpoints/{id}":             {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: nil},
	"GET /v1/deposit-addresses/{id}/receipt":         {isKeyless: false, isRepeatable: true, timeout: 120 * time.Second, required: nil},
	"GET /v1/statements":                             {isKeyless: false, isRepeatable: true, timeout: 120 * time.Second, required: nil},
	"GET /v1/exports/fees":                           {isKeyless: false, isRepeatable: true, timeout: 120 * time.Second, required: nil},
	"GET /v1/exports/journal":                        {isKeyless: false, isRepeatable: true, timeout: 120 * time.Second, required: nil},
	"GET /v1/exports/payments":                       {isKeyless: false, isRepeatable: true, timeout: 120 * time.Second, required: nil},
	"GET /v1/exports/refunds":                        {isKeyless: false, isRepeatable: true, timeout: 120 * time.Second, required: nil},
	"GET /v1/exports/settlements":                    {isKeyless: false, isRepeatable: true, timeout: 120 * time.Second, required: nil},
	"POST /v1/deposit-addresses/{id}/extend":         {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: []string{"seconds"}},
	"GET /v1/balances":                               {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/currencies":                             {isKeyless: true, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/deposit-addresses":                      {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/deposits":                               {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/events":                                 {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/payment-links":                          {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/refunds":                                {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/settlement-accounts":                    {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/settlements":                            {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/webhooks/deliveries":                    {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/webhooks/endpoints":                     {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"POST /v1/checkout/{token}/lookup":               {isKeyless: true, isRepeatable: true, timeout: 0 * time.Second, required: []string{"txHash"}},
	"GET /v1/lookup":                                 {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"POST /v1/webhooks/endpoints/{id}/recover":       {isKeyless: false, isRepeatable: true, timeout: 120 * time.Second, required: []string{"from"}},
	"POST /v1/checkout/{token}/requote":              {isKeyless: true, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"POST /v1/webhooks/deliveries/resend":            {isKeyless: false, isRepeatable: false, timeout: 120 * time.Second, required: nil},
	"POST /v1/webhooks/deliveries/{id}/resend":       {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: nil},
	"GET /v1/account":                                {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/checkout/{token}":                       {isKeyless: true, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/deposits/{id}":                          {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/deposit-addresses/{id}":                 {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/events/{id}":                            {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/payment-links/{id}":                     {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/refunds/{id}":                           {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/refund-claims/{token}":                  {isKeyless: true, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/settlements/{id}":                       {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/webhooks/deliveries/{id}":               {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/webhooks/endpoints/{id}":                {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"GET /v1/webhooks/endpoints/{id}/health":         {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
	"POST /v1/webhooks/endpoints/{id}/rotate-secret": {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: nil},
	"POST /v1/webhooks/endpoints/{id}/test":          {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: nil},
	"POST /v1/checkout/{token}/simulate":             {isKeyless: true, isRepeatable: false, timeout: 0 * time.Second, required: []string{"case"}},
	"POST /v1/test/deposit-addresses/{id}/simulate":  {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: []string{"case"}},
	"POST /v1/test/refunds/{id}/simulate":            {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: []string{"case"}},
	"PATCH /v1/payment-links/{id}":                   {isKeyless: false, isRepeatable: false, timeout: 0 * time.Second, required: nil},
	"PATCH /v1/webhooks/endpoints/{id}":              {isKeyless: false, isRepeatable: true, timeout: 0 * time.Second, required: nil},
}

// AcceptDepositAddress: accept the received amount of an order as full payment.
//
// For an order short of its due: it is ARCHIVED, counts as paid from then on, and `order.accepted` is
// sent. `payment_state` still compares the received amount with the due. The key needs the scope
// `charges:write`.
func (c *Client) AcceptDepositAddress(ctx context.Context, id string, body AcceptDepositAddressBody, options ...CallOption) (*DepositAddress, error) {
	var answer DepositAddress
	if err := c.call(ctx, "POST /v1/deposit-addresses/{id}/accept", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ArchiveDepositAddress: archive a deposit address that is no longer needed.
//
// Its status becomes ARCHIVED. Later payments to it are still recorded and announced. The key needs
// the scope `charges:write`.
func (c *Client) ArchiveDepositAddress(ctx context.Context, id string, options ...CallOption) (*DepositAddress, error) {
	var answer DepositAddress
	if err := c.call(ctx, "POST /v1/deposit-addresses/{id}/archive", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AskForRefund: promise money back to the payer.
//
// Send `claim_url` to the payer, who names an address there. An owner or admin pays from a wallet of
// the merchant, and the service recognises the transfer. An order that is not paid is ARCHIVED first:
// later money to it is late. Where the money paid the order, a person must confirm. The key needs the
// scope `refunds:write`.
func (c *Client) AskForRefund(ctx context.Context, id string, body AskForRefundBody, options ...CallOption) (*Refund, error) {
	var answer Refund
	if err := c.call(ctx, "POST /v1/deposit-addresses/{id}/refunds", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AskForRefundAddressAgain: ask the payer for an address again.
//
// Makes a new `claim_url`, and the old one is dead. A refund that was READY waits for the new address;
// do not pay the old one. The key needs the scope `refunds:write`.
func (c *Client) AskForRefundAddressAgain(ctx context.Context, id string, body AskForRefundAddressAgainBody, options ...CallOption) (*Refund, error) {
	var answer Refund
	if err := c.call(ctx, "POST /v1/refunds/{id}/ask-again", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AskForRest: ask for the rest of an order that is short.
//
// Makes an order of what is missing, with the same `order_ref`: send the customer to its
// `checkout_url`. The short order is ARCHIVED, and later money to it is late. When the rest is paid,
// its `order.paid` has `restCompletes: true`, and the short order is accepted. While a rest is open
// and asks for what is missing, the answer is that same row. The `id` of a rest stands for its first
// order. The key needs the scope `charges:write`.
func (c *Client) AskForRest(ctx context.Context, id string, options ...CallOption) (*DepositAddress, error) {
	var answer DepositAddress
	if err := c.call(ctx, "POST /v1/deposit-addresses/{id}/rest", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// CancelRefund: cancel a refund that is not on the chain.
//
// One that was READY is watched for 30 days more: a transfer that fits completes it all the same. A
// second time it answers the same. The key needs the scope `refunds:write`.
func (c *Client) CancelRefund(ctx context.Context, id string, options ...CallOption) (*Refund, error) {
	var answer Refund
	if err := c.call(ctx, "POST /v1/refunds/{id}/cancel", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ClaimRefund: name the address that gets a refund.
//
// No key: the token is the capability. A link takes one address, once; the same one again answers the
// same. Ten refused addresses close the link. At most six requests a minute for a link.
func (c *Client) ClaimRefund(ctx context.Context, token string, body ClaimRefundBody, options ...CallOption) (*RefundClaim, error) {
	var answer RefundClaim
	if err := c.call(ctx, "POST /v1/refund-claims/{token}", parts{path: map[string]string{"token": token}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ConnectShop: connect a shop by its code.
//
// No key: the code of *Connect a shop* in the dashboard is the capability. It works once, within ten
// minutes. The shop gets a key and a webhook endpoint, and a few seconds later a `webhook.test`. A
// refused request makes nothing, and the code stays.
func (c *Client) ConnectShop(ctx context.Context, body ConnectShopBody, options ...CallOption) (*ShopConnection, error) {
	var answer ShopConnection
	if err := c.call(ctx, "POST /v1/shop-connections", parts{body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// CreateDepositAddress: create an order, an open address or a receive address.
//
// With `amount` an order, with `reusable` a standing receive address, else an open address for any
// amount. There is no idempotency key: look for your `orderRef` in the list before you send it again.
// The key needs the scope `charges:write`.
func (c *Client) CreateDepositAddress(ctx context.Context, body CreateDepositAddressBody, options ...CallOption) (*CreatedDepositAddress, error) {
	var answer CreatedDepositAddress
	if err := c.call(ctx, "POST /v1/deposit-addresses", parts{body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// CreateLinkOrder: create an order by a payment link.
//
// The same as a click on the page of a link. No key: the token is the capability. With the same
// `attempt` the answer is the same order, while that can be paid or is paid. A browser's request must
// come from a page of this service.
func (c *Client) CreateLinkOrder(ctx context.Context, token string, body CreateLinkOrderBody, options ...CallOption) (*LinkOrder, error) {
	var answer LinkOrder
	if err := c.call(ctx, "POST /v1/links/{token}/orders", parts{path: map[string]string{"token": token}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// CreatePaymentLink: create a payment link.
//
// A template of orders with a public page at `url`. Each click there makes an order; looking makes
// none. Without `amount` the payer chooses one within `minAmount` and `maxAmount`. The key needs the
// scope `charges:write`.
func (c *Client) CreatePaymentLink(ctx context.Context, body CreatePaymentLinkBody, options ...CallOption) (*PaymentLink, error) {
	var answer PaymentLink
	if err := c.call(ctx, "POST /v1/payment-links", parts{body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// CreateWebhookEndpoint: create a webhook endpoint.
//
// The answer holds the secret that signs its events; no other answer ever does. The key needs the
// scope `webhooks:write`.
func (c *Client) CreateWebhookEndpoint(ctx context.Context, body CreateWebhookEndpointBody, options ...CallOption) (*CreatedWebhookEndpoint, error) {
	var answer CreatedWebhookEndpoint
	if err := c.call(ctx, "POST /v1/webhooks/endpoints", parts{body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// DeleteWebhookEndpoint: delete a webhook endpoint.
//
// No more events are sent to it, and its secret is erased. Waiting deliveries end as `EXHAUSTED`. The
// key needs the scope `webhooks:write`.
func (c *Client) DeleteWebhookEndpoint(ctx context.Context, id string, options ...CallOption) (*DeleteWebhookEndpointAnswer, error) {
	var answer DeleteWebhookEndpointAnswer
	if err := c.call(ctx, "DELETE /v1/webhooks/endpoints/{id}", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// DownloadReceipt: download the receipt of a payment as PDF.
//
// The price and the payments, with the value of each transfer in the currency of your books. It is a
// receipt of payment, not a tax invoice. The key needs the scope `charges:read`.
func (c *Client) DownloadReceipt(ctx context.Context, id string, query DownloadReceiptQuery, options ...CallOption) (*File, error) {
	var answer File
	if err := c.file(ctx, "GET /v1/deposit-addresses/{id}/receipt", parts{path: map[string]string{"id": id}, query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// DownloadStatement: download the statement of a month.
//
// A calendar month in your time zone; `is_closed` says whether it is over. `opening` + `confirmed` −
// `fees` − `settled` = `closing`, and the `amount` of all entries adds up to the same. `page` and
// `limit` choose entries. `format=csv` answers all of them as `text/csv`, between the opening and the
// closing balances; `bom=0` writes them for programs. The balances of a month that is not over are
// `so_far` in place of `closing`. `format=xlsx` has up to 100,000 entries, and `format=pdf` up to
// 5,000, for people. The key needs the scope `settlements:read`.
func (c *Client) DownloadStatement(ctx context.Context, query DownloadStatementQuery, options ...CallOption) (*File, error) {
	var answer File
	if err := c.file(ctx, "GET /v1/statements", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ExportFees: download fees as a file.
//
// A row for each fee that the service charged or gave back, oldest first, with its deposit and its
// value. Made from `from` on and before `to`. CSV and JSON stream any number of rows, and XLSX has at
// most 100,000. `bom=0` writes CSV for programs. The key needs the scope `settlements:read`.
func (c *Client) ExportFees(ctx context.Context, query ExportFeesQuery, options ...CallOption) (*File, error) {
	var answer File
	if err := c.file(ctx, "GET /v1/exports/fees", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ExportJournal: download the journal as a file.
//
// The books in double entry: a row for each line of an entry, oldest first. The last row counts the
// entries whose value is not known yet. Made from `from` on and before `to`. CSV and JSON stream any
// number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for programs. The key needs the
// scope `settlements:read`.
func (c *Client) ExportJournal(ctx context.Context, query ExportJournalQuery, options ...CallOption) (*File, error) {
	var answer File
	if err := c.file(ctx, "GET /v1/exports/journal", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ExportPayments: download payments as a file.
//
// A row for each payment, newest first, with its price, its value and their difference. Made from
// `from` on and before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000.
// `bom=0` writes CSV for programs. The key needs the scope `charges:read`.
func (c *Client) ExportPayments(ctx context.Context, query ExportPaymentsQuery, options ...CallOption) (*File, error) {
	var answer File
	if err := c.file(ctx, "GET /v1/exports/payments", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ExportRefunds: download refunds as a file.
//
// A row for each refund, newest first, with the value of what it paid. Made from `from` on and before
// `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for
// programs. The key needs the scope `refunds:read`.
func (c *Client) ExportRefunds(ctx context.Context, query ExportRefundsQuery, options ...CallOption) (*File, error) {
	var answer File
	if err := c.file(ctx, "GET /v1/exports/refunds", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ExportSettlements: download settlements as a file.
//
// A row for each settlement, newest first, with the values of what it paid and cost. Made from `from`
// on and before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0`
// writes CSV for programs. The key needs the scope `settlements:read`.
func (c *Client) ExportSettlements(ctx context.Context, query ExportSettlementsQuery, options ...CallOption) (*File, error) {
	var answer File
	if err := c.file(ctx, "GET /v1/exports/settlements", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ExtendDepositAddress: give an order or an open address more time.
//
// Moves `expires_at` and the end of the late window while it is ACTIVE and its time is not over; a
// quote keeps its end. The key needs the scope `charges:write`.
func (c *Client) ExtendDepositAddress(ctx context.Context, id string, body ExtendDepositAddressBody, options ...CallOption) (*DepositAddress, error) {
	var answer DepositAddress
	if err := c.call(ctx, "POST /v1/deposit-addresses/{id}/extend", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListBalances: see what you are owed and where it is.
//
// One row for each currency: `confirmed` − `fees` = `settled` + `in_flight` + `waiting`. `waiting_for`
// names what you wait for by the reason why. The key needs the scope `settlements:read`.
func (c *Client) ListBalances(ctx context.Context, options ...CallOption) ([]Balance, error) {
	var answer []Balance
	err := c.call(ctx, "GET /v1/balances", parts{}, &answer, options)
	return answer, err
}

// ListCurrencies: list the currencies of prices.
//
// The values of `pricingCurrency`, with their decimals and sources. It needs no key. A currency with
// fewer than three sources cannot be priced.
func (c *Client) ListCurrencies(ctx context.Context, options ...CallOption) ([]PricingCurrency, error) {
	var answer []PricingCurrency
	err := c.call(ctx, "GET /v1/currencies", parts{}, &answer, options)
	return answer, err
}

// ListDepositAddresses: list deposit addresses.
//
// Newest first. Every filter narrows the list further. `address` is empty in a row whose address
// cannot be proven to be ours. The key needs the scope `charges:read`.
func (c *Client) ListDepositAddresses(ctx context.Context, query ListDepositAddressesQuery, options ...CallOption) (*Page[DepositAddress], error) {
	var answer Page[DepositAddress]
	if err := c.page(ctx, "GET /v1/deposit-addresses", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AllDepositAddresses gives every row, newest first, read page by page on demand: for rows.Next() { rows.Row() }, then rows.Err().
func (c *Client) AllDepositAddresses(ctx context.Context, query ListDepositAddressesQuery, options ...CallOption) *Rows[DepositAddress] {
	read := func(after string, limit int64) (*Page[DepositAddress], error) {
		query.Page, query.After, query.Limit = 0, after, limit
		return c.ListDepositAddresses(ctx, query, options...)
	}
	return newRows(read, query.After, query.Limit, func(row DepositAddress) string { return row.ID })
}

// ListDeposits: list deposits.
//
// Newest first. Every filter narrows the list further. The key needs the scope `deposits:read`.
func (c *Client) ListDeposits(ctx context.Context, query ListDepositsQuery, options ...CallOption) (*Page[Deposit], error) {
	var answer Page[Deposit]
	if err := c.page(ctx, "GET /v1/deposits", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AllDeposits gives every row, newest first, read page by page on demand: for rows.Next() { rows.Row() }, then rows.Err().
func (c *Client) AllDeposits(ctx context.Context, query ListDepositsQuery, options ...CallOption) *Rows[Deposit] {
	read := func(after string, limit int64) (*Page[Deposit], error) {
		query.Page, query.After, query.Limit = 0, after, limit
		return c.ListDeposits(ctx, query, options...)
	}
	return newRows(read, query.After, query.Limit, func(row Deposit) string { return row.ID })
}

// ListEvents: list events, oldest first.
//
// Every event of yours in one fixed order, whether or not it was delivered. To catch up, read on from
// the last one that you handled. An event that is new comes after all that were listed before. Pass
// `next` of `meta` as `after`. With `types` a page may be empty although `has_more` is true: one call
// reads past 1,000 events at most. The key needs the scope `webhooks:read`.
func (c *Client) ListEvents(ctx context.Context, query ListEventsQuery, options ...CallOption) (*Feed[EventRow], error) {
	var answer Feed[EventRow]
	if err := c.page(ctx, "GET /v1/events", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListPaymentLinks: list payment links.
//
// Newest first. The orders of one link are `GET /v1/deposit-addresses?paymentLinkId=`. The key needs
// the scope `charges:read`.
func (c *Client) ListPaymentLinks(ctx context.Context, query ListPaymentLinksQuery, options ...CallOption) (*Page[PaymentLink], error) {
	var answer Page[PaymentLink]
	if err := c.page(ctx, "GET /v1/payment-links", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AllPaymentLinks gives every row, newest first, read page by page on demand: for rows.Next() { rows.Row() }, then rows.Err().
func (c *Client) AllPaymentLinks(ctx context.Context, query ListPaymentLinksQuery, options ...CallOption) *Rows[PaymentLink] {
	read := func(after string, limit int64) (*Page[PaymentLink], error) {
		query.Page, query.After, query.Limit = 0, after, limit
		return c.ListPaymentLinks(ctx, query, options...)
	}
	return newRows(read, query.After, query.Limit, func(row PaymentLink) string { return row.ID })
}

// ListRefunds: list refunds.
//
// Newest first. `claim_url` is null in lists. The key needs the scope `refunds:read`.
func (c *Client) ListRefunds(ctx context.Context, query ListRefundsQuery, options ...CallOption) (*Page[Refund], error) {
	var answer Page[Refund]
	if err := c.page(ctx, "GET /v1/refunds", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AllRefunds gives every row, newest first, read page by page on demand: for rows.Next() { rows.Row() }, then rows.Err().
func (c *Client) AllRefunds(ctx context.Context, query ListRefundsQuery, options ...CallOption) *Rows[Refund] {
	read := func(after string, limit int64) (*Page[Refund], error) {
		query.Page, query.After, query.Limit = 0, after, limit
		return c.ListRefunds(ctx, query, options...)
	}
	return newRows(read, query.After, query.Limit, func(row Refund) string { return row.ID })
}

// ListSettlementAccounts: list your settlement accounts.
//
// The default first, then newest first. Your operator adds, disables and orders them; no API key can.
// The key needs the scope `settlements:read`.
func (c *Client) ListSettlementAccounts(ctx context.Context, query ListSettlementAccountsQuery, options ...CallOption) (*Page[SettlementAccount], error) {
	var answer Page[SettlementAccount]
	if err := c.page(ctx, "GET /v1/settlement-accounts", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListSettlements: list settlements.
//
// Newest first. A settlement is the transfers of one plan to one of your wallets. The key needs the
// scope `settlements:read`.
func (c *Client) ListSettlements(ctx context.Context, query ListSettlementsQuery, options ...CallOption) (*Page[Settlement], error) {
	var answer Page[Settlement]
	if err := c.page(ctx, "GET /v1/settlements", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AllSettlements gives every row, newest first, read page by page on demand: for rows.Next() { rows.Row() }, then rows.Err().
func (c *Client) AllSettlements(ctx context.Context, query ListSettlementsQuery, options ...CallOption) *Rows[Settlement] {
	read := func(after string, limit int64) (*Page[Settlement], error) {
		query.Page, query.After, query.Limit = 0, after, limit
		return c.ListSettlements(ctx, query, options...)
	}
	return newRows(read, query.After, query.Limit, func(row Settlement) string { return row.ID })
}

// ListWebhookDeliveries: list webhook deliveries.
//
// Newest first: each event on its way to each endpoint. The key needs the scope `webhooks:read`.
func (c *Client) ListWebhookDeliveries(ctx context.Context, query ListWebhookDeliveriesQuery, options ...CallOption) (*Page[WebhookDelivery], error) {
	var answer Page[WebhookDelivery]
	if err := c.page(ctx, "GET /v1/webhooks/deliveries", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AllWebhookDeliveries gives every row, newest first, read page by page on demand: for rows.Next() { rows.Row() }, then rows.Err().
func (c *Client) AllWebhookDeliveries(ctx context.Context, query ListWebhookDeliveriesQuery, options ...CallOption) *Rows[WebhookDelivery] {
	read := func(after string, limit int64) (*Page[WebhookDelivery], error) {
		query.Page, query.After, query.Limit = 0, after, limit
		return c.ListWebhookDeliveries(ctx, query, options...)
	}
	return newRows(read, query.After, query.Limit, func(row WebhookDelivery) string { return row.ID })
}

// ListWebhookEndpoints: list webhook endpoints.
//
// Newest first, without their secrets. The key needs the scope `webhooks:read`.
func (c *Client) ListWebhookEndpoints(ctx context.Context, query ListWebhookEndpointsQuery, options ...CallOption) (*Page[WebhookEndpoint], error) {
	var answer Page[WebhookEndpoint]
	if err := c.page(ctx, "GET /v1/webhooks/endpoints", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AllWebhookEndpoints gives every row, newest first, read page by page on demand: for rows.Next() { rows.Row() }, then rows.Err().
func (c *Client) AllWebhookEndpoints(ctx context.Context, query ListWebhookEndpointsQuery, options ...CallOption) *Rows[WebhookEndpoint] {
	read := func(after string, limit int64) (*Page[WebhookEndpoint], error) {
		query.Page, query.After, query.Limit = 0, after, limit
		return c.ListWebhookEndpoints(ctx, query, options...)
	}
	return newRows(read, query.After, query.Limit, func(row WebhookEndpoint) string { return row.ID })
}

// LookUpCheckoutTransaction: look up a payer's transaction.
//
// For a payer who has paid and does not see it. A payment to any address of the order and its rests
// counts. Never reveals another order: of a payment elsewhere it returns only the last four characters
// of the address. Six a minute for a token. A node is queried for the rest, within a limit for the
// merchant and the address; beyond it the result is `busy`.
func (c *Client) LookUpCheckoutTransaction(ctx context.Context, token string, body LookUpCheckoutTransactionBody, options ...CallOption) (*CheckoutLookup, error) {
	var answer CheckoutLookup
	if err := c.call(ctx, "POST /v1/checkout/{token}/lookup", parts{path: map[string]string{"token": token}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// LookUpTransaction: look up the deposits of a transaction.
//
// Every deposit of yours in one transaction, with its deposit address. A transaction without any is an
// empty list. The key needs the scope `deposits:read`.
func (c *Client) LookUpTransaction(ctx context.Context, query LookUpTransactionQuery, options ...CallOption) (*Page[LookupRow], error) {
	var answer Page[LookupRow]
	if err := c.page(ctx, "GET /v1/lookup", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RecoverWebhookEndpoint: send an endpoint what it missed.
//
// The events from `from` to `to` that the endpoint subscribes to now and did not accept, oldest first,
// one every 50 ms beside new events. Also those from before it was created. At most 6 calls a minute,
// together with its test events. The key needs the scope `webhooks:write`.
func (c *Client) RecoverWebhookEndpoint(ctx context.Context, id string, body RecoverWebhookEndpointBody, options ...CallOption) (*SentAgain, error) {
	var answer SentAgain
	if err := c.call(ctx, "POST /v1/webhooks/endpoints/{id}/recover", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RequoteCheckout: lock a fresh rate for an order priced in fiat.
//
// While the last quote holds it stays; once it has lapsed there is a new one. Returns what a payer may
// see.
func (c *Client) RequoteCheckout(ctx context.Context, token string, options ...CallOption) (*Checkout, error) {
	var answer Checkout
	if err := c.call(ctx, "POST /v1/checkout/{token}/requote", parts{path: map[string]string{"token": token}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ResendWebhookDeliveries: send many deliveries once more.
//
// The matching deliveries of active endpoints, oldest first, one every 50 ms beside new events. By
// default these are the `FAILED` and `EXHAUSTED` ones of the last 30 days. Each goes out with the same
// bytes. At most 6 calls a minute. The key needs the scope `webhooks:write`.
func (c *Client) ResendWebhookDeliveries(ctx context.Context, body ResendWebhookDeliveriesBody, options ...CallOption) (*SentAgain, error) {
	var answer SentAgain
	if err := c.call(ctx, "POST /v1/webhooks/deliveries/resend", parts{body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ResendWebhookDelivery: send a delivery once more.
//
// One more attempt at once with the same bytes and the same endpoint, whatever the status of the
// delivery. At most 6 a minute for one endpoint, together with its test events. The key needs the
// scope `webhooks:write`.
func (c *Client) ResendWebhookDelivery(ctx context.Context, id string, options ...CallOption) (*WebhookDelivery, error) {
	var answer WebhookDelivery
	if err := c.call(ctx, "POST /v1/webhooks/deliveries/{id}/resend", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveAccount: see whose key this is.
//
// The merchant, the environment and the network of the key, and what it may do. Any key may call it.
func (c *Client) RetrieveAccount(ctx context.Context, options ...CallOption) (*Account, error) {
	var answer Account
	if err := c.call(ctx, "GET /v1/account", parts{}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveCheckout: retrieve what a payer may see.
//
// The content of the hosted page, not older than a second. No key: the token is the capability. Ask
// every few seconds at most, with the ETag of the last answer in If-None-Match; or open a websocket at
// this path with /live behind it, which sends `{ "type": "checkout", "data": … }` at once and after
// every change.
func (c *Client) RetrieveCheckout(ctx context.Context, token string, options ...CallOption) (*Checkout, error) {
	var answer Checkout
	if err := c.call(ctx, "GET /v1/checkout/{token}", parts{path: map[string]string{"token": token}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveDeposit: retrieve a deposit.
//
// One transfer to one of your addresses, with how final it is. The key needs the scope
// `deposits:read`.
func (c *Client) RetrieveDeposit(ctx context.Context, id string, options ...CallOption) (*Deposit, error) {
	var answer Deposit
	if err := c.call(ctx, "GET /v1/deposits/{id}", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveDepositAddress: retrieve a deposit address.
//
// One deposit address with the amounts that it has received so far. Prefer webhooks to polling. The
// key needs the scope `charges:read`.
func (c *Client) RetrieveDepositAddress(ctx context.Context, id string, options ...CallOption) (*DepositAddress, error) {
	var answer DepositAddress
	if err := c.call(ctx, "GET /v1/deposit-addresses/{id}", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveEvent: retrieve an event.
//
// One event, with the body of its webhook. The key needs the scope `webhooks:read`.
func (c *Client) RetrieveEvent(ctx context.Context, id string, options ...CallOption) (*EventRow, error) {
	var answer EventRow
	if err := c.call(ctx, "GET /v1/events/{id}", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrievePaymentLink: retrieve a payment link.
//
// One payment link, with how many of its orders are open and paid. The key needs the scope
// `charges:read`.
func (c *Client) RetrievePaymentLink(ctx context.Context, id string, options ...CallOption) (*PaymentLink, error) {
	var answer PaymentLink
	if err := c.call(ctx, "GET /v1/payment-links/{id}", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveRefund: retrieve a refund.
//
// One refund. `claim_url` is there for keys with `refunds:write` alone. The key needs the scope
// `refunds:read`.
func (c *Client) RetrieveRefund(ctx context.Context, id string, options ...CallOption) (*Refund, error) {
	var answer Refund
	if err := c.call(ctx, "GET /v1/refunds/{id}", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveRefundClaim: retrieve a refund as its payer sees it.
//
// No key: the token at the end of `claim_url` is the capability. Once the link took an address it
// shows that one.
func (c *Client) RetrieveRefundClaim(ctx context.Context, token string, options ...CallOption) (*RefundClaim, error) {
	var answer RefundClaim
	if err := c.call(ctx, "GET /v1/refund-claims/{token}", parts{path: map[string]string{"token": token}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveSettlement: retrieve a settlement.
//
// With its sweeps, their transactions on the chain, and what these have cost. The key needs the scope
// `settlements:read`.
func (c *Client) RetrieveSettlement(ctx context.Context, id string, options ...CallOption) (*SettlementDetail, error) {
	var answer SettlementDetail
	if err := c.call(ctx, "GET /v1/settlements/{id}", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveStatement: retrieve the statement of a month.
//
// A calendar month in your time zone; `is_closed` says whether it is over. `opening` + `confirmed` −
// `fees` − `settled` = `closing`, and the `amount` of all entries adds up to the same. `page` and
// `limit` choose entries. `format=csv` answers all of them as `text/csv`, between the opening and the
// closing balances; `bom=0` writes them for programs. The balances of a month that is not over are
// `so_far` in place of `closing`. `format=xlsx` has up to 100,000 entries, and `format=pdf` up to
// 5,000, for people. The key needs the scope `settlements:read`.
func (c *Client) RetrieveStatement(ctx context.Context, query RetrieveStatementQuery, options ...CallOption) (*Statement, error) {
	var answer Statement
	if err := c.call(ctx, "GET /v1/statements", parts{query: query}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveWebhookDelivery: retrieve a webhook delivery.
//
// One delivery with every attempt that was made. The key needs the scope `webhooks:read`.
func (c *Client) RetrieveWebhookDelivery(ctx context.Context, id string, options ...CallOption) (*WebhookDeliveryDetail, error) {
	var answer WebhookDeliveryDetail
	if err := c.call(ctx, "GET /v1/webhooks/deliveries/{id}", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveWebhookEndpoint: retrieve a webhook endpoint.
//
// One endpoint, without its secret. The key needs the scope `webhooks:read`.
func (c *Client) RetrieveWebhookEndpoint(ctx context.Context, id string, options ...CallOption) (*WebhookEndpoint, error) {
	var answer WebhookEndpoint
	if err := c.call(ctx, "GET /v1/webhooks/endpoints/{id}", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetrieveWebhookEndpointHealth: retrieve the health of a webhook endpoint.
//
// How its receiver answers: the last success, since when it fails, what waits, and the attempts of the
// last 24 hours without tests. The key needs the scope `webhooks:read`.
func (c *Client) RetrieveWebhookEndpointHealth(ctx context.Context, id string, options ...CallOption) (*WebhookEndpointHealth, error) {
	var answer WebhookEndpointHealth
	if err := c.call(ctx, "GET /v1/webhooks/endpoints/{id}/health", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RotateWebhookSecret: give a webhook endpoint a new secret.
//
// Makes a new secret, which is shown this once. For as long as the overlap lasts every delivery is
// signed with the secret before too, so that receivers can change over. A second rotation within it
// ends the oldest secret. The key needs the scope `webhooks:write`.
func (c *Client) RotateWebhookSecret(ctx context.Context, id string, body RotateWebhookSecretBody, options ...CallOption) (*RotatedWebhookEndpoint, error) {
	var answer RotatedWebhookEndpoint
	if err := c.call(ctx, "POST /v1/webhooks/endpoints/{id}/rotate-secret", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SendTestEvent: send a test event and wait for the answer.
//
// One signed `webhook.test`, one attempt, also to an endpoint that is disabled. At most 6 a minute for
// one endpoint, together with its resends. The key needs the scope `webhooks:write`.
func (c *Client) SendTestEvent(ctx context.Context, id string, options ...CallOption) (*WebhookTestResult, error) {
	var answer WebhookTestResult
	if err := c.call(ctx, "POST /v1/webhooks/endpoints/{id}/test", parts{path: map[string]string{"id": id}}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SimulateCheckoutPayment: play a test case: have the devnet pay a checkout.
//
// Only on the devnet network. Like simulatePayment, with a checkout token instead of a key: the page's
// test panel uses it.
func (c *Client) SimulateCheckoutPayment(ctx context.Context, token string, body SimulateCheckoutPaymentBody, options ...CallOption) (*SimulatedPayment, error) {
	var answer SimulatedPayment
	if err := c.call(ctx, "POST /v1/checkout/{token}/simulate", parts{path: map[string]string{"token": token}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SimulatePayment: play a test case: have the devnet pay a deposit address.
//
// Only on the devnet network. A real, signed payment on the local chain: the service reads it like any
// other. Moves no clock and mines no block. The key needs the scope `charges:write`.
func (c *Client) SimulatePayment(ctx context.Context, id string, body SimulatePaymentBody, options ...CallOption) (*SimulatedPayment, error) {
	var answer SimulatedPayment
	if err := c.call(ctx, "POST /v1/test/deposit-addresses/{id}/simulate", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SimulateRefund: play a test case of a refund: its payer, or its payment.
//
// Only on the devnet network. A real, signed payment on the local chain, which the service recognises
// like any other. The devnet's wallet becomes a paying wallet of yours by `pay`. The key needs the
// scope `refunds:write`.
func (c *Client) SimulateRefund(ctx context.Context, id string, body SimulateRefundBody, options ...CallOption) (*SimulatedRefund, error) {
	var answer SimulatedRefund
	if err := c.call(ctx, "POST /v1/test/refunds/{id}/simulate", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// UpdatePaymentLink: change or pause a payment link.
//
// A missing field stays as it is. A change never reaches an order that exists. `isActive: false`
// pauses the link. The key needs the scope `charges:write`.
func (c *Client) UpdatePaymentLink(ctx context.Context, id string, body UpdatePaymentLinkBody, options ...CallOption) (*PaymentLink, error) {
	var answer PaymentLink
	if err := c.call(ctx, "PATCH /v1/payment-links/{id}", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// UpdateWebhookEndpoint: update a webhook endpoint.
//
// Changes the given fields and leaves the others. While it is not active its events wait. The key
// needs the scope `webhooks:write`.
func (c *Client) UpdateWebhookEndpoint(ctx context.Context, id string, body UpdateWebhookEndpointBody, options ...CallOption) (*WebhookEndpoint, error) {
	var answer WebhookEndpoint
	if err := c.call(ctx, "PATCH /v1/webhooks/endpoints/{id}", parts{path: map[string]string{"id": id}, body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}
