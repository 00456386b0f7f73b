import { sql } from "@daric/postgres/sql";
import type { Daric } from "@daric/sdk";
import { anAddress } from "@daric/testing/builders";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { until } from "@daric/testing/until";
import { addressToHex } from "@daric/tron/address";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { lies as blockLies } from "../faults/lies.ts";
import { type Json, type Lie, type LyingNode, startLyingNode } from "../faults/lying-node.ts";
import {
  findBroken,
  nothingBroken,
  openSettlementServices,
  type RestartedProgram,
  type SettlementServices,
} from "./stage.ts";

const BLOCK_TIME_MS = 200;
const LIMIT_MS = 120_000;
const [wallet, operatorWallet] = [anAddress(), anAddress()];

let chain: TestDevchain;
/** the first node, which is honest except in some tests */
let honest: LyingNode;
let liar: LyingNode;
let services: SettlementServices;
let programs: RestartedProgram[];
let shop: Daric;

beforeAll(async () => {
  chain = await aDevchain();
  [honest, liar] = await Promise.all([startLyingNode(chain.url), startLyingNode(chain.url)]);
  const { genesisId, usdtContract } = chain;
  services = await openSettlementServices({
    network: "devnet",
    genesisId,
    usdtContract,
    nodeUrls: [honest.url, liar.url],
  });
  await chain.mine(30);
  const { gasAddress: gas } = services;
  for (const address of [gas, wallet, operatorWallet])
    await chain.control("faucet", { address, trx: "10000", usdt: "1" });
  await chain.control("config", { paused: false, blockTimeMs: BLOCK_TIME_MS });
  await services.serve("api");
  const merchant = await services.merchant(wallet);
  shop = merchant.client;
  const signer = await services.signer([
    { merchant: merchant.id, address: wallet },
    { merchant: "operator", address: operatorWallet },
  ]);
  programs = [signer, await services.serve("watcher"), await services.serve("settlement")];
}, 120_000);

afterAll(async () => {
  await services.close();
  await Promise.all([honest.stop(), liar.stop()]);
  await chain.stop();
});

type Order = { readonly id: string; readonly address: string };

let references = 0;

/** Creates an order and pays it by TronWeb. */
async function paid(usdt: number): Promise<Order> {
  references += 1;
  const order = await shop.depositAddresses.create({ amount: String(usdt), orderRef: `A-${references}` });
  const token = await chain.tronWeb().contract().at(chain.usdtContract);
  await token.transfer?.(order.address, String(usdt * 1_000_000)).send({ feeLimit: 100_000_000 });
  return order;
}

const lines = async (statement: ReturnType<typeof sql>) =>
  (await services.owner().query<{ line: string }>(statement)).map(({ line }) => line);

const sweepOf = async ({ id }: Order) =>
  (
    await lines(sql`
      select concat_ws(' ', status, reason) as line from sweeps where deposit_address_id = ${id} order by id desc limit 1`)
  )[0] ?? "none";

const transactionsOf = ({ id }: Order) =>
  lines(sql`
    select concat_ws(' ', t.purpose, t.outcome) as line from sweep_transactions t
    where t.deposit_address_id = ${id} order by t.id`);

async function reaches(order: Order, status: RegExp): Promise<void> {
  await until(`the sweep is ${status}`, async () => status.test(await sweepOf(order)), LIMIT_MS).catch(
    async (error: unknown) => {
      const logs = programs.map((program) => program.log()).join("\n");
      throw new Error(`it is ${await sweepOf(order)}; ${await transactionsOf(order)}\n${logs}`, {
        cause: error,
      });
    },
  );
}

/** Makes a node lie until the test has ended. */
function lieAbout(node: LyingNode, lie: Lie) {
  onTestFinished(() => node.beHonest());
  return node.inject(lie, Number.POSITIVE_INFINITY);
}

const SELECTORS = { transfer: "transfer(address,uint256)", blacklist: "isBlackListed(address)" };
const callLie =
  (selector: string, change: (honest: Json, question: Json) => void): Lie =>
  ({ path, question, honest: answer }) => {
    if (path !== "/wallet/triggerconstantcontract" || question?.function_selector !== selector)
      return undefined;
    change(answer, question);
    return answer;
  };
const parameterLie =
  (key: string, times: number): Lie =>
  ({ path, honest: answer }) => {
    if (path !== "/wallet/getchainparameters") return undefined;
    for (const parameter of answer.chainParameter)
      if (parameter.key === key) parameter.value = Math.round(parameter.value * times);
    return answer;
  };

async function isSweptOnce(order: Order): Promise<void> {
  expect(await transactionsOf(order)).toEqual(["top_up landed", "sweep landed"]);
  expect(await findBroken(services.owner())).toEqual(nothingBroken);
}

it.each<[claim: string, lie: Lie, place?: "first"]>([
  ["energy costs a tenth", parameterLie("getEnergyFee", 0.1)],
  ["bytes cost nothing", parameterLie("getTransactionFee", 0)],
  [
    "a transfer takes a tenth of the energy",
    callLie(SELECTORS.transfer, (answer) => {
      answer.energy_used = Math.round(answer.energy_used / 10);
    }),
  ],
  [
    "the address has the energy already",
    ({ path, honest: answer }) =>
      path === "/wallet/getaccountresource" ? { ...answer, EnergyLimit: 10_000_000 } : undefined,
  ],
  ["the solid block is the head", blockLies["the solid block is the head"], "first"],
  ["the solid block is block 1", blockLies["the solid block is block 1"], "first"],
])(
  "one of two nodes lies that %s: the higher cost counts, and the sweep lands at its first try",
  { timeout: 2 * LIMIT_MS },
  async (_, lie, place) => {
    // Solid blocks are requested from the first node only.
    const injection = lieAbout(place === "first" ? honest : liar, lie);
    const order = await paid(1_000);
    await reaches(order, /^RECLAIMED/);
    expect(injection.count()).toBeGreaterThan(0);
    await isSweptOnce(order);
  },
);

it("if one of two nodes reports a high energy price, the sweep waits with that reason until both agree", {
  timeout: 2 * LIMIT_MS,
}, async () => {
  lieAbout(liar, parameterLie("getEnergyFee", 10));
  const order = await paid(10_000);
  await reaches(order, /^WAITING it costs 6\d\.\d+ TRX, above the ceiling$/);
  expect(await transactionsOf(order)).toEqual([]);
  liar.beHonest();
  await services.daric("sweep", "run");
  await reaches(order, /^RECLAIMED/);
  await isSweptOnce(order);
});

it("if one of two nodes reports an empty balance, the address is not swept until both agree", {
  timeout: 2 * LIMIT_MS,
}, async () => {
  const order = { id: "", address: "" };
  lieAbout(liar, ({ path, question, honest: answer }) => {
    const isAsked =
      path === "/walletsolidity/triggerconstantcontract" &&
      order.address !== "" &&
      String(question?.parameter ?? "").endsWith(addressToHex(order.address).slice(2));
    return isAsked ? { ...answer, constant_result: ["0".repeat(64)] } : undefined;
  });
  Object.assign(order, await paid(1_000));
  await reaches(order, /^WAITING the address holds 0 USDT/);
  liar.beHonest();
  await services.daric("sweep", "run");
  await reaches(order, /^RECLAIMED/);
  await isSweptOnce(order);
});

it("a blacklisted address is frozen, though one of two nodes does not report it as blacklisted", {
  timeout: 2 * LIMIT_MS,
}, async () => {
  lieAbout(
    liar,
    callLie(SELECTORS.blacklist, (answer) => {
      answer.constant_result = ["0".repeat(64)];
    }),
  );
  const order = await paid(1_000);
  await chain.control("token", { blacklist: [order.address] });
  await reaches(order, /^FROZEN the token has blacklisted this address/);
  expect(await transactionsOf(order)).toEqual([]);
  await chain.control("token", { unblacklist: [order.address] });
  liar.beHonest();
  await services.daric("sweep", "run");
  await reaches(order, /^RECLAIMED/);
});

/** Whether a query broadcasts the transfer of a sweep. */
const isTransfer = (path: string, question: Json): boolean =>
  path === "/wallet/broadcasthex" && String(question?.transaction).includes(TRIGGER_HEX);
const TRIGGER_HEX = Buffer.from("TriggerSmartContract").toString("hex");

it("a transfer that one of two nodes accepts and does not broadcast lands through the other node", {
  timeout: 2 * LIMIT_MS,
}, async () => {
  onTestFinished(() => liar.beHonest());
  const kept = liar.keep((path) => path === "/wallet/broadcasthex", { result: true });
  const order = await paid(1_000);
  await reaches(order, /^RECLAIMED/);
  expect(kept.count()).toBeGreaterThan(0);
  await isSweptOnce(order);
});

it("a transfer that a node reports as landed, but no block has, is never SOLID: it expires, and one other transfer follows", {
  timeout: 3 * LIMIT_MS,
}, async () => {
  const nodes = [honest, liar];
  onTestFinished(() => {
    for (const node of nodes) node.beHonest();
  });
  const kept = nodes.map((node) => node.keep(isTransfer, { result: true }));
  for (const node of nodes)
    node.inject(
      ({ path, question, honest: answer }) =>
        path.endsWith("/gettransactioninfobyid") && Object.keys(answer ?? {}).length === 0
          ? { id: question.value, blockNumber: 1, fee: 6_428_500, receipt: { result: "SUCCESS" } }
          : undefined,
      Number.POSITIVE_INFINITY,
    );
  const order = await paid(1_000);
  await until(
    "the transfer has expired",
    async () => (await transactionsOf(order)).includes("sweep expired"),
    LIMIT_MS,
  );
  expect(kept.map(({ count }) => count() > 0)).toEqual([true, true]);
  for (const node of nodes) node.beHonest();
  await reaches(order, /^RECLAIMED/);
  const made = await transactionsOf(order);
  expect(made[0]).toBe("top_up landed");
  expect(made.filter((line) => line === "sweep landed")).toEqual(["sweep landed"]);
  expect(made.slice(1, -1).every((line) => line === "sweep expired")).toBe(true);
  expect(await findBroken(services.owner())).toEqual(nothingBroken);
});
