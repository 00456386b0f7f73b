import { type Caller, mayRead } from "@daric/domain/caller";
import { zero } from "@daric/domain/money";
import type { Database, Queryable } from "@daric/postgres/sql";
import { sumRefunded } from "@daric/refunds/store";
import { sealKeysOf } from "@daric/webhooks/sending/seal-secret";
import type { Charge } from "../../charge.ts";
import { toChargeRow } from "./schema.ts";

type RowContext = {
  readonly config: {
    readonly http: { readonly publicBaseUrl: string | undefined };
    readonly webhooks: Parameters<typeof sealKeysOf>[0];
  };
};

type Shown = {
  readonly caller: Caller;
  readonly charges: readonly Charge[];
  readonly withPaymentStatus: boolean;
};

/** The rows of a merchant's charges, with what was refunded of each. Without the right to it they have no payer and no address of one. */
export async function toRows(
  { config }: RowContext,
  db: Queryable,
  { caller, charges, withPaymentStatus }: Shown,
) {
  const refunded = await sumRefunded(db, charges);
  const { publicBaseUrl } = config.http;
  const masterKeys = mayRead(caller, "payers:read") ? sealKeysOf(config.webhooks) : [];
  const options = { publicBaseUrl, withPaymentStatus, masterKeys };
  return charges.map((charge) =>
    toChargeRow(charge, { ...options, refunded: refunded.get(charge.id) ?? zero }),
  );
}

/** The row of one charge, with its `payment_status`. */
export async function toRow(
  context: RowContext & { readonly db: Pick<Database, "forTenant"> },
  caller: Caller,
  charge: Charge,
) {
  const db = context.db.forTenant(caller.merchantId);
  const [row] = await toRows(context, db, { caller, charges: [charge], withPaymentStatus: true });
  if (row === undefined) throw new Error("a charge has a row");
  return row;
}
