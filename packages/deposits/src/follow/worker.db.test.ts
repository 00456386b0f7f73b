import { IncompleteBlockError, NodeError, WrongChainError } from "@daric/chain/blocks/node-error";
import { createBlockOverrides } from "@daric/chain/nodes/block-overrides";
import type { NodeGroup } from "@daric/chain/nodes/chain-reader";
import { publicNetworks } from "@daric/chain/nodes/networks";
import { createMetrics, type Metrics } from "@daric/server/process/metrics";
import { createTestContext, withSettings } from "@daric/testing/context";
import { listening } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NotYetError } from "../not-yet-error.ts";
import { SolidContradictionError } from "../verify/solid-contradiction.ts";
import { startDepositWorker } from "./worker.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;

beforeEach(async () => {
  context = await createTestContext();
});
afterEach(() => context.close());

/** Nodes whose every call fails with this error. */
function failingWith(failure: Error): NodeGroup {
  const failing = { demoteLead: () => {}, getHeadBlock: () => Promise.reject(failure) };
  return { nodes: [], overrides: createBlockOverrides(), ...failing } as Partial<NodeGroup> as NodeGroup;
}

/** The log line of the watcher's first step when the nodes fail with this error. */
async function logOf(failure: Error): Promise<Record<string, unknown> | undefined> {
  const logged = listening(context);
  const client = failingWith(failure);
  const worker = startDepositWorker(logged.context, { client, network: publicNetworks.nile });
  const stepFailed = () => logged.lines.find((line) => line.worker === "watcher");
  await expect.poll(stepFailed, { timeout: 10_000 }).toBeDefined();
  await worker.stop();
  return stepFailed();
}

describe("a failed step of the watcher", () => {
  it.each([
    new NodeError("is behind", { fault: "behind", node: "node" }),
    new IncompleteBlockError("node", 7),
    new NotYetError("the node has no block 7"),
  ])("with a temporary cause is logged as one warning: $name", async (failure) => {
    const line = await logOf(failure);
    expect(line).toMatchObject({ level: "warn", worker: "watcher", reason: failure.message });
    expect(line).not.toHaveProperty("err");
    expect(JSON.stringify(line).split(failure.message)).toHaveLength(2);
  });

  it("without an answer of the node is logged by the node's outage alone", async () => {
    const logged = listening(context);
    const away = new NodeError("did not answer in time", { fault: "timeout", node: "node" });
    const network = publicNetworks.nile;
    const worker = startDepositWorker(logged.context, { client: failingWith(away), network });
    await expect.poll(worker.isFailing, { timeout: 10_000 }).toBe(true);
    await worker.stop();
    expect(logged.lines.filter(({ worker: name }) => name === "watcher")).toEqual([]);
  });

  it.each([
    new WrongChainError("node", "is of another network"),
    new NodeError("answered HTTP 401", { fault: "http_status", node: "node", retryable: false }),
    new SolidContradictionError("block 7 is solid as another"),
    new TypeError("undefined is not a function"),
  ])("with any other cause is logged as an error with its stack: $name", async (failure) => {
    const line = await logOf(failure);
    expect(line).toMatchObject({ level: "error", worker: "watcher" });
    expect(line?.err).toHaveProperty("stack", expect.stringContaining("worker.db.test.ts"));
  });
});

it("a standby has no sample of a height, not even zero; the reading watcher has the heights that it saw", async () => {
  const standby = { ...context, metrics: createMetrics({ processMetrics: false }) };
  const client = failingWith(new NotYetError("the node has no block 7"));
  const leads = startDepositWorker(context, { client, network: publicNetworks.nile });
  const samples = async ({ metrics }: { metrics: Metrics }) =>
    (await metrics.registry.metrics())
      .split("\n")
      .filter((line) => /^daric_(head|scan|solid|watcher|open|quorum)/.test(line));
  await expect.poll(() => samples(context)).toContain("daric_watcher_leader 1");
  standby.metrics.headBlock.set(7);
  const follows = startDepositWorker(standby, { client, network: publicNetworks.nile });
  await expect.poll(() => samples(standby)).toEqual(["daric_watcher_leader 0"]);
  expect(await samples(context)).toContain('daric_open_deposits{status="STUCK"} 0');
  expect((await samples(context)).filter((line) => line.startsWith("daric_scanned"))).toEqual([]);
  await Promise.all([leads.stop(), follows.stop()]);
});

describe("while every step fails", () => {
  it.each([
    [
      new NodeError("answered HTTP 401", {
        fault: "http_status",
        node: "gateway",
        retryable: false,
        quote: '"the key 1234 is unknown"',
      }),
      "gateway: answered HTTP 401",
    ],
    [new NotYetError("the node has no block 7"), "the node has no block 7"],
    [new SolidContradictionError("block 7 is solid as another"), "block 7 is solid as another"],
    [new TypeError("undefined is not a function"), undefined],
  ])("the watcher shows a reason without internal details: $name", async (failure, expected) => {
    const client = failingWith(failure);
    const paced = withSettings(context, { deposits: { pollMs: 50 } });
    const worker = startDepositWorker(paced, { client, network: publicNetworks.nile });
    await expect.poll(() => worker.isFailing(), { timeout: 10_000 }).toBe(true);
    expect(worker.fault()).toBe(expected);
    await worker.stop();
  });
});
