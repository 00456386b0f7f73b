import type { MerchantId } from "@daric/domain/ids";
import { openSealed, type SealPlace, seal } from "@daric/runtime/seal";
import { z } from "zod";

const FORMAT = 1;

/** The texts that the payer of a link's order typed. They prove nothing. */
export type PayerTexts = { readonly name: string | null; readonly note: string | null };

const storedPayer = z.object({ name: z.string().nullable(), note: z.string().nullable() });

/** The order that the texts belong to: in another row they do not open. */
type PayerPlace = { readonly merchantId: MerchantId; readonly checkoutToken: string };

/** Encrypts the payer's texts for storage. */
export function sealPayer(masterKey: Buffer, place: PayerPlace, payer: PayerTexts): Buffer {
  return seal(masterKey, placeOf(place), JSON.stringify(payer));
}

/** The inverse of `sealPayer`. Null under other master keys, of another order and of any changed byte: a list shows the rest of the row. */
export function openPayer(
  masterKeys: readonly Buffer[],
  place: PayerPlace,
  sealed: Buffer,
): PayerTexts | null {
  try {
    return storedPayer.parse(JSON.parse(openSealed(masterKeys, placeOf(place), sealed)));
  } catch {
    return null;
  }
}

function placeOf({ merchantId, checkoutToken }: PayerPlace): SealPlace {
  return { format: FORMAT, boundTo: `deposit_addresses.payer|${merchantId}|${checkoutToken}` };
}
