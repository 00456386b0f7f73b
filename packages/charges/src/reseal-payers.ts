import type { MerchantId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { openPayer, sealPayer } from "./payer.ts";
import { readSealedPayers, replaceSealedPayer } from "./payer-store.ts";

const ROWS_AT_ONCE = 500;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Seals the texts of a merchant's payers under the new master key. It may run again, and beside a service that has both keys. `lost`:
 * the orders whose texts open under neither.
 */
export async function resealPayers(
  db: Queryable,
  { masterKey, previousMasterKey }: { readonly masterKey: Buffer; readonly previousMasterKey: Buffer },
  merchantId: MerchantId,
): Promise<{ resealed: number; lost: readonly string[] }> {
  const lost: string[] = [];
  let [resealed, after] = [0, BEFORE_ALL];
  for (;;) {
    const rows = await readSealedPayers(db, { merchantId, after, limit: ROWS_AT_ONCE });
    for (const { id, checkoutToken, sealed } of rows) {
      const place = { merchantId, checkoutToken };
      if (openPayer([masterKey], place, sealed) !== null) continue;
      const payer = openPayer([previousMasterKey], place, sealed);
      if (payer === null) lost.push(id);
      else {
        await replaceSealedPayer(db, merchantId, { id, sealed, anew: sealPayer(masterKey, place, payer) });
        resealed += 1;
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return { resealed, lost };
    after = last.id;
  }
}
