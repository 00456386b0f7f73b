import { addressToHex } from "@daric/tron/address";
import { decodeTransaction } from "@daric/tron/transaction";
import { afterAll, expect, it } from "vitest";
import {
  aBlock,
  aConfig,
  alice,
  anEntry,
  aRequest,
  aSigner,
  aToken,
  bob,
  keys,
  macFor,
  removeFolders,
  type TestSigner,
  walletOf,
} from "../test/builders.ts";
import type { SigningRequest } from "./policy.ts";
import { signRequest } from "./sign-request.ts";

afterAll(removeFolders);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The reason of a refusal; "signed" if there is none. */
function refusalOf(signer: TestSigner, changes: Partial<SigningRequest>): string {
  return signRequest(signer, aRequest(signer, changes)).refusal ?? "signed";
}

it("a valid request is signed: a sweep to the merchant, one to the operator, a top-up, a delegation", async () => {
  const signer = await aSigner();
  expect(refusalOf(signer, {})).toBe("signed");
  expect(refusalOf(signer, { index: 8, currency: "TRX" })).toBe("signed");
  expect(refusalOf(signer, { index: 9, recipient: "operator" })).toBe("signed");
  expect(refusalOf(signer, { index: 10, kind: "top_up" })).toBe("signed");
  expect(refusalOf(signer, { index: 11, kind: "delegate" })).toBe("signed");
  expect(refusalOf(signer, { index: 11, kind: "undelegate" })).toBe("signed");
});

it.each<[rule: string, changes: Partial<SigningRequest>, reason: string]>([
  [
    "of another kind",
    { kind: "drain" as "sweep" },
    "kind must be one of sweep, top_up, delegate, undelegate",
  ],
  [
    "of an inherited kind",
    { kind: "toString" as "sweep" },
    "kind must be one of sweep, top_up, delegate, undelegate",
  ],
  [
    "whose address is another's",
    { address: walletOf("a thief") },
    `index 7 of this seed, which is ${keys.addressAt([0, 7])}`,
  ],
  ["whose address is of another index", { address: keys.addressAt([0, 8]) }, "is not index 7 of this seed"],
  [
    "with a negative index",
    { index: -1, address: "", addressMac: null },
    "the request cannot be read: address index must be 0",
  ],
  [
    "whose index is a fraction",
    { index: 0.5, address: "", addressMac: null },
    "the request cannot be read: address index must be 0",
  ],
  ["without an amount", { units: 0n }, "units must be 1 to 9223372036854775807, not 0"],
  ["of a negative amount", { units: -1n }, "units must be 1 to"],
  ["of more than an int64 holds", { units: 2n ** 63n }, "units must be 1 to"],
  ["of a block whose id has another number", { blockNumber: 1n }, "is not that of block 1"],
  ["of a block with a malformed id", { blockId: "03" }, "block_id 03 is not that of block 60000000"],
  [
    "for a merchant without a destination",
    { merchantId: "0198c1f0-0000-7000-8000-00000000000c" },
    "has no destination",
  ],
  ["for no merchant", { merchantId: null }, "merchant null has no destination"],
  ["for the operator as a merchant", { merchantId: "operator" }, "merchant operator has no destination"],
  ["without a MAC", { addressMac: null }, "address_mac does not prove"],
  [
    "with the MAC of another merchant",
    { addressMac: macFor(7, bob) },
    `does not prove that ${keys.addressAt([0, 7])} is of merchant ${alice}`,
  ],
  ["with the MAC of another index", { addressMac: macFor(8, alice) }, "address_mac does not prove"],
  [
    "with the MAC of another network",
    { addressMac: macFor(7, alice, "mainnet") },
    "address_mac does not prove",
  ],
  ["with the MAC of another charge", { checkoutToken: "token 8" }, "address_mac does not prove"],
  ["with a MAC cut short", { addressMac: macFor(7, alice).subarray(1) }, "address_mac does not prove"],
  [
    "to a destination that is not the list's",
    { destination: walletOf("a thief") },
    `destination ${walletOf("a thief")} is not ${walletOf(`wallet of ${alice}`)}`,
  ],
  ["to another merchant's destination", { destination: walletOf(`wallet of ${bob}`) }, "is not"],
  ["to no destination", { destination: null }, "destination null is not"],
  [
    "whose recipient is neither",
    { recipient: walletOf("a thief") as "merchant" },
    "recipient must be merchant or operator",
  ],
  ["of another currency", { currency: "USDD" }, "currency must be USDT or TRX"],
  ["of a currency with an inherited name", { currency: "constructor" }, "currency must be USDT or TRX"],
  ["without a fee limit", { feeLimit: 0n }, "fee_limit must be above 0 and at most 30 TRX, not 0 TRX"],
  [
    "above the fee limit",
    { feeLimit: 30_000_001n },
    "fee_limit must be above 0 and at most 30 TRX, not 30.000001 TRX",
  ],
  ["of TRX with a fee limit", { currency: "TRX", feeLimit: 1n }, "fee_limit must be 0"],
  ["of gas with a fee limit", { kind: "top_up", feeLimit: 1n }, "fee_limit must be 0"],
  [
    "of gas above the limit",
    { kind: "top_up", units: 20_000_001n },
    "a top-up must be at most 20 TRX, not 20.000001 TRX",
  ],
  ["of gas without a MAC", { kind: "top_up", addressMac: null }, "address_mac does not prove"],
  [
    "above the month's ceiling",
    { recipient: "operator", units: 50_000_001n },
    "would be above its ceiling: 0 + 50.000001 USDT of 50",
  ],
  [
    "above the month's ceiling of another currency",
    { recipient: "operator", currency: "TRX", units: 1n, feeLimit: 0n },
    "0 + 0.000001 TRX of 0",
  ],
])("a request %s is refused", async (_, changes, reason) => {
  const signer = await aSigner();
  const before = signer.journal.seq;
  expect(refusalOf(signer, changes)).toContain(reason);
  expect(signer.journal.seq).toBe(before);
});

it("a refusal is one short line, whatever the row contains", async () => {
  const signer = await aSigner();
  const refusal = refusalOf(signer, { address: `T\n\u001b[2J\u202e${"x".repeat(10_000)}` });
  expect(refusal).toMatch(/^address T {2}\[2J x+$/);
  expect(refusal).toHaveLength(500);
});

it("a delegation is refused without a configured stake account", async () => {
  const signer = await aSigner({ config: { stakeAddress: undefined } });
  for (const kind of ["delegate", "undelegate"] as const) {
    expect(refusalOf(signer, { kind })).toBe("config.json names no stakeAddress");
  }
});

it("a delegation needs no MAC, since its stake comes back", async () => {
  const signer = await aSigner();
  expect(refusalOf(signer, { kind: "undelegate", merchantId: null, addressMac: null })).toBe("signed");
});

it("with one merchant in the list no MAC is needed; with a second one it is, even if one of them is withdrawn", async () => {
  const first = anEntry(alice);
  const signer = await aSigner({ entries: [first], integrityKey: undefined });
  expect(refusalOf(signer, { addressMac: null })).toBe("signed");
  const entries = [first, anEntry(bob)];
  signer.rewriteList(entries);
  expect(refusalOf(signer, { index: 8, addressMac: null })).toContain("DARIC_INTEGRITY_KEY is missing");
  signer.rewriteList([...entries, anEntry(bob, { address: null })]);
  expect(refusalOf(signer, { index: 8, addressMac: null })).toContain("DARIC_INTEGRITY_KEY is missing");
  expect(refusalOf(signer, { index: 8, merchantId: bob })).toContain(`merchant ${bob} has no destination`);
});

it("a block may differ by two minutes from this machine's clock, and no more", async () => {
  const signer = await aSigner();
  const at = (ms: number, index: number) =>
    refusalOf(signer, {
      index,
      ...aBlock(60_000_000n, signer.now + ms),
      expiresAtMs: signer.now + ms + 5 * MINUTE_MS,
    });
  expect(at(2 * MINUTE_MS, 1)).toBe("signed");
  expect(at(-2 * MINUTE_MS, 2)).toBe("signed");
  expect(at(2 * MINUTE_MS + 1, 3)).toBe(
    "this machine's clock says 2026-11-25T12:00:00.000Z, the block 2026-11-25T12:02:00.001Z",
  );
  expect(at(-2 * MINUTE_MS - 1, 3)).toContain("the block 2026-11-25T11:57:59.999Z");
});

it("a request expires ten minutes after its block at most, and not before it is signed", async () => {
  const signer = await aSigner();
  const block = aBlock(60_000_000n, signer.now - MINUTE_MS);
  const expiring = (ms: number, index: number) =>
    refusalOf(signer, { index, ...block, expiresAtMs: block.blockTimeMs + ms });
  expect(expiring(10 * MINUTE_MS, 1)).toBe("signed");
  expect(expiring(10 * MINUTE_MS + 1, 2)).toBe("expires_at is more than 10 min after the block");
  expect(expiring(MINUTE_MS, 2)).toBe("the request has expired");
  expect(expiring(Number.POSITIVE_INFINITY, 2)).toContain("expires_at is more than");
  expect(expiring(Number.NaN, 2)).toContain("expires_at is more than");
});

it("an offline signer allows twenty hours, also for the block's age, and neither delegates nor undelegates", async () => {
  const signer = await aSigner({ config: { isOffline: true } });
  const block = aBlock(60_000_000n, signer.now - 19 * HOUR_MS);
  const expiresAtMs = block.blockTimeMs + 20 * HOUR_MS;
  expect(refusalOf(signer, { ...block, expiresAtMs, kind: "top_up" })).toBe("signed");
  expect(refusalOf(signer, { ...block, expiresAtMs })).toBe("signed");
  expect(refusalOf(signer, { index: 8, ...block, expiresAtMs: expiresAtMs + 1 })).toContain(
    "more than 1200 min",
  );
  expect(refusalOf(signer, { index: 8, ...aBlock(1n, signer.now + 3 * MINUTE_MS) })).toContain(
    "this machine's clock",
  );
  expect(refusalOf(signer, { index: 8, kind: "delegate" })).toBe(
    "an offline signer signs sweeps and top-ups only",
  );
});

it("a clock that was set back prevents signing, so that no day and no month begins again", async () => {
  const signer = await aSigner();
  expect(refusalOf(signer, {})).toBe("signed");
  signer.now -= 2 * MINUTE_MS;
  expect(refusalOf(signer, { index: 8 })).toBe("signed");
  signer.now -= 2 * MINUTE_MS + 1;
  expect(refusalOf(signer, { index: 9 })).toContain("the journal's newest line 2026-11-25T11:58:00.000Z");
});

it("an address is swept again only when this machine's clock is ten minutes past the expiry of the previous sweep", async () => {
  const signer = await aSigner();
  const first = aRequest(signer);
  expect(signRequest(signer, first).refusal).toBeUndefined();
  expect(refusalOf(signer, {})).toMatch(
    /^this address was swept by [0-9a-f]{64}, which may land until 2026-11-25T12:05:00.000Z$/,
  );
  expect(refusalOf(signer, { recipient: "operator" })).toContain("this address was swept by");
  expect(refusalOf(signer, { currency: "TRX", feeLimit: 0n })).toContain("this address was swept by");
  signer.now = first.expiresAtMs + 10 * MINUTE_MS;
  expect(refusalOf(signer, {})).toContain("this address was swept by");
  signer.now += 1;
  expect(refusalOf(signer, {})).toBe("signed");
});

it("the operator's share of a merchant adds up over a calendar month, separately by currency and merchant", async () => {
  const entries = [
    anEntry(alice, { feeCeiling: { USDT: 30_000_000n, TRX: 5n } }),
    anEntry(bob),
    anEntry("operator"),
  ];
  const signer = await aSigner({ entries });
  const pay = (index: number, units: bigint, changes: Partial<SigningRequest> = {}) =>
    refusalOf(signer, { index, recipient: "operator", units, ...changes });
  expect(pay(1, 20_000_000n)).toBe("signed");
  expect(pay(2, 10_000_001n)).toContain(
    `the operator's share of merchant ${alice} in 2026-11 would be above its ceiling: 20 + 10.000001 USDT of 30`,
  );
  expect(pay(2, 10_000_000n)).toBe("signed");
  expect(pay(3, 1n)).toContain("above its ceiling");
  expect(pay(3, 5n, { currency: "TRX", feeLimit: 0n })).toBe("signed");
  expect(pay(4, 50_000_000n, { merchantId: bob })).toBe("signed");
  signer.now = Date.parse("2026-12-01T00:00:00Z");
  expect(pay(5, 30_000_000n)).toBe("signed");
});

it("a further token of the configuration is signed for its own contract alone, and the operator's share of it needs a ceiling", async () => {
  const usdx = aToken(walletOf("the contract of USDX"));
  const { tokens } = aConfig();
  const signer = await aSigner({
    config: { tokens: { ...tokens, USDX: usdx } },
    entries: [
      anEntry(alice, { feeCeiling: { USDT: 0n, TRX: 0n, USDX: 5n } }),
      anEntry(bob),
      anEntry("operator"),
    ],
  });
  const outcome = signRequest(signer, aRequest(signer, { index: 1, currency: "USDX" }));
  if (outcome.refusal !== undefined) expect.fail(outcome.refusal);
  const [contract] = decodeTransaction(outcome.transaction).raw.contracts;
  expect(contract?.value).toMatchObject({ kind: "trigger", contractAddress: addressToHex(usdx.contract) });
  expect(refusalOf(signer, { currency: "USDD" })).toBe("currency must be USDT or USDX or TRX");
  const share = { recipient: "operator", currency: "USDX" } as const;
  expect(refusalOf(signer, { ...share, index: 2, units: 5n })).toBe("signed");
  expect(refusalOf(signer, { ...share, index: 3, units: 1n })).toContain(
    "0.000005 + 0.000001 USDX of 0.000005",
  );
  expect(refusalOf(signer, { ...share, merchantId: bob, index: 4, units: 1n })).toContain(
    "above its ceiling",
  );
});

it("the operator gets nothing without an entry of its own, and nothing of a withdrawn merchant", async () => {
  const signer = await aSigner({ entries: [anEntry(alice)] });
  expect(refusalOf(signer, { recipient: "operator" })).toBe(
    "the operator has no destination: approve one with --merchant operator",
  );
  signer.rewriteList([...signer.list.entries, anEntry("operator"), anEntry(alice, { address: null })]);
  expect(refusalOf(signer, { recipient: "operator" })).toContain(`merchant ${alice} has no destination`);
});

it("the gas of a day stays below its limit, fees included", async () => {
  const signer = await aSigner({
    config: { limits: { feeLimitSun: 1n, topUpSun: 20_000_000n, gasPerDaySun: 30_000_000n } },
  });
  const topUp = (index: number, units: bigint) => refusalOf(signer, { kind: "top_up", index, units });
  expect(topUp(1, 20_000_000n)).toBe("signed");
  expect(topUp(2, 7_000_001n)).toBe("the gas of 2026-11-25 would be 30.000001 TRX, above 30 TRX");
  expect(topUp(2, 7_000_000n)).toBe("signed");
  expect(topUp(3, 1n)).toContain("the gas of 2026-11-25");
  signer.now = Date.parse("2026-11-26T00:00:00Z");
  expect(topUp(3, 20_000_000n)).toBe("signed");
});

it("TRX of an address that was topped up stays until a sweep of its USDT is signed, however long that takes", async () => {
  const signer = await aSigner();
  const refused = /^this address was topped up by [0-9a-f]{64}, and no sweep of a token was signed since$/;
  expect(refusalOf(signer, { kind: "top_up", index: 1, units: 20_000_000n })).toBe("signed");
  for (const days of [0, 1, 10, 400]) {
    signer.now += days * 24 * HOUR_MS;
    for (const recipient of ["merchant", "operator"] as const)
      expect(refusalOf(signer, { index: 1, currency: "TRX", recipient, units: 1n })).toMatch(refused);
    expect(refusalOf(signer, { index: 2 + days, currency: "TRX" })).toBe("signed");
    expect(refusalOf(signer, { kind: "delegate", index: 1 })).toBe("signed");
  }
  expect(refusalOf(signer, { index: 1 })).toBe("signed");
  signer.now += HOUR_MS;
  expect(refusalOf(signer, { index: 1, currency: "TRX" })).toBe("signed");
});

it("a second top-up of an address follows a sweep of USDT, or comes ten minutes past the expiry of the first; a fourth in a day is refused", async () => {
  const signer = await aSigner();
  const topUp = (index: number) => refusalOf(signer, { kind: "top_up", index, units: 1_000_000n });
  expect(topUp(1)).toBe("signed");
  expect(topUp(1)).toMatch(
    /^this address was topped up by [0-9a-f]{64}, which may land until .*, and not swept since$/,
  );
  expect(refusalOf(signer, { kind: "delegate", index: 1 })).toBe("signed");
  expect(topUp(1)).toContain("this address was topped up by");
  expect(refusalOf(signer, { index: 1 })).toBe("signed");
  expect(topUp(1)).toBe("signed");
  signer.now += 15 * MINUTE_MS + 1;
  expect(topUp(1)).toBe("signed");
  signer.now += 15 * MINUTE_MS + 1;
  expect(topUp(1)).toBe("this address had 3 top-ups on 2026-11-25");
  expect(topUp(2)).toBe("signed");
  signer.now = Date.parse("2026-11-26T00:00:00Z");
  expect(topUp(1)).toBe("signed");
});

it("on the devnet the block of the request is the clock, not this machine", async () => {
  const signer = await aSigner({ config: { network: "devnet" } });
  const inChainTime = (ms: number, changes: Partial<SigningRequest> = {}) =>
    refusalOf(signer, { ...aBlock(5n, ms), expiresAtMs: ms + MINUTE_MS, ...changes });
  const longAgo = Date.parse("2020-01-31T23:59:00Z");
  expect(inChainTime(longAgo)).toBe("signed");
  expect(inChainTime(longAgo + MINUTE_MS)).toContain("this address was swept by");
  expect(inChainTime(longAgo + MINUTE_MS + 1)).toBe("signed");
  expect(inChainTime(longAgo, { index: 1, recipient: "operator", units: 50_000_000n })).toBe("signed");
  expect(inChainTime(longAgo + 2 * MINUTE_MS, { index: 2, recipient: "operator", units: 50_000_000n })).toBe(
    "signed",
  );
  expect(inChainTime(longAgo, { index: 3, expiresAtMs: longAgo })).toBe("the request has expired");
});

it("a request in the journal gets the same bytes again, whatever its row then contains", async () => {
  const signer = await aSigner();
  const request = aRequest(signer);
  const first = signRequest(signer, request);
  const lines = signer.journal.seq;
  signer.now += HOUR_MS;
  const thief = { destination: walletOf("a thief"), units: 1n, address: walletOf("a thief"), index: 3 };
  for (const again of [request, { ...request, ...thief }, { ...request, kind: "top_up" } as const]) {
    expect(signRequest(signer, again)).toEqual(first);
  }
  expect(signer.journal.seq).toBe(lines);
});
