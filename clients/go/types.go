// Code generated from clients/typescript/openapi.json by `npm run generate`. DO NOT EDIT.

package daric

import (
	"encoding/json"
	"time"
)

// Account: the merchant of a key, and the rights of the key.
type Account struct {
	// The coins that orders can be paid in.
	Currencies []string `json:"currencies"`
	// `live` for real money, `test` for a test network.
	Environment string `json:"environment"`
	// The party that pays the fee of new orders: `merchant`, or `client`.
	FeeMode string `json:"feeMode"`
	// The id of the merchant (UUID).
	MerchantID string `json:"merchantId"`
	// The merchant's name.
	Name string `json:"name"`
	// The network of the chain, as `mainnet`, `nile` or `devnet`.
	Network string `json:"network"`
	// The rights of the key, by their names.
	Scopes []string `json:"scopes"`
}

// Balance: your money in one currency, and where it is.
type Balance struct {
	// All money of yours that the chain confirmed, in units of `currency` (decimal string).
	Confirmed Decimal `json:"confirmed"`
	// The currency of every amount of the row.
	Currency string `json:"currency"`
	// The service fees of that money, in units of `currency` (decimal string).
	Fees Decimal `json:"fees"`
	// The amount that was sent to your wallet and is not final yet, in units of `currency` (decimal
	// string).
	InFlight Decimal `json:"in_flight"`
	// The amount that has reached your own wallets for good, in units of `currency` (decimal string).
	Settled Decimal `json:"settled"`
	// The rest that you are owed, in units of `currency` (decimal string).
	Waiting Decimal `json:"waiting"`
	// The money that you wait for, by the reason. Money on deposit addresses includes the fees that were
	// not taken out yet.
	WaitingFor []BalanceWaitingFor `json:"waiting_for"`
}

type BalanceWaitingFor struct {
	// The amount that waits for this reason, in units of `currency` (decimal string).
	Amount Decimal `json:"amount"`
	// `no_settlement_account`: you have no active wallet; ask your operator. `not_planned`: it is too
	// little or too new to be worth a transfer, your operator has not approved its wallet, or settlement
	// is off. `in_preparation`: a transfer is being made. `price`: the network is dear at the moment.
	// `frozen`: the transfer is refused; your operator decides. `network_cost`: the network took it when
	// your TRX was sent, mostly 1.1 TRX for the first TRX to a new wallet; no transfer brings it, and your
	// operator owes it to you.
	Reason string `json:"reason"`
}

// Checkout: the public view of a charge, for the holder of its token.
type Checkout struct {
	// The merchant, as the page shows it.
	Merchant CheckoutMerchant `json:"merchant"`
	// The order, as the page shows it.
	Order CheckoutOrder `json:"order"`
	// The address to pay to, and the time limit.
	Payment CheckoutPayment `json:"payment"`
	// The state for the payer, in one word. `paid` and `overpaid` are final money.
	State string `json:"state"`
	// The money received so far.
	Status CheckoutStatus `json:"status"`
}

// CheckoutLookup: the state of a transaction, as the payer of this checkout may know it.
type CheckoutLookup struct {
	// The last four characters of the address that was paid instead; null if the result is not
	// `other_address`.
	AddressEnd *string `json:"addressEnd"`
	// The amount that the transaction paid to this address, in units of `currency` (decimal string); null
	// if unknown.
	Amount *Decimal `json:"amount"`
	// Number of confirmations so far; null if the result is not `seen`.
	Confirmations *int64 `json:"confirmations"`
	// USDT or TRX; null if it paid neither to this address.
	Currency *string `json:"currency"`
	// Number of confirmations that are needed; null if the result is not `seen`.
	RequiredConfirmations *int64 `json:"requiredConfirmations"`
	// `counted`: its money is final and of this charge. `seen`: on its way to that. `failed`: it failed on
	// the chain and moved nothing. `other_address`: it went elsewhere. `other_token`: it came here, and is
	// no money of this charge. `not_on_tron`: a hash of another network (0x…). `not_found`: unknown so
	// far. `busy`: too many look-ups; our own blocks do not have it, and the nodes can be queried in
	// `retryAfterSeconds`.
	Result string `json:"result"`
	// The seconds to wait before you ask again; null if that would change nothing.
	RetryAfterSeconds *int64 `json:"retryAfterSeconds"`
}

// CheckoutMerchant: the merchant, as the page shows it.
type CheckoutMerchant struct {
	// The colour of the page: `#` and six hex digits in small letters.
	AccentColor string `json:"accentColor"`
	// The merchant's logo, served by this service; null for none.
	LogoURL *string `json:"logoUrl"`
	// The merchant's name.
	Name string `json:"name"`
}

// CheckoutOrder: the order, as the page shows it.
type CheckoutOrder struct {
	// The price of the order in units of `currency` (decimal string); null without an amount.
	Amount *Decimal `json:"amount"`
	// The page that the payer goes to after giving up or too late (http or https, at most 2048
	// characters); null for none.
	CancelURL *string `json:"cancelUrl"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency"`
	// The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it.
	FeeMode string `json:"feeMode"`
	// The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced
	// in fiat.
	FiatAmount *Decimal `json:"fiatAmount"`
	// The currency of the price; null for a price in the coin itself.
	FiatCurrency *string `json:"fiatCurrency"`
	// The exact amount that the payer must send, in units of `currency` (decimal string); null for any
	// amount.
	PayAmount *Decimal `json:"payAmount"`
	// The end of the lock of `quote_rate` (ISO 8601, UTC); null if not priced in fiat.
	QuoteExpiresAt *time.Time `json:"quoteExpiresAt"`
	// Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for
	// others; null if not priced in fiat.
	QuoteRate *Decimal `json:"quoteRate"`
	// Your own reference of the order; null if you gave none.
	Ref *string `json:"ref"`
	// The page that the payer goes to after payment (http or https, at most 2048 characters); null for
	// none.
	SuccessURL *string `json:"successUrl"`
}

// CheckoutPayment: the address to pay to, and the time limit.
type CheckoutPayment struct {
	// The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
	// Empty if its row MAC is not valid: contact your operator.
	Address string `json:"address"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// The end of the time to pay (ISO 8601, UTC); null for a receive address.
	ExpiresAt *time.Time `json:"expiresAt"`
}

// CheckoutStatus: the money received so far.
type CheckoutStatus struct {
	// The sum of all money seen, confirmed or not, in units of `currency` (decimal string).
	AmountReceived Decimal `json:"amountReceived"`
	// Number of blocks from the transfer's block to the newest one. It can pass the required number some
	// seconds before the deposit is final, and stops when it is.
	Confirmations int64 `json:"confirmations"`
	// The time at which it became final (ISO 8601, UTC); null until then.
	ConfirmedAt *time.Time `json:"confirmedAt"`
	// The status of the newest deposit; null before there is one. Only `CONFIRMED` is final.
	DepositStatus *string `json:"depositStatus"`
	// The credited money compared with the amount due: `none`, `under`, `exact` (within the tolerance) or
	// `over`.
	PaymentState string `json:"paymentState"`
	// Number of blocks needed before the deposit can be final. Only the status shows whether it is.
	RequiredConfirmations int64 `json:"requiredConfirmations"`
	// The id of the transaction on the chain: 64 hex characters in small letters.
	TxHash *string `json:"txHash"`
}

// CreatedDepositAddress: A deposit address as it was made.
type CreatedDepositAddress struct {
	// The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
	// Empty if its row MAC is not valid: contact your operator.
	Address string `json:"address"`
	// The amount to send, in units of `currency` (decimal string): `pay_amount`, or else
	// `expected_amount`. null means any amount, also for an order of 0.
	AmountDue *Decimal `json:"amount_due"`
	// The page that the payer goes to after giving up or too late (http or https, at most 2048
	// characters); null for none.
	CancelURL *string `json:"cancel_url"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// Unguessable text that opens the checkout of this deposit address, and nothing else.
	CheckoutToken string `json:"checkout_token"`
	// The page where the payer pays: send your customer here. null if the operator set no
	// `PUBLIC_BASE_URL`.
	CheckoutURL *string `json:"checkout_url"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency"`
	// Your own name of the customer of this standing address, at most 120 characters.
	CustomerRef *string `json:"customer_ref"`
	// The price of the order in units of `currency` (decimal string); null without an amount.
	ExpectedAmount *Decimal `json:"expected_amount"`
	// The end of the time to pay (ISO 8601, UTC); null for a receive address.
	ExpiresAt *time.Time `json:"expires_at"`
	// The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it.
	FeeMode string `json:"fee_mode"`
	// The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced
	// in fiat.
	FiatAmount *Decimal `json:"fiat_amount"`
	// The currency of the price; null for a price in the coin itself.
	FiatCurrency *string `json:"fiat_currency"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees
	// them.
	Metadata map[string]string `json:"metadata"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef *string `json:"order_ref"`
	// The amount that the payer must send, with the fee, in units of `currency` (decimal string); null if
	// the merchant pays the fee.
	PayAmount *Decimal `json:"pay_amount"`
	// The end of the lock of `quote_rate` (ISO 8601, UTC); null if not priced in fiat.
	QuoteExpiresAt *time.Time `json:"quote_expires_at"`
	// Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for
	// others; null if not priced in fiat.
	QuoteRate *Decimal `json:"quote_rate"`
	// The sources of the rate, joined by `+`; null if not priced in fiat.
	QuoteSource *string `json:"quote_source"`
	// `ACTIVE`: it waits for money from now on.
	Status string `json:"status"`
	// The page that the payer goes to after payment (http or https, at most 2048 characters); null for
	// none.
	SuccessURL *string `json:"success_url"`
}

// CreatedWebhookEndpoint: A new endpoint, with the secret that signs for it.
type CreatedWebhookEndpoint struct {
	// The time at which the row was created (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// A note of your own, at most 255 characters; null for none.
	Description *string `json:"description"`
	// The names of the events that this endpoint receives.
	EventTypes []string `json:"event_types"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// Whether events are sent. While it is `false` they wait, at most 3 days.
	IsActive bool `json:"is_active"`
	// The key that signs every event for this endpoint: `whsec_` and 64 hex characters. Shown only this
	// once.
	Secret string `json:"secret"`
	// `active` if events are sent, `disabled` while they wait.
	Status string `json:"status"`
	// The time of the last change of the row (ISO 8601, UTC).
	UpdatedAt time.Time `json:"updated_at"`
	// The http or https URL that receives the events, at most 2048 characters, without credentials.
	URL string `json:"url"`
}

// DeleteWebhookEndpointAnswer: the requested row; in lists the rows of one page.
type DeleteWebhookEndpointAnswer struct {
	// `true`: the endpoint and its secret are gone, and no event is sent there any more.
	Deleted bool `json:"deleted"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
}

// Deposit: one on-chain transfer to one of the merchant's addresses.
type Deposit struct {
	// The TRON address that received it (base58, 34 characters).
	Address string `json:"address"`
	// The amount sent, in units of `currency` (decimal string).
	Amount Decimal `json:"amount"`
	// The id of the block that holds the transfer: 64 hex characters.
	BlockHash string `json:"block_hash"`
	// Height of the block that holds the transfer: its position in the chain, counted from 0.
	BlockNumber int64 `json:"block_number"`
	// The time that the block itself states (ISO 8601, UTC). It decides whether a payment is late.
	BlockTime time.Time `json:"block_time"`
	// The value of the deposit in units of `book_currency`: `amount` × `book_rate`, rounded half up to its
	// smallest unit.
	BookAmount *Decimal `json:"book_amount"`
	// The currency of your books in which the deposit is valued. Null while its value is not known, as the
	// other `book_` fields.
	BookCurrency *string `json:"book_currency"`
	// Units of `book_currency` for 1 unit of `currency` at the time of the block.
	BookRate *string `json:"book_rate"`
	// The minute of `book_rate` (ISO 8601, UTC); of a rate with several parts the oldest.
	BookRateAt *time.Time `json:"book_rate_at"`
	// The sources of `book_rate`, with a plus between them; `import:` marks one that was imported.
	BookRateSources *string `json:"book_rate_sources"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// Number of blocks from the transfer's block to the newest one. It can pass the required number some
	// seconds before the deposit is final, and stops when it is.
	Confirmations int64 `json:"confirmations"`
	// The time at which it became final (ISO 8601, UTC); null until then.
	ConfirmedAt *time.Time `json:"confirmed_at"`
	// The time at which the row was created (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// The currency that was sent; `amount` is in it.
	Currency string `json:"currency"`
	// The id of the deposit address that was paid (UUID).
	DepositAddressID string `json:"deposit_address_id"`
	// The time at which it was first seen (ISO 8601, UTC).
	DetectedAt time.Time `json:"detected_at"`
	// Position of the transfer within its transaction, counted from 0.
	EventIndex int64 `json:"event_index"`
	// The time at which it failed for good (ISO 8601, UTC); otherwise null.
	FailedAt *time.Time `json:"failed_at"`
	// Why it never became money, in one word; null if it did not fail.
	FailureReason *string `json:"failure_reason"`
	// The TRON address that sent it (base58); null if the chain does not name it.
	FromAddress *string `json:"from_address"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// Whether the transfer's block is later than the end of the time to pay.
	Late bool `json:"late"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef *string `json:"order_ref"`
	// Number of blocks needed before the deposit can be final. Only the status shows whether it is.
	RequiredConfirmations int64 `json:"required_confirmations"`
	// How the chain moved it: `transfer` (TRX), `log` (a token's event) or `internal` (TRX from a
	// contract).
	Source string `json:"source"`
	// `CONFIRMED` is final money. `DETECTED` and `CONFIRMING` wait for blocks, `STUCK` waits unusually
	// long, `REORG_PENDING` lost its block, `FAILED` never became money.
	Status string `json:"status"`
	// Why it waits unusually long; null if it does not. `solidity`: few witnesses have built on its block.
	// `quorum`: the nodes do not agree. `balance`: the address does not hold it.
	StuckReason *string `json:"stuck_reason"`
	// The id of the transaction on the chain: 64 hex characters in small letters.
	TxHash string `json:"tx_hash"`
	// Whether it is in another currency than the deposit address asks for. Then no sum counts it.
	Unmatched bool `json:"unmatched"`
	// The time of the last change of the row (ISO 8601, UTC).
	UpdatedAt time.Time `json:"updated_at"`
}

// DepositAddress: an order, an open address or a standing receive address.
type DepositAddress struct {
	// Your reason for accepting it; null if it was not accepted or you gave none.
	AcceptReason *string `json:"accept_reason"`
	// The time at which you accepted it as paid (ISO 8601, UTC); otherwise null.
	AcceptedAt *time.Time `json:"accepted_at"`
	// The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
	// Empty if its row MAC is not valid: contact your operator.
	Address string `json:"address"`
	// The amount to send, in units of `currency` (decimal string): `pay_amount`, or else
	// `expected_amount`. null means any amount, also for an order of 0.
	AmountDue *Decimal `json:"amount_due"`
	// The sum of money that was seen and is not final yet, in units of `currency` (decimal string).
	AmountPending Decimal `json:"amount_pending"`
	// The sum of confirmed money, in units of `currency` (decimal string). The chain cannot take it back.
	AmountReceived Decimal `json:"amount_received"`
	// The page that the payer goes to after giving up or too late (http or https, at most 2048
	// characters); null for none.
	CancelURL *string `json:"cancel_url"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// Unguessable text that opens the checkout of this deposit address, and nothing else.
	CheckoutToken string `json:"checkout_token"`
	// The page where the payer pays: send your customer here. null if the operator set no
	// `PUBLIC_BASE_URL`.
	CheckoutURL *string `json:"checkout_url"`
	// The time at which the row was created (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency"`
	// The payer's e-mail address, the first that was given; null without one. Nothing proves that it is
	// the payer's. It is forgotten 90 days after the last change of the order.
	CustomerEmail *string `json:"customer_email"`
	// The newest other address that was typed on the page after the first; null without one. No mail goes
	// there.
	CustomerEmailLater *string `json:"customer_email_later"`
	// Where `customer_email` came from: `api` (you), `link` (the form of a payment link) or `page` (the
	// payment page); null without one.
	CustomerEmailSource *string `json:"customer_email_source"`
	// Your own name of the customer of this standing address, at most 120 characters.
	CustomerRef *string `json:"customer_ref"`
	// The price of the order in units of `currency` (decimal string); null without an amount.
	ExpectedAmount *Decimal `json:"expected_amount"`
	// The end of the time to pay (ISO 8601, UTC); null for a receive address.
	ExpiresAt *time.Time `json:"expires_at"`
	// The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it.
	FeeMode string `json:"fee_mode"`
	// The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced
	// in fiat.
	FiatAmount *Decimal `json:"fiat_amount"`
	// The currency of the price; null for a price in the coin itself.
	FiatCurrency *string `json:"fiat_currency"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// `order` has an amount, `open` takes any amount for a time, `receive` is a standing address.
	Kind string `json:"kind"`
	// A note of your own, at most 120 characters. The payer never sees it.
	Label *string `json:"label"`
	// Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees
	// them.
	Metadata map[string]string `json:"metadata"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef *string `json:"order_ref"`
	// Whether only money after its time and the late window paid it.
	PaidLate bool `json:"paid_late"`
	// The amount that the payer must send, with the fee, in units of `currency` (decimal string); null if
	// the merchant pays the fee.
	PayAmount *Decimal `json:"pay_amount"`
	// The texts that the payer typed at the payment link; null without any. They prove nothing.
	Payer *DepositAddressPayer `json:"payer"`
	// The `ref` in the address of the payment link; null without one. The payer's side typed it, so it
	// proves nothing.
	PayerRef *string `json:"payer_ref"`
	// The id of the payment link that the order was made by (UUID); otherwise null.
	PaymentLinkID *string `json:"payment_link_id"`
	// The credited money compared with the amount due: `none`, `under`, `exact` (within the tolerance) or
	// `over`.
	PaymentState string `json:"payment_state"`
	// The progress of the payment in one word. Only for orders, when retrieved and in lists with
	// `kind=order` or `paymentStatus`.
	PaymentStatus *string `json:"payment_status"`
	// The end of the lock of `quote_rate` (ISO 8601, UTC); null if not priced in fiat.
	QuoteExpiresAt *time.Time `json:"quote_expires_at"`
	// Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for
	// others; null if not priced in fiat.
	QuoteRate *Decimal `json:"quote_rate"`
	// The sources of the rate, joined by `+`; null if not priced in fiat.
	QuoteSource *string `json:"quote_source"`
	// The sum that completed refunds moved on the chain, in units of `currency` (decimal string). Refunds
	// of another coin are not in it.
	RefundedAmount Decimal `json:"refunded_amount"`
	// The id of the order that this one asks the missing money of (UUID); otherwise null.
	RestOf *string `json:"rest_of"`
	// The id of the settlement account that receives the money (UUID); null for the default account.
	SettlementAccountID *string `json:"settlement_account_id"`
	// `ACTIVE` waits for money, `EXPIRED` is past its time, `ARCHIVED` is paid or archived.
	Status string `json:"status"`
	// The page that the payer goes to after payment (http or https, at most 2048 characters); null for
	// none.
	SuccessURL *string `json:"success_url"`
	// The time of the last change of the row (ISO 8601, UTC).
	UpdatedAt time.Time `json:"updated_at"`
}

// DepositAddressPayer: the texts that the payer typed at the payment link; null without any. They
// prove nothing.
type DepositAddressPayer struct {
	// The name that the payer typed; null without one.
	Name *string `json:"name"`
	// The note that the payer typed; null without one.
	Note *string `json:"note"`
}

// DepositEvent: the body of an event of a deposit.
type DepositEvent struct {
	// The version of the contract that the body follows.
	ApiVersion string `json:"apiVersion"`
	// The time of the event (ISO 8601, UTC).
	CreatedAt time.Time `json:"createdAt"`
	// The deposit, and the facts of its deposit address.
	Data DepositEventData `json:"data"`
	// `live` for real money, `test` for the test environment.
	Environment string `json:"environment"`
	// The name of the event.
	Event string `json:"event"`
	// The id of the event (UUID). Delivery is at least once: drop an id that you have seen.
	ID string `json:"id"`
	// Number of the event among those of its deposit, order or refund, from 1: drop one older than you
	// have.
	Sequence int64 `json:"sequence"`
}

// DepositEventData: the deposit, and the facts of its deposit address.
type DepositEventData struct {
	// The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
	// Empty if its row MAC is not valid: contact your operator.
	Address string `json:"address"`
	// The amount of this deposit, in units of `currency` (decimal string).
	Amount Decimal `json:"amount"`
	// The sum of confirmed money, in units of `currency` (decimal string). The chain cannot take it back.
	AmountReceived Decimal `json:"amountReceived"`
	// The id of the block that holds the transfer: 64 hex characters.
	BlockHash string `json:"blockHash"`
	// Height of the block that holds the transfer: its position in the chain, counted from 0.
	BlockNumber int64 `json:"blockNumber"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// Number of blocks from the transfer's block to the newest one. It can pass the required number some
	// seconds before the deposit is final, and stops when it is.
	Confirmations int64 `json:"confirmations"`
	// The time at which it became final (ISO 8601, UTC); null until then.
	ConfirmedAt *time.Time `json:"confirmedAt"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency"`
	// The id of the deposit address that was paid (UUID).
	DepositAddressID string `json:"depositAddressId"`
	// The id of the deposit (UUID); `reference_id` of its deliveries.
	DepositID string `json:"depositId"`
	// The time at which it was first seen (ISO 8601, UTC).
	DetectedAt time.Time `json:"detectedAt"`
	// Credited money minus the amount due, in units of `currency` (decimal string, negative if short);
	// null if no amount is due. For a price in fiat each payment is credited by its own quote.
	Difference *Decimal `json:"difference"`
	// Position of the transfer within its transaction, counted from 0.
	EventIndex int64 `json:"eventIndex"`
	// The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it.
	FeeMode string `json:"feeMode"`
	// The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced
	// in fiat.
	FiatAmount *Decimal `json:"fiatAmount"`
	// The currency of the price; null for a price in the coin itself.
	FiatCurrency *string `json:"fiatCurrency"`
	// A note of your own, at most 120 characters. The payer never sees it.
	Label *string `json:"label"`
	// Whether the transfer's block is later than the end of the time to pay.
	Late bool `json:"late"`
	// Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees
	// them.
	Metadata map[string]string `json:"metadata"`
	// The price of the order in units of `currency` (decimal string); null without an amount.
	OrderAmount *Decimal `json:"orderAmount"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef *string `json:"orderRef"`
	// The amount that the payer must send, with the fee, in units of `currency` (decimal string); null if
	// the merchant pays the fee.
	PayAmount *Decimal `json:"payAmount"`
	// The `ref` in the address of the payment link; null without one. The payer's side typed it, so it
	// proves nothing.
	PayerRef *string `json:"payerRef"`
	// The id of the payment link that the order was made by (UUID); otherwise null.
	PaymentLinkID *string `json:"paymentLinkId"`
	// The credited money compared with the amount due: `none`, `under`, `exact` (within the tolerance) or
	// `over`.
	PaymentState string `json:"paymentState"`
	// The status before this event; null if there was none.
	PreviousStatus *string `json:"previousStatus"`
	// Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for
	// others; null if not priced in fiat.
	QuoteRate *Decimal `json:"quoteRate"`
	// Number of blocks needed before the deposit can be final. Only the status shows whether it is.
	RequiredConfirmations int64 `json:"requiredConfirmations"`
	// The status of the deposit after this event. Only `CONFIRMED` is final money.
	Status string `json:"status"`
	// The id of the transaction on the chain: 64 hex characters in small letters.
	TxHash string `json:"txHash"`
	// Whether it is in another currency than the deposit address asks for. Then no sum counts it.
	Unmatched bool `json:"unmatched"`
}

// EventRow: an event, with the fields of its webhook's body.
type EventRow struct {
	// The version of the contract that the body follows.
	ApiVersion string `json:"apiVersion"`
	// The time of the event (ISO 8601, UTC).
	CreatedAt time.Time `json:"createdAt"`
	// The content of the webhook of this name; null once it is not kept any more.
	Data json.RawMessage `json:"data"`
	// `live` for real money, `test` for the test environment.
	Environment string `json:"environment"`
	// The name of the event.
	Event string `json:"event"`
	// The id of the event (UUID), `id` in its webhook.
	ID string `json:"id"`
	// Number of the event among those of its deposit, order or refund, from 1: drop one older than you
	// have.
	Sequence int64 `json:"sequence"`
}

// LinkOrder: the order of a click, and where to pay it.
type LinkOrder struct {
	// The page where the payer pays: send your customer here. null if the operator set no
	// `PUBLIC_BASE_URL`.
	CheckoutURL *string `json:"checkout_url"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef *string `json:"order_ref"`
}

// LookupRow: one deposit that a transaction made, and what became of it.
type LookupRow struct {
	// The deposit of the transaction, in its current state.
	Deposit Deposit `json:"deposit"`
	// The deposit address that it paid, as far as it explains what happened to the money.
	DepositAddress PaidDepositAddress `json:"deposit_address"`
	// The effect of the transaction on the merchant: it paid one of its addresses.
	Kind string `json:"kind"`
}

// OrderEvent: the body of an event of an order.
type OrderEvent struct {
	// The version of the contract that the body follows.
	ApiVersion string `json:"apiVersion"`
	// The time of the event (ISO 8601, UTC).
	CreatedAt time.Time `json:"createdAt"`
	// The order with its confirmed sums.
	Data OrderEventData `json:"data"`
	// `live` for real money, `test` for the test environment.
	Environment string `json:"environment"`
	// The name of the event.
	Event string `json:"event"`
	// The id of the event (UUID). Delivery is at least once: drop an id that you have seen.
	ID string `json:"id"`
	// Number of the event among those of its deposit, order or refund, from 1: drop one older than you
	// have.
	Sequence int64 `json:"sequence"`
}

// OrderEventData: the order with its confirmed sums.
type OrderEventData struct {
	// The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
	// Empty if its row MAC is not valid: contact your operator.
	Address string `json:"address"`
	// The sum of confirmed money, in units of `currency` (decimal string). The chain cannot take it back.
	AmountReceived Decimal `json:"amountReceived"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency"`
	// The id of the deposit address that was paid (UUID).
	DepositAddressID string `json:"depositAddressId"`
	// The confirmed deposits of the order, first to last, at most 20 of them.
	Deposits []OrderEventDataDeposits `json:"deposits"`
	// Credited money minus the amount due, in units of `currency` (decimal string, negative if short);
	// null if no amount is due. For a price in fiat each payment is credited by its own quote.
	Difference *Decimal `json:"difference"`
	// The end of the time to pay (ISO 8601, UTC); null for a receive address.
	ExpiresAt *time.Time `json:"expiresAt"`
	// The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it.
	FeeMode string `json:"feeMode"`
	// The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced
	// in fiat.
	FiatAmount *Decimal `json:"fiatAmount"`
	// The currency of the price; null for a price in the coin itself.
	FiatCurrency *string `json:"fiatCurrency"`
	// A note of your own, at most 120 characters. The payer never sees it.
	Label *string `json:"label"`
	// Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees
	// them.
	Metadata map[string]string `json:"metadata"`
	// The price of the order in units of `currency` (decimal string); null without an amount.
	OrderAmount *Decimal `json:"orderAmount"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef *string `json:"orderRef"`
	// Whether another charge of this reference is paid. Do not cancel your order then. Absent from events
	// of earlier versions.
	OrderRefPaid *bool `json:"orderRefPaid"`
	// The time at which the confirmed deposits first added up to paid (ISO 8601, UTC); null until then.
	PaidAt *time.Time `json:"paidAt"`
	// Whether only money after its time and the late window paid it.
	PaidLate bool `json:"paidLate"`
	// The amount that the payer must send, with the fee, in units of `currency` (decimal string); null if
	// the merchant pays the fee.
	PayAmount *Decimal `json:"payAmount"`
	// The `ref` in the address of the payment link; null without one. The payer's side typed it, so it
	// proves nothing.
	PayerRef *string `json:"payerRef"`
	// The id of the payment link that the order was made by (UUID); otherwise null.
	PaymentLinkID *string `json:"paymentLinkId"`
	// The credited money compared with the amount due: `none`, `under`, `exact` (within the tolerance) or
	// `over`.
	PaymentState string `json:"paymentState"`
	// Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for
	// others; null if not priced in fiat.
	QuoteRate *Decimal `json:"quoteRate"`
	// Whether with this event the order of `restOf` is paid too: deliver that order. Absent from events of
	// earlier versions.
	RestCompletes *bool `json:"restCompletes"`
	// The id of the order that this one asks the missing money of (UUID); otherwise null.
	RestOf *string `json:"restOf"`
}

type OrderEventDataDeposits struct {
	// Money in units of `currency`, as a decimal string with at most 6 decimals, never a number.
	Amount Decimal `json:"amount"`
	// The time at which it became final (ISO 8601, UTC); null until then.
	ConfirmedAt time.Time `json:"confirmedAt"`
	// The id of the deposit (UUID); `reference_id` of its deliveries.
	DepositID string `json:"depositId"`
	// The id of the transaction on the chain: 64 hex characters in small letters.
	TxHash string `json:"txHash"`
}

// PaidDepositAddress: the address that a deposit was sent to, in its current state.
type PaidDepositAddress struct {
	// The amount to send, in units of `currency` (decimal string): `pay_amount`, or else
	// `expected_amount`. null means any amount, also for an order of 0.
	AmountDue *Decimal `json:"amount_due"`
	// The sum of confirmed money, in units of `currency` (decimal string). The chain cannot take it back.
	AmountReceived Decimal `json:"amount_received"`
	// The currency that it is to be paid in.
	Currency string `json:"currency"`
	// The customer of a receive address.
	CustomerRef *string `json:"customer_ref"`
	// The end of the time to pay (ISO 8601, UTC); null for a receive address.
	ExpiresAt *time.Time `json:"expires_at"`
	// The id to retrieve the deposit address by.
	ID string `json:"id"`
	// The kind of the address: an order, an open or a receive address.
	Kind string `json:"kind"`
	// The merchant's own reference of the order.
	OrderRef *string `json:"order_ref"`
	// All confirmed money of the address relative to the amount due.
	PaymentState string `json:"payment_state"`
	// Of an order; else null.
	PaymentStatus *string `json:"payment_status"`
	// Of a rest: the first order, which it completes.
	RestOf *string `json:"rest_of"`
	// Where the deposit address stands now.
	Status string `json:"status"`
}

// PaymentLink: A template of orders: its page makes one on each click.
type PaymentLink struct {
	// The fixed amount, in units of `currency`, or of `pricing_currency` (decimal string); null if the
	// payer chooses.
	Amount *Decimal `json:"amount"`
	// The questions of the page to the payer: `name`, which it then requires, and `note`.
	Ask []string `json:"ask"`
	// Where the page of an expired or cancelled order leads; null without one.
	CancelURL *string `json:"cancel_url"`
	// The time at which the row was created (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// The coin that the orders are paid in.
	Currency string `json:"currency"`
	// More about it, shown on the page; null without any.
	Description *string `json:"description"`
	// The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on.
	ExpiresAt *time.Time `json:"expires_at"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// The largest amount that the payer may choose, in units of `currency` or `pricing_currency` (decimal
	// string); null without a bound.
	MaxAmount *Decimal `json:"max_amount"`
	// The number of orders that may be paid; null without a limit. Open orders hold a place until they
	// expire.
	MaxPayments *int64 `json:"max_payments"`
	// Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees
	// them.
	Metadata map[string]string `json:"metadata"`
	// The least amount that the payer may choose, in units of `currency` or `pricing_currency` (decimal
	// string); null without a bound.
	MinAmount *Decimal `json:"min_amount"`
	// The beginning of each order's `order_ref`; null without any.
	OrderRefPrefix *string `json:"order_ref_prefix"`
	// The number of orders that wait for money. With `max_payments` also those that have expired with a
	// part of it: each holds a place.
	OrdersOpen int64 `json:"orders_open"`
	// The number of orders that are paid or accepted. Late money can make more of them than
	// `max_payments`.
	OrdersPaid int64 `json:"orders_paid"`
	// The currency of the amounts; null if they are in `currency`.
	PricingCurrency *string `json:"pricing_currency"`
	// The id of the settlement account that receives the money (UUID); null for the default account.
	SettlementAccountID *string `json:"settlement_account_id"`
	// `active`, `disabled` (paused, or closed by the operator), `sold_out` or `expired`. Only an active
	// link takes new orders.
	Status string `json:"status"`
	// Where the page of a paid order leads; null without one.
	SuccessURL *string `json:"success_url"`
	// The amounts that the page offers with one tap, in units of `currency` or `pricing_currency` (decimal
	// strings).
	SuggestedAmounts []Decimal `json:"suggested_amounts"`
	// The text on the page of a paid order; null without any.
	Thanks *string `json:"thanks"`
	// The name of the sold thing, shown on the page and as the `label` of its orders.
	Title string `json:"title"`
	// The unguessable end of `url`.
	Token string `json:"token"`
	// The time of the last change of the row (ISO 8601, UTC).
	UpdatedAt time.Time `json:"updated_at"`
	// The public page of the link; null where the operator has set no public address.
	URL *string `json:"url"`
}

// PricingCurrency: A currency that orders can be priced in.
type PricingCurrency struct {
	// Whether an order in it can be priced now: false also with fewer than three sources; null if it is
	// not known, since no request asked in the last minute.
	Available *bool `json:"available"`
	// The value of `pricingCurrency`, by ISO 4217.
	Code string `json:"code"`
	// The number of decimals that an amount in it may have.
	Decimals int64 `json:"decimals"`
	// Whether its exchange markets are closed, from Friday to Sunday 17:00 in New York.
	Resting bool `json:"resting"`
	// The sources that price it on this deployment.
	Sources []string `json:"sources"`
}

// Refund: money that a merchant promises back to a payer.
type Refund struct {
	// The TRON address that the refund goes to (base58); null until the payer names it, and if its row MAC
	// is not valid.
	Address *string `json:"address"`
	// The amount that goes back, in units of `currency` (decimal string).
	Amount Decimal `json:"amount"`
	// The time at which you canceled it (ISO 8601, UTC); otherwise null.
	CanceledAt *time.Time `json:"canceled_at"`
	// The time until which `claim_url` takes an address (ISO 8601, UTC).
	ClaimExpiresAt time.Time `json:"claim_expires_at"`
	// The page where the payer names the address: send it to the payer alone. Only in the answer about one
	// refund, for the scope `refunds:write`; otherwise null.
	ClaimURL *string `json:"claim_url"`
	// The time at which its transfer was final (ISO 8601, UTC); null until then.
	CompletedAt *time.Time `json:"completed_at"`
	// The coin that goes back; it may differ from that of the order.
	Currency string `json:"currency"`
	// The TRON address that sent most of a large surplus (base58): another one needs a confirmation with a
	// reason. null for any other refund.
	DefaultAddress *string `json:"default_address"`
	// The id of the deposit address whose money goes back (UUID).
	DepositAddressID string `json:"deposit_address_id"`
	// The part of the order's price in fiat that you asked to refund, exactly as you sent it (decimal
	// string); null without one.
	FiatAmount *Decimal `json:"fiat_amount"`
	// The id of the refund (UUID).
	ID string `json:"id"`
	// Why an owner or admin must confirm it; null if nothing is in doubt. `address`: a key or a person
	// sent the address. `paid_money`: the money paid the order. `other_address`: a large surplus is to go
	// to another address than its sender's. `order_changed`: money came, or the order was accepted, after
	// the request.
	NeedsConfirmation *string `json:"needs_confirmation"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef *string `json:"order_ref"`
	// The amount that the chain moved, in units of `currency` (decimal string); null until the refund is
	// `COMPLETED`.
	PaidAmount *Decimal `json:"paid_amount"`
	// The time until which address and amount stay as they are, since a person opened its payment (ISO
	// 8601, UTC); null if none did.
	PayUntil *time.Time `json:"pay_until"`
	// The last time at which it became `READY` (ISO 8601, UTC); null until then.
	ReadyAt *time.Time `json:"ready_at"`
	// Your reason for the refund, at most 500 characters; null if you gave none.
	Reason *string `json:"reason"`
	// Your own reference of the refund, at most 120 characters; null if you gave none.
	RefundRef *string `json:"refund_ref"`
	// The time of the request (ISO 8601, UTC).
	RequestedAt time.Time `json:"requested_at"`
	// The time at which its transfer was seen in a block (ISO 8601, UTC); null until then.
	SentAt *time.Time `json:"sent_at"`
	// `REQUESTED` waits for an address or a confirmation, `READY` for your payment. `SENT` is on the
	// chain, `COMPLETED` is final, and `CANCELED` is not to be paid.
	Status string `json:"status"`
	// The id of the transaction that paid it: 64 hex characters in small letters; null before one is seen.
	TxHash *string `json:"tx_hash"`
}

// RefundClaim: A refund, as its payer sees it.
type RefundClaim struct {
	// The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
	// Empty if its row MAC is not valid: contact your operator.
	Address *string `json:"address"`
	// Whether the address sent money of the order. It may be that of an exchange. null without an address.
	AddressPaidOrder *bool `json:"address_paid_order"`
	// Money in units of `currency`, as a decimal string with at most 6 decimals, never a number.
	Amount Decimal `json:"amount"`
	// The time until which `claim_url` takes an address (ISO 8601, UTC).
	ClaimExpiresAt time.Time `json:"claim_expires_at"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency"`
	// The TRON address that sent most of a large surplus (base58): another one needs a confirmation with a
	// reason. null for any other refund.
	DefaultAddress *string `json:"default_address"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef *string `json:"order_ref"`
	// The amount that the chain moved, in units of `currency` (decimal string); null until the refund is
	// `COMPLETED`.
	PaidAmount *Decimal `json:"paid_amount"`
	// The name of the shop.
	Shop string `json:"shop"`
	// The state of the row, one of those in the list. No state is skipped without an event.
	Status string `json:"status"`
	// Whether the link takes an address now. It takes one, once.
	TakesAddress bool `json:"takes_address"`
	// The id of the transaction on the chain: 64 hex characters in small letters.
	TxHash *string `json:"tx_hash"`
	// Whether the shop must confirm the refund before it is ready.
	WaitsForShop bool `json:"waits_for_shop"`
}

// RefundEvent: the body of an event of a refund.
type RefundEvent struct {
	// The version of the contract that the body follows.
	ApiVersion string `json:"apiVersion"`
	// The time of the event (ISO 8601, UTC).
	CreatedAt time.Time `json:"createdAt"`
	// The refund as it was at the event.
	Data RefundEventData `json:"data"`
	// `live` for real money, `test` for the test environment.
	Environment string `json:"environment"`
	// The name of the event.
	Event string `json:"event"`
	// The id of the event (UUID). Delivery is at least once: drop an id that you have seen.
	ID string `json:"id"`
	// Number of the event among those of its deposit, order or refund, from 1: drop one older than you
	// have.
	Sequence int64 `json:"sequence"`
}

// RefundEventData: the refund as it was at the event.
type RefundEventData struct {
	// The TRON address that the refund goes to (base58); null until the payer names it.
	Address *string `json:"address"`
	// The amount that goes back, in units of `currency` (decimal string).
	Amount Decimal `json:"amount"`
	// The time at which you canceled it (ISO 8601, UTC); otherwise null.
	CanceledAt *time.Time `json:"canceledAt"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// The time at which its transfer was final (ISO 8601, UTC); null until then.
	CompletedAt *time.Time `json:"completedAt"`
	// The coin that goes back; it may differ from that of the order.
	Currency string `json:"currency"`
	// The id of the deposit address whose money goes back (UUID).
	DepositAddressID string `json:"depositAddressId"`
	// The part of the order's price in fiat that you asked to refund, exactly as you sent it (decimal
	// string); null without one.
	FiatAmount *Decimal `json:"fiatAmount"`
	// Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees
	// them.
	Metadata map[string]string `json:"metadata"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef *string `json:"orderRef"`
	// The last time at which it became `READY` (ISO 8601, UTC); null until then.
	ReadyAt *time.Time `json:"readyAt"`
	// Your reason for the refund; null if you gave none.
	Reason *string `json:"reason"`
	// The id of the refund (UUID); `reference_id` of its deliveries.
	RefundID string `json:"refundId"`
	// The time of the request (ISO 8601, UTC).
	RequestedAt time.Time `json:"requestedAt"`
	// The time at which its transfer was seen in a block (ISO 8601, UTC); null until then.
	SentAt *time.Time `json:"sentAt"`
	// The status of the refund after this event. Only `COMPLETED` is final money, and only `CANCELED` may
	// still change to it.
	Status string `json:"status"`
	// The id of the transaction that paid it: 64 hex characters in small letters; null before one is seen.
	TxHash *string `json:"txHash"`
}

// RotatedWebhookEndpoint: an endpoint, with the new secret that signs for it.
type RotatedWebhookEndpoint struct {
	// The time at which the row was created (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// A note of your own, at most 255 characters; null for none.
	Description *string `json:"description"`
	// The names of the events that this endpoint receives.
	EventTypes []string `json:"event_types"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// Whether events are sent. While it is `false` they wait, at most 3 days.
	IsActive bool `json:"is_active"`
	// The time until which deliveries also carry the signature of the previous secret (ISO 8601, UTC);
	// null if they do not.
	PreviousSecretExpiresAt *time.Time `json:"previous_secret_expires_at"`
	// The key that signs every event for this endpoint: `whsec_` and 64 hex characters. Shown only this
	// once.
	Secret string `json:"secret"`
	// The state of the row, one of those in the list. No state is skipped without an event.
	Status string `json:"status"`
	// The time of the last change of the row (ISO 8601, UTC).
	UpdatedAt time.Time `json:"updated_at"`
	// The http or https URL that receives the events, at most 2048 characters, without credentials.
	URL string `json:"url"`
}

// SentAgain: the result of a resend of many deliveries.
type SentAgain struct {
	// Number of deliveries that are due now, the last of them after 50 ms for each.
	Deliveries int64 `json:"deliveries"`
}

// Settlement: transfers out of deposit addresses to one of your wallets, planned together.
type Settlement struct {
	// The TRON address of the wallet that is paid (base58).
	Address string `json:"address"`
	// The amount that has arrived at your wallet, in units of `currency` (decimal string).
	Amount Decimal `json:"amount"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// The time at which it was planned (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// The currency of `amount` and `fees_paid`.
	Currency string `json:"currency"`
	// The time at which it ended (ISO 8601, UTC); null while it is open.
	EndedAt *time.Time `json:"ended_at"`
	// The reason why the rest of it waits, in words; null without a rest.
	FailureReason *string `json:"failure_reason"`
	// The part of its fees that has arrived at the operator's wallet, in units of `currency` (decimal
	// string).
	FeesPaid Decimal `json:"fees_paid"`
	// The id of the settlement (UUID).
	ID string `json:"id"`
	// The network's fees for it, in units of TRX (decimal string). The operator bears it.
	NetworkCost Decimal `json:"network_cost"`
	// The id of the settlement account that is paid (UUID).
	SettlementAccountID string `json:"settlement_account_id"`
	// `OPEN` while transfers of it are made, `COMPLETED` once all of it has arrived, `FAILED` if part of
	// it could not be sent.
	Status string `json:"status"`
	// Number of its sweeps, in any status.
	SweepCount int64 `json:"sweep_count"`
}

// SettlementAccount: A wallet of yours that your money goes to.
type SettlementAccount struct {
	// The TRON address of your wallet (base58, 34 characters).
	Address string `json:"address"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// The time at which the row was created (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// Whether charges that name no settlement account use this one.
	IsDefault bool `json:"is_default"`
	// The operator's note of it, at most 120 characters; null for none.
	Label *string `json:"label"`
	// `active` takes new charges; `disabled` takes none.
	Status string `json:"status"`
	// The time of the last change of the row (ISO 8601, UTC).
	UpdatedAt time.Time `json:"updated_at"`
}

// SettlementDetail: A settlement with its sweeps and their transactions.
type SettlementDetail struct {
	// The TRON address of the wallet that is paid (base58).
	Address string `json:"address"`
	// The amount that has arrived at your wallet, in units of `currency` (decimal string).
	Amount Decimal `json:"amount"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// The time at which it was planned (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// The currency of `amount` and `fees_paid`.
	Currency string `json:"currency"`
	// The time at which it ended (ISO 8601, UTC); null while it is open.
	EndedAt *time.Time `json:"ended_at"`
	// The reason why the rest of it waits, in words; null without a rest.
	FailureReason *string `json:"failure_reason"`
	// The part of its fees that has arrived at the operator's wallet, in units of `currency` (decimal
	// string).
	FeesPaid Decimal `json:"fees_paid"`
	// The id of the settlement (UUID).
	ID string `json:"id"`
	// The network's fees for it, in units of TRX (decimal string). The operator bears it.
	NetworkCost Decimal `json:"network_cost"`
	// The id of the settlement account that is paid (UUID).
	SettlementAccountID string `json:"settlement_account_id"`
	// `OPEN` while transfers of it are made, `COMPLETED` once all of it has arrived, `FAILED` if part of
	// it could not be sent.
	Status string `json:"status"`
	// Number of its sweeps, in any status.
	SweepCount int64 `json:"sweep_count"`
	// Its transfers out of deposit addresses.
	Sweeps []Sweep `json:"sweeps"`
}

// SettlementEvent: the body of an event of a settlement.
type SettlementEvent struct {
	// The version of the contract that the body follows.
	ApiVersion string `json:"apiVersion"`
	// The time of the event (ISO 8601, UTC).
	CreatedAt time.Time `json:"createdAt"`
	// The settlement, and what of it has arrived.
	Data SettlementEventData `json:"data"`
	// `live` for real money, `test` for the test environment.
	Environment string `json:"environment"`
	// The name of the event.
	Event string `json:"event"`
	// The id of the event (UUID). Delivery is at least once: drop an id that you have seen.
	ID string `json:"id"`
	// Number of the event among those of its deposit, order or refund, from 1: drop one older than you
	// have.
	Sequence int64 `json:"sequence"`
}

// SettlementEventData: the settlement, and what of it has arrived.
type SettlementEventData struct {
	// The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
	// Empty if its row MAC is not valid: contact your operator.
	Address string `json:"address"`
	// Money in units of `currency`, as a decimal string with at most 6 decimals, never a number.
	Amount Decimal `json:"amount"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain"`
	// The time of the event (ISO 8601, UTC).
	CreatedAt time.Time `json:"createdAt"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency"`
	// The time at which it ended (ISO 8601, UTC); null while it is open.
	EndedAt time.Time `json:"endedAt"`
	// Why it never became money, in one word; null if it did not fail.
	FailureReason *string `json:"failureReason"`
	// The part of its fees that has arrived at the operator's wallet, in units of `currency` (decimal
	// string).
	FeesPaid Decimal `json:"feesPaid"`
	// The id of the settlement account that receives the money (UUID); null for the default account.
	SettlementAccountID string `json:"settlementAccountId"`
	// The id of the settlement (UUID).
	SettlementID string `json:"settlementId"`
	// Number of its sweeps, in any status.
	SweepCount int64 `json:"sweepCount"`
	// Its transfers that have arrived, at most 20.
	Transfers []SettlementEventDataTransfers `json:"transfers"`
}

type SettlementEventDataTransfers struct {
	// Money in units of `currency`, as a decimal string with at most 6 decimals, never a number.
	Amount Decimal `json:"amount"`
	// Whom it pays: the `merchant`, or the `operator` for its fees.
	Recipient string `json:"recipient"`
	// The id of the transaction on the chain: 64 hex characters in small letters.
	TxHash string `json:"txHash"`
}

// ShopConnection: the key and the webhook endpoint of a shop. No other answer has the key or the
// secret.
type ShopConnection struct {
	// The key of the shop, with `charges:read charges:write deposits:read webhooks:read refunds:read
	// refunds:write`. Shown only this once.
	ApiKey string `json:"apiKey"`
	// The id of the shop's webhook endpoint (UUID).
	EndpointID string `json:"endpointId"`
	// The id of the merchant whose shop it is (UUID).
	MerchantID string `json:"merchantId"`
	// The key that signs every event for the shop: `whsec_` and 64 hex characters. Shown only this once.
	WebhookSecret string `json:"webhookSecret"`
}

// SimulatedPayment: A test case that was played on the devnet.
type SimulatedPayment struct {
	// The paid TRON address in base58.
	Address string `json:"address"`
	// `exact`: the amount due. `under`: half of it. `over`: half as much again. `twice`: the amount due in
	// two transactions. `late`: the amount due, after the order has expired. `wrong_coin`: as many of the
	// other currency. `reorged`: the amount due, in a block that leaves the chain after it was read. If
	// nothing is due, the amount is 10.
	Case string `json:"case"`
	// The deposit address that was paid (UUID).
	DepositAddressID string `json:"deposit_address_id"`
	// The events that follow if nothing else is paid. An endpoint receives those that it subscribes to, in
	// any order.
	ExpectedEvents []string `json:"expected_events"`
	// true for `reorged`: the newest blocks of the whole devnet were replaced, with the payments of all
	// merchants in them.
	ForkedDevnet bool `json:"forked_devnet"`
	// The next steps in a sentence for people.
	Next string `json:"next"`
	// The payments, in the order in which they were sent.
	Payments []SimulatedPaymentPayments `json:"payments"`
}

// SimulatedPaymentPayments: one transfer on the devnet.
type SimulatedPaymentPayments struct {
	// The amount, in units of the payment's currency.
	Amount string `json:"amount"`
	// The currency sent: USDT or TRX.
	Currency string `json:"currency"`
	// Id of the transaction, 64 hex characters.
	TxHash string `json:"tx_hash"`
}

// SimulatedRefund: A case of a refund that was played on the devnet.
type SimulatedRefund struct {
	// The TRON address that the refund goes to (base58); null without one.
	Address *string `json:"address"`
	// `claim`: the payer names an address by the claim link. `pay`: the exact amount is paid to it.
	// `short`: the amount is short by the smallest part of the coin.
	Case string `json:"case"`
	// The events that follow. An endpoint receives those that it subscribes to.
	ExpectedEvents []string `json:"expected_events"`
	// The next steps in a sentence for people.
	Next string `json:"next"`
	// The payment that was sent; none for `claim`.
	Payments []SimulatedRefundPayments `json:"payments"`
	// The id of the refund (UUID); `reference_id` of its deliveries.
	RefundID string `json:"refund_id"`
	// The status of the refund afterwards.
	Status string `json:"status"`
}

// SimulatedRefundPayments: one transfer on the devnet.
type SimulatedRefundPayments struct {
	// The amount, in units of the payment's currency.
	Amount string `json:"amount"`
	// The currency sent: USDT or TRX.
	Currency string `json:"currency"`
	// Id of the transaction, 64 hex characters.
	TxHash string `json:"tx_hash"`
}

// Statement: A calendar month of your time zone: balances that foot, and a page of entries.
type Statement struct {
	// One row for each currency; `opening` + `confirmed` − `fees` − `settled` = `closing`.
	Balances []StatementBalance `json:"balances"`
	// One page of the month's entries, oldest first.
	Entries []StatementEntry `json:"entries"`
	// Number of entries of the month, on all pages together.
	EntryCount int64 `json:"entry_count"`
	// The first moment of the month (ISO 8601, UTC).
	From time.Time `json:"from"`
	// Whether the month is over, so that its entries do not change any more.
	IsClosed bool `json:"is_closed"`
	// The calendar month in the merchant's time zone, like `2026-11`.
	Month string `json:"month"`
	// The time zone of the merchant's days and months, by its name of the IANA.
	TimeZone string `json:"time_zone"`
	// The first moment of the next month (ISO 8601, UTC).
	To time.Time `json:"to"`
}

// StatementBalance: A month in one currency.
type StatementBalance struct {
	// The amount that you are owed at the end of the month, in units of `currency` (decimal string).
	Closing Decimal `json:"closing"`
	// The amount that was confirmed in the month, in units of `currency` (decimal string).
	Confirmed Decimal `json:"confirmed"`
	// The currency of every amount of the row.
	Currency string `json:"currency"`
	// The fees of the month, in units of `currency` (decimal string).
	Fees Decimal `json:"fees"`
	// The amount that you were owed when the month began, in units of `currency` (decimal string).
	Opening Decimal `json:"opening"`
	// The amount that reached your wallets in the month, in units of `currency` (decimal string).
	Settled Decimal `json:"settled"`
}

// StatementEntry: one change of what you are owed.
type StatementEntry struct {
	// The amount that it adds to your balance, in units of `currency` (decimal string); negative if it
	// takes from it.
	Amount Decimal `json:"amount"`
	// The time at which it was booked (ISO 8601, UTC).
	BookedAt time.Time `json:"booked_at"`
	// The currency of `amount`.
	Currency string `json:"currency"`
	// The id of the deposit address that it is about (UUID).
	DepositAddressID string `json:"deposit_address_id"`
	// The id of the deposit (UUID); null for a `sweep` and an `outflow`.
	DepositID *string `json:"deposit_id"`
	// `deposit` is confirmed money, `unmatched` is money in another currency than was asked for. `fee` and
	// `fixed_fee` are the service's; `fee_returned` is the share of a surplus that you refunded to its
	// sender. `sweep` was sent to your wallet, `outflow` was moved there by hand.
	Kind string `json:"kind"`
	// Your own reference of the order; null if you gave none.
	OrderRef *string `json:"order_ref"`
	// The id of the transaction on the chain: 64 hex characters in small letters.
	TxHash *string `json:"tx_hash"`
}

// Sweep: one transfer out of a deposit address.
type Sweep struct {
	// The TRON address that is swept (base58).
	Address string `json:"address"`
	// The amount that is sent, in units of the settlement's currency (decimal string).
	Amount Decimal `json:"amount"`
	// The id of the deposit address that is swept (UUID).
	DepositAddressID string `json:"deposit_address_id"`
	// The TRON address of the wallet that it pays (base58).
	Destination string `json:"destination"`
	// The id of the sweep (UUID).
	ID string `json:"id"`
	// Why it waits, is frozen or was given up, in words; null where nothing is to be said.
	Reason *string `json:"reason"`
	// Whom it pays: the `merchant`, or the `operator` for its fees.
	Recipient string `json:"recipient"`
	// How far it is. `SOLID` and `RECLAIMED` have arrived. `WAITING` waits for a price, `RETRY` is planned
	// again, `FROZEN` waits for the operator, `DROPPED` was given up before anything was sent.
	Status string `json:"status"`
	// Its transactions on the chain, in their order.
	Transactions []SweepTransaction `json:"transactions"`
}

// SweepTransaction: A transaction on the chain for one sweep.
type SweepTransaction struct {
	// Height of the block that holds it; null while none is known.
	BlockNumber *int64 `json:"block_number"`
	// The network's fee from its sender, in units of TRX (decimal string); null while it is not known.
	Fee *Decimal `json:"fee"`
	// `landed`, `failed` on the chain, `expired` without a block, or `refused` by the signer; null while
	// it is under way.
	Outcome *string `json:"outcome"`
	// `sweep` is the transfer itself. `top_up` sends TRX to the address before, `delegate` lends it
	// energy, `undelegate` takes that back.
	Purpose string `json:"purpose"`
	// The id of the transaction on the chain; null before it is signed.
	TxHash *string `json:"tx_hash"`
}

// TestEvent: the body of the event that a test sends.
type TestEvent struct {
	// The version of the contract that the body follows.
	ApiVersion string `json:"apiVersion"`
	// The time at which the test was requested (ISO 8601, UTC).
	CreatedAt time.Time `json:"createdAt"`
	// The content of a test; there is no payment behind it.
	Data TestEventData `json:"data"`
	// `live` for real money, `test` for the test environment.
	Environment string `json:"environment"`
	// The name of the event.
	Event string `json:"event"`
	// The id of the event (UUID).
	ID string `json:"id"`
	// Number of the event among those of its deposit, order or refund, from 1: drop one older than you
	// have.
	Sequence int64 `json:"sequence"`
}

// TestEventData: the content of a test; there is no payment behind it.
type TestEventData struct {
	// The id of the endpoint that it is sent to (UUID).
	EndpointID string `json:"endpointId"`
	// A sentence for people.
	Message string `json:"message"`
}

// WebhookAttempt: one attempt to deliver.
type WebhookAttempt struct {
	// The time at which the attempt began (ISO 8601, UTC).
	AttemptedAt time.Time `json:"attempted_at"`
	// How long the endpoint took to answer, in milliseconds.
	DurationMs int64 `json:"duration_ms"`
	// Why the attempt failed, in one word; null if the endpoint accepted it.
	Error *string `json:"error"`
	// Number of the attempt, counted from 1.
	Number int64 `json:"number"`
	// The beginning of the answer, at most 2 KiB; null without an answer.
	ResponseSnippet *string `json:"response_snippet"`
	// The HTTP status code of the answer; null without an answer.
	StatusCode *int64 `json:"status_code"`
	// The reason for the attempt: the schedule, a test, or a resend.
	Trigger string `json:"trigger"`
}

// WebhookDelivery: an event on its way to one endpoint.
type WebhookDelivery struct {
	// Number of attempts so far.
	AttemptCount int64 `json:"attempt_count"`
	// Number of attempts so far, the same as `attempt_count`.
	Attempts int64 `json:"attempts"`
	// The time at which the row was created (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// The id of the deposit address that the event speaks of, or that its deposit paid (UUID); null for a
	// test.
	DepositAddressID *string `json:"deposit_address_id"`
	// The id of the endpoint that it is sent to (UUID).
	EndpointID string `json:"endpoint_id"`
	// The URL of that endpoint as it is now; null once the endpoint is gone.
	EndpointURL *string `json:"endpoint_url"`
	// The id of the event, `id` in its body: the same in every attempt, so drop an id that you have seen.
	EventID string `json:"event_id"`
	// The name of the event, `event` in its body.
	EventType string `json:"event_type"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// Why the last attempt failed, in one word; null if it did not or there was none.
	LastError *string `json:"last_error"`
	// The HTTP status code of the last attempt; null without an answer.
	LastStatusCode *int64 `json:"last_status_code"`
	// The time of the next attempt (ISO 8601, UTC); null if there is none.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	// Your own reference of that deposit address; null if you gave none.
	OrderRef *string `json:"order_ref"`
	// The subject of the event (UUID): the deposit, for `order.*` the deposit address, for `refund.*` the
	// refund, for `settlement.*` the settlement; null for a test.
	ReferenceID *string `json:"reference_id"`
	// `DELIVERED` and `EXHAUSTED` are final; `FAILED` waits for its next attempt, `SENDING` is in
	// progress.
	Status string `json:"status"`
	// The time of the last change of the row (ISO 8601, UTC).
	UpdatedAt time.Time `json:"updated_at"`
}

// WebhookDeliveryDetail: A delivery with every attempt made of it.
type WebhookDeliveryDetail struct {
	// Number of attempts so far.
	AttemptCount int64 `json:"attempt_count"`
	// Every attempt, first to last.
	Attempts []WebhookAttempt `json:"attempts"`
	// The time at which the row was created (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// The id of the deposit address that the event speaks of, or that its deposit paid (UUID); null for a
	// test.
	DepositAddressID *string `json:"deposit_address_id"`
	// The id of the endpoint that it is sent to (UUID).
	EndpointID string `json:"endpoint_id"`
	// The URL of that endpoint as it is now; null once the endpoint is gone.
	EndpointURL *string `json:"endpoint_url"`
	// The id of the event, `id` in its body: the same in every attempt, so drop an id that you have seen.
	EventID string `json:"event_id"`
	// The name of the event, `event` in its body.
	EventType string `json:"event_type"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// Why the last attempt failed, in one word; null if it did not or there was none.
	LastError *string `json:"last_error"`
	// The HTTP status code of the last attempt; null without an answer.
	LastStatusCode *int64 `json:"last_status_code"`
	// The time of the next attempt (ISO 8601, UTC); null if there is none.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	// Your own reference of that deposit address; null if you gave none.
	OrderRef *string `json:"order_ref"`
	// The subject of the event (UUID): the deposit, for `order.*` the deposit address, for `refund.*` the
	// refund, for `settlement.*` the settlement; null for a test.
	ReferenceID *string `json:"reference_id"`
	// `DELIVERED` and `EXHAUSTED` are final; `FAILED` waits for its next attempt, `SENDING` is in
	// progress.
	Status string `json:"status"`
	// The time of the last change of the row (ISO 8601, UTC).
	UpdatedAt time.Time `json:"updated_at"`
}

// WebhookEndpoint: A receiver of a merchant's events.
type WebhookEndpoint struct {
	// The time at which the row was created (ISO 8601, UTC).
	CreatedAt time.Time `json:"created_at"`
	// A note of your own, at most 255 characters; null for none.
	Description *string `json:"description"`
	// The names of the events that this endpoint receives.
	EventTypes []string `json:"event_types"`
	// The id of the row (UUID); it never changes.
	ID string `json:"id"`
	// Whether events are sent. While it is `false` they wait, at most 3 days.
	IsActive bool `json:"is_active"`
	// `active` if events are sent, `disabled` while they wait.
	Status string `json:"status"`
	// The time of the last change of the row (ISO 8601, UTC).
	UpdatedAt time.Time `json:"updated_at"`
	// The http or https URL that receives the events, at most 2048 characters, without credentials.
	URL string `json:"url"`
}

// WebhookEndpointHealth: how the receiver of an endpoint answers.
type WebhookEndpointHealth struct {
	// Number of attempts in the last 24 hours, to the hour, without tests.
	Attempts int64 `json:"attempts"`
	// Number of failed attempts since its last success.
	FailedAttempts int64 `json:"failed_attempts"`
	// The time of the first failure after its last success (ISO 8601, UTC); null if the last attempt
	// succeeded or there is none.
	FailingSince *time.Time `json:"failing_since"`
	// Whether it gets one attempt a minute only, after five failures in a row, until one succeeds.
	IsSuspended bool `json:"is_suspended"`
	// The time of the last attempt that it accepted, to the minute (ISO 8601, UTC); null if there is none.
	LastSuccessAt *time.Time `json:"last_success_at"`
	// Since when the delivery is due that waits longest (ISO 8601, UTC); null if none is due. While it is
	// disabled, all wait.
	OldestDueAt *time.Time `json:"oldest_due_at"`
	// 95 % of these attempts took at most so many milliseconds, rounded up by at most 19 %; null without
	// an attempt.
	P95Ms *int64 `json:"p95_ms"`
	// Number of accepted attempts divided by that of all of them, from 0 to 1; null without an attempt.
	SuccessRate *float64 `json:"success_rate"`
}

// WebhookTestResult: the endpoint's answer to a test.
type WebhookTestResult struct {
	// How long the endpoint took to answer, in milliseconds.
	DurationMs int64 `json:"durationMs"`
	// Present if the endpoint is disabled: it gets only tests, and its events wait until it is enabled.
	EndpointStatus *string `json:"endpointStatus"`
	// Why it failed: a sentence that ends with the `last_error` of the delivery log; left out if the
	// endpoint accepted the test.
	Error *string `json:"error"`
	// Whether the endpoint answered with a 2xx status in time.
	Ok bool `json:"ok"`
	// The HTTP status code of the answer; none without an answer.
	StatusCode *int64 `json:"statusCode"`
}

// AcceptDepositAddressBody is the body of AcceptDepositAddress. A field that is left out is not sent.
type AcceptDepositAddressBody struct {
	// The reason to accept the received money as the full price. Only the merchant can read it.
	Reason string `json:"reason,omitempty"`
}

// AskForRefundBody is the body of AskForRefund. A field that is left out is not sent.
type AskForRefundBody struct {
	// Where the money goes, if the payer need not name it. It needs the scope `refunds:address`, and waits
	// for an owner or admin.
	Address string `json:"address,omitempty"`
	// Of the coin. Without it: what came too much, else all that is left.
	Amount Decimal `json:"amount,omitempty"`
	// `true` in a person's session: the order's `customer_email` is the payer's, although the payer's side
	// typed it. The claim link is mailed there.
	ConfirmEmail *bool `json:"confirmEmail,omitempty"`
	// The coin that goes back; by default that of the order. Name another one that came.
	Currency string `json:"currency,omitempty"`
	// A part of the order's price in fiat: the same part of the coins that paid it, never today's rate.
	FiatAmount Decimal `json:"fiatAmount,omitempty"`
	// Shown to your people, and in events.
	Reason string `json:"reason,omitempty"`
	// Your own reference: the same one on the same order answers the same refund.
	RefundRef string `json:"refundRef"`
}

// AskForRefundAddressAgainBody is the body of AskForRefundAddressAgain. A field that is left out is
// not sent.
type AskForRefundAddressAgainBody struct {
	// `true` in a person's session: the order's `customer_email` is the payer's, although the payer's side
	// typed it. The claim link is mailed there.
	ConfirmEmail *bool `json:"confirmEmail,omitempty"`
}

// ClaimRefundBody is the body of ClaimRefund. A field that is left out is not sent.
type ClaimRefundBody struct {
	// The payer's own TRON address, which is to get the money. The link takes one, once.
	Address string `json:"address"`
}

// ConnectShopBody is the body of ConnectShop. A field that is left out is not sent.
type ConnectShopBody struct {
	// The code that the dashboard shows. Small letters, blanks and missing hyphens do no harm.
	Code string `json:"code"`
	// The address of the shop, at most 120 characters. Its key has this name, and its endpoint this
	// description.
	Site string `json:"site"`
	// The http or https URL of the shop that receives the events, at most 2048 characters.
	WebhookURL string `json:"webhookUrl"`
}

// CreateDepositAddressBody is the body of CreateDepositAddress. A field that is left out is not sent.
type CreateDepositAddressBody struct {
	// The price of the order: units of `currency`, or of `pricingCurrency` with no more decimals than it
	// has. Leave it out for an open or a receive address.
	Amount Decimal `json:"amount,omitempty"`
	// Ignored: the key of the request counts.
	ApiKeyID string `json:"apiKeyId,omitempty"`
	// The page that the payer goes to after giving up or too late (http or https, at most 2048
	// characters); null for none.
	CancelURL string `json:"cancelUrl,omitempty"`
	// The chain of the address: always `tron`.
	Chain string `json:"chain,omitempty"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency,omitempty"`
	// The payer's e-mail address, for the receipt and what the payer has to know. The first address of an
	// order counts. It is encrypted, kept 90 days after the last change of the order, and never in
	// webhooks.
	CustomerEmail string `json:"customerEmail,omitempty"`
	// With `reusable`: your own reference of the customer. Each customer has one standing address, found
	// or created.
	CustomerRef string `json:"customerRef,omitempty"`
	// A note of your own, at most 120 characters. The payer never sees it.
	Label string `json:"label,omitempty"`
	// Text of your own by name, which only you can read. At most 20 keys of 1 to 40 characters. Values
	// have at most 500 characters, and all together at most 2048 bytes, as JSON without blanks in UTF-8.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.
	OrderRef string `json:"orderRef,omitempty"`
	// The currency of `amount`, to convert at the current rate; leave it out for a price in the coin. `GET
	// /v1/currencies` lists those that can be priced.
	PricingCurrency string `json:"pricingCurrency,omitempty"`
	// `true` finds or creates a standing address that never expires. Not together with `amount`.
	Reusable *bool `json:"reusable,omitempty"`
	// The id of the settlement account that receives the money (UUID); null for the default account.
	SettlementAccountID string `json:"settlementAccountId,omitempty"`
	// The page that the payer goes to after payment (http or https, at most 2048 characters); null for
	// none.
	SuccessURL string `json:"successUrl,omitempty"`
}

// CreateLinkOrderBody is the body of CreateLinkOrder. A field that is left out is not sent.
type CreateLinkOrderBody struct {
	// Money in units of `currency`, as a decimal string with at most 6 decimals, never a number.
	Amount Decimal `json:"amount,omitempty"`
	// A random text of your own for this click: sent again, it answers the same order.
	Attempt string `json:"attempt,omitempty"`
	// The payer's e-mail address, where the link asks for it and the service has a mail server; else it is
	// not kept.
	Email string `json:"email,omitempty"`
	// The payer's name, where the link asks for it.
	Name string `json:"name,omitempty"`
	// The payer's note, where the link asks for one.
	Note string `json:"note,omitempty"`
	// The `ref` in the address of the payment link.
	Ref string `json:"ref,omitempty"`
}

// CreatePaymentLinkBody is the body of CreatePaymentLink. A field that is left out is not sent.
type CreatePaymentLinkBody struct {
	// The fixed amount, in units of `currency`, or of `pricing_currency` (decimal string); null if the
	// payer chooses.
	Amount Decimal `json:"amount,omitempty"`
	// The questions of the page to the payer: `name`, which it then requires, and `note`.
	Ask []string `json:"ask,omitempty"`
	// Where the page of an expired or cancelled order leads; null without one.
	CancelURL string `json:"cancelUrl,omitempty"`
	// The coin that the orders are paid in.
	Currency string `json:"currency,omitempty"`
	// More about it, shown on the page; null without any.
	Description string `json:"description,omitempty"`
	// The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on.
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
	// The largest amount, where the payer chooses it.
	MaxAmount Decimal `json:"maxAmount,omitempty"`
	// The number of orders that may be paid; null without a limit. An order of a limited link lives 15
	// minutes.
	MaxPayments *int64 `json:"maxPayments,omitempty"`
	// Text of your own by name, which only you can read. At most 20 keys of 1 to 40 characters. Values
	// have at most 500 characters, and all together at most 2048 bytes, as JSON without blanks in UTF-8.
	Metadata map[string]string `json:"metadata,omitempty"`
	// The least amount, where the payer chooses it.
	MinAmount Decimal `json:"minAmount,omitempty"`
	// The beginning of each order's `order_ref`; 8 random characters follow.
	OrderRefPrefix string `json:"orderRefPrefix,omitempty"`
	// The currency of `amount`, to convert at the current rate; leave it out for a price in the coin. `GET
	// /v1/currencies` lists those that can be priced.
	PricingCurrency string `json:"pricingCurrency,omitempty"`
	// The id of the settlement account that receives the money (UUID); null for the default account.
	SettlementAccountID string `json:"settlementAccountId,omitempty"`
	// Where the page of a paid order leads; null without one.
	SuccessURL string `json:"successUrl,omitempty"`
	// The amounts that the page offers with one tap, in units of `currency` or `pricing_currency` (decimal
	// strings).
	SuggestedAmounts []Decimal `json:"suggestedAmounts,omitempty"`
	// Shown on the page of an order that is paid.
	Thanks string `json:"thanks,omitempty"`
	// The name of the sold thing, shown on the page and as the `label` of its orders.
	Title string `json:"title"`
}

// CreateWebhookEndpointBody is the body of CreateWebhookEndpoint. A field that is left out is not
// sent.
type CreateWebhookEndpointBody struct {
	// A note of your own, at most 255 characters; null for none.
	Description string `json:"description,omitempty"`
	// Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched,
	// deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid,
	// order.expired, order.paid_late, order.accepted, settlement.completed, settlement.failed,
	// refund.requested, refund.ready, refund.completed, refund.canceled, webhook.test.
	EventTypes []string `json:"eventTypes,omitempty"`
	// The http or https URL that receives the events, at most 2048 characters, without credentials.
	URL string `json:"url"`
}

// DownloadReceiptQuery is the query of DownloadReceipt. A field that is left out is not sent.
type DownloadReceiptQuery struct {
	// The language of the receipt.
	Language string `json:"language,omitempty"`
}

// DownloadStatementQuery is the query of DownloadStatement. A field that is left out is not sent.
type DownloadStatementQuery struct {
	// The calendar month in the merchant's time zone, like `2026-11`.
	Month string `json:"month"`
	// The format of the file.
	Format string `json:"format"`
	// The language of the PDF.
	Language string `json:"language,omitempty"`
	// `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
	// as they were typed: formulas too. Otherwise it is for spreadsheets.
	Bom string `json:"bom,omitempty"`
	// The mark between the columns of CSV.
	Separator string `json:"separator,omitempty"`
	// The decimal mark of CSV.
	Decimal string `json:"decimal,omitempty"`
}

// ExportFeesQuery is the query of ExportFees. A field that is left out is not sent.
type ExportFeesQuery struct {
	// The kind of file. XLSX is for spreadsheets, JSON for programs.
	Format string `json:"format,omitempty"`
	// `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
	// as they were typed: formulas too. Otherwise it is for spreadsheets.
	Bom string `json:"bom,omitempty"`
	// The mark between the columns of CSV.
	Separator string `json:"separator,omitempty"`
	// The decimal mark of CSV.
	Decimal string `json:"decimal,omitempty"`
	// Only rows created at this time or later (ISO 8601 with an offset).
	From *time.Time `json:"from,omitempty"`
	// Only rows created before this time (ISO 8601 with an offset).
	To *time.Time `json:"to,omitempty"`
}

// ExportJournalQuery is the query of ExportJournal. A field that is left out is not sent.
type ExportJournalQuery struct {
	// The kind of file. XLSX is for spreadsheets, JSON for programs.
	Format string `json:"format,omitempty"`
	// `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
	// as they were typed: formulas too. Otherwise it is for spreadsheets.
	Bom string `json:"bom,omitempty"`
	// The mark between the columns of CSV.
	Separator string `json:"separator,omitempty"`
	// The decimal mark of CSV.
	Decimal string `json:"decimal,omitempty"`
	// Only rows created at this time or later (ISO 8601 with an offset).
	From *time.Time `json:"from,omitempty"`
	// Only rows created before this time (ISO 8601 with an offset).
	To *time.Time `json:"to,omitempty"`
}

// ExportPaymentsQuery is the query of ExportPayments. A field that is left out is not sent.
type ExportPaymentsQuery struct {
	// The kind of file. XLSX is for spreadsheets, JSON for programs.
	Format string `json:"format,omitempty"`
	// `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
	// as they were typed: formulas too. Otherwise it is for spreadsheets.
	Bom string `json:"bom,omitempty"`
	// The mark between the columns of CSV.
	Separator string `json:"separator,omitempty"`
	// The decimal mark of CSV.
	Decimal string `json:"decimal,omitempty"`
	// Only rows created at this time or later (ISO 8601 with an offset).
	From *time.Time `json:"from,omitempty"`
	// Only rows created before this time (ISO 8601 with an offset).
	To *time.Time `json:"to,omitempty"`
	// `order` has an amount, `open` takes any amount for a time, `receive` is a standing address.
	Kind string `json:"kind,omitempty"`
	// The state of the row, one of those in the list. No state is skipped without an event.
	Status string `json:"status,omitempty"`
	// `paid`: only orders that are paid or accepted. `short`: only those with some confirmed money that
	// are neither.
	Payment string `json:"payment,omitempty"`
	// How `order_ref` begins, letter by letter.
	Reference string `json:"reference,omitempty"`
	// Only orders made by this payment link, by its id (UUID).
	PaymentLinkID string `json:"paymentLinkId,omitempty"`
	// Only orders whose link was opened with this `ref`.
	PayerRef string `json:"payerRef,omitempty"`
}

// ExportRefundsQuery is the query of ExportRefunds. A field that is left out is not sent.
type ExportRefundsQuery struct {
	// The kind of file. XLSX is for spreadsheets, JSON for programs.
	Format string `json:"format,omitempty"`
	// `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
	// as they were typed: formulas too. Otherwise it is for spreadsheets.
	Bom string `json:"bom,omitempty"`
	// The mark between the columns of CSV.
	Separator string `json:"separator,omitempty"`
	// The decimal mark of CSV.
	Decimal string `json:"decimal,omitempty"`
	// Only rows created at this time or later (ISO 8601 with an offset).
	From *time.Time `json:"from,omitempty"`
	// Only rows created before this time (ISO 8601 with an offset).
	To *time.Time `json:"to,omitempty"`
	// The state of the row, one of those in the list. No state is skipped without an event.
	Status string `json:"status,omitempty"`
	// The id of the deposit address that was paid (UUID).
	DepositAddressID string `json:"depositAddressId,omitempty"`
}

// ExportSettlementsQuery is the query of ExportSettlements. A field that is left out is not sent.
type ExportSettlementsQuery struct {
	// The kind of file. XLSX is for spreadsheets, JSON for programs.
	Format string `json:"format,omitempty"`
	// `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
	// as they were typed: formulas too. Otherwise it is for spreadsheets.
	Bom string `json:"bom,omitempty"`
	// The mark between the columns of CSV.
	Separator string `json:"separator,omitempty"`
	// The decimal mark of CSV.
	Decimal string `json:"decimal,omitempty"`
	// Only rows created at this time or later (ISO 8601 with an offset).
	From *time.Time `json:"from,omitempty"`
	// Only rows created before this time (ISO 8601 with an offset).
	To *time.Time `json:"to,omitempty"`
	// The state of the row, one of those in the list. No state is skipped without an event.
	Status string `json:"status,omitempty"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency,omitempty"`
}

// ExtendDepositAddressBody is the body of ExtendDepositAddress. A field that is left out is not sent.
type ExtendDepositAddressBody struct {
	// By how many seconds `expires_at` and the end of the late window move. `expires_at` ends at most 90
	// days behind `created_at`.
	Seconds int64 `json:"seconds"`
}

// ListDepositAddressesQuery is the query of ListDepositAddresses. A field that is left out is not
// sent.
type ListDepositAddressesQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
	// from the last row of a page costs the same at any depth, and no row is skipped or repeated.
	After string `json:"after,omitempty"`
	// Only rows in this status.
	Status string `json:"status,omitempty"`
	// Only rows of this chain.
	Chain string `json:"chain,omitempty"`
	// Only `order` (with an amount), `open` (any amount, for a time) or `receive` (standing); `order` adds
	// `payment_status`.
	Kind string `json:"kind,omitempty"`
	// Only rows with exactly this reference of yours: look here before you create.
	OrderRef string `json:"orderRef,omitempty"`
	// Your own name of the customer of this standing address, at most 120 characters.
	CustomerRef string `json:"customerRef,omitempty"`
	// The id of the payment link that the order was made by (UUID); otherwise null.
	PaymentLinkID string `json:"paymentLinkId,omitempty"`
	// The `ref` in the address of the payment link; null without one. The payer's side typed it, so it
	// proves nothing.
	PayerRef string `json:"payerRef,omitempty"`
	// Only orders whose `payment_status` is this one now; rows then have it.
	PaymentStatus string `json:"paymentStatus,omitempty"`
	// Only rows created at this time or later (ISO 8601 with an offset).
	From *time.Time `json:"from,omitempty"`
	// Only rows created before this time (ISO 8601 with an offset).
	To *time.Time `json:"to,omitempty"`
}

// ListDepositsQuery is the query of ListDeposits. A field that is left out is not sent.
type ListDepositsQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
	// from the last row of a page costs the same at any depth, and no row is skipped or repeated.
	After string `json:"after,omitempty"`
	// Only deposits in this status.
	Status string `json:"status,omitempty"`
	// Only deposits of this currency.
	Currency string `json:"currency,omitempty"`
	// Only deposits to the deposit address with this id (UUID).
	DepositAddressID string `json:"depositAddressId,omitempty"`
	// Only deposits to deposit addresses with exactly this reference of yours.
	OrderRef string `json:"orderRef,omitempty"`
	// The id of the payment link that the order was made by (UUID); otherwise null.
	PaymentLinkID string `json:"paymentLinkId,omitempty"`
	// The `ref` in the address of the payment link; null without one. The payer's side typed it, so it
	// proves nothing.
	PayerRef string `json:"payerRef,omitempty"`
	// The transaction's id on the chain: 64 hex characters, in any case; or an explorer's link that holds
	// it.
	TxHash string `json:"txHash,omitempty"`
	// Only rows created at this time or later (ISO 8601 with an offset).
	From *time.Time `json:"from,omitempty"`
	// Only rows created before this time (ISO 8601 with an offset).
	To *time.Time `json:"to,omitempty"`
}

// ListEventsQuery is the query of ListEvents. A field that is left out is not sent.
type ListEventsQuery struct {
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The id of an event: the page begins with the event after it. `newest` answers an empty page, to read
	// on from now. Left out, the page begins with your first event.
	After string `json:"after,omitempty"`
	// Only events with these names, with commas between.
	Types string `json:"types,omitempty"`
}

// ListPaymentLinksQuery is the query of ListPaymentLinks. A field that is left out is not sent.
type ListPaymentLinksQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
	// from the last row of a page costs the same at any depth, and no row is skipped or repeated.
	After string `json:"after,omitempty"`
	// The state of the row, one of those in the list. No state is skipped without an event.
	Status string `json:"status,omitempty"`
}

// ListRefundsQuery is the query of ListRefunds. A field that is left out is not sent.
type ListRefundsQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
	// from the last row of a page costs the same at any depth, and no row is skipped or repeated.
	After string `json:"after,omitempty"`
	// Only refunds in this status.
	Status string `json:"status,omitempty"`
	// Only refunds of the deposit address with this id (UUID).
	DepositAddressID string `json:"depositAddressId,omitempty"`
}

// ListSettlementAccountsQuery is the query of ListSettlementAccounts. A field that is left out is not
// sent.
type ListSettlementAccountsQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
}

// ListSettlementsQuery is the query of ListSettlements. A field that is left out is not sent.
type ListSettlementsQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
	// from the last row of a page costs the same at any depth, and no row is skipped or repeated.
	After string `json:"after,omitempty"`
	// The state of the row, one of those in the list. No state is skipped without an event.
	Status string `json:"status,omitempty"`
	// The currency that the payer sends. Every amount of the row is in it.
	Currency string `json:"currency,omitempty"`
}

// ListWebhookDeliveriesQuery is the query of ListWebhookDeliveries. A field that is left out is not
// sent.
type ListWebhookDeliveriesQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
	// from the last row of a page costs the same at any depth, and no row is skipped or repeated.
	After string `json:"after,omitempty"`
	// Only deliveries in this status.
	Status string `json:"status,omitempty"`
	// Only deliveries about the deposit, deposit address or refund with this id (UUID).
	ReferenceID string `json:"referenceId,omitempty"`
	// Only deliveries to the endpoint with this id (UUID).
	EndpointID string `json:"endpointId,omitempty"`
	// Only deliveries about deposit addresses with exactly this reference of yours, and about their
	// deposits.
	OrderRef string `json:"orderRef,omitempty"`
}

// ListWebhookEndpointsQuery is the query of ListWebhookEndpoints. A field that is left out is not
// sent.
type ListWebhookEndpointsQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
	// from the last row of a page costs the same at any depth, and no row is skipped or repeated.
	After string `json:"after,omitempty"`
	// Only endpoints in this status.
	Status string `json:"status,omitempty"`
}

// LookUpCheckoutTransactionBody is the body of LookUpCheckoutTransaction. A field that is left out is
// not sent.
type LookUpCheckoutTransactionBody struct {
	// The id of the transaction on the chain: 64 hex characters in small letters.
	TxHash string `json:"txHash"`
}

// LookUpTransactionQuery is the query of LookUpTransaction. A field that is left out is not sent.
type LookUpTransactionQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The transaction's id on the chain: 64 hex characters, in any case; or an explorer's link that holds
	// it.
	TxHash string `json:"txHash"`
}

// RecoverWebhookEndpointBody is the body of RecoverWebhookEndpoint. A field that is left out is not
// sent.
type RecoverWebhookEndpointBody struct {
	// The first moment (ISO 8601 with an offset), at most 30 days before `to`.
	From time.Time `json:"from"`
	// The moment after the last one (ISO 8601 with an offset); now where it is not given.
	To *time.Time `json:"to,omitempty"`
}

// ResendWebhookDeliveriesBody is the body of ResendWebhookDeliveries. A field that is left out is not
// sent.
type ResendWebhookDeliveriesBody struct {
	// Only deliveries to the endpoint with this id (UUID).
	EndpointID string `json:"endpointId,omitempty"`
	// Only deliveries of events with these names.
	EventTypes []string `json:"eventTypes,omitempty"`
	// The first moment (ISO 8601 with an offset), at most 30 days before `to`.
	From *time.Time `json:"from,omitempty"`
	// Only deliveries about the deposit, deposit address or refund with this id (UUID).
	ReferenceID string `json:"referenceId,omitempty"`
	// Only deliveries in this status; `FAILED` and `EXHAUSTED` where it is not given.
	Status string `json:"status,omitempty"`
	// The moment after the last one (ISO 8601 with an offset); now where it is not given.
	To *time.Time `json:"to,omitempty"`
}

// RetrieveStatementQuery is the query of RetrieveStatement. A field that is left out is not sent.
type RetrieveStatementQuery struct {
	// Number of the page, counted from 1.
	Page int64 `json:"page,omitempty"`
	// Number of rows on a page.
	Limit int64 `json:"limit,omitempty"`
	// The calendar month in the merchant's time zone, like `2026-11`.
	Month string `json:"month"`
}

// RotateWebhookSecretBody is the body of RotateWebhookSecret. A field that is left out is not sent.
type RotateWebhookSecretBody struct {
	// For how many seconds deliveries are signed with the secret before too; 86400, a day, where it is not
	// given.
	OverlapSeconds *int64 `json:"overlapSeconds,omitempty"`
}

// SimulateCheckoutPaymentBody is the body of SimulateCheckoutPayment. A field that is left out is not
// sent.
type SimulateCheckoutPaymentBody struct {
	// `exact`: the amount due. `under`: half of it. `over`: half as much again. `twice`: the amount due in
	// two transactions. `late`: the amount due, after the order has expired. `wrong_coin`: as many of the
	// other currency. `reorged`: the amount due, in a block that leaves the chain after it was read. If
	// nothing is due, the amount is 10.
	Case string `json:"case"`
}

// SimulatePaymentBody is the body of SimulatePayment. A field that is left out is not sent.
type SimulatePaymentBody struct {
	// `exact`: the amount due. `under`: half of it. `over`: half as much again. `twice`: the amount due in
	// two transactions. `late`: the amount due, after the order has expired. `wrong_coin`: as many of the
	// other currency. `reorged`: the amount due, in a block that leaves the chain after it was read. If
	// nothing is due, the amount is 10.
	Case string `json:"case"`
}

// SimulateRefundBody is the body of SimulateRefund. A field that is left out is not sent.
type SimulateRefundBody struct {
	// `claim`: the payer names an address by the claim link. `pay`: the exact amount is paid to it.
	// `short`: the amount is short by the smallest part of the coin.
	Case string `json:"case"`
}

// UpdatePaymentLinkBody is the body of UpdatePaymentLink. A field that is left out is not sent.
type UpdatePaymentLinkBody struct {
	// More about it, shown on the page; null without any.
	Description Nullable[string] `json:"description,omitempty"`
	// The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on.
	ExpiresAt Nullable[time.Time] `json:"expiresAt,omitempty"`
	// False pauses the link: it takes no new orders.
	IsActive *bool `json:"isActive,omitempty"`
	// The number of orders that may be paid; null without a limit. An order of a limited link lives 15
	// minutes.
	MaxPayments Nullable[int64] `json:"maxPayments,omitempty"`
	// The name of the sold thing, shown on the page and as the `label` of its orders.
	Title string `json:"title,omitempty"`
}

// UpdateWebhookEndpointBody is the body of UpdateWebhookEndpoint. A field that is left out is not
// sent.
type UpdateWebhookEndpointBody struct {
	// A note of your own, at most 255 characters; null for none.
	Description Nullable[string] `json:"description,omitempty"`
	// Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched,
	// deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid,
	// order.expired, order.paid_late, order.accepted, settlement.completed, settlement.failed,
	// refund.requested, refund.ready, refund.completed, refund.canceled, webhook.test.
	EventTypes []string `json:"eventTypes,omitempty"`
	// Whether events are sent. While it is `false` they wait, at most 3 days.
	IsActive *bool `json:"isActive,omitempty"`
	// The http or https URL that receives the events, at most 2048 characters, without credentials.
	URL string `json:"url,omitempty"`
}
