/** The form of every id that we issue (UUID). It has no flags, because the OpenAPI document repeats it. */
export const ID_PATTERN = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;

declare const idBrand: unique symbol;
/** The id of a row of one kind. Only this file's functions and the stores that read rows make one. */
export type Id<Kind extends string> = string & { readonly [idBrand]: Kind };

export type MerchantId = Id<"merchant">;
export type ApiKeyId = Id<"apiKey">;
export type SettlementAccountId = Id<"settlementAccount">;
export type AccountKeyId = Id<"accountKey">;
export type ChargeId = Id<"charge">;
export type DepositId = Id<"deposit">;
export type QuoteId = Id<"quote">;
export type EndpointId = Id<"endpoint">;
export type EventId = Id<"event">;
export type LedgerTransactionId = Id<"ledgerTransaction">;
export type SweepId = Id<"sweep">;
export type SettlementId = Id<"settlement">;
/** A transaction of settlement, by its signing request. */
export type SweepTransactionId = Id<"sweepTransaction">;
export type DeliveryId = Id<"delivery">;
export type PersonId = Id<"person">;
export type SessionId = Id<"session">;
export type LinkId = Id<"link">;
export type PaymentLinkId = Id<"paymentLink">;
export type MessageChannelId = Id<"messageChannel">;
export type NoteId = Id<"note">;
export type WalletRequestId = Id<"walletRequest">;
export type RefundId = Id<"refund">;
/** The subject of an event: a deposit, the charge of an order event, a settlement, or a refund. */
export type ResourceId = Id<"deposit" | "charge" | "settlement" | "refund">;

/** The subject that a delivery is listed by: that of its event, or the endpoint of a test. */
export type ReferenceId = Id<"deposit" | "charge" | "settlement" | "refund" | "endpoint">;

/** A row of a merchant. An id without its merchant identifies nothing. */
export type Ref<Kind extends string> = { readonly merchantId: MerchantId; readonly id: Id<Kind> };
export type ChargeRef = Ref<"charge">;

declare const refBrand: unique symbol;
export type RefKey<Kind extends string> = string & { readonly [refBrand]: Kind };

export function refKey<Kind extends string>({ merchantId, id }: Ref<Kind>): RefKey<Kind> {
  return `${merchantId}/${id}` as RefKey<Kind>;
}

export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

/** Brands a new id, or one whose form was checked. */
export function idOf<Kind extends string>(_kind: Kind, id: string): Id<Kind> {
  return id as Id<Kind>;
}

/** The id in lower case, as we issue it; undefined if the text has not the form of one. */
export function parseId<Kind extends string>(kind: Kind, text: string): Id<Kind> | undefined {
  return isId(text) ? idOf(kind, text.toLowerCase()) : undefined;
}
