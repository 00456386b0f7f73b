import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { usdtOn } from "@daric/testing/usdt";
import { addressToBase58 } from "@daric/tron/address";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decodeTransfers } from "../blocks/decode-transfers.ts";
import type { TronClient } from "./chain-reader.ts";
import { createTronClient } from "./client.ts";
import { type Network, readDevnet } from "./networks.ts";

const RECEIVER = keyPairFromPhrase("stake blocks receiver");
const SECOND = keyPairFromPhrase("stake blocks second key");
const TRX = 1_000_000;
const HALF_THE_DELAY_MS = 7 * 24 * 60 * 60 * 1000;

type Payer = ReturnType<TestDevchain["tronWeb"]>;

let chain: TestDevchain;
let network: Network;
let client: TronClient;
let payer: Payer;

beforeAll(async () => {
  chain = await aDevchain();
  network = await readDevnet(chain.url);
  client = createTronClient({ nodes: [{ url: chain.url }], genesisId: network.genesisId });
  payer = chain.tronWeb();
  await chain.control("faucet", { address: RECEIVER.address, trx: "1" });
  await chain.mine(1);
});

afterAll(async () => {
  await client?.close();
  await chain?.stop();
});

const base58 = ({ address }: { address: string }): string => addressToBase58(address);

type Unsigned = Parameters<Payer["trx"]["multiSign"]>[0];

/** Mines a transaction signed with these keys, and returns its block as the watcher reads it. */
async function readAfter(built: Unsigned, permissionId = 0, ...keys: string[]) {
  let signed = await payer.trx.sign(built);
  for (const key of keys) signed = await payer.trx.multiSign(signed, key, permissionId);
  const sent = await payer.trx.sendRawTransaction(signed);
  expect(sent).toMatchObject({ result: true });
  const { head } = await chain.control<{ head: number }>("mine", { blocks: 1 });
  return client.fetchCompleteBlock(head);
}

it("blocks with stakes, delegations, unfreezes and withdrawals are proven and pay no address", async () => {
  const { transactionBuilder: builder } = payer;
  const receiver = base58(RECEIVER);
  const stakes = [
    () => builder.freezeBalanceV2(60_000 * TRX, "ENERGY"),
    () => builder.delegateResource(7_000 * TRX, receiver, "ENERGY"),
    () => builder.undelegateResource(7_000 * TRX, receiver, "ENERGY"),
    () => builder.unfreezeBalanceV2(1_000 * TRX, "ENERGY"),
    () => builder.cancelUnfreezeBalanceV2(),
    () => builder.unfreezeBalanceV2(1_000 * TRX, "ENERGY"),
    async () => {
      await chain.mine(2, HALF_THE_DELAY_MS);
      return builder.withdrawExpireUnfreeze();
    },
  ];
  for (const build of stakes) {
    const block = await readAfter(await build());
    expect(block.transactions).toHaveLength(1);
    expect(decodeTransfers(block, network.tokens).transfers).toEqual([]);
  }
});

it("a TRX transfer signed by two keys is one payment", async () => {
  const operations = "7fff1fc0033e0000000000000000000000000000000000000000000000000000";
  const keys = [chain.payer.address, base58(SECOND)].map((address) => ({ address, weight: 1 }));
  const owner = { type: 0, permission_name: "owner", threshold: 1, keys: keys.slice(0, 1) };
  const both = { type: 2, permission_name: "both", threshold: 2, operations, keys };
  const { transactionBuilder: builder } = payer;
  await readAfter(await builder.updateAccountPermissions(undefined, owner, undefined, [both]));
  const pay = await builder.sendTrx(base58(RECEIVER), 5 * TRX, chain.payer.address, { permissionId: 2 });
  const block = await readAfter(pay, 2, SECOND.privateKey);
  expect(decodeTransfers(block, network.tokens).transfers).toMatchObject([
    { source: "transfer", currency: "TRX", units: 5_000_000n, toHex: RECEIVER.address },
  ]);
});

it("a token with a fee credits the payee with the received amount", async () => {
  await chain.control("token", { basisPointsRate: 10, maximumFee: 1 });
  await chain.mine(1);
  const token = await payer.contract().at(usdtOn(network).contract);
  await token.transfer(base58(RECEIVER), 10 * TRX).send();
  const { head } = await chain.control<{ head: number }>("mine", { blocks: 1 });
  const { transfers } = decodeTransfers(await client.fetchCompleteBlock(head), network.tokens);
  expect(transfers.map(({ toHex, units }) => [toHex, units])).toEqual([
    [RECEIVER.address, 9_990_000n],
    [expect.any(String), 10_000n],
  ]);
});
