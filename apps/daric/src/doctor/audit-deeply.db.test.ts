import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronClient, TronNode } from "@daric/chain/nodes/chain-reader";
import type { Charge } from "@daric/charges/charge";
import { readSample } from "@daric/deposits/rescan/read-sample";
import { createAnswerCache } from "@daric/deposits/verify/answer-cache";
import { type Sql, sql } from "@daric/postgres/sql";
import { aCharge } from "@daric/testing/charge-builders";
import { copyLedger, type Ledger, openLedger } from "@daric/testing/ledger";
import { usdtOn } from "@daric/testing/usdt";
import { beforeAll, describe, expect, it } from "vitest";
import { listScopes } from "./audit.ts";
import { auditDeeply, type DeepReport } from "./audit-deeply.ts";
import { compareBalances } from "./compare-balances.ts";
import { type PaidCharge, samplePaidCharges } from "./deep-store.ts";
import { chargeRangesTo } from "./id-range.ts";

/** The seed words of the test account. */
const WORDS = `${"abandon ".repeat(11)}about`;
/** More than there are blocks and addresses. */
const ALL = { blocks: 200, addresses: 50, seed: 7, limit: 50 };

let emptied: Charge;
let chain: Ledger["chain"];
let context: Ledger["context"];
let merchantId: Ledger["merchantId"];

beforeAll(async () => {
  const ledger = await openLedger();
  ({ chain, context, merchantId } = ledger);
  const orders: Charge[] = [];
  for (let n = 0; n < 4; n += 1) {
    const order = await aCharge(context.db, { merchantId, amount: "5" });
    orders.push(order);
    await chain.pay(order.address, n === 0 ? { usdt: "5", trx: "90" } : { usdt: "5" });
    await chain.mine(1);
  }
  [emptied] = orders as [Charge];
  await chain.mine(22);
  await sweep();
  await chain.mine(25);
  await chain.scan(context);
  return ledger.close;
}, 60_000);

/** Empties the first order's address of its USDT, by hand. */
async function sweep(): Promise<void> {
  const wallet = chain.wallet(WORDS, "m/44'/195'/0'/0/0");
  const call = await wallet.transactionBuilder.triggerSmartContract(
    usdtOn(chain.network).contract,
    "transfer(address,uint256)",
    { feeLimit: 80_000_000 },
    [
      { type: "address", value: chain.devchain.payer.address },
      { type: "uint256", value: "5000000" },
    ],
    emptied.address,
  );
  await wallet.trx.sendRawTransaction(await wallet.trx.sign(call.transaction));
}

const [ALL_CHARGES = { after: "", upTo: "" }] = chargeRangesTo([]);

/** The charges that received money, some of them more than once. */
async function sampledTimes(count: number): Promise<PaidCharge[]> {
  const [scope] = await listScopes(context.db, chain.network.name);
  const sampled = scope ? await samplePaidCharges(context.db, { ...scope, ...ALL_CHARGES }, ALL) : [];
  return [...sampled, ...sampled].slice(0, count);
}

async function auditCopy(statements: readonly Sql[], client: TronClient = chain.client): Promise<DeepReport> {
  const { db } = await copyLedger(context, statements);
  return auditDeeply({ ...context, db }, { client, network: chain.network, needed: 1 }, ALL);
}

/** A summary of the violations. */
function broken({ violations }: DeepReport): Record<string, string[]> {
  const names = [...new Set(violations.map(({ invariant }) => invariant))].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      [...new Set(violations.filter(({ invariant }) => invariant === name).map(({ what }) => what))].sort(),
    ]),
  );
}

/** A client whose one node gives some other answers. */
function otherwise(lies: Partial<TronNode>): TronClient {
  const [node] = chain.client.nodes as [TronNode];
  const lying: TronNode = {
    ...lies,
    label: node.label,
    solidityFault: undefined,
    getHeadBlock: () => node.getHeadBlock(),
    getBlock: (number) => node.getBlock(number),
    getBlockById: (id) => node.getBlockById(id),
    getTransactionInfos: (number) => node.getTransactionInfos(number),
    getSolidBlock: () => node.getSolidBlock(),
    getGenesisId: () => node.getGenesisId(),
    getTokenDecimals: (contract) => node.getTokenDecimals(contract),
    hasHistory: (address, tokens) => node.hasHistory(address, tokens),
    getResourcePrices: () => node.getResourcePrices(),
    call: (path, params, parse) => node.call(path, params, parse),
    findRun: (txId) => node.findRun(txId),
    getHeader: lies.getHeader ?? ((number) => node.getHeader(number)),
    fetchCompleteBlock:
      lies.fetchCompleteBlock ?? ((number, parent) => node.fetchCompleteBlock(number, parent)),
    getSolidBalance: lies.getSolidBalance ?? ((address, token) => node.getSolidBalance(address, token)),
  };
  return { ...chain.client, nodes: [lying], query: (question) => question(lying) };
}

const whereShop = () => sql`merchant_id = ${merchantId}`;
/** One of the orders that were not emptied. */
const another = () => sql`deposit_address_id = (
  select deposit_address_id from deposits where ${whereShop()} and deposit_address_id <> ${emptied.id} order by 1 limit 1)`;

describe("the comparison with the nodes", () => {
  it("agrees with a database that has all transfers, also if the sender burned fees", async () => {
    const found = await auditCopy([]);
    expect([broken(found), found.unanswered]).toEqual([{}, []]);
    expect(found.blocks).toBeGreaterThan(20);
    expect(found.addresses).toBe(4);
  });

  it("is sampled by the seed: the same blocks and addresses each time", async () => {
    const { db } = await copyLedger(context, []);
    const calls: number[][] = [];
    for (let times = 0; times < 2; times += 1) {
      const numbers: number[] = [];
      const client = otherwise({
        fetchCompleteBlock: (number) => {
          numbers.push(number);
          return chain.client.fetchCompleteBlock(number);
        },
      });
      const reported = { client, network: chain.network, needed: 1 };
      await auditDeeply({ ...context, db }, reported, { blocks: 6, addresses: 1, seed: 3 });
      calls.push(numbers);
    }
    expect(calls[0]).toEqual(calls[1]);
    expect(calls[0]?.length).toBeGreaterThan(3);
  });

  it.each<[string, () => Sql[], Record<string, string[]>]>([
    [
      "an outflow that the database lacks",
      () => [sql`delete from outflows where ${whereShop()}`],
      { I2: ["address with another balance than our database expects"] },
    ],
    [
      "a deposit whose amount was raised",
      () => [sql`update deposits set units = units + 1 where ${whereShop()} and ${another()}`],
      {
        I2: [
          "address with another balance than our database expects",
          "deposit of another amount than the nodes report",
        ],
      },
    ],
    [
      "an entry of the ledger whose amount was raised",
      () => [
        sql`update ledger_entries set units = units + 1 where ${whereShop()} and kind = 'deposit' and ${another()}`,
      ],
      { I2: ["address with another balance than our database expects"] },
    ],
    [
      "a deposit that was invented, and one that is missing",
      () => [sql`update deposits set tx_id = repeat('e', 64) where ${whereShop()} and ${another()}`],
      {
        I1: ["deposit that its block does not have", "transfer to us that was not credited"],
      },
    ],
    [
      "a block of another branch",
      () => [
        sql`update blocks set parent_id = repeat('e', 64) where transfer_count > 0 and orphaned_at is null`,
      ],
      { I3: ["final block that is another one at the nodes"] },
    ],
    [
      "a block that was read without some transactions",
      () => [
        sql`update blocks set transaction_count = transaction_count - 1 where transfer_count > 0 and orphaned_at is null`,
      ],
      { I3: ["block that has another number of transactions at the nodes"] },
    ],
    [
      "an address that its index does not derive to",
      () => [
        sql`update deposit_addresses set derivation_index = derivation_index + 100 where ${whereShop()} and id = ${emptied.id}`,
      ],
      { I13: ["charge whose address is not that of its index"] },
    ],
  ])("shows %s", async (_, statements, expected) => {
    const found = await auditCopy(statements());
    expect(broken(found)).toEqual(expected);
  });

  it("stays usable without a node: a failed node is named and is no violation", async () => {
    const failing = () => Promise.reject(new NodeError("did not answer", { fault: "timeout", node: "node" }));
    const found = await auditCopy([], otherwise({ fetchCompleteBlock: failing, getSolidBalance: failing }));
    expect([broken(found), found.blocks, found.addresses]).toEqual([{}, 0, 0]);
    expect(found.unanswered).toContain(`address ${emptied.address}: node: did not answer`);
  });

  it("names another block of enough nodes, also if the node that has ours does not show it completely", async () => {
    const [node] = chain.client.nodes as [TronNode];
    const [forked] = otherwise({
      getHeader: async (number) => {
        const header = await node.getHeader(number);
        return header && { ...header, id: `${header.id.slice(0, 16)}${"e".repeat(48)}` };
      },
    }).nodes as [TronNode];
    const failing = () => Promise.reject(new NodeError("did not answer", { fault: "timeout", node: "node" }));
    const [incomplete] = otherwise({ fetchCompleteBlock: failing }).nodes as [TronNode];
    const nodes = [forked, { ...forked, label: "second" }, { ...incomplete, label: "third" }];
    const client: TronClient = { ...chain.client, nodes, query: (question) => question(incomplete) };
    const { db } = await copyLedger(context, []);
    const found = await auditDeeply({ ...context, db }, { client, network: chain.network, needed: 2 }, ALL);
    expect(broken(found)).toMatchObject({ I3: ["final block that is another one at the nodes"] });
  });

  it("of balances reads each node: one with another amount than the rest is named", async () => {
    const [node] = chain.client.nodes as [TronNode];
    const [lying] = otherwise({
      getSolidBalance: async (address, token) =>
        (await node.getSolidBalance(address, token)) + (token === undefined ? 0n : 1n),
    }).nodes as [TronNode];
    const both = { ...chain.client, nodes: [node, { ...lying, label: "the-liar" }] };
    const { violations } = await auditCopy([], both);
    expect(violations.map(({ what }) => what)).toEqual(
      Array.from({ length: 4 }, () => "address with different balances at the nodes"),
    );
    const [sample] = violations.flatMap(({ samples }) => samples);
    expect(sample).toMatch(/^T\S+: the-liar has \d+ units of USDT at block \d+, where \d+ came/);
    expect(sample).toContain(`${node.label} of the database's amount`);
  });

  it("of balances counts if one node fails and another answers, and the failed one is named", async () => {
    const failing = () => Promise.reject(new NodeError("did not answer", { fault: "timeout", node: "gone" }));
    const [gone] = otherwise({ getSolidBalance: failing }).nodes as [TronNode];
    const both = { ...chain.client, nodes: [gone, ...chain.client.nodes] };
    const found = await auditCopy([], both);
    expect([broken(found), found.addresses]).toEqual([{}, 4]);
    expect(found.unanswered).toContain(`address ${emptied.address}: gone: did not answer`);
  });

  it("stops at a node that fails five times in a row", async () => {
    let calls = 0;
    const failing = () => {
      calls += 1;
      return Promise.reject(new NodeError("did not answer", { fault: "timeout", node: "gone" }));
    };
    const charges = await sampledTimes(7);
    const { nodes } = otherwise({ getSolidBalance: failing });
    const { network } = chain;
    const found = await compareBalances(context.db, { nodes, network }, charges);
    expect([calls, found.compared, found.unanswered.length]).toEqual([5, 0, 6]);
    expect(found.unanswered.at(-1)).toMatch(/^2 more addresses: .* failed 5 times in a row$/);
  });

  it("spares a node that failed three times in a row", async () => {
    const calls: number[] = [];
    const client = otherwise({
      getHeader: (number) => {
        calls.push(number);
        return Promise.reject(new NodeError("did not answer", { fault: "timeout", node: "gone" }));
      },
    });
    const answers = createAnswerCache();
    for (const number of [1, 2, 3, 4, 5]) {
      const { network } = chain;
      const { header, unanswered } = await readSample(context, { client, network }, { number, answers });
      expect([header, unanswered.length]).toEqual([undefined, 1]);
    }
    expect(calls).toEqual([1, 2, 3]);
  });

  it.each([
    ["what its fees may have taken", -1n, {}],
    ["more than that", -200_000_000n, { I2: ["address with another balance than our database expects"] }],
    ["more than came", 1n, { I2: ["address with another balance than our database expects"] }],
  ])("allows an address that signed a transaction to lack %s of its TRX", async (_what, units, expected) => {
    const [node] = chain.client.nodes as [TronNode];
    const changes = [
      sql`update deposits set units = 500000000 where ${whereShop()} and currency = 'TRX'`,
      sql`update ledger_entries set units = 500000000 where ${whereShop()} and currency = 'TRX' and debit = 'on_addresses'`,
    ];
    const client = otherwise({
      getSolidBalance: async (address, token) =>
        token === undefined && address === emptied.address
          ? 500_000_000n + units
          : node.getSolidBalance(address, token),
    });
    const { I1: _, ...found } = broken({ ...(await auditCopy(changes, client)) });
    const balanceFaults = found.I2?.filter((what) => what.startsWith("address")) ?? [];
    expect(balanceFaults.length === 0 ? {} : { I2: balanceFaults }).toEqual(expected);
  });

  it("reads a balance again if it changes between two reads", async () => {
    let reads = 0;
    const [node] = chain.client.nodes as [TronNode];
    const moving = otherwise({
      getSolidBalance: async (address, token) => {
        if (token === undefined) return node.getSolidBalance(address, token);
        reads += 1;
        return reads % 4 === 1 ? 0n : node.getSolidBalance(address, token);
      },
    });
    expect(broken(await auditCopy([], moving))).toEqual({});
  });
});
