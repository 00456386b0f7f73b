import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  aBlock,
  alice,
  aRequest,
  aSigner,
  aToken,
  gasAddress,
  keys,
  removeFolders,
  type TestSigner,
  walletOf,
} from "../test/builders.ts";
import type { SigningRequest } from "./policy.ts";
import { signRequest } from "./sign-request.ts";

afterAll(removeFolders);

const own = keys.addressAt([0, 7]);
const wallet = walletOf(`wallet of ${alice}`);

let devchain: TestDevchain;
let signer: TestSigner;

beforeAll(async () => {
  devchain = await aDevchain();
  await devchain.mine(30);
  const { genesisId, usdtContract } = devchain;
  signer = await aSigner({
    config: { network: "devnet", genesisId, tokens: { USDT: aToken(usdtContract) } },
  });
  await devchain.control("faucet", { address: gasAddress, trx: "100" });
  await devchain.control("faucet", { address: own, usdt: "25" });
});

afterAll(() => devchain.stop());

/** Signs a request that refers to the solid block, and mines it; returns the node's result. */
async function settle(changes: Partial<SigningRequest>) {
  const { body: solid } = await devchain.post("/walletsolidity/getblock", {});
  const { number, timestamp } = solid.block_header.raw_data;
  const block = { ...aBlock(BigInt(number), timestamp), blockId: solid.blockID };
  const request = aRequest(signer, { ...block, expiresAtMs: timestamp + 10 * 60_000, ...changes });
  const outcome = signRequest(signer, request);
  if (outcome.refusal !== undefined) throw new Error(outcome.refusal);
  const transaction = Buffer.from(outcome.transaction).toString("hex");
  const sent = await devchain.post("/wallet/broadcasthex", { transaction });
  expect(sent.body).toMatchObject({ result: true, txid: outcome.txId });
  await devchain.mine(20);
  return (await devchain.post("/wallet/gettransactioninfobyid", { value: outcome.txId })).body;
}

it("a chain accepts the signed transactions: gas to an address, then its USDT and its TRX to the merchant's wallet", async () => {
  const tronWeb = devchain.tronWeb();
  await settle({ kind: "top_up", units: 20_000_000n });
  expect(await tronWeb.trx.getBalance(own)).toBe(20_000_000);
  const swept = await settle({ units: 25_000_000n });
  expect(swept.receipt.result).toBe("SUCCESS");
  const token = await tronWeb.contract().at(devchain.usdtContract);
  expect(Number(await token.balanceOf?.(wallet).call())).toBe(25_000_000);
  await devchain.mine(200);
  const left = await tronWeb.trx.getBalance(own);
  await settle({ currency: "TRX", units: BigInt(left) - 2_000_000n });
  expect(await tronWeb.trx.getBalance(wallet)).toBe(left - 2_000_000);
});
