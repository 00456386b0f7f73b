import { sql } from "@daric/postgres/sql";
import { copyLedger } from "@daric/testing/ledger";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { beforeAll, expect, it } from "vitest";

/** More looks than a sweep takes, and than its expiry. */
const LOOKS = 16;

let stage: SettlementStage;

beforeAll(async () => {
  stage = await openSettlement();
  return stage.close;
}, 60_000);

it("a database restored from before a sweep finds it on the chain: no second one is made, and the books are right", async () => {
  const { context, wallet } = stage;
  const charge = await stage.paid({ usdt: "1000" });
  const backup = await copyLedger(context, []);
  await stage.settleAll();
  expect(await stage.usdtOf(wallet)).toBe(1_000_000_000n);

  for (let look = 0; look < LOOKS; look += 1) await stage.lookFrom(backup);
  expect(await stage.usdtOf(wallet)).toBe(1_000_000_000n);
  const { owner } = backup;
  const kinds = await owner.query<{ kind: string; units: bigint }>(sql`
    select kind, units from ledger_entries where deposit_address_id = ${charge.id} order by kind`);
  expect(kinds).toEqual([
    { kind: "activation", units: 1_100_000n },
    { kind: "deposit", units: 1_000_000_000n },
    { kind: "gas_burn", units: 13_028_500n },
    { kind: "outflow", units: 1_000_000_000n },
    { kind: "top_up", units: 13_028_500n },
  ]);
  const contents = await owner.query(sql`
    select from address_contents where deposit_address_id = ${charge.id} and (units, gas_units, suspense_units) <> (0, 0, 0)`);
  expect(contents).toEqual([]);
  expect(await owner.query(sql`select from signing_results where tx_id is not null`)).toEqual([]);
  expect(await owner.query(sql`select from deposits where deposit_address_id <> ${charge.id}`)).toEqual([]);
});
