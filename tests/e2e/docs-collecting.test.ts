import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runDaricForOutput } from "@daric/server/cli/daric";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { type Row, type Stack, type StackMerchant, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { TronWeb } from "tronweb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DocBlock, patternOf, purposeOf, readBlocks } from "./doc-blocks.ts";
import { type DocShell, startShell } from "./doc-shell.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LIMIT_MS = 60_000;
const GAS_PATH = "m/44'/195'/0'/1/0";

let folder: string;
/** A service without a signer, whose xpub is of a seed that `daric seed` has just printed. */
let stack: Stack;
let merchant: StackMerchant;
/** the merchant's settlement account, which holds USDT and TRX, as the guide advises */
let wallet: string;
let gasWallet: string;
let shell: DocShell;

beforeAll(async () => {
  const { words, accountXpub } = await runDaricForOutput<Row>(["seed"], {});
  stack = await startStack({ ACCOUNT_XPUB: accountXpub });
  await stack.control("config", { blockTimeMs: 200, paused: false });
  merchant = await stack.merchant();
  wallet = stack.devchain.payer.address;
  gasWallet = TronWeb.fromMnemonic(words, GAS_PATH).address;
  folder = await mkdtemp(join(scratchFolder(), "daric-collecting-"));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const { HOME } = process.env;
  shell = startShell(folder, { ...stack.variables, HOME, WORDS: words } as NodeJS.ProcessEnv);
});

afterAll(async () => {
  await shell?.stop();
  await stack?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const balanceOf = async (address: string): Promise<{ usdt: number; trx: number }> => {
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  const [usdt, trx] = [
    await token.balanceOf(address).call(),
    await stack.payer.trx.getUnconfirmedBalance(address),
  ];
  return { usdt: Number(usdt) / 1e6, trx: trx / 1e6 };
};

/** Pays a new order with these sums, until they are confirmed. */
async function pay(amount: string, sums: { usdt?: string; trx?: string }): Promise<string> {
  const order = await merchant.call("POST", "/v1/deposit-addresses", { amount, currency: "USDT" });
  await stack.control("faucet", { address: order.address, ...sums });
  const count = Object.keys(sums).length;
  await until("the payments are confirmed", async () => {
    const deposits = await merchant.call<Row[]>("GET", `/v1/deposits?depositAddressId=${order.id}`);
    return deposits.filter(({ status }) => status === "CONFIRMED").length === count;
  });
  return order.address;
}

/** The text of the guide with the chain and the wallet of this run. */
const localized = (text: string) =>
  text
    .replaceAll("https://api.trongrid.io", stack.devchain.url)
    .replaceAll("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", stack.devchain.usdtContract)
    .replaceAll("T… your wallet", wallet);

/** Runs a block, again until its output is like the one that the guide shows. */
async function run(block: DocBlock, shown: DocBlock | undefined): Promise<void> {
  const file = purposeOf(block, "file");
  if (file !== undefined) return writeFile(join(folder, file), localized(block.code));
  const check = async () => {
    const { code, output } = await shell.run(block.code);
    const asShown =
      shown === undefined ? expect.any(String) : expect.stringMatching(patternOf(shown.code.trim()));
    expect({ code, output: output.trim() }, shell.errors()).toEqual({ code: 0, output: asShown });
    return true;
  };
  if (shown === undefined) await check();
  else await until(`${block.place} prints what is shown`, check, LIMIT_MS);
}

it("a merchant with nothing but the seed moves all money to its wallet, as docs/collecting.md says", async () => {
  const paid = [await pay("25.5", { usdt: "25.5" }), await pay("10", { usdt: "10", trx: "20" })];
  await stack.control("faucet", { address: gasWallet, trx: "100" });
  const before = await balanceOf(wallet);
  const blocks = (await readBlocks("collecting")).filter(({ purpose }) => purpose !== "no-run");
  for (const [i, block] of blocks.entries())
    if (block.language !== "text")
      await run(block, blocks[i + 1]?.language === "text" ? blocks[i + 1] : undefined);

  for (const address of paid) expect(await balanceOf(address)).toEqual({ usdt: 0, trx: 0 });
  const after = await balanceOf(wallet);
  expect(after.usdt - before.usdt).toBe(35.5);
  // A transfer of USDT and the bytes of one of TRX were burnt of the 20 TRX.
  expect(after.trx - before.trx).toBeCloseTo(20 - 6.6965, 6);
  // The top-up is no payment, and the money is paid out.
  const deposits = await merchant.call<Row[]>("GET", "/v1/deposits");
  expect(deposits.map(({ currency, amount }) => `${amount} ${currency}`).toSorted()).toEqual([
    "10 USDT",
    "20 TRX",
    "25.5 USDT",
  ]);
  const balances = await merchant.call<Row[]>("GET", "/v1/balances");
  expect(balances.find(({ currency }) => currency === "USDT")).toMatchObject({
    settled: "35.5",
    waiting: "0",
  });
});
