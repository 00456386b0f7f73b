import { idOf, type MerchantId } from "@daric/domain/ids";
import type { SweepEvent } from "@daric/domain/sweep";
import { sql } from "@daric/postgres/sql";
import { aMerchant, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";
import { moveSweep } from "./sweep-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
const id = idOf("sweep", uuidv7());

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  const account = await aSettlementAccount(context.db, merchantId);
  const charge = await aCharge(context.db, { merchantId });
  const settlementId = uuidv7();
  await context.owner.query(sql`
    insert into settlements (merchant_id, id, currency, settlement_account_id, status)
    values (${merchantId}, ${settlementId}, 'USDT', ${account.id}, 'OPEN')`);
  await context.owner.query(sql`
    insert into sweeps (merchant_id, id, settlement_id, deposit_address_id, currency, recipient, destination, units, resources,
      price, status)
    values (${merchantId}, ${id}, ${settlementId}, ${charge.id}, 'USDT', 'merchant', ${account.address}, 5, 'burn', 0, 'PLANNED')`);
});
afterAll(() => context.close());

/** The edges of each event, written out again, so that a wrong graph differs from them. */
const edges: Readonly<Record<SweepEvent, readonly [from: string, to: string]>> = {
  funded: ["PLANNED", "ACTIVATING"],
  resourced: ["PLANNED ACTIVATING", "RESOURCED"],
  priced_out: ["PLANNED RESOURCED", "WAITING"],
  frozen: ["PLANNED ACTIVATING RESOURCED WAITING RETRY", "FROZEN"],
  dropped: ["PLANNED WAITING RETRY FROZEN", "DROPPED"],
  expired: ["ACTIVATING RESOURCED SIGNED SENT", "RETRY"],
  failed: ["ACTIVATING SENT", "RETRY"],
  signed: ["RESOURCED", "SIGNED"],
  sent: ["SIGNED", "SENT"],
  landed: ["SENT", "SOLID"],
  reclaimed: ["SOLID", "RECLAIMED"],
  planned: ["WAITING RETRY FROZEN", "PLANNED"],
};
const states = [...new Set(Object.values(edges).flatMap(([from, to]) => [...from.split(" "), to]))];

it.each(Object.keys(edges) as SweepEvent[])(
  "%s moves a sweep only from its states, to its state",
  async (event) => {
    const [from, to] = edges[event];
    for (const state of states) {
      await context.owner.query(
        sql`update sweeps set status = ${state}, reason = 'a test' where merchant_id = ${merchantId}`,
      );
      const move = context.db.transaction((tx) =>
        moveSweep(tx, { merchantId, id }, { event, reason: "a test" }),
      );
      const moved = await move.then(
        () => true,
        () => false,
      );
      const [row] = await context.owner.query<{ status: string }>(
        sql`select status from sweeps where merchant_id = ${merchantId}`,
      );
      expect([state, moved, row?.status]).toEqual([
        state,
        from.split(" ").includes(state),
        moved ? to : state,
      ]);
    }
  },
);
