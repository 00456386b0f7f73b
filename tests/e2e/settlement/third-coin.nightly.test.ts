import { sql } from "@daric/postgres/sql";
import { anAddress } from "@daric/testing/builders";
import { requireDocumentedAnswers } from "@daric/testing/checked-answers";
import { aDevchain } from "@daric/testing/devchain-client";
import { until } from "@daric/testing/until";
import { expect, it, onTestFinished } from "vitest";
import { findBroken, nothingBroken, openSettlementServices } from "./stage.ts";

const BLOCK_TIME_MS = 200;
const LIMIT_MS = 180_000;
const CODE = "USDX";
const ONE = 1_000_000n;
const PAID = 20_000n * ONE;
/** 5 % and 0.25 */
const FEE = 1_000n * ONE + ONE / 4n;
const IN_USDT = 5n * ONE;

/** The row that a person would add to `packages/domain/src/asset.ts`. The devnet names the contract. */
const row = (contract: string) => `${CODE}: {
  kind: "token", networkLabel: "TRON · TRC-20", decimals: 6,
  contracts: { mainnet: "${contract}", nile: "${contract}", shasta: "${contract}" },
  dust: 10_000n, withdrawalMinimum: 10_000_000n, withdrawalFee: null, isPegged: true,
  prices: {}, rateSources: [], transfer: { energy: 64_285n, bytes: 345n },
},`;

/** Options with which Node.js loads the built `asset.js` with one more row. */
function withRow(contract: string): string {
  const importOf = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
  const hooks = importOf(`
    const START = "export const assets = {";
    export async function load(url, context, next) {
      const loaded = await next(url, context);
      if (!url.endsWith("/packages/domain/dist/asset.js")) return loaded;
      const source = String(loaded.source);
      if (!source.includes(START)) throw new Error("the table of coins was not found");
      return { ...loaded, source: source.replace("TRX: {", ${JSON.stringify(row(contract))} + " TRX: {") };
    }`);
  return `--import=${importOf(`import { register } from "node:module"; register(${JSON.stringify(hooks)});`)}`;
}

it("a third coin is one row of the service and one entry of the signer's configuration: it is ordered, paid, credited, swept, signed, and arrives", {
  timeout: LIMIT_MS + 60_000,
}, async () => {
  const chain = await aDevchain();
  onTestFinished(() => chain.stop());
  const { genesisId, usdtContract } = chain;
  const { usdxContract: contract } = (await chain.get("/devchain/info")).body;
  const services = await openSettlementServices({
    network: "devnet",
    genesisId,
    usdtContract,
    nodeUrls: [chain.url],
    addedCoin: { code: CODE, contract, nodeOptions: withRow(contract) },
  });
  onTestFinished(() => services.close());
  const [wallet, operatorWallet] = [anAddress(), anAddress()];
  await chain.mine(30);
  for (const address of [services.gasAddress, wallet, operatorWallet])
    await chain.control("faucet", { address, trx: "10000" });
  await chain.control("config", { paused: false, blockTimeMs: BLOCK_TIME_MS });
  await services.serve("api");
  const fees = ["--fee-mode", "merchant", "--fee-basis-points", "500", "--fee-fixed-usdx", "3"];
  const { id: merchant, client } = await services.merchant(wallet, ...fees);
  await services.daric("merchant", "update", merchant, "--fee-fixed-usdx", "0.25");
  const programs = [
    await services.signer([
      { merchant, address: wallet },
      { merchant: "operator", address: operatorWallet },
    ]),
    await services.serve("watcher"),
    await services.serve("settlement"),
  ];
  const payer = chain.tronWeb();
  const [usdx, usdt] = [await payer.contract().at(contract), await payer.contract().at(usdtContract)];

  const asked = { amount: "20000", currency: CODE as "USDT", orderRef: "A-1" };
  const order = await client.depositAddresses.create(asked);
  expect(order.currency).toBe(CODE);
  await usdx.transfer?.(order.address, String(PAID)).send({ feeLimit: 100_000_000 });
  await usdt.transfer?.(order.address, String(IN_USDT)).send({ feeLimit: 100_000_000 });

  // The operator's fee and the merchant's part are two sweeps. The other coin is too little for one.
  const sweeps = () =>
    services.owner().query<{ status: string }>(sql`select currency, status, reason, units::text from sweeps`);
  const isSwept = async () => (await sweeps()).filter(({ status }) => status === "RECLAIMED").length === 2;
  await until("the coin is swept", isSwept, LIMIT_MS).catch(async (cause: unknown) => {
    const logs = programs.map((program) => program.log()).join("\n");
    throw new Error(`${JSON.stringify(await sweeps())}\n${logs}`, { cause });
  });
  expect(await client.depositAddresses.retrieve(order.id)).toMatchObject({
    currency: CODE,
    status: "ARCHIVED",
  });
  const deposits = await services.owner().query(sql`
      select currency, units, unmatched, status from deposits order by currency desc`);
  expect(deposits).toEqual([
    { currency: CODE, units: PAID, unmatched: false, status: "CONFIRMED" },
    { currency: "USDT", units: IN_USDT, unmatched: true, status: "CONFIRMED" },
  ]);
  const balanceOf = async (token: typeof usdx, address: string) =>
    BigInt(await token.balanceOf?.(address).call());
  expect(await balanceOf(usdx, wallet)).toBe(PAID - FEE);
  expect(await balanceOf(usdx, operatorWallet)).toBe(FEE);
  expect(await findBroken(services.owner())).toEqual(nothingBroken);
  await services.daric("doctor");
  expectOldDocument();
});

/** The contract names USDT and TRX alone: an answer with a third coin differs from it in its currency, and in nothing else. */
function expectOldDocument(): void {
  const isOther =
    /: \/data\/currency must be equal to one of the allowed values \{"allowedValues":\["USDT","TRX"\]\}$/;
  let text = "";
  try {
    requireDocumentedAnswers();
  } catch (error) {
    text = String(error);
  }
  const [, ...faults] = text.split("\n\n");
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) expect(fault).toMatch(isOther);
}
