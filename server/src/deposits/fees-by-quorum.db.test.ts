import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { addressWord, uintWord } from "@daric/tron/abi";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, expect, it } from "vitest";
import { publicNetworks } from "../chain/networks.ts";
import { listDeposits } from "./list-store.ts";

const PAYER = `41${"11".repeat(20)}`;
let context: Awaited<ReturnType<typeof createTestContext>>;
beforeEach(async () => {
  context = await createTestContext({
    TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3",
    TRON_QUORUM: "2",
  });
});
afterEach(() => context.close());

it("with a quorum the node that leads takes no fee off a direct payment that others show whole", async () => {
  const { chain, runs, startMs } = startForkRuns();
  const merchantId = (await aMerchant(context.db)).id;
  const { address } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  await scanToRest(context, await aScanner(context, nodeGroup(runs.reader, runs.reader, runs.reader)));
  const contractHex = publicNetworks.nile.usdtContractHex;
  const dataHex = `a9059cbb${addressWord(addressToHex(address))}${uintWord(100_000_000n)}`;
  chain.include({
    txId: "d1".repeat(32),
    contractRet: "SUCCESS",
    expirationMs: startMs + 3_600_000,
    contract: { kind: "vm", call: { ownerHex: PAYER, contractHex, dataHex } },
    owner: undefined,
  });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  const honest = runs.bending(number, () => [{ to: address, units: 100_000_000n }]);
  // Findings of complete-block.ts: none, for a fee of two in a hundred may be the token's.
  const liar = runs.bending(number, () => [{ to: address, units: 98_000_000n }, { units: 2_000_000n }]);
  chain.mine(30);
  await scanToRest(context, await aScanner(context, nodeGroup(liar, honest, honest)));
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 });
  expect(rows).toMatchObject([{ amount: 100_000_000n, status: "CONFIRMED" }]);
});
