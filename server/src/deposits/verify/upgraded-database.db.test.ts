import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { type RunReader, startForkRuns, type UsdtTransfer } from "@daric/testing/fork-runs";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { expect, it } from "vitest";
import { listDeposits } from "../list-store.ts";

/** The state of an older version: no checks, no digests, and unconfirmed deposits. */
async function asBefore(owner: TestContext["db"]): Promise<void> {
  await owner.query(sql`update blocks set infos_digest = 'unknown', source_node = null`);
  await owner.query(sql`delete from deposit_checks`);
  const reasons = sql`case when units % 2 = 0 then 'unproven' else 'quorum' end`;
  await owner.query(sql`update deposits set stuck_reason = ${reasons} where status = 'STUCK'`);
}

it("an upgraded database verifies STUCK deposits anew: true ones are CONFIRMED, false ones corrected or FAILED", async () => {
  const context = await createTestContext();
  const { id: merchantId } = await aMerchant(context.db);
  const { chain, runs } = startForkRuns();
  const receive = () => aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  const [address, other] = [(await receive()).address, (await receive()).address];
  const scan = async (of: TestContext, reader: RunReader) => scanToRest(of, await aScanner(of, reader));
  const bent = new Map<number, RunReader>();
  const lying: RunReader = {
    ...runs.reader,
    fetchCompleteBlock: (number) => (bent.get(number) ?? runs.reader).fetchCompleteBlock(number),
  };
  /** A block with this transfer; the node answers `reported` if it is given. */
  const block = async (move: UsdtTransfer, reported?: UsdtTransfer) => {
    runs.run(move);
    chain.mine(1);
    const { number } = await chain.reader.getHeadBlock();
    if (reported !== undefined)
      bent.set(
        number,
        runs.bending(number, () => [reported]),
      );
  };
  const facts = async () => {
    const { rows } = await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 });
    return rows.map(({ amount, status, failureReason }) => `${amount} ${failureReason ?? status}`).toSorted();
  };

  await scan(context, runs.reader);
  await block({ to: address, units: 20_000_000n });
  await block({ to: other, units: 8_000_000n }, { to: other, units: 9_000_000n });
  chain.mine(30);
  await scan(withSettings(context, { deposits: { unproven: "trust" } }), lying);
  const confirmed = ["20000000 CONFIRMED", "9000000 CONFIRMED"];
  expect(await facts()).toEqual(confirmed);

  await block({ to: address, units: 10_000_000n });
  await block({ to: address, units: 5_000_000n }, { to: address, units: 7_000_000n });
  await block({ units: 1n }, { to: address, units: 3_000_000n });
  chain.mine(225);
  const holding = withSettings(context, { deposits: { unproven: "hold" } });
  await scan(holding, lying);
  await context.owner.query(sql`update deposits set detected_at = now() - interval '11 minutes'`);
  chain.mine(20);
  await scan(holding, lying);
  expect(await facts()).toEqual(
    ["10000000 STUCK", "7000000 STUCK", "3000000 STUCK", ...confirmed].toSorted(),
  );

  await asBefore(context.owner);
  for (let polls = 0; polls < 3; polls += 1) {
    chain.mine(20);
    await scan(context, runs.reader);
  }
  const statuses = ["10000000 CONFIRMED", "5000000 CONFIRMED", "3000000 failed_on_chain"];
  expect(await facts()).toEqual([...statuses, ...confirmed].toSorted());
  await context.close();
});
