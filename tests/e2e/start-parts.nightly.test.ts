import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTestDatabase } from "@daric/testing/database";
import { aDevchain } from "@daric/testing/devchain-client";
import { startFaultyNode } from "@daric/testing/faulty-node";
import { freePort } from "@daric/testing/free-port";
import type { Row } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callDemo, createDemoHome, type DemoHome, PROGRAM, READY_LIMIT_MS } from "./demo-home.ts";

/** A single node is queried again half a minute later. */
const SECOND_READING_LIMIT_MS = 80_000;

/** More than the time of the mined blocks. */
const CHAIN_BEGAN_MS = 180_000;

describe("a running demo", () => {
  let home: DemoHome;
  let demo: Row;

  beforeAll(async () => {
    home = await createDemoHome();
    demo = await home.ready(home.start());
  });
  afterAll(() => home.close());

  it.each([
    ["service", "the service"],
    ["devchain", "the local chain"],
    ["postgres", "the database, under the same address"],
  ])("restarts a killed part under another pid: %s", async (part) => {
    const before = (await home.read()).pids[part];
    process.kill(before, "SIGKILL");
    await until(
      `the ${part} has another pid and the service is ready`,
      async () => {
        const { pids } = await home.read();
        return pids[part] !== before && (await fetch(`${demo.baseUrl}/readyz`)).ok;
      },
      READY_LIMIT_MS,
    );
    await callDemo(demo, "/v1/deposit-addresses", { amount: "5" });
  });
});

describe("the user's own parts:", () => {
  let home: DemoHome;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;

  beforeEach(async () => {
    [home, database] = await Promise.all([createDemoHome(), createTestDatabase()]);
    Object.assign(home.env, { DATABASE_URL: database.url, DATABASE_DIRECT_URL: database.ownerUrl });
  });
  afterEach(async () => {
    await home.close();
    await database.drop();
  });

  it("a node that does not answer stops no order, and /readyz names it", async () => {
    const node = `http://127.0.0.1:${await freePort()}`;
    Object.assign(home.env, { TRON_NODE_URLS: node, TRON_NETWORK: "devnet" });
    const run = home.start();
    const demo = await home.ready(run);
    await until("the demo prints the fault", () => run.output().includes("sees no payments yet"));
    await callDemo(demo, "/v1/deposit-addresses", { amount: "5" });
    expect((await fetch(`${demo.baseUrl}/readyz`)).status).toBe(503);
  });

  it("a private chain is followed by the id of its block 0, and its contract is USDT", async () => {
    // The chain begins this long ago, because its blocks are three seconds apart and none may be in the future.
    const startMs = Date.now() - CHAIN_BEGAN_MS;
    const chain = await aDevchain({ now: () => startMs });
    const node = await startFaultyNode(chain.url);
    // A java-tron node does not serve these paths.
    node.fail(({ path }) => (path.startsWith("/devchain/") ? { status: 404, body: "<html>" } : undefined));
    await chain.mine(25);
    Object.assign(home.env, {
      TRON_NODE_URLS: node.url,
      TRON_NETWORK: "private",
      TRON_GENESIS_ID: chain.genesisId,
      USDT_CONTRACT: chain.usdtContract,
      TRON_POLL_MS: "250",
    });
    try {
      const demo = await home.ready(home.start());
      expect(demo).toMatchObject({ network: "private" });
      const { data: order } = await callDemo(demo, "/v1/deposit-addresses", { amount: "25.5" });
      const token = await chain.tronWeb().contract().at(chain.usdtContract);
      const txHash = await token.transfer(order.address, "25500000").send({ feeLimit: 100_000_000 });
      await chain.mine(1);
      await chain.mine(20);
      await until(
        "the payment is confirmed",
        async () => {
          const { data } = await callDemo(demo, `/v1/deposit-addresses/${order.id}`);
          return data.payment_status === "paid";
        },
        SECOND_READING_LIMIT_MS,
      );
      const { data: deposits } = await callDemo(demo, "/v1/deposits");
      expect(deposits).toMatchObject([{ tx_hash: txHash, status: "CONFIRMED", amount: "25.5" }]);
      // Follows the documentation in a shell with no other variables than the file's.
      const { stdout } = await promisify(execFile)(
        "sh",
        [
          "-c",
          '. "$1"; exec "$0" "$2" sweep plan --addresses --json',
          process.execPath,
          join(home.path, "daric.env"),
          PROGRAM,
        ],
        { env: { PATH: process.env.PATH } as NodeJS.ProcessEnv },
      );
      expect(JSON.parse(stdout)).toMatchObject({
        network: "private",
        addresses: expect.arrayContaining([
          expect.objectContaining({ address: order.address, usdt: "25.5" }),
        ]),
      });
      expect(node.calls.filter(({ path }) => path.startsWith("/devchain/"))).toEqual([]);
    } finally {
      await node.stop();
      await chain.stop();
    }
  });

  it("a private chain with another block 0 than the settings stops the start", async () => {
    const chain = await aDevchain();
    Object.assign(home.env, {
      TRON_NODE_URLS: chain.url,
      TRON_NETWORK: "private",
      TRON_GENESIS_ID: chain.genesisId.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      USDT_CONTRACT: chain.usdtContract,
    });
    const run = home.start();
    expect(await run.exit).toBe(1);
    expect(run.output()).toContain("wrong chain");
    await chain.stop();
  });
});
