import type { MerchantId } from "@daric/domain/ids";
import { openSealed, type SealPlace, seal } from "@daric/runtime/seal";
import { z } from "zod";

const FORMAT = 1;

/** Where the address of a payer came from: the merchant's program, the form of a payment link, or the payment page. */
export const customerEmailSources = ["api", "link", "page"] as const;

const stored = z.object({
  email: z.string(),
  source: z.enum(customerEmailSources),
  /** the language of the page on which it was typed; null for that of the shop */
  language: z.string().nullable(),
  /** the newest address that was typed after the first one; it gets no mail */
  later: z.string().nullable(),
});

/** The address of an order's payer. The first one counts. */
export type CustomerEmail = Readonly<z.infer<typeof stored>>;

/** The order that the address belongs to: in another row it does not open. */
type OrderPlace = { readonly merchantId: MerchantId; readonly checkoutToken: string };

/** Seals an address for the row of a new order, once that has its token. */
export type SealEmail = (place: OrderPlace) => Buffer;

/** Encrypts a payer's address for storage. */
export function sealCustomerEmail(masterKey: Buffer, place: OrderPlace, email: CustomerEmail): Buffer {
  return seal(masterKey, placeOf(place), JSON.stringify(email));
}

/** Seals the first address of a new order. */
export function emailSealer(masterKey: Buffer, first: Omit<CustomerEmail, "later">): SealEmail {
  return (place) => sealCustomerEmail(masterKey, place, { ...first, later: null });
}

/** The inverse of `sealCustomerEmail`. Null under other master keys, of another order and of any changed byte. */
export function openCustomerEmail(
  masterKeys: readonly Buffer[],
  place: OrderPlace,
  sealed: Buffer,
): CustomerEmail | null {
  try {
    return stored.parse(JSON.parse(openSealed(masterKeys, placeOf(place), sealed)));
  } catch {
    return null;
  }
}

function placeOf({ merchantId, checkoutToken }: OrderPlace): SealPlace {
  return { format: FORMAT, boundTo: `deposit_addresses.customer_email|${merchantId}|${checkoutToken}` };
}
