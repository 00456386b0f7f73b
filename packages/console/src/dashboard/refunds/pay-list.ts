import type { Currency } from "@daric/domain/asset";
import { csvWriter } from "@daric/domain/csv";
import { type MerchantId, refKey } from "@daric/domain/ids";
import { formatAmount } from "@daric/domain/money";
import type { ActingContext } from "@daric/refunds/context";
import { openPayList } from "@daric/refunds/open-pay";
import { findPaidByPayee } from "@daric/refunds/task-store";
import { forMerchant } from "@daric/runtime/context";
import { auditAct } from "../../people/audit-act.ts";
import type { Actor } from "../../people/context.ts";
import { findAskers } from "./name-store.ts";

/** The first three are what a wallet reads. */
const columns = [
  "address",
  "amount",
  "reference",
  "currency",
  "asked_by",
  "address_named_by",
  "address_paid_order",
  "refund_id",
];

/** A file of refunds to be paid. */
export type PayFile = {
  readonly name: string;
  readonly csv: string;
  readonly count: number;
  readonly openedBefore: number;
};

/** Opens *Pay* of all READY refunds of a coin, and writes them into a file for the merchant's own wallet. */
export async function writePayFile(
  context: ActingContext,
  actor: Actor,
  { merchantId, currency }: { readonly merchantId: MerchantId; readonly currency: Currency },
): Promise<PayFile> {
  const acting = forMerchant(context, merchantId);
  const { refunds, openedBefore } = await openPayList(acting, { merchantId, currency });
  const askerOf = await findAskers(acting.db, merchantId, refunds);
  const paid = await findPaidByPayee(acting.db, refunds);
  const { heading, line } = csvWriter(columns, "person");
  const lines = refunds.map((refund) => {
    const asker = askerOf(refund);
    return line({
      address: refund.address,
      amount: formatAmount(refund.units),
      reference: refund.refundRef ?? refund.orderRef,
      currency,
      asked_by: asker && `${asker.kind} ${asker.name ?? asker.id}`,
      address_named_by: refund.namedBy,
      address_paid_order: paid.has(refKey(refund)),
      refund_id: refund.id,
    });
  });
  await auditAct(acting.db, actor, {
    action: "open refunds to pay",
    subject: `merchant ${merchantId}`,
    after: { currency, refunds: refunds.map(({ id }) => id) },
    merchantId,
  });
  const day = new Date().toISOString().slice(0, "2026-01-31".length);
  // A wallet reads the first name of the first line, so the mark of UTF-8 is left out.
  const csv = heading.replace("\uFEFF", "") + lines.join("");
  return { name: `refunds-${currency.toLowerCase()}-${day}.csv`, csv, count: refunds.length, openedBefore };
}
