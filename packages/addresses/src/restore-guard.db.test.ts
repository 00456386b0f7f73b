import { randomBytes } from "node:crypto";
import { idOf } from "@daric/domain/ids";
import { one, type Queryable, sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { copyDatabase, type TestDatabase } from "@daric/testing/database";
import { createForkChain } from "@daric/testing/fork-chain";
import { alarms, listening, nodeGroup } from "@daric/testing/watch";
import { hexToAddress } from "@daric/tron/address";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AddressSource, createAddressSource } from "./address-source.ts";
import type { HistorySource } from "./chain-history.ts";
import { findOwners, issuedInDirectory } from "./directory-store.ts";
import { createIndexGuard, UnguardedError } from "./index-guard.ts";
import { issueAddress } from "./issue-address.ts";
import type { IssuedAddress } from "./issued-address.ts";
import { ensureAccountKey, GAP, leaveGap, PLACES, reserveIndexRow } from "./key-store.ts";
import { addressCheck } from "./readiness.ts";
import { reportUnattributed } from "./report-unattributed.ts";
import { recordUnattributed, type UnattributedTransfer } from "./unattributed-store.ts";

/**
 * A gap that is derived quickly, and is larger than the reservations of a test. `restored-database.nightly.db.test.ts` covers the
 * real length, whose 80,500 addresses take the watcher long.
 */
const SHORT_GAP = 500;
/** How long the only node of a test must report an address as used. */
const CLAIM_MS = 60;
/** The gap in another database: the used ranges of 500 and all places but its own. */
const gapElsewhere = (gapSize: number) => ({ first: 0n, count: 500 + gapSize * PLACES, isWatched: true });

const MERCHANT = idOf("merchant", uuidv7());

let chain: TestChain;
let context: Awaited<ReturnType<typeof createTestContext>>;
let logged: ReturnType<typeof listening<TestContext>>;
let copies: TestDatabase[];
let sources: AddressSource[];

beforeEach(async () => {
  chain = await startTestChain();
  context = await createTestContext();
  logged = listening(context);
  copies = [];
  sources = [];
});
afterEach(async () => {
  await stopAll();
  for (const copy of copies) await copy.drop();
  await context.close();
  await chain.stop();
});

async function stopAll() {
  await Promise.all(sources.map((source) => source.stop()));
}

/** An address source of a new process. */
function aProcess(
  db = context.db,
  options: { currentChain?: () => HistorySource | undefined; gapSize?: number; claimMs?: number } = {},
): AddressSource {
  const usual = { currentChain: () => chain, checkAgainMs: 20, gapSize: SHORT_GAP, claimMs: CLAIM_MS };
  const source = createAddressSource({ ...logged.context, db }, { ...usual, ...options });
  sources.push(source);
  return source;
}

/** Stores this many orders in parallel, each with its address in the directory, and retries refused ones. */
async function order(
  source: AddressSource,
  count: number,
  db: Queryable = context.db,
): Promise<IssuedAddress[]> {
  const orderOne = () =>
    issueAddress(source, MERCHANT, async (issued) => {
      await db.query(
        issuedInDirectory(sql`
          select ${issued.bytes}::bytea, ${uuidv7()}::uuid, ${uuidv7()}::uuid, ${issued.accountKeyId}::uuid,
            ${issued.index}::bigint`),
      );
      return issued;
    });
  const patiently = async (): Promise<IssuedAddress> =>
    orderOne().catch((error) => (error.code === "SERVICE_UNAVAILABLE" ? patiently() : Promise.reject(error)));
  return Promise.all(Array.from({ length: count }, patiently));
}

/** Watches all gaps, as the watcher does before it reads on. */
async function takeIn(db = context.db): Promise<void> {
  const guard = createIndexGuard({ ...logged.context, db }, chain, { gapSize: SHORT_GAP, claimMs: CLAIM_MS });
  await guard.restore();
  await guard.stop();
}

async function aRestoredDump(): Promise<TestDatabase> {
  const copy = await copyDatabase(context.config.runtime.databaseUrl);
  copies.push(copy);
  return copy;
}

function addressesOf(issued: readonly IssuedAddress[]): Set<string> {
  return new Set(issued.map(({ address }) => address));
}

async function ownersOf(issued: readonly IssuedAddress[], db: Queryable = context.db) {
  const owners = await findOwners(
    db,
    issued.map(({ bytes }) => bytes),
  );
  return issued.map(({ bytes }) => {
    const owner = owners.find((owner) => owner.bytes.equals(bytes));
    return owner && (owner.merchantId === null ? "no merchant" : "a merchant");
  });
}

async function gapIn(db: Queryable) {
  return one(
    await db.query<{ first: bigint | null; count: number; isWatched: boolean | null }>(sql`
      select min(first) as first, coalesce(sum(count), 0)::integer as count, bool_and(is_watched) as "isWatched"
      from index_gaps`),
  );
}

/** The first reservation of a process in this copy. */
async function takenIn(copy: TestDatabase) {
  const xpub = context.config.addresses.accountXpub;
  const id = await ensureAccountKey(copy.db, { id: idOf("accountKey", uuidv7()), xpub });
  return { copy, id, first: (await reserveIndexRow(copy.db, id, { count: 250, gapSize: GAP })).first };
}

async function isInGap(db: Queryable, index: number): Promise<boolean> {
  const rows = await db.query(
    sql`select from index_gaps where first <= ${index} and first + count > ${index}`,
  );
  return rows.length > 0;
}

/** Removes these orders, as an older copy of the disk would. */
async function forgetOrders(issued: readonly IssuedAddress[], nextIndex: number): Promise<void> {
  await stopAll();
  await context.owner.query(
    sql`delete from address_directory where address = any(${issued.map(({ bytes }) => bytes)}::bytea[])`,
  );
  await context.db.query(sql`update account_keys set next_index = ${nextIndex}`);
}

describe("a dump restored into the same server", () => {
  it("issues no address of the original, and watches those that the original issued", async () => {
    const before = await order(aProcess(), 5);
    const copy = await aRestoredDump();
    await stopAll();
    const after = await order(aProcess(), 50);
    const inCopy = await order(aProcess(copy.db), 50, copy.db);
    await takeIn(copy.db);
    expect(addressesOf([...before, ...after, ...inCopy]).size).toBe(105);
    expect(await ownersOf(before, copy.db)).toEqual(Array(5).fill("a merchant"));
    expect(await ownersOf(after, copy.db)).toEqual(Array(50).fill("no merchant"));
    expect(await gapIn(copy.db)).toEqual(gapElsewhere(SHORT_GAP));
    expect(await gapIn(context.db)).toMatchObject({ count: 0 });
  });

  it.runIf(isNight)(
    "leaves one gap with one alarm for several processes, and the alarm names the difference",
    async () => {
      await order(aProcess(), 1);
      const copy = await aRestoredDump();
      const processes = Array.from({ length: 3 }, () => aProcess(copy.db));
      const issued = await Promise.all(processes.map((source) => order(source, 20, copy.db)));
      expect(addressesOf(issued.flat()).size).toBe(60);
      await takeIn(copy.db);
      expect(await gapIn(copy.db)).toEqual(gapElsewhere(SHORT_GAP));
      expect(await alarms(context)).toEqual({ index_gap: 1 });
      expect(logged.lines.filter(({ level }) => level === "error")).toEqual([
        expect.objectContaining({
          first_index: 0,
          count: gapElsewhere(SHORT_GAP).count,
          changed: ["database"],
        }),
      ]);
    },
  );

  it("takes orders before the gap is watched, and `/readyz` counts the rest", async () => {
    await order(aProcess(), 1);
    const copy = await aRestoredDump();
    const answer = () => addressCheck(copy).check();
    expect(await addressCheck(context).check()).toEqual({
      ok: true,
      detail: "all that may have been issued are watched",
    });
    expect(await answer()).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^the database was copied, restored or promoted/),
    });
    await order(aProcess(copy.db, { gapSize: GAP }), 1, copy.db);
    expect(await gapIn(copy.db)).toEqual({ ...gapElsewhere(GAP), isWatched: false });
    expect(await answer()).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^80500 skipped addresses are not watched yet/),
    });
  });

  it.runIf(isNight)(
    "watches addresses reserved before the backup and issued after it, and leaves older charges alone",
    async () => {
      const process = aProcess();
      const before = await order(process, 5);
      const copy = await aRestoredDump();
      const after = await order(process, 5);
      await takeIn(copy.db);
      expect(after.map(({ index }) => index)).toEqual([5, 6, 7, 8, 9]);
      expect(await ownersOf(after, copy.db)).toEqual(Array(5).fill("no merchant"));
      expect(await ownersOf(before, copy.db)).toEqual(Array(5).fill("a merchant"));
    },
  );

  it.runIf(isNight)(
    "continues at one of eight random places, and watches those of other copies",
    async () => {
      await order(aProcess(), 1);
      const taken = [];
      for (let copies = 0; copies < 8; copies += 1) taken.push(await takenIn(await aRestoredDump()));
      expect(new Set(taken.map(({ first }) => first)).size).toBeGreaterThan(1);
      const [one] = taken;
      for (const range of taken.filter(({ first }) => first !== one?.first)) {
        expect(await isInGap(range.copy.db, one?.first ?? -1)).toBe(true);
        expect(await isInGap(range.copy.db, (one?.first ?? -1) + GAP - 1)).toBe(true);
        expect(await isInGap(range.copy.db, range.first)).toBe(false);
      }
    },
  );

  it.runIf(isNight)(
    "skips watched places at the end of its own, and leaves another gap when it is copied again",
    async () => {
      await order(aProcess(), 1);
      const { copy, id, first } = await takenIn(await aRestoredDump());
      await copy.db.query(sql`update account_keys set next_index = ${first + GAP - 20}`);
      const next = await reserveIndexRow(copy.db, id, { count: 250, gapSize: GAP });
      expect(next).toMatchObject({ gaps: 1, gap: undefined });
      expect(await isInGap(copy.db, next.first)).toBe(false);
      expect(next.first === first + GAP - 20 || next.first === 500 + GAP * (PLACES + 1)).toBe(true);
      await copy.db.query(sql`update account_keys set reserved_in = 'elsewhere'`);
      const again = await reserveIndexRow(copy.db, id, { count: 250, gapSize: GAP });
      expect(again.gaps).toBe(2);
      expect(await isInGap(copy.db, next.first)).toBe(true);
      expect(await isInGap(copy.db, again.first)).toBe(false);
      expect(await isInGap(copy.db, again.first + GAP - 1)).toBe(false);
    },
  );
});

describe("another database under the same name", () => {
  const replaceIn = (place: string) =>
    context.db.query(sql`update account_keys set reserved_in = regexp_replace(reserved_in, ${place}, '7')`);

  it.each([
    { part: "cluster", replace: () => replaceIn("^[0-9]+") },
    { part: "timeline", replace: () => replaceIn("(?<=^[0-9]+/)[0-9A-F]+") },
    { part: "database", replace: () => replaceIn("[0-9]+(?=/[0-9]+$)") },
    {
      part: "table",
      replace: async () => {
        await context.owner.query(sql`alter table account_keys rename to lost_keys`);
        await context.owner.query(sql`create table account_keys (like lost_keys including all)`);
        await context.owner.query(sql`insert into account_keys select * from lost_keys`);
        await context.owner.query(sql`grant select, insert, update on account_keys to public`);
      },
    },
  ])(
    "is recognised by its $part alone, and leaves one gap before an index is reserved",
    async ({ replace }) => {
      const xpub = context.config.addresses.accountXpub;
      const id = await ensureAccountKey(context.db, { id: idOf("accountKey", uuidv7()), xpub });
      const take = () => reserveIndexRow(context.db, id, { count: 10, gapSize: GAP });
      expect(await take()).toMatchObject({ first: 0, gaps: 0, gap: undefined });
      await replace();
      const taken = await Promise.all([take(), take(), take()]);
      const firsts = taken.map(({ first }) => first).toSorted((a, b) => a - b);
      const landing = firsts[0] ?? 0;
      expect(firsts).toEqual([landing, landing + 10, landing + 20]);
      expect((landing - 500) % GAP).toBe(0);
      expect(taken.filter(({ gap }) => gap !== undefined)).toHaveLength(1);
      expect(await gapIn(context.db)).toEqual({ ...gapElsewhere(GAP), isWatched: false });
    },
  );

  it.runIf(isNight)(
    "leaves a tenth of a gap while the last one is unwatched, and a full one afterwards",
    async () => {
      const xpub = context.config.addresses.accountXpub;
      const id = await ensureAccountKey(context.db, { id: idOf("accountKey", uuidv7()), xpub });
      const take = async () =>
        (await reserveIndexRow(context.db, id, { count: 10, gapSize: GAP })).gap?.count;
      await take();
      const given: (number | undefined)[] = [];
      for (const place of ["second", "third"]) {
        await context.db.query(sql`update account_keys set reserved_in = ${place}`);
        given.push(await take());
      }
      await context.db.query(sql`update index_gaps set is_watched = true`);
      await context.db.query(sql`update account_keys set reserved_in = 'fourth'`);
      given.push(await take());
      expect(given[0]).toBe(500 + GAP * PLACES);
      // The rest of its place, and a tenth of each other place.
      expect(given[1]).toBeLessThanOrEqual(GAP + (GAP * PLACES) / 10);
      expect(given[2]).toBeGreaterThanOrEqual(GAP * PLACES);
    },
  );

  it.runIf(isNight)("leaves a full gap if the last one has been unwatched for long", async () => {
    const xpub = context.config.addresses.accountXpub;
    const id = await ensureAccountKey(context.db, { id: idOf("accountKey", uuidv7()), xpub });
    const take = async () => (await reserveIndexRow(context.db, id, { count: 10, gapSize: GAP })).gap?.count;
    await take();
    await context.db.query(sql`update account_keys set reserved_in = 'second'`);
    await take();
    await context.owner.query(sql`update index_gaps set created_at = created_at - interval '5 minutes'`);
    await context.db.query(sql`update account_keys set reserved_in = 'third'`);
    expect(await take()).toBeGreaterThanOrEqual(GAP * PLACES);
  });

  it.runIf(isNight)("is recognised by a running process", async () => {
    const source = aProcess();
    const before = await order(source, 1);
    await replaceIn("(?<=^[0-9]+/)[0-9A-F]+");
    const after = await order(source, 300);
    expect(addressesOf([...before, ...after]).size).toBe(301);
    expect(logged.lines).toContainEqual(expect.objectContaining({ changed: ["timeline"], first_index: 0 }));
  });
});

describe("an older copy of the disk", () => {
  it("is recognised by the chain's history of the next addresses, which are watched and never issued again", async () => {
    const before = await order(aProcess(), 10);
    const lost = await order(aProcess(), 5);
    await chain.pay(lost[3]?.address ?? "", { usdt: "5" });
    await chain.mine(1);
    await forgetOrders(lost, 250);
    const after = await Promise.all([order(aProcess(), 30), order(aProcess(), 30)]);
    expect(addressesOf([...before, ...lost, ...after.flat()]).size).toBe(75);
    const hasGap = async () => (await gapIn(context.db)).count > 0;
    await expect.poll(hasGap, { timeout: 20_000 }).toBe(true);
    await takeIn();
    expect(await ownersOf(lost)).toEqual(Array(5).fill("no merchant"));
    expect(
      Number(one(await context.db.query<{ gaps: number }>(sql`select gaps from account_keys`)).gaps),
    ).toBe(1);
    expect(await alarms(context)).toMatchObject({ index_gap: expect.any(Number) });
  });

  it.runIf(isNight)("leaves a gap that includes the reservations before and after the copy", async () => {
    const { copy, id } = await takenIn(await aRestoredDump());
    const { first, gaps } = await reserveIndexRow(copy.db, id, { count: 250, gapSize: GAP });
    expect(await leaveGap(copy.db, id, { first, count: 250, gaps, below: GAP, above: GAP })).toEqual({
      first: 0,
      count: 500 + GAP,
    });
    expect((await reserveIndexRow(copy.db, id, { count: 250, gapSize: GAP })).first).toBe(500 + GAP);
    // The second call finds that another gap has been left, which includes its reservation.
    expect(await leaveGap(copy.db, id, { first, count: 250, gaps, below: GAP, above: GAP })).toEqual({
      first: 0,
      count: 0,
    });
  });

  it.runIf(isNight)(
    "is recognised once a node answers: until then orders are taken, and then ready addresses are given up",
    async () => {
      const lost = await order(aProcess(), 15);
      await chain.pay(lost[12]?.address ?? "", { trx: "5" });
      await chain.mine(1);
      await forgetOrders(lost, 0);
      let verified: HistorySource | undefined;
      const source = aProcess(context.db, { currentChain: () => verified });
      await order(source, 3);
      verified = chain;
      await expect.poll(async () => (await gapIn(context.db)).count, { timeout: 20_000 }).toBeGreaterThan(0);
      const after = await order(source, 20);
      expect(Math.min(...after.map(({ index }) => index))).toBeGreaterThanOrEqual(500);
      await takeIn();
      expect(await ownersOf(lost)).toEqual(
        lost.map(({ index }) => (index < 3 ? "a merchant" : "no merchant")),
      );
    },
  );
});

describe("a false answer of the only node", () => {
  it.runIf(isNight)("holds addresses back until the node takes it back, and uses up none", async () => {
    await order(aProcess(), 1);
    await stopAll();
    let isLying = true;
    const { reader } = createForkChain(Date.now());
    const client = nodeGroup({ ...reader, hasHistory: async () => isLying });
    const source = aProcess(context.db, {
      currentChain: () => ({ client, network: chain.network }),
      claimMs: 60_000,
    });
    const ordered = await order(source, 2);
    // The first 1,000 of the next addresses are held back, then the 20 checked ones of each 250.
    expect(ordered.map(({ index }) => index)).toEqual([1_270, 1_271]);
    isLying = false;
    await expect.poll(source.readyCount, { timeout: 20_000 }).toBeGreaterThan(1_000);
    const later = await order(source, 1_228);
    expect(Math.min(...later.map(({ index }) => index))).toBe(250);
    expect(await gapIn(context.db)).toMatchObject({ count: 0 });
  });
});

describe("a `next_index` that was set back", () => {
  it("skips the addresses of the directory", async () => {
    await order(aProcess(), 3);
    await stopAll();
    await context.db.query(sql`update account_keys set next_index = 0`);
    const again = await order(aProcess(), 3);
    expect(again.map(({ index }) => index)).toEqual([0, 1, 2].map((place) => 500 + SHORT_GAP + place));
  });

  it.runIf(isNight)(
    "under a running process issues nothing twice, and the next addresses are checked",
    async () => {
      const source = aProcess();
      const before = await order(source, 250);
      await context.db.query(sql`update account_keys set next_index = 0`);
      const after = await order(source, 300);
      expect(addressesOf([...before, ...after]).size).toBe(550);
      await context.db.query(sql`update account_keys set next_index = 0`);
      source.forgetReady(MERCHANT);
      const [again] = await order(source, 1);
      expect(again?.index).toBe(500 + SHORT_GAP);
    },
  );
});

describe("the watcher's guard", () => {
  it("lets no block be read before all possibly issued addresses are watched, in another database too", async () => {
    const [lost] = await order(aProcess(), 1);
    await stopAll();
    const copy = await aRestoredDump();
    await copy.owner.query(sql`delete from address_directory`);
    const guard = createIndexGuard({ ...context, db: copy.db }, chain, { gapSize: SHORT_GAP });
    const require = () => copy.db.transaction((tx) => guard.require(tx));
    await expect(require()).rejects.toThrow(UnguardedError);
    await guard.restore();
    await require();
    expect(await gapIn(copy.db)).toEqual(gapElsewhere(SHORT_GAP));
    await copy.db.query(sql`update account_keys set reserved_in = 'elsewhere'`);
    await expect(require()).rejects.toThrow(UnguardedError);
    await guard.stop();
    expect(lost?.index).toBe(0);
  });

  it.runIf(isNight)(
    "leaves no gap if one of two nodes reports every address as used, and stops neither reading nor orders",
    async () => {
      const { reader } = createForkChain(Date.now());
      const client = nodeGroup({ ...reader, hasHistory: async () => true }, reader);
      const mistaken = { client, network: chain.network };
      const guard = createIndexGuard(logged.context, mistaken, { gapSize: SHORT_GAP });
      const [first] = await order(aProcess(context.db, { currentChain: () => mistaken }), 1);
      await guard.restore();
      await context.db.transaction((tx) => guard.require(tx));
      expect(first?.index).toBe(0);
      expect(await gapIn(context.db)).toMatchObject({ count: 0 });
      await guard.stop();
    },
  );

  it.runIf(isNight)(
    "skips 100 indexes, and twice as many each time, while the only node reports each next address as used",
    async () => {
      const { reader } = createForkChain(Date.now());
      await order(aProcess(), 1);
      await stopAll();
      const gapsOf = async () =>
        Number(one(await context.db.query<{ gaps: number }>(sql`select gaps from account_keys`)).gaps);
      const client = nodeGroup({ ...reader, hasHistory: async () => (await gapsOf()) < 4 });
      const guard = createIndexGuard(
        logged.context,
        { client, network: chain.network },
        { gapSize: 2 * SHORT_GAP, claimMs: CLAIM_MS },
      );
      await guard.restore();
      const reported = logged.lines.filter(({ known_to }) => known_to === "the chain");
      // In whole ranges of 500: 250 + 100, + 200, + 400, + 800.
      expect(reported.map(({ count }) => count)).toEqual([500, 500, 500, 1_000]);
      await guard.stop();
    },
  );

  it.runIf(isNight)("restores nothing if it is stopped during a restore", async () => {
    await order(aProcess(), 1);
    await stopAll();
    await context.db.query(sql`update account_keys set reserved_in = 'elsewhere'`);
    const guard = createIndexGuard(context, chain);
    const restoring = guard.restore();
    await expect.poll(async () => (await gapIn(context.db)).count).toBe(gapElsewhere(GAP).count);
    await guard.stop();
    await restoring;
    await expect(context.db.transaction((tx) => guard.require(tx))).rejects.toThrow(UnguardedError);
  });

  it("fails while the node is away", async () => {
    await order(aProcess(), 1);
    const away = { ...chain, client: { ...chain.client, query: () => Promise.reject(new Error("away")) } };
    const guard = createIndexGuard(context, away);
    await expect(guard.restore()).rejects.toThrow("away");
    await expect(context.db.transaction((tx) => guard.require(tx))).rejects.toThrow(UnguardedError);
    await guard.stop();
  });
});

describe("money that reaches an address without a merchant", () => {
  const transfer = (bytes: Buffer): UnattributedTransfer => ({
    network: "devnet",
    txId: randomBytes(32).toString("hex"),
    source: "log",
    eventIndex: 0,
    bytes,
    fromAddress: null,
    currency: "USDT",
    units: 5_000_000n,
    blockNumber: 30,
    blockId: "ab".repeat(32),
    blockTime: new Date(),
  });

  it("is stored once with its latest block, and raises an alarm", async () => {
    const first = transfer(randomBytes(20));
    const again = { ...first, blockNumber: 31, blockId: "cd".repeat(32) };
    const other = { ...first, eventIndex: 1 };
    expect(await context.db.transaction((tx) => recordUnattributed(tx, [first]))).toEqual([first]);
    const fresh = await context.db.transaction((tx) => recordUnattributed(tx, [again, other]));
    expect(fresh).toEqual([other]);
    reportUnattributed(logged.context, fresh);
    const rows = await context.db.query(
      sql`select event_index, block_number, units from unattributed_transfers order by event_index`,
    );
    expect(rows).toEqual([
      { event_index: 0, block_number: 31n, units: 5_000_000n },
      { event_index: 1, block_number: 30n, units: 5_000_000n },
    ]);
    expect(await alarms(context)).toEqual({ unattributed_transfer: 1 });
    const address = hexToAddress(`41${first.bytes.toString("hex")}`);
    expect(logged.lines).toMatchObject([{ level: "error", tx_id: first.txId, address }]);
  });
});
