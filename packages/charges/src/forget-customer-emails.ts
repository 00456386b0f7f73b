import type { MerchantId } from "@daric/domain/ids";
import type { Database } from "@daric/postgres/sql";
import { inLists } from "@daric/runtime/fair-rounds";
import type { ConfigOf } from "@daric/runtime/setting";
import type { chargeSettings } from "./context.ts";
import { emptyOldEmails, listMerchantsBehind } from "./customer-email-store.ts";

const MERCHANTS_AT_ONCE = 200;
const ROWS_AT_ONCE = 500;

/** Empties the addresses of payers whose orders did not change for `CUSTOMER_EMAIL_DAYS`. Returns how many. Call it once a day. */
export async function forgetCustomerEmails({
  db,
  config,
}: {
  readonly db: Database;
  readonly config: { readonly charges: ConfigOf<typeof chargeSettings, "webhooks"> };
}): Promise<number> {
  const { customerEmailDays: days } = config.charges;
  let [forgotten, after]: [number, MerchantId | undefined] = [0, undefined];
  for (;;) {
    const merchantIds: MerchantId[] = await listMerchantsBehind(db, { after, limit: MERCHANTS_AT_ONCE });
    for (const list of inLists(merchantIds)) {
      for (let emptied = ROWS_AT_ONCE; emptied === ROWS_AT_ONCE; forgotten += emptied)
        emptied = await emptyOldEmails(db, list, { days, limit: ROWS_AT_ONCE });
    }
    after = merchantIds.at(-1);
    if (merchantIds.length < MERCHANTS_AT_ONCE) return forgotten;
  }
}
