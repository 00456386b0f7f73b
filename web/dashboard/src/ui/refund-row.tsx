import type { Refund } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { moneyText } from "../format/amount.ts";
import { refundStatusText, refundToneOf } from "../format/refund-state.ts";
import { words } from "../words/words.ts";
import { Ago, Badge } from "./show.tsx";

/** One refund as a link, by default under the reference of its order. */
export function RefundRow({ refund, title }: { readonly refund: Refund; readonly title?: string }) {
  const { id, order_ref: orderRef, amount, currency } = refund;
  return (
    <Link data-row to="/refunds/$id" params={{ id }} className="row" preload={false}>
      <span className="row-title" dir="auto">
        {title ?? orderRef ?? words.payments.noReference}
      </span>
      <span className="row-amount">{moneyText(amount, currency)}</span>
      <Badge tone={refundToneOf(refund)}>{refundStatusText(refund)}</Badge>
      <span className="row-time">
        <Ago at={refund.requested_at} />
      </span>
    </Link>
  );
}
