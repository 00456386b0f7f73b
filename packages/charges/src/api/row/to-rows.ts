import { zero } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";
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

/** The rows of a merchant's charges, with what was refunded of each. */
export async function toRows(
  { config }: RowContext,
  db: Queryable,
  { charges, withPaymentStatus }: { charges: readonly Charge[]; withPaymentStatus: boolean },
) {
  const refunded = await sumRefunded(db, charges);
  const { publicBaseUrl } = config.http;
  const options = { publicBaseUrl, withPaymentStatus, masterKeys: sealKeysOf(config.webhooks) };
  return charges.map((charge) =>
    toChargeRow(charge, { ...options, refunded: refunded.get(charge.id) ?? zero }),
  );
}

/** The row of one charge, with its `payment_status`. */
export async function toRow(context: RowContext, db: Queryable, charge: Charge) {
  const [row] = await toRows(context, db, { charges: [charge], withPaymentStatus: true });
  if (row === undefined) throw new Error("a charge has a row");
  return row;
}
