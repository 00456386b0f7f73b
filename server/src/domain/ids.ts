/** The form of every id that we give (UUID). Without flags, because a document that repeats it has none. */
export const ID_PATTERN = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;

declare const idBrand: unique symbol;
/** The id of a row of one kind. Made only by the functions of this file, and by the store that reads the row. */
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
export type DeliveryId = Id<"delivery">;
/** What events are of: a deposit, or for order events its charge. */
export type ResourceId = Id<"deposit" | "charge">;

/** What a delivery is found by: what its event is of, or for a test its endpoint. */
export type ReferenceId = Id<"deposit" | "charge" | "endpoint">;

/** What names a row of a merchant: an id says nothing without whose it is. */
export type Ref<Kind extends string> = { readonly merchantId: MerchantId; readonly id: Id<Kind> };
export type ChargeRef = Ref<"charge">;

declare const refBrand: unique symbol;
/** A ref as the key of a map. */
export type RefKey<Kind extends string> = string & { readonly [refBrand]: Kind };

export function refKey<Kind extends string>({ merchantId, id }: Ref<Kind>): RefKey<Kind> {
  return `${merchantId}/${id}` as RefKey<Kind>;
}

/** Whether the text can be the id of a row. One that cannot is answered like one that is not there. */
export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

/** Says of what kind an id is: a new one, or one whose form was checked. */
export function idOf<Kind extends string>(_kind: Kind, id: string): Id<Kind> {
  return id as Id<Kind>;
}

/** The text as the id of a row of this kind, in small letters as we give them; undefined where it can be none. */
export function parseId<Kind extends string>(kind: Kind, text: string): Id<Kind> | undefined {
  return isId(text) ? idOf(kind, text.toLowerCase()) : undefined;
}
