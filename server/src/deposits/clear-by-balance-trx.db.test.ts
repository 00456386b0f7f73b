import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import type { ForkChain } from "@daric/testing/fork-chain";
import { type ForkRuns, type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainTransaction, Contract } from "../chain/parse-transaction.ts";
import type { TransactionInfo } from "../chain/parse-transaction-info.ts";
import type { Charge } from "../charges/charge.ts";
import { amountIn } from "../domain/money.ts";
import { listDeposits } from "./list-store.ts";

const TRX = 1_000_000n;
const PAYER = `41${"77".repeat(20)}`;
let context: TestContext & { close(): Promise<void> };
let chain: ForkChain;
let runs: ForkRuns;
let receive: Charge;
let ownHex: string;
/** What a node tells of runs beside what the chain says: by transaction. */
let infos: Map<string, Partial<TransactionInfo>>;

beforeEach(async () => {
  context = await createTestContext();
  const { id: merchantId } = await aMerchant(context.db);
  ({ chain, runs } = startForkRuns());
  infos = new Map();
  receive = await aCharge(context.db, { merchantId, kind: "receive", currency: "TRX" });
  ownHex = addressToHex(receive.address);
  await scan(0n);
});
afterEach(() => context.close());

/** What the address holds is what the test says. */
async function scan(balance: bigint) {
  const { reader } = runs;
  const telling: RunReader = {
    ...reader,
    fetchCompleteBlock: async (...asked) => {
      const block = await reader.fetchCompleteBlock(...asked);
      return { ...block, infos: block.infos.map((info) => ({ ...info, ...infos.get(info.txId) })) };
    },
    getSolidBalance: async () => balance,
  };
  await scanToRest(context, await aScanner(context, nodeGroup(telling)));
}

/** A contract sends TRX to our address: nothing covers it. */
function arrive(units: bigint) {
  const txId = runs.run({ units: 1n });
  const values = [{ assetId: undefined, rawValue: units }];
  infos.set(txId, {
    internals: [{ index: 0, fromHex: PAYER, toHex: ownHex, values }],
    internalCount: 1,
  });
}

let serial = 0;
/** Our address signs something that moves nothing by a transfer. */
function sign(change: Partial<ChainTransaction> & { type?: number; feeLimit?: bigint; contract: Contract }) {
  serial += 1;
  const { type, feeLimit = 0n, ...transaction } = change;
  const txId = serial.toString(16).padStart(64, "e");
  const owner = { addressHex: ownHex, type, feeLimit, bytes: 300 };
  chain.include({ txId, contractRet: "SUCCESS", expirationMs: Date.now(), owner, ...transaction });
  return txId;
}

async function statuses() {
  const { merchantId } = receive;
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 100, offset: 0 });
  return rows.toSorted((a, b) => a.blockNumber - b.blockNumber).map(({ status }) => status);
}

describe("TRX of a contract is confirmed although", () => {
  it("the address has burnt all that a call might, which failed", async () => {
    arrive(200n * TRX);
    chain.mine(2);
    sign({ contract: { kind: "vm" }, contractRet: "OUT_OF_ENERGY", feeLimit: 150n * TRX });
    chain.mine(19);
    await scan(50n * TRX);
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });

  it.each([
    ["cast a vote", 4, 199n],
    ["changed who may sign for it", 46, 100n],
  ])("the address has %s", async (_what, type, balance) => {
    arrive(200n * TRX);
    chain.mine(1);
    sign({ contract: { kind: "other" }, type });
    chain.mine(19);
    await scan(balance * TRX);
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });

  it("the address has staked it, which is an outflow", async () => {
    arrive(200n * TRX);
    chain.mine(1);
    const units = amountIn("TRX", 200n * TRX);
    sign({ contract: { kind: "other", spent: { fromHex: ownHex, toHex: ownHex, units } }, type: 54 });
    chain.mine(19);
    await scan(0n);
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });
});

describe("TRX of a contract is not confirmed for", () => {
  it("what the address may have burnt before it came, or on a branch that was left", async () => {
    sign({ contract: { kind: "vm" }, feeLimit: 150n * TRX });
    chain.mine(1);
    arrive(100n * TRX);
    chain.mine(1);
    sign({ contract: { kind: "vm" }, feeLimit: 150n * TRX });
    chain.mine(1);
    await scan(0n);
    chain.fork(1, ["dropped"]);
    chain.mine(25);
    await scan(0n);
    expect(await statuses()).toEqual(["CONFIRMING"]);
  });

  it("more than the address may have burnt", async () => {
    arrive(200n * TRX);
    chain.mine(1);
    sign({ contract: { kind: "other" }, type: 46 });
    chain.mine(19);
    await scan(94n * TRX);
    expect(await statuses()).toEqual(["CONFIRMING"]);
  });

  it("what somebody else has burnt", async () => {
    arrive(100n * TRX);
    chain.mine(1);
    sign({
      contract: { kind: "vm" },
      owner: { addressHex: PAYER, type: undefined, feeLimit: 500n * TRX, bytes: 300 },
    });
    chain.mine(19);
    await scan(0n);
    expect(await statuses()).toEqual(["CONFIRMING"]);
  });

  it("TRX that came back to the address after a stake", async () => {
    arrive(100n * TRX);
    const txId = sign({ contract: { kind: "other" }, type: 56 });
    infos.set(txId, { returned: 100n * TRX });
    chain.mine(19);
    await scan(100n * TRX - 1n);
    expect(await statuses()).toEqual(["CONFIRMING"]);
    chain.mine(1);
    await scan(200n * TRX);
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });
});

describe("what else came counts once", () => {
  const paid = (units: bigint) => chain.pay(receive.address, units);

  it("whoever sent it: a top-up for fees, dust, and what came in several parts", async () => {
    arrive(100n * TRX);
    paid(30n * TRX);
    paid(1n);
    chain.mine(1);
    paid(7n * TRX);
    chain.mine(19);
    const others = 37n * TRX + 1n;
    await scan(100n * TRX + others - 1n);
    expect(await statuses()).toContain("CONFIRMING");
    chain.mine(1);
    await scan(100n * TRX + others);
    expect(new Set(await statuses())).toEqual(new Set(["CONFIRMED"]));
  });

  it("and a token beside it does not", async () => {
    arrive(100n * TRX);
    runs.run({ to: receive.address, units: 50n * TRX });
    chain.mine(20);
    await scan(100n * TRX);
    expect(new Set(await statuses())).toEqual(new Set(["CONFIRMED"]));
  });
});

it("outflows that a node has made up, beyond every sum, hold up no scan", async () => {
  arrive(100n * TRX);
  const txId = runs.run({ units: 1n }, { units: 1n });
  const values = [{ assetId: undefined, rawValue: 2n ** 63n - 1n }];
  const gone = { fromHex: ownHex, toHex: PAYER, values };
  infos.set(txId, {
    internals: [
      { ...gone, index: 0 },
      { ...gone, index: 1 },
    ],
    internalCount: 2,
  });
  chain.mine(20);
  await scan(0n);
  const [{ count } = { count: 0n }] = await context.db.query<{ count: bigint }>(
    sql`select count(*) as count from outflows where merchant_id = ${receive.merchantId}`,
  );
  expect(count).toBe(2n);
});
