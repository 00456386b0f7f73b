import { type Charge, loadCharges } from "@daric/charges/charge";
import type { Seen } from "@daric/domain/caller";
import { type ChargeRef, refKey } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import type { Page } from "@daric/totals/list-store";
import { listDeposits } from "./list-store.ts";
import { type ValuedDeposit, valueDeposits } from "./value-deposits.ts";

export type DepositOfCharge = { readonly deposit: ValuedDeposit; readonly charge: Charge };

export async function lookUpTransaction(
  db: Queryable,
  filter: Seen & { readonly txHash: string },
  page: Page,
): Promise<{ rows: DepositOfCharge[]; total: number }> {
  const { merchantId } = filter;
  const { rows: deposits, total } = await listDeposits(db, filter, page);
  const refs = new Map(deposits.map(({ chargeId: id }): [string, ChargeRef] => [id, { merchantId, id }]));
  const charges = await loadCharges(db, [...refs.values()]);
  const rows = (await valueDeposits(db, deposits)).flatMap((deposit) => {
    const charge = charges.get(refKey({ merchantId, id: deposit.chargeId }));
    return charge === undefined ? [] : [{ deposit, charge }];
  });
  return { rows, total };
}
