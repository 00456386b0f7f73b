import { generateKeyPairSync } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import {
  aConfig,
  alice,
  anEntry,
  aRequest,
  aSigner,
  bob,
  operator,
  removeFolders,
  walletOf,
} from "../test/builders.ts";
import { type Destination, parseDestinations, signDestination } from "./destinations.ts";
import { signRequest } from "./sign-request.ts";

afterAll(removeFolders);

const HOUR_MS = 60 * 60_000;
const config = aConfig();
const line = (entry: Destination, key = operator.privateKey) => signDestination(entry, config, key);

describe("the operator's list", () => {
  it("is read as it was signed", () => {
    const entries = [anEntry(alice), anEntry(bob, { address: null, name: "Café ☕" }), anEntry("operator")];
    expect(parseDestinations(entries.map((entry) => line(entry)).join(""), config)).toEqual(entries);
    expect(parseDestinations("", config)).toEqual([]);
  });

  it("carries the keys that may move a wallet, signed, and an entry without it stays valid", () => {
    const digest = "0f".repeat(16);
    const entries = [
      anEntry(alice),
      anEntry(bob, { permissions: "own" }),
      anEntry(alice, { permissions: digest }),
    ];
    expect(parseDestinations(entries.map((entry) => line(entry)).join(""), config)).toEqual(entries);
    const { permissions: _, ...stripped } = JSON.parse(line(anEntry(alice, { permissions: "own" })));
    expect(() => parseDestinations(`${JSON.stringify(stripped)}\n`, config)).toThrow("did not sign it");
    const other = JSON.parse(line(anEntry(alice, { permissions: digest })));
    expect(() => parseDestinations(`${JSON.stringify({ ...other, permissions: "own" })}\n`, config)).toThrow(
      "did not sign it",
    );
    expect(() => parseDestinations(line(anEntry(alice, { permissions: "anybody" })), config)).toThrow(
      "permissions must be own, or a digest",
    );
  });

  it("has no line before its end is written", () => {
    const whole = line(anEntry(alice));
    const second = line(anEntry(bob));
    for (let length = 1; length < second.length; length += 40) {
      expect(parseDestinations(whole + second.slice(0, length), config)).toHaveLength(1);
    }
  });

  it("refuses a line that differs in any field from the signed one", () => {
    const entry = anEntry(alice);
    const signed = JSON.parse(line(entry));
    const refused = "destinations.jsonl line 1: the operator's key did not sign it for this seed and network";
    for (const change of [
      { counter: entry.counter + 1 },
      { merchantId: bob },
      { name: "B shop" },
      { address: walletOf("a thief") },
      { address: null },
      { isAdditional: true },
      { permissions: "own" },
      { feeCeiling: { ...signed.feeCeiling, USDT: "50000001" } },
      { feeCeiling: { ...signed.feeCeiling, TRX: "1" } },
      { signature: "" },
      { signature: `${signed.signature.startsWith("00") ? "01" : "00"}${signed.signature.slice(2)}` },
    ]) {
      expect(() => parseDestinations(`${JSON.stringify({ ...signed, ...change })}\n`, config)).toThrow(
        refused,
      );
    }
    const further = line(anEntry(alice, { feeCeiling: { USDT: 0n, TRX: 0n, USDX: 1n, USDY: 2n } }));
    expect(parseDestinations(further, config)).toHaveLength(1);
    for (const feeCeiling of [
      { USDT: "0", TRX: "0" },
      { USDT: "0", TRX: "0", USDX: "10", USDY: "2" },
      { USDT: "0", TRX: "0", USDX: "2", USDY: "1" },
      { USDT: "0", TRX: "0", USDX: "1", USDY: "2", USDZ: "0" },
    ]) {
      const changed = JSON.stringify({ ...JSON.parse(further), feeCeiling });
      expect(() => parseDestinations(`${changed}\n`, config)).toThrow(refused);
    }
    const strangers = line(entry, generateKeyPairSync("ed25519").privateKey);
    expect(() => parseDestinations(strangers, config)).toThrow(refused);
  });

  it("refuses an entry of another network and of another seed", () => {
    const signed = line(anEntry(alice));
    for (const config of [
      aConfig({ genesisId: "00".repeat(32) }),
      aConfig({ xpubFingerprint: "00000000" }),
    ]) {
      expect(() => parseDestinations(signed, config)).toThrow("did not sign it for this seed and network");
    }
  });

  it("refuses a repeated entry, and one out of order", () => {
    const [first, second] = [line(anEntry(alice)), line(anEntry(alice))];
    expect(() => parseDestinations(first + second + first, config)).toThrow(
      /line 3: counter \d+ is not above \d+$/,
    );
    expect(() => parseDestinations(second + first, config)).toThrow(/line 2: counter/);
  });

  it.each<[what: string, change: object, reason: string]>([
    ["without a counter", { counter: undefined }, "counter must be a whole number from 1 on"],
    ["with a counter as text", { counter: "1" }, "counter must be a whole number"],
    ["of no merchant", { merchantId: "Alice" }, "merchant must be the id of a merchant, or operator"],
    ["without a name", { name: "" }, "name must have 1 to 120 visible characters"],
    ["whose name hides something", { name: "a\u202eb" }, "name must have"],
    ["whose name moves the cursor", { name: "a\u001b[2K" }, "name must have"],
    ["without an address", { address: undefined }, "address undefined is no TRON address"],
    ["with a mistyped address", { address: "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdh" }, "is no TRON address"],
    ["without a ceiling", { feeCeiling: undefined }, "the fee ceiling must be amounts by code"],
    [
      "with a number as ceiling",
      { feeCeiling: { USDT: 1, TRX: "0" } },
      "the fee ceiling must be amounts by code",
    ],
    ["without a ceiling of TRX", { feeCeiling: { USDT: "0" } }, "the fee ceiling must be amounts by code"],
    [
      "with the ceiling of no code",
      { feeCeiling: { USDT: "0", TRX: "0", usdx: "1" } },
      "the fee ceiling must be amounts by code",
    ],
    ["that withdraws in addition", { address: null, isAdditional: true }, "can be additional"],
    ["of a second operator", { merchantId: "operator", isAdditional: true }, "can be additional"],
    [
      "whose isAdditional is a text",
      { isAdditional: "yes" },
      "only a wallet of a merchant can be additional",
    ],
    ["that is no object", [], "destinations.jsonl line 1 is truncated or no JSON object"],
  ])("refuses an entry %s", (_, change, reason) => {
    const entry = Array.isArray(change) ? change : { ...JSON.parse(line(anEntry(alice))), ...change };
    expect(() => parseDestinations(`${JSON.stringify(entry)}\n`, config)).toThrow(reason);
  });
});

describe("an entry acts", () => {
  const wallet = (name: string) => walletOf(`wallet ${name}`);
  const to = (name: string) => ({ address: wallet(name) });

  /** Whether a sweep of Alice's goes to this wallet now. */
  let index = 100;
  const goesTo = (signer: Awaited<ReturnType<typeof aSigner>>, name: string) => {
    index += 1;
    return signRequest(signer, aRequest(signer, { index, destination: wallet(name) })).refusal ?? "signed";
  };

  it("at once if it is its merchant's first, and otherwise 24 h after it was first seen", async () => {
    const signer = await aSigner({ entries: [] });
    expect(goesTo(signer, "one")).toContain("has no destination");
    const first = anEntry(alice, to("one"));
    signer.rewriteList([first]);
    expect(goesTo(signer, "one")).toBe("signed");
    signer.rewriteList([first, anEntry(alice, to("two"))]);
    expect(goesTo(signer, "two")).toContain(`is not ${wallet("one")}`);
    expect(goesTo(signer, "one")).toBe("signed");
    signer.now += 24 * HOUR_MS - 1;
    expect(goesTo(signer, "one")).toBe("signed");
    signer.now += 1;
    expect(goesTo(signer, "one")).toContain(`is not ${wallet("two")}`);
    expect(goesTo(signer, "two")).toBe("signed");
  });

  it("exactly 24 h after it was first seen, though the clock moves while the list is read", async () => {
    const first = anEntry(alice, to("one"));
    const signer = await aSigner({ entries: [first] });
    const second = anEntry(alice, to("two"));
    signer.clock = () => signer.now++;
    signer.rewriteList([first, second]);
    const { seenMs, actsFromMs } = signer.journal.entryTimes.get(second.counter) ?? expect.fail("not seen");
    expect(actsFromMs - seenMs).toBe(24 * HOUR_MS);
  });

  it("at once if it withdraws, and waiting entries before it stay without effect", async () => {
    const signer = await aSigner({ entries: [] });
    const entries = [anEntry(alice, to("one"))];
    signer.rewriteList(entries);
    entries.push(anEntry(alice, to("thief's")));
    signer.rewriteList(entries);
    entries.push(anEntry(alice, { address: null }));
    signer.rewriteList(entries);
    signer.now += 48 * HOUR_MS;
    for (const name of ["one", "thief's"]) expect(goesTo(signer, name)).toContain("has no destination");
    entries.push(anEntry(alice, to("new")));
    signer.rewriteList(entries);
    expect(goesTo(signer, "new")).toContain("has no destination");
    signer.now += 24 * HOUR_MS;
    expect(goesTo(signer, "new")).toBe("signed");
  });

  it("after 24 h if two of a merchant are first seen together, as after a lost journal", async () => {
    const signer = await aSigner({ entries: [] });
    signer.rewriteList([anEntry(alice, to("one")), anEntry(alice, to("two"))]);
    for (const name of ["one", "two"]) expect(goesTo(signer, name)).toContain("has no destination");
    signer.now += 24 * HOUR_MS;
    expect(goesTo(signer, "two")).toBe("signed");
  });

  it("beside the merchant's earlier wallets if it is additional, until an entry replaces all of them", async () => {
    const signer = await aSigner({ entries: [] });
    const entries = [anEntry(alice, to("one"))];
    const approve = (changes: Partial<Destination>) => {
      entries.push(anEntry(alice, changes));
      signer.rewriteList(entries);
    };
    signer.rewriteList(entries);
    approve({ ...to("two"), isAdditional: true });
    expect(goesTo(signer, "two")).toContain(`is not ${wallet("one")}, as the list has it`);
    signer.now += 24 * HOUR_MS;
    for (const name of ["one", "two"]) expect(goesTo(signer, name)).toBe("signed");
    expect(goesTo(signer, "thief's")).toContain(`is not ${wallet("one")} or ${wallet("two")}`);
    approve(to("three"));
    expect(goesTo(signer, "two")).toBe("signed");
    signer.now += 24 * HOUR_MS;
    expect(["one", "two", "three"].map((name) => goesTo(signer, name))).toEqual([
      expect.stringContaining(`is not ${wallet("three")}`),
      expect.stringContaining(`is not ${wallet("three")}`),
      "signed",
    ]);
    approve({ ...to("four"), isAdditional: true });
    approve({ address: null });
    signer.now += 24 * HOUR_MS;
    for (const name of ["three", "four"]) expect(goesTo(signer, name)).toContain("has no destination");
  });

  it("after seconds on the devnet", async () => {
    const signer = await aSigner({ config: { network: "devnet" }, entries: [] });
    const first = anEntry(alice, to("one"));
    signer.rewriteList([first]);
    signer.rewriteList([first, anEntry(alice, to("two"))]);
    expect(goesTo(signer, "one")).toBe("signed");
    signer.now += 5_000;
    expect(goesTo(signer, "two")).toBe("signed");
  });

  it("with its signed ceiling, from then on", async () => {
    const signer = await aSigner({ entries: [] });
    const entries = [anEntry(alice), anEntry("operator")];
    signer.rewriteList(entries);
    signer.rewriteList([...entries, anEntry(alice, { feeCeiling: { USDT: 900_000_000n, TRX: 0n } })]);
    const pay = () => {
      index += 1;
      const request = aRequest(signer, { index, recipient: "operator", units: 800_000_000n });
      return signRequest(signer, request).refusal ?? "signed";
    };
    expect(pay()).toContain("above its ceiling: 0 + 800 USDT of 50");
    signer.now += 24 * HOUR_MS;
    expect(pay()).toBe("signed");
  });
});

it("a list that lost or changed an entry of the journal, or hides one between old ones, is refused", async () => {
  const signer = await aSigner({ entries: [] });
  const [first, hidden, second] = [anEntry(alice), anEntry(bob), anEntry("operator")];
  signer.rewriteList([first, second]);
  const lacks = (counter: number) => `destinations.jsonl lacks entry ${counter} of the journal`;
  expect(() => signer.rewriteList([second])).toThrow(lacks(first.counter));
  expect(() => signer.rewriteList([])).toThrow(lacks(first.counter));
  expect(() => signer.rewriteList([first, { ...second, address: walletOf("a thief") }])).toThrow(
    lacks(second.counter),
  );
  expect(() => signer.rewriteList([first, hidden, second])).toThrow(
    `destinations.jsonl: counter ${hidden.counter} is not above ${second.counter}`,
  );
  signer.rewriteList([first, second]);
});
