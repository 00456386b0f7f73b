import type { MerchantId, PersonId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import type { KeyContext } from "../context.ts";
import { newShopCode } from "./code.ts";
import { storeShopCode } from "./store.ts";

const LIFE_MS = 600_000;

/** A code to connect a shop by, in the only copy. */
export type ShopCode = { readonly code: string; readonly expiresAt: Date };

/** Makes the code by which one shop connects, within ten minutes. It ends the merchant's code before it. */
export async function makeShopCode(
  tx: Queryable,
  { merchants }: KeyContext["config"],
  made: { readonly merchantId: MerchantId; readonly madeBy: PersonId },
): Promise<ShopCode> {
  const { code, hash } = newShopCode(merchants.keyPepper);
  return { code, expiresAt: await storeShopCode(tx, { ...made, hash, lifeMs: LIFE_MS }) };
}
