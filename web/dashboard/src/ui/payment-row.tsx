import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { ListedRow } from "../api/work-operations.ts";
import { moneyText } from "../format/amount.ts";
import { toneOf } from "../format/payment-state.ts";
import { words } from "../words/words.ts";
import { Ago, Badge } from "./show.tsx";

type Props = { readonly row: ListedRow; readonly title?: string };

/** One payment as a link, by default under its reference. It is not drawn again where its list only moves. */
export const PaymentRow = memo(function PaymentRow({ row, title }: Props) {
  const { payments } = words;
  const amount =
    row.expected_amount === null ? payments.anyAmount : moneyText(row.expected_amount, row.currency);
  return (
    <Link data-row to="/payments/$id" params={{ id: row.id }} className="row" preload={false}>
      <span className="row-title" dir="auto">
        {title ?? row.order_ref ?? row.customer_ref ?? row.label ?? payments.noReference}
      </span>
      <span className="row-amount">{amount}</span>
      <Badge tone={toneOf(row.state)}>{payments.states[row.state]}</Badge>
      <span className="row-time">
        <Ago at={row.created_at} />
      </span>
    </Link>
  );
});
