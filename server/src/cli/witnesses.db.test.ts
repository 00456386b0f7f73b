import { createTestContext } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertHalt } from "../deposits/halt-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestDevchain;
let other: TestDevchain;

beforeAll(async () => {
  [context, chain, other] = await Promise.all([createTestContext(), aDevchain(), aDevchain()]);
});
afterAll(() => Promise.all([context.close(), chain.stop(), other.stop()]));

const daric = (args: readonly string[], nodes: readonly string[] = [chain.url]) =>
  captureDaric(args, daricVariables(context, ...nodes));

const FINGERPRINT = /^([0-9a-f]{4}-){7}[0-9a-f]{4}$/;

describe("daric witnesses", () => {
  it("has nothing to list before anything is pinned", async () => {
    expect(await daric(["witnesses", "list"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("daric witnesses pin"),
    });
  });

  it("pins what every node says, and shows what has changed under a fingerprint", async () => {
    const first = JSON.parse((await daric(["witnesses", "pin", "--json"], [chain.url, other.url])).out);
    expect(first).toMatchObject({
      active: 27,
      fingerprint: expect.stringMatching(FINGERPRINT),
      previousFingerprint: null,
    });
    expect(first.changed).toHaveLength(27);
    const again = await daric(["witnesses", "pin"]);
    expect(again).toMatchObject({ code: 0, err: "", out: expect.stringContaining("Nothing has changed.") });
    const { body } = await chain.post("/devchain/faults", { kind: "witness_keys", count: 2 });
    const changed = JSON.parse((await daric(["witnesses", "pin", "--json"])).out);
    expect(changed.previousFingerprint).toBe(first.fingerprint);
    expect(changed.fingerprint).not.toBe(first.fingerprint);
    expect(changed.changed).toHaveLength(2);
    expect(changed.changed).toContainEqual({
      witness: body.replaced[0].address,
      was: body.replaced[0].address,
      is: body.replaced[0].signer,
    });
    const { out } = await daric(["witnesses", "list"]);
    expect(out).toContain(changed.fingerprint);
    expect(out).toMatch(/^WITNESS +SIGNS WITH +SINCE BLOCK +LAST BLOCK$/m);
    expect(out.match(/its own key/g)).toHaveLength(25);
  });

  it("pins nothing where nodes differ, or one does not say, and says what each said", async () => {
    const { body } = await chain.post("/devchain/faults", { kind: "witness_keys", count: 1 });
    const before = await daric(["witnesses", "list", "--json"]);
    const { code, err } = await daric(["witnesses", "pin"], [chain.url, other.url]);
    expect(code).toBe(1);
    expect(err).toContain("the nodes name different witnesses");
    expect(err).toContain(`witness ${body.replaced[0].address}: `);
    expect(err).toContain(`says it signs with ${body.replaced[0].signer}`);
    expect((await daric(["witnesses", "list", "--json"])).out).toBe(before.out);
  }, 30_000);
});

describe("daric scan resume", () => {
  it("ends a halt, and says that there is none otherwise", async () => {
    expect(await daric(["scan", "resume"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("not halted"),
    });
    const halt = { number: 7, ourId: "a".repeat(64), theirId: "b".repeat(64), nodes: "node 1" };
    await context.db.transaction((tx) => insertHalt(tx, { network: "devnet", ...halt }));
    const { code, out } = await daric(["scan", "resume", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ blockNumber: 7, ourBlock: halt.ourId, theirBlock: halt.theirId });
  });
});
