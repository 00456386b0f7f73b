import { createTestContext } from "@daric/testing/context";
import { createForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, listening, nodeGroup } from "@daric/testing/watch";
import { someWitnesses } from "@daric/testing/witnesses";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Network, publicNetworks } from "../chain/networks.ts";
import { findKnownWitnesses } from "../witnesses/find-known-witnesses.ts";
import { pinAtStart } from "./pin-at-start.ts";

const MINUTE_MS = 60_000;

let context: Awaited<ReturnType<typeof createTestContext>>;
let nowMs: number;
let told: [number, number];

beforeEach(async () => {
  context = await createTestContext();
  [nowMs, told] = [0, [5, 5]];
});
afterEach(() => context.close());

const named = (count: number) =>
  someWitnesses(count).map(({ address }) => ({ witnessHex: address, signerHex: address }));

/** Looks for so many minutes, twice in each, and answers how many are pinned at the end. */
async function lookFor(minutes: number, name: Network["name"] = "private") {
  const { reader } = createForkChain(1_700_000_000_000);
  const nodes = told.map((_, place) => ({
    ...reader,
    getWitnesses: async () => named(told[place as 0 | 1]),
  }));
  const { context: heard } = listening({ ...context, clock: { ...context.clock, monotonicMs: () => nowMs } });
  const network = { ...publicNetworks.nile, name };
  scanner ??= await aScanner(heard, nodeGroup(...nodes), { network });
  for (const until = nowMs + minutes * MINUTE_MS; nowMs < until; nowMs += MINUTE_MS / 2)
    await pinAtStart(heard, scanner);
  return (await findKnownWitnesses(context.db, name))?.active;
}
let scanner: Awaited<ReturnType<typeof aScanner>> | undefined;
afterEach(() => {
  scanner = undefined;
});

it("nodes that never say who may sign hold up nothing, and are not asked again meanwhile", async () => {
  const { reader } = createForkChain(1_700_000_000_000);
  let asked = 0;
  const silent = () => {
    asked += 1;
    return new Promise<never>(() => {});
  };
  scanner = await aScanner(context, nodeGroup({ ...reader, getWitnesses: silent }, reader));
  const clock = { ...context.clock, monotonicMs: () => nowMs };
  for (; nowMs < 5 * MINUTE_MS; nowMs += MINUTE_MS) await pinAtStart({ ...context, clock }, scanner);
  expect(asked).toBe(1);
});

describe("the number of active witnesses", () => {
  it("is followed on a private chain within five minutes, up and down, where all nodes say the same", async () => {
    expect(await lookFor(1)).toBe(5);
    told = [3, 3];
    expect(await lookFor(6)).toBe(3);
    expect((await findKnownWitnesses(context.db, "private"))?.keys).toHaveLength(3);
    told = [7, 7];
    expect(await lookFor(6)).toBe(7);
    expect(await alarms(context)).toEqual({ active_witnesses_changed: 2 });
  });

  it("stays where nodes differ: no single one changes what it takes to be final", async () => {
    await lookFor(1);
    told = [1, 5];
    expect(await lookFor(20)).toBe(5);
    expect(await alarms(context)).toEqual({});
  });

  it("is nobody's to say on a public network", async () => {
    told = [27, 27];
    await lookFor(1, "nile");
    told = [1, 1];
    expect(await lookFor(20, "nile")).toBe(27);
  });
});
