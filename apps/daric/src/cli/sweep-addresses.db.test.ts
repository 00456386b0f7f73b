import type { Charge } from "@daric/charges/charge";
import type { MerchantId } from "@daric/domain/ids";
import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, TEST_XPUB } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { startFaultyNode } from "@daric/testing/faulty-node";
import { deriveOperatorAddress, deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** The seed words of the test account. */
const WORDS = `${"abandon ".repeat(11)}about`;
const GAS_PATH = "m/44'/195'/0'/1/0";

type Row = {
  address: string;
  path: string;
  usdt: string;
  trx: string;
  priceTrx: string;
  topUpTrx: string;
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
  captureDaric(["sweep", "plan", "--addresses", ...args], {
    ...daricVariables(context, chain.devchain.url),
    ...overrides,
  });

async function addresses(...args: string[]) {
  const { code, out, err } = await daric([...args, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

const rowOf = async ({ address }: Charge): Promise<Row | undefined> =>
  (await addresses()).addresses.find((row: Row) => row.address === address);

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

describe("daric sweep plan --addresses", () => {
  it("says that there is nothing yet before the first address", async () => {
    expect(await daric([])).toMatchObject({ code: 1, err: expect.stringContaining("nothing to settle yet") });
  });

  it("lists what each address holds by the ledger, the largest first, with the path of its key", async () => {
    const small = await paid(merchantId, { usdt: "25.5" });
    const large = await paid(merchantId, { usdt: "100", trx: "20" });
    const foreign = await paid(other, { usdt: "7" });
    const inTrx = await paid(other, { trx: "900" });
    await aCharge(context.db, { merchantId });
    await confirm();

    const report = await addresses();
    expect(report.addresses.map(({ address }: Row) => address)).toEqual(
      [large, small, foreign, inTrx].map(({ address }) => address),
    );
    for (const { address, path } of report.addresses as Row[])
      expect(chain.wallet(WORDS, path).defaultAddress.base58, path).toBe(address);
    expect(report.totals).toMatchObject({ addresses: 4, usdt: "132.5", trx: "920" });
    const key = parseAccountXpub(TEST_XPUB);
    expect(report.accounts).toEqual([
      {
        path: "m/44'/195'/0'",
        firstReceiveAddress: deriveReceiveAddress(key, 0),
        gasAddress: deriveOperatorAddress(key, 0),
        gasPath: GAS_PATH,
      },
    ]);
    expect(chain.wallet(WORDS, GAS_PATH).defaultAddress.base58).toBe(report.accounts[0].gasAddress);
    expect(await addresses("--limit", "1")).toMatchObject({ isMore: true, totals: { addresses: 1 } });
    expect(report.isMore).toBe(false);
  });

  it("states the price that the chain then takes: with the top-up an address can be emptied, and leaves the list", async () => {
    const charge = await paid(merchantId, { usdt: "33" });
    const gasWallet = chain.wallet(WORDS, GAS_PATH);
    await chain.pay(gasWallet.defaultAddress.base58 || "", { trx: "100" });
    await confirm();
    const row = (await rowOf(charge)) as Row;
    expect(row).toMatchObject({ usdt: "33", trx: "0" });

    const sent = await gasWallet.trx.sendTransaction(charge.address, Math.round(Number(row.topUpTrx) * 1e6));
    await chain.mine(20);
    const wallet = chain.wallet(WORDS, row.path);
    const token = await wallet.contract().at(chain.devchain.usdtContract);
    const txId = await token
      .transfer(chain.devchain.payer.address, "33000000")
      .send({ feeLimit: 100_000_000 });
    await chain.mine(1);
    const burnedBy = async (id: string) => (await wallet.trx.getUnconfirmedTransactionInfo(id)).fee ?? 0;
    const burned = (await burnedBy(txId)) + (await burnedBy(sent.txid));
    expect((burned / 1_000_000).toString()).toBe(row.priceTrx);

    await confirm();
    expect(await rowOf(charge)).toBeUndefined();
  });

  it("takes the energy of a token from the node, because other tokens use less than Tether's", async () => {
    const charge = await paid(merchantId, { usdt: "12.5" });
    await confirm();
    const node = await startFaultyNode(chain.devchain.url);
    const privateChain = {
      TRON_NETWORK: "private",
      TRON_GENESIS_ID: chain.devchain.genesisId,
      USDT_CONTRACT: chain.devchain.usdtContract,
      TRON_NODE_URLS: node.url,
    };
    try {
      node.fail(({ path, question }) =>
        path.endsWith("/triggerconstantcontract") &&
        String(question.function_selector).startsWith("transfer(")
          ? { body: JSON.stringify({ result: { result: true }, energy_used: 13_050, transaction: {} }) }
          : undefined,
      );
      const { code, out } = await daric(["--json"], {
        ...privateChain,
        TRON_NETWORK: "devnet",
        TRON_GENESIS_ID: "",
        USDT_CONTRACT: "",
      });
      expect(code).toBe(0);
      const report = JSON.parse(out);
      const row = report.addresses.find(({ address }: Row) => address === charge.address);
      expect(Number(row.priceTrx)).toBeCloseTo(
        13_050 * Number(report.prices.energyTrx) + Number(report.prices.activationTrx),
        6,
      );
      node.heal();
      expect((await rowOf(charge))?.topUpTrx).toBe("6.4285");
    } finally {
      await node.stop();
    }
  });

  it("lists confirmed money alone", async () => {
    const charge = await paid(merchantId, { usdt: "5" });
    await confirm();
    await chain.pay(charge.address, { usdt: "6" });
    await chain.mine(1);
    await chain.scan(context);
    expect(await rowOf(charge)).toMatchObject({ usdt: "5" });
  });

  it("names the total, the top-ups, and the accounts of the seeds", async () => {
    const { code, out } = await daric(["--limit", "1"]);
    expect(code).toBe(0);
    for (const expected of [
      "1 address on devnet with money by the ledger, the largest first. There are more: raise --limit.",
      "m/44'/195'/0'/0/",
      "Total: 100 USDT and 20 TRX. Moving it by hand costs about ",
      `The seed of account m/44'/195'/0' has the first address ${deriveReceiveAddress(parseAccountXpub(TEST_XPUB), 0)}`,
    ])
      expect(out).toContain(expected);
  });

  it("stops with a line that names the node if none answers", async () => {
    const { code, out, err } = await daric([], { TRON_NODE_URLS: "http://127.0.0.1:1" });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^daric: 127\.0\.0\.1:1: cannot be reached/);
  });

  it("a limit above 1,000 is for addresses alone", async () => {
    const { code, err } = await captureDaric(
      ["sweep", "plan", "--limit", "2000"],
      daricVariables(context, chain.devchain.url),
    );
    expect([code, err]).toEqual([1, "daric: --limit is at most 1000 without --addresses, not 2000\n"]);
    expect((await daric(["--limit", "2000"])).code).toBe(0);
    expect((await daric(["--limit", "0"])).code).toBe(2);
  });
});
