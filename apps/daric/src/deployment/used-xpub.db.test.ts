import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, TEST_XPUB, type TestContext } from "@daric/testing/context";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { accountXpubFromMnemonic, createSeed } from "@daric/tron/seed";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { variableOf } from "../process/config.ts";
import { claimDeployment } from "./claim-deployment.ts";
import { connectNetwork } from "./connect-network.ts";

const account = parseAccountXpub(TEST_XPUB);
let chain: TestChain;
let context: TestContext & { close(): Promise<void> };

beforeEach(async () => {
  chain = await startTestChain();
  context = await createTestContext({ TRON_NODE_URLS: chain.devchain.url });
  await claimDeployment({ ...context, variableOf });
});
afterEach(async () => {
  await context.close();
  await chain.stop();
});

/** Pays to this index, as to another user of the same xpub. */
async function pay(index: number, amount: { usdt?: string; trx?: string }): Promise<void> {
  await chain.pay(deriveReceiveAddress(account, index), amount);
  await chain.mine(1);
}

async function start(overrides: Partial<TestContext> = {}): Promise<string> {
  const never = () => expect.fail("refused later");
  try {
    const events = { onVerified() {}, onRefused: never };
    await (await connectNetwork({ ...context, ...overrides }, events)).close();
    return "started";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("an empty database", () => {
  it("starts with an unused xpub, or one used only beyond the first ten addresses of its first four batches", async () => {
    expect(await start()).toBe("started");
    await pay(10, { usdt: "1" });
    await pay(1_000, { usdt: "1" });
    expect(await start()).toBe("started");
  });

  it.each([
    { index: 0, amount: { trx: "1" } },
    { index: 759, amount: { usdt: "1" } },
  ])(
    "is refused an xpub whose address $index has received $amount, with the way out in one line",
    async (paid) => {
      await pay(paid.index, paid.amount);
      const refusal = await start();
      expect(refusal).toMatch(
        /^ACCOUNT_XPUB is in use already: T\w{33}, [^\n]+ `daric seed [^\n]+--account [^\n]+$/,
      );
      expect(refusal).toContain(deriveReceiveAddress(account, paid.index));
      expect(refusal).not.toContain(TEST_XPUB);
    },
  );

  it("that refused an xpub is not bound to it, and starts with another one, which it keeps", async () => {
    await pay(0, { usdt: "1" });
    const bound = () =>
      context.db.query(sql`select account_xpub_check as xpub, genesis_id as genesis from deployment`);
    expect(await start()).toContain("is in use already");
    expect(await bound()).toEqual([{ xpub: null, genesis: null }]);

    const other = { addresses: { accountXpub: accountXpubFromMnemonic(createSeed()) } };
    const again = { ...context, config: { ...context.config, ...other } };
    await claimDeployment({ ...again, variableOf });
    expect(await start(again)).toBe("started");
    expect(await bound()).toEqual([{ xpub: expect.any(Buffer), genesis: expect.any(String) }]);
    await expect(claimDeployment({ ...context, variableOf })).rejects.toThrow(
      "is not the one of this database",
    );
  });

  it("of a process without an xpub sends no query", async () => {
    await pay(0, { usdt: "1" });
    const { addresses: _, ...config } = context.config;
    expect(await start({ config: { ...config, addresses: {} } as TestContext["config"] })).toBe("started");
  });
});

it("a database that has issued an address is never refused", async () => {
  await pay(0, { usdt: "1" });
  await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id });
  expect(await start()).toBe("started");
});
