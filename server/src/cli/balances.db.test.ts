import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, TEST_XPUB } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { startFaultyNode } from "@daric/testing/faulty-node";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { addressToHex } from "@daric/tron/address";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Charge } from "../charges/charge.ts";
import type { MerchantId } from "../domain/ids.ts";

/** The seed words of the test account. */
const WORDS = `${"abandon ".repeat(11)}about`;

type Row = {
  address: string;
  path: string;
  usdt: string;
  trx: string;
  priceTrx: string;
  topUpTrx: string;
  isActivated: boolean;
};

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;
let merchantId: MerchantId;
let other: MerchantId;

beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(), startTestChain()]);
  merchantId = (await aMerchant(context.db)).id;
  other = (await aMerchant(context.db)).id;
});
afterAll(async () => {
  await chain.stop();
  await context.close();
});

const daric = (args: readonly string[], overrides: Record<string, string> = {}) =>
  captureDaric(["balances", "--per-second", "1000", ...args], {
    ...daricVariables(context, chain.devchain.url),
    ...overrides,
  });

async function balances(...args: string[]) {
  const { code, out, err } = await daric([...args, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

/** A charge of this merchant with confirmed payments of these sums. */
async function paid(owner: MerchantId, sums: { usdt?: string; trx?: string }): Promise<Charge> {
  const charge = await aCharge(context.db, { merchantId: owner, kind: "open" });
  await chain.pay(charge.address, sums);
  return charge;
}

async function confirm(): Promise<void> {
  await chain.mine(20);
  await chain.scan(context);
}

describe("daric balances", () => {
  it("lists the balance of each paid address, biggest first, with the path of its key", async () => {
    const small = await paid(merchantId, { usdt: "25.5" });
    const big = await paid(merchantId, { usdt: "100", trx: "20" });
    const foreign = await paid(other, { usdt: "7" });
    await aCharge(context.db, { merchantId });
    await confirm();

    const report = await balances();
    expect(report.addresses.map(({ address }: Row) => address)).toEqual([
      big.address,
      small.address,
      foreign.address,
    ]);
    for (const { address, path } of report.addresses as Row[])
      expect(chain.wallet(WORDS, path).defaultAddress.base58, path).toBe(address);
    expect(report.totals).toMatchObject({ addresses: 3, usdt: "132.5", trx: "20" });
    expect(report.accounts).toMatchObject([
      { path: "m/44'/195'/0'", firstReceiveAddress: deriveReceiveAddress(parseAccountXpub(TEST_XPUB), 0) },
    ]);

    expect((await balances("--merchant", other)).addresses).toHaveLength(1);
    expect((await balances("--min", "25.5")).addresses).toHaveLength(2);
    expect(await balances("--limit", "1")).toMatchObject({ asked: 1, isMore: true });
  });

  it("states the price that the chain then takes: with the top-up an address can be emptied", async () => {
    const owner = (await aMerchant(context.db)).id;
    const charge = await paid(owner, { usdt: "33" });
    await confirm();
    const [row] = (await balances("--merchant", owner)).addresses as [Row];
    expect(row).toMatchObject({ usdt: "33", trx: "0", isActivated: false });

    // The sender pays the fee of the first TRX.
    const sent = await chain.pay(charge.address, { trx: row.topUpTrx });
    await chain.mine(20);
    const wallet = chain.wallet(WORDS, row.path);
    const token = await wallet.contract().at(chain.devchain.usdtContract);
    const txId = await token
      .transfer(chain.devchain.payer.address, "33000000")
      .send({ feeLimit: 100_000_000 });
    await chain.mine(1);
    const burnedBy = async (id: string) => (await wallet.trx.getUnconfirmedTransactionInfo(id)).fee ?? 0;
    const burned = (await burnedBy(txId)) + (await burnedBy(sent[0] ?? ""));
    expect((burned / 1_000_000).toString()).toBe(row.priceTrx);

    await chain.mine(20);
    expect((await balances("--merchant", owner)).addresses).toEqual([]);
    expect(await daric(["--merchant", owner])).toMatchObject({
      out: "None of the 1 addresses asked about holds that much.\n",
    });
  });

  it("takes the energy of a private chain's token from the node, because other tokens use less than Tether's", async () => {
    const owner = (await aMerchant(context.db)).id;
    await paid(owner, { usdt: "12.5" });
    await confirm();
    const node = await startFaultyNode(chain.devchain.url);
    try {
      node.fail(({ path, question }) =>
        path === "/walletsolidity/triggerconstantcontract" &&
        String(question.function_selector).startsWith("transfer(")
          ? { body: JSON.stringify({ result: { result: true }, energy_used: 13_050, transaction: {} }) }
          : undefined,
      );
      const { code, out } = await daric(["--merchant", owner, "--json"], {
        TRON_NETWORK: "private",
        TRON_GENESIS_ID: chain.devchain.genesisId,
        USDT_CONTRACT: chain.devchain.usdtContract,
        TRON_NODE_URLS: node.url,
      });
      expect(code).toBe(0);
      const { assumptions, prices, addresses } = JSON.parse(out);
      expect(assumptions[0]).toContain("takes 13050 energy");
      expect(Number(addresses[0].priceTrx)).toBeCloseTo(
        13_050 * Number(prices.energyTrx) + Number(prices.activationTrx),
        6,
      );
      // The chain itself returns the same for the real call.
      node.heal();
      const real = await daric(["--merchant", owner, "--json"], {
        TRON_NETWORK: "private",
        TRON_GENESIS_ID: chain.devchain.genesisId,
        USDT_CONTRACT: chain.devchain.usdtContract,
        TRON_NODE_URLS: node.url,
      });
      expect(JSON.parse(real.out).assumptions[0]).toMatch(/takes \d{5,6} energy/);
    } finally {
      await node.stop();
    }
  });

  it("lists money of unknown orders with its address and path, like the doctor; not for one merchant", async () => {
    const parsed = parseAccountXpub(TEST_XPUB);
    const address = deriveReceiveAddress(parsed, 77_777);
    const hash = Buffer.from(addressToHex(address).slice(2), "hex");
    await paid(merchantId, { usdt: "1" });
    await context.db.query(sql`
      insert into address_directory (address, account_key_id, derivation_index)
      select ${hash}, id, 77777 from account_keys where xpub = ${TEST_XPUB}`);
    await context.db.query(sql`
      insert into unattributed_transfers (network, tx_id, source, event_index, address, currency, units,
        block_number, block_id, block_time)
      values (${context.config.chain.network}, ${"ab".repeat(32)}, 'log', 0, ${hash}, 'USDT', 9990000, 5,
        ${"cd".repeat(32)}, now())`);
    const row = {
      address,
      path: "m/44'/195'/0'/0/77777",
      amount: "9.99",
      currency: "USDT",
      txHash: "ab".repeat(32),
    };
    expect((await balances()).foundMoney).toMatchObject([row]);
    expect((await balances("--merchant", merchantId)).foundMoney).toEqual([]);
    const doctor = await captureDaric(["doctor", "--json"], daricVariables(context));
    expect(JSON.parse(doctor.out).foundMoney).toMatchObject([row]);
    for (const { out } of [await daric([]), await captureDaric(["doctor"], daricVariables(context))])
      expect(out).toMatch(
        new RegExp(
          `Money of unknown orders: 1 transfer .*${address} +m/44'/195'/0'/0/77777 +9.99 +USDT`,
          "s",
        ),
      );
  });

  it("reads the solid block, without money in later blocks", async () => {
    const owner = (await aMerchant(context.db)).id;
    const charge = await paid(owner, { usdt: "5" });
    await confirm();
    await chain.pay(charge.address, { usdt: "6" });
    await chain.mine(1);
    expect((await balances("--merchant", owner)).addresses).toMatchObject([{ usdt: "5" }]);
  });

  it("explains the price, the seed of the addresses and the steps in a wallet", async () => {
    const { code, out } = await daric(["--min", "100"]);
    expect(code).toBe(0);
    for (const expected of [
      "1 of ",
      "m/44'/195'/0'/0/",
      "64285 energy",
      "0.0001 TRX",
      "1.1 TRX",
      "The seed that opens it: account m/44'/195'/0', fingerprint ",
      "TronLink",
    ])
      expect(out).toContain(expected);
  });

  it("stops with a line that names the node if none answers", async () => {
    const { code, out, err } = await daric([], { TRON_NODE_URLS: "http://127.0.0.1:1" });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^daric: 127\.0\.0\.1:1: cannot be reached.*TRON_NODE_URLS.*\n$/);
  });

  it("refuses an unknown merchant and a malformed amount", async () => {
    const unknownId = "0193a1b2-0000-7000-8000-000000000001";
    expect(await daric(["--merchant", unknownId])).toMatchObject({
      code: 1,
      err: `daric: There is no merchant ${unknownId}.\n`,
    });
    expect((await daric(["--min", "1,5"])).code).toBe(2);
  });
});
