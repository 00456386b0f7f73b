import type { MerchantId } from "@daric/domain/ids";
import { WHOLE_SHARE } from "@daric/domain/money";
import type { OrderPaymentStatus } from "@daric/domain/order";
import { empty, type Sql, sql } from "@daric/postgres/sql";
import { dueBy } from "@daric/totals/sums-store";

/** The join of the `sums` of a `charge` that decide its payment status. `more` narrows them. */
export function decidingSums(merchantId: MerchantId, more: Sql = empty): Sql {
  return sql`left join (
      select deposit_address_id, confirmed_in_window, confirmed_in_window_share, confirming, detected
      from charge_sums where merchant_id = ${merchantId} ${more}
    ) sums on sums.deposit_address_id = charge.id`;
}

const due = dueBy(sql`charge`);
/** `minPayingUnits` of `domain/order.ts`. */
const minPayingUnits = sql`greatest(
  ${due} - greatest(least(${due} / 100, 10000), div(${due}::numeric * charge.tolerance_basis_points, 10000)), 1)`;

/** SQL condition: a `charge` with its `sums` is a paid order, as `isSettled` of `domain/order.ts` says. */
export const IS_SETTLED: Sql = sql`(charge.kind = 'order' and (charge.accepted_at is not null or coalesce(
  case when charge.fiat_currency is null then sums.confirmed_in_window >= ${minPayingUnits}
  else sums.confirmed_in_window_share * ${due} >= ${minPayingUnits} * ${WHOLE_SHARE}::numeric end, false)))`;

/**
 * SQL expression: `payment_status` of a `charge` with its `sums`, as `orderPaymentStatus` of `domain/charge-state.ts` says; null
 * unless it is an order. A full price that came too late needs no line: the chain is then past the order's
 * time. Nor does a time that waits for an open deposit: that one is confirming or detected.
 */
const PAYMENT_STATUS: Sql = sql`case
  when charge.kind <> 'order' then null
  when ${IS_SETTLED} then 'paid'
  when charge.status = 'ARCHIVED' then 'expired'
  when sums.confirming > 0 then 'confirming'
  when sums.detected > 0 then 'detected'
  when charge.status = 'EXPIRED' or charge.expires_at < (select max(time) from scan_cursors) then 'expired'
  else 'awaiting' end`;

/** SQL condition: a `charge` with its `sums` has this payment status. Where an index has the few rows that may, it finds them. */
export function hasPaymentStatus(merchantId: MerchantId, status: OrderPaymentStatus): Sql {
  const condition = sql`charge.kind = 'order' and ${PAYMENT_STATUS} = ${status}`;
  if (status === "awaiting") return sql`charge.status = 'ACTIVE' and ${condition}`;
  // A paid or accepted order received money, so it has sums: where few orders have them, these are read and not all orders.
  if (status === "paid") return sql`sums.deposit_address_id is not null and ${condition}`;
  if (status === "expired") return condition;
  return sql`charge.id = any(array(
      select deposit_address_id from deposits
      where merchant_id = ${merchantId} and confirmed_at is null and failed_at is null
    )) and ${condition}`;
}
