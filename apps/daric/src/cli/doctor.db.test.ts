import { NodeError } from "@daric/chain/blocks/node-error";
import { findOpenRescan } from "@daric/deposits/rescan/rescan-store";
import { createRescanWorker } from "@daric/deposits/rescan/rescan-worker";
import { sql } from "@daric/postgres/sql";
import { aCharge } from "@daric/testing/charge-builders";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { copyLedger, type Ledger, openLedger } from "@daric/testing/ledger";
import { nodeGroup } from "@daric/testing/watch";
import { beforeAll, describe, expect, it } from "vitest";

let chain: Ledger["chain"];
let context: Ledger["context"];
let merchantId: Ledger["merchantId"];

beforeAll(async () => {
  const ledger = await openLedger();
  ({ chain, context, merchantId } = ledger);
  await chain.pay((await aCharge(context.db, { merchantId, amount: "5" })).address, { usdt: "5" });
  await chain.mine(25);
  await chain.scan(context);
  return ledger.close;
});

const daric = (args: readonly string[], overrides: Record<string, string> = {}) =>
  captureDaric(args, { ...daricVariables(context, chain.devchain.url), ...overrides });

/** A database with two broken invariants. */
async function violations(): Promise<{ DATABASE_URL: string }> {
  const { url } = await copyLedger(context, [
    sql`update account_keys set next_index = 0`,
    sql`update scan_cursors set leader_epoch = 99`,
  ]);
  return { DATABASE_URL: url };
}

describe("daric doctor", () => {
  it("exits with 0 if all invariants hold, and names each", async () => {
    const { code, out, err } = await daric(["doctor"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(
      "holds   I1   each transfer of the chain is credited once, to the address that it pays",
    );
    expect(out).not.toContain("BROKEN");
  });

  it("exits with the number of broken invariants, each with its violations and samples", async () => {
    const { code, out, err } = await daric(["doctor"], await violations());
    expect({ code, err }).toEqual({ code: 2, err: "daric: 2 of 14 invariants are broken\n" });
    expect(out).toContain("BROKEN  I13  an address belongs to one charge, and an index is used once");
    expect(out).toContain("1 × index that was issued and would be issued again: 0");
    expect(out).toContain("BROKEN  I22  ");
    expect(out).toContain("             do: stop the api at once: two charges may share the money;");
    expect(out).toContain('docs/running.md, "Audit the database"');
  });

  it("names ten samples of many, and the number of the rest", async () => {
    const { url } = await copyLedger(context, [
      sql`insert into deposit_events (merchant_id, deposit_id, event, to_status, block_number, block_id, units, leader_epoch)
        select ${merchantId}, gen_random_uuid(), 'detected', 'DETECTED', 1, repeat('0', 64), 1, 1 from generate_series(1, 12)`,
    ]);
    const { out } = await daric(["doctor"], { DATABASE_URL: url });
    expect(out).toMatch(/12 × history of a missing deposit: (\S+, ){10}and 2 more\n/);
  });

  it("prints the same as JSON", async () => {
    const { code, out } = await daric(["doctor", "--json"], await violations());
    const report = JSON.parse(out);
    expect([code, report.broken, report.network]).toEqual([2, 2, "devnet"]);
    expect(report.invariants.find(({ id }: { id: string }) => id === "I13")).toEqual({
      id: "I13",
      name: "an address belongs to one charge, and an index is used once",
      holds: false,
      breakages: [{ what: "index that was issued and would be issued again", count: 1, samples: ["0"] }],
    });
  });

  it("compares with the nodes on request, and prints the amount and the seed", async () => {
    const args = ["doctor", "--deep", "--blocks", "10", "--addresses", "5", "--seed", "42"];
    const { code, out } = await daric(args);
    expect(code).toBe(0);
    expect(out).toMatch(/Compared with the nodes: \d+ blocks and 1 balances \(--seed 42\)\./);
  });

  it("says in one line what a node that is down leaves out, and --json lists each", async () => {
    const args = ["doctor", "--deep", "--blocks", "10", "--addresses", "5", "--seed", "42"];
    const down = {
      TRON_NODE_URLS: `${chain.devchain.url},http://127.0.0.1:1,http://127.0.0.1:2`,
      TRON_QUORUM: "2",
    };
    const { code, out } = await daric(args, down);
    expect(code).toBe(0);
    const said = out.split("\n").filter((line) => line.includes("not compared"));
    expect(said).toEqual([
      expect.stringMatching(/^ {2}not compared: \d+, which --json lists: .*127\.0\.0\.1:1/),
    ]);
    const { unanswered } = JSON.parse((await daric([...args, "--json"], down)).out).deep;
    expect(unanswered.length).toBeGreaterThan(10);
    expect(said[0]).toContain(`not compared: ${unanswered.length}, `);
  });

  it("only reads, as on a standby", async () => {
    const { url } = await copyLedger(context, [
      sql`do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    ]);
    expect(await daric(["doctor"], { DATABASE_URL: url })).toMatchObject({ code: 0, err: "" });
    const { code, out } = await daric(["doctor", "--deep"], { DATABASE_URL: url });
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/Compared with the nodes: [1-9]\d* blocks and 1 balances/),
    ]);
  });

  it("exits with 100 if the database cannot be examined: this is no number of broken invariants", async () => {
    const { code, err } = await daric(["doctor"], { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
    expect([code, err]).toEqual([100, expect.stringContaining("is PostgreSQL running")]);
    for (const wrong of [["--depe"], ["--blocks", "many"]]) {
      const { code, err } = await daric(["doctor", ...wrong]);
      expect([code, err]).toEqual([
        100,
        expect.stringMatching(/^daric: .*\n.*the database was not audited\n$/s),
      ]);
    }
    expect((await daric(["doctor", "--help"])).code).toBe(0);
  });
});

describe("daric scan", () => {
  it("prints the height up to which the chain is complete, and its age", async () => {
    const { number } = await chain.client.getHeadBlock();
    const { code, out } = await daric(["scan"]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Complete from block \\d+ to block ${number}, lag \\d+ s\\.\n`)),
    ]);
    const json = JSON.parse((await daric(["scan", "--json"])).out);
    expect(json).toMatchObject({ completeTo: number, missing: 0, readingAgain: null });
  });

  it("exits with 1 if a block between is missing", async () => {
    const { url } = await copyLedger(context, [
      sql`delete from blocks where number = (select min(number) + 1 from blocks)`,
    ]);
    const { code, out } = await daric(["scan"], { DATABASE_URL: url });
    expect([code, out]).toEqual([1, expect.stringContaining("1 blocks are missing between")]);
  });

  it("has the watcher read a range again, follows it to its end and prints each node's share", async () => {
    const away = () => Promise.reject(new NodeError("is away", { fault: "unreachable", node: "node 2" }));
    const client = nodeGroup(chain.client, { ...chain.client, getBlock: away, fetchCompleteBlock: away });
    const scanner = { ...(await chain.scanner(context)), client };
    let worker = createRescanWorker(context, () => {});
    const check = async () => {
      // A worker without work waits before it looks again.
      if (!(await findOpenRescan(context.db, "devnet"))) worker = createRescanWorker(context, () => {});
      else await worker.step(scanner);
    };
    const working = setInterval(() => void check(), 50);
    const { number } = await chain.client.getHeadBlock();
    const { code, out, err } = await daric(["scan", "--from", String(number - 3), "--to", String(number)]);
    const again = await daric(["scan", "--from", String(number), "--to", String(number), "--json"]);
    clearInterval(working);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`Blocks ${number - 3} to ${number} were read again.`);
    const silent = "(the last that it did not: is away)";
    expect(out).toContain(`node 1 showed 4 of 4 blocks; node 2 showed 0 of 4 blocks ${silent}`);
    expect(JSON.parse(again.out)).toMatchObject({
      status: "DONE",
      blocksRead: 1,
      depositsAdded: 0,
      nodes: ["node 1 showed 1 of 1 blocks", `node 2 showed 0 of 1 blocks ${silent}`],
    });
  });

  it("reports a missing watcher, and leaves the range to the next one", async () => {
    const { number } = await chain.client.getHeadBlock();
    const requested = daric(["scan", "--from", String(number), "--to", String(number)]);
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    const scanner = await chain.scanner(context);
    let worker = createRescanWorker(context, () => {});
    const check = async () => {
      // A worker without work waits before it looks again.
      if (!(await findOpenRescan(context.db, "devnet"))) worker = createRescanWorker(context, () => {});
      else await worker.step(scanner);
    };
    const working = setInterval(() => void check(), 50);
    const { code, err } = await requested;
    clearInterval(working);
    expect([code, err]).toEqual([0, "daric: no watcher is running; the range is read as soon as one is\n"]);
  }, 30_000);

  it.each([
    [["--from", "1"], "a range has two ends: --from and --to"],
    [["--from", "1", "--to", "2"], "would be a gap"],
    [["--from", "1", "--to", "999999"], "is the newest that was read"],
    [["--from", "9", "--to", "8"], "name the lower block first"],
  ])("refuses %s with a hint", async (args, note) => {
    const { code, err } = await daric(["scan", ...args]);
    expect([code, err]).toEqual([1, expect.stringContaining(note)]);
  });
});
