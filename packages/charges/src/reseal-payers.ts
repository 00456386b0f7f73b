import type { MerchantId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { openCustomerEmail, sealCustomerEmail } from "./customer-email.ts";
import { openPayer, sealPayer } from "./payer.ts";
import { readSealedPayers, replaceSealedPayer, type SealedColumn, sealedColumns } from "./payer-store.ts";

const ROWS_AT_ONCE = 500;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

type Keys = { readonly masterKey: Buffer; readonly previousMasterKey: Buffer };
type Place = { readonly merchantId: MerchantId; readonly checkoutToken: string };
/** The value under the new key; null if it opens under neither, undefined if it needs no change. */
type Reseal = (keys: Keys, place: Place, sealed: Buffer) => Buffer | null | undefined;

const reseals: Readonly<Record<SealedColumn, Reseal>> = {
  payer: resealing(openPayer, sealPayer),
  customer_email: resealing(openCustomerEmail, sealCustomerEmail),
};

/**
 * Seals what is known of a merchant's payers under the new master key: the texts and the addresses that they gave. It may run again,
 * and beside a service that has both keys. `lost`: the orders where a value opens under neither.
 */
export async function resealPayers(
  db: Queryable,
  keys: Keys,
  merchantId: MerchantId,
): Promise<{ resealed: number; lost: readonly string[] }> {
  const lost: string[] = [];
  let resealed = 0;
  for (const name of sealedColumns) {
    for (let after: string | undefined = BEFORE_ALL; after !== undefined; ) {
      const rows = await readSealedPayers(db, name, { merchantId, after, limit: ROWS_AT_ONCE });
      for (const row of rows) {
        const anew = reseals[name](keys, { merchantId, ...row }, row.sealed);
        if (anew === null) lost.push(row.id);
        if (!anew) continue;
        await replaceSealedPayer(db, name, { ...row, merchantId, anew });
        resealed += 1;
      }
      after = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)?.id;
    }
  }
  return { resealed, lost };
}

function resealing<Value>(
  open: (keys: readonly Buffer[], place: Place, sealed: Buffer) => Value | null,
  seal: (key: Buffer, place: Place, value: Value) => Buffer,
): Reseal {
  return ({ masterKey, previousMasterKey }, place, sealed) => {
    if (open([masterKey], place, sealed) !== null) return undefined;
    const value = open([previousMasterKey], place, sealed);
    return value && seal(masterKey, place, value);
  };
}
