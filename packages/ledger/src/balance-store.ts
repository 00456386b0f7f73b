import type { MerchantId } from "@daric/domain/ids";
import type { BalanceFacts, SweepSum } from "@daric/domain/merchant-balance";
import { amountFromUnits } from "@daric/domain/money";
import { endedSweepStatuses } from "@daric/domain/sweep";
import { literals, one, type Queryable, sql } from "@daric/postgres/sql";
import { readMonthlyTotals } from "./store.ts";

/** The parts of a merchant's balances. Call it in one snapshot, so that all parts belong to one moment. */
export async function findBalanceFacts(db: Queryable, merchantId: MerchantId): Promise<BalanceFacts> {
  const totals = await readMonthlyTotals(db, merchantId);
  const sweeps = await db.query<Omit<SweepSum, "units"> & { units: string }>(sql`
    select currency, recipient, status, sum(units)::text as units from sweeps
    where merchant_id = ${merchantId} and status not in (${literals(...endedSweepStatuses)})
    group by currency, recipient, status`);
  const { hasSettlementAccount } = one(
    await db.query<{ hasSettlementAccount: boolean }>(sql`
      select exists (
        select from settlement_accounts where merchant_id = ${merchantId} and status = 'active'
      ) as "hasSettlementAccount"`),
  );
  return {
    totals,
    sweeps: sweeps.map((sweep) => ({ ...sweep, units: amountFromUnits(BigInt(sweep.units)) })),
    hasSettlementAccount,
  };
}
