import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { readRangeAgain } from "@daric/testing/rescans";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { addressWord, uintWord } from "@daric/tron/abi";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, expect, it } from "vitest";
import { publicNetworks } from "../chain/networks.ts";
import type { ChainTransaction } from "../chain/parse-transaction.ts";
import type { MerchantId } from "../domain/ids.ts";
import { listDeposits } from "./list-store.ts";

const PAYER = `41${"11".repeat(20)}`;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeEach(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterEach(() => context.close());

const scan = async (...nodes: [RunReader, ...RunReader[]]) =>
  scanToRest(context, await aScanner(context, nodeGroup(...nodes)));
const aReceive = () => aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });

async function withQuorum(): Promise<void> {
  await context.close();
  context = await createTestContext({
    TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3",
    TRON_QUORUM: "2",
  });
  merchantId = (await aMerchant(context.db)).id;
}

/** Of 100 USDT. */
function directCall(address: string, startMs: number): ChainTransaction {
  const contractHex = publicNetworks.nile.usdtContractHex;
  const dataHex = `a9059cbb${addressWord(addressToHex(address))}${uintWord(100_000_000n)}`;
  return {
    txId: "d1".repeat(32),
    contractRet: "SUCCESS",
    expirationMs: startMs + 3_600_000,
    contract: { kind: "vm", call: { ownerHex: PAYER, contractHex, dataHex } },
  };
}

async function facts(): Promise<string[]> {
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 });
  return rows.map(
    ({ eventIndex, amount, address, status }) => `${address} ${eventIndex}: ${amount} ${status}`,
  );
}

it("a direct payment is worth no more for a fee that a liar says was paid to its payee", async () => {
  const { chain, runs, startMs } = startForkRuns();
  const { address } = await aReceive();
  await scan(runs.reader);
  chain.include(directCall(address, startMs));
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  const honest = runs.bending(number, () => [{ to: address, units: 100_000_000n }]);
  const liar = runs.bending(number, () => [
    { to: address, units: 98_000_000n },
    { to: address, units: 2_000_000n },
  ]);
  await scan(honest);
  chain.mine(30);
  await scan(honest);
  expect(await facts()).toEqual([`${address} 0: 100000000 CONFIRMED`]);
  const scanner = await aScanner(context, nodeGroup(honest, liar));
  await readRangeAgain(context, scanner, { from: number, to: number });
  chain.mine(3);
  await scan(honest);
  expect((await facts()).filter((fact) => fact.endsWith("CONFIRMED"))).toEqual([
    `${address} 0: 100000000 CONFIRMED`,
  ]);
});

it("a payment that a node bent to another address of the same merchant is found when its block is read again", async () => {
  const { chain, runs } = startForkRuns();
  const [paid, other] = [await aReceive(), await aReceive()];
  await scan(runs.reader);
  runs.run({ to: paid.address, units: 10_000_000n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  const liar = runs.bending(number, () => [{ to: other.address, units: 10_000_000n }]);
  await scan(liar);
  chain.mine(30);
  await scan(runs.reader);
  expect(await facts()).toEqual([`${other.address} 0: 10000000 CONFIRMING`]);
  const scanner = await aScanner(context, nodeGroup(runs.reader));
  await readRangeAgain(context, scanner, { from: number, to: number });
  chain.mine(3);
  await scan(runs.reader);
  expect(await facts()).toContain(`${paid.address} 0: 10000000 CONFIRMED`);
});

it("with a quorum the node that leads takes no fee off a direct payment that others show whole", async () => {
  await withQuorum();
  const { chain, runs, startMs } = startForkRuns();
  const { address } = await aReceive();
  await scanToRest(context, await aScanner(context, nodeGroup(runs.reader, runs.reader, runs.reader)));
  chain.include(directCall(address, startMs));
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  const honest = runs.bending(number, () => [{ to: address, units: 100_000_000n }]);
  const liar = runs.bending(number, () => [{ to: address, units: 98_000_000n }, { units: 2_000_000n }]);
  for (let n = 0; n < 4; n += 1) {
    chain.mine(6);
    await scanToRest(context, await aScanner(context, nodeGroup(liar, honest, honest)));
  }
  expect(await facts()).toEqual([`${address} 0: 100000000 CONFIRMED`]);
});
