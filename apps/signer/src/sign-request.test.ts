import { addressToHex } from "@daric/tron/address";
import { contractTypeName } from "@daric/tron/contract-types";
import { recoverSigner } from "@daric/tron/signature";
import { decodeTransaction } from "@daric/tron/transaction";
import fc from "fast-check";
import { TronWeb, utils } from "tronweb";
import { afterAll, expect, it } from "vitest";
import {
  aBlock,
  alice,
  aRequest,
  aSigner,
  bob,
  gasAddress,
  keys,
  macFor,
  removeFolders,
  stakeAddress,
  type TestSigner,
  walletOf,
} from "../test/builders.ts";
import type { SigningRequest } from "./policy.ts";
import { type SigningOutcome, signRequest } from "./sign-request.ts";

afterAll(removeFolders);

const MINUTE_MS = 60_000;
/** Rounds of the property; FUZZ_ROUNDS sets more. */
const ROUNDS = Math.ceil(Number(process.env.FUZZ_ROUNDS ?? 250) / 10);

const hex = (address: string) => addressToHex(address).toLowerCase();
const [usdt, aliceWallet, bobWallet, operatorWallet] = [
  "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf",
  ...[alice, bob, "operator"].map((merchant) => walletOf(`wallet of ${merchant}`)),
].map((address) => hex(address ?? ""));

/** TronWeb's reading of the signed bytes, and the signer's address. */
function readByTronWeb(outcome: SigningOutcome) {
  if (outcome.refusal !== undefined) throw new Error(outcome.refusal);
  const { txId, rawHex, raw, signatures } = decodeTransaction(outcome.transaction);
  expect(txId).toBe(outcome.txId);
  const type = contractTypeName(raw.contracts[0]?.type ?? -1);
  const read = utils.deserializeTx.deserializeTransaction(type, rawHex);
  const [{ parameter, Permission_id: permissionId = 0 }, ...others] = read.contract;
  expect([others.length, signatures.length]).toEqual([0, 1]);
  const signer = recoverSigner(txId, signatures[0] ?? "");
  // TronWeb writes hex digits in capitals.
  const texts = Object.entries(parameter.value).map(([name, said]) => {
    const isHexOf = typeof said === "string" && /^[\dA-F]+$/.test(said);
    return [name, isHexOf ? said.toLowerCase() : said];
  });
  const value = Object.fromEntries(texts);
  return { type, value, permissionId, signer, feeLimit: read.fee_limit ?? 0, ...read, txId, rawHex };
}

/** The transaction that TronWeb builds for the same movement. */
async function builtByTronWeb(request: SigningRequest, from: string, to: string) {
  const { transactionBuilder } = new TronWeb({ fullHost: "http://127.0.0.1:1" });
  const blockHeader = {
    ref_block_bytes: request.blockId.slice(12, 16),
    ref_block_hash: request.blockId.slice(16, 32),
    expiration: request.expiresAtMs,
    timestamp: request.blockTimeMs,
  };
  const units = Number(request.units);
  if (request.kind === "delegate") {
    return transactionBuilder.delegateResource(units, to, "ENERGY", from, false, 0, {
      permissionId: 2,
      blockHeader,
    });
  }
  if (request.kind === "undelegate") {
    return transactionBuilder.undelegateResource(units, to, "ENERGY", from, { permissionId: 2, blockHeader });
  }
  if (request.kind === "top_up" || request.currency === "TRX") {
    return transactionBuilder.sendTrx(to, units, from, { blockHeader });
  }
  const options = { txLocal: true, feeLimit: Number(request.feeLimit), blockHeader };
  const parameters = [
    { type: "address", value: to },
    { type: "uint256", value: String(request.units) },
  ];
  const call = "transfer(address,uint256)";
  const { transaction } = await transactionBuilder.triggerSmartContract(
    usdt ?? "",
    call,
    options,
    parameters,
    from,
  );
  return transaction;
}

it.each<[what: string, changes: Partial<SigningRequest>, from: string, to: string]>([
  ["a sweep of USDT to the merchant", {}, keys.addressAt([0, 7]), `wallet of ${alice}`],
  [
    "a sweep of USDT to the operator",
    { recipient: "operator" },
    keys.addressAt([0, 7]),
    "wallet of operator",
  ],
  [
    "a sweep of TRX",
    { currency: "TRX", merchantId: bob, index: 3 },
    keys.addressAt([0, 3]),
    `wallet of ${bob}`,
  ],
  ["a top-up", { kind: "top_up" }, gasAddress, keys.addressAt([0, 7])],
  ["a delegation", { kind: "delegate" }, stakeAddress, keys.addressAt([0, 7])],
  ["the return of a delegation", { kind: "undelegate" }, stakeAddress, keys.addressAt([0, 7])],
])("TronWeb builds the same bytes, id and signature for %s", async (_, changes, from, payee) => {
  const signer = await aSigner();
  const request = aRequest(signer, changes);
  const outcome = signRequest(signer, request);
  const theirs = await builtByTronWeb(request, from, payee.startsWith("T") ? payee : walletOf(payee));
  const ours = readByTronWeb(outcome);
  expect([ours.txId, ours.rawHex]).toEqual([theirs.txID, theirs.raw_data_hex]);
  const place = { sweep: [0, request.index], top_up: [1, 0], delegate: [1, 1], undelegate: [1, 1] } as const;
  expect(ours.signer).toBe(hex(keys.addressAt(place[request.kind])));
});

/** The attacker writes any row of the database and has every issued address with its MAC, but no key. */
type Step = { readonly row: Partial<SigningRequest>; readonly waitMs: number; readonly isRepeated: boolean };

const INDEXES = 4;
const ownerOf = (index: number) => (index % 2 === 0 ? alice : bob);
const anIndex = fc.nat({ max: INDEXES - 1 });
const anAddress = fc.oneof(
  anIndex.map((index) => keys.addressAt([0, index])),
  fc.constantFrom(gasAddress, stakeAddress, walletOf("a thief"), "", "T", usdt ?? ""),
  fc.constantFrom(alice, bob, "operator").map((merchant) => walletOf(`wallet of ${merchant}`)),
);
const aMac = fc.oneof(
  anIndex.map((index) => macFor(index, ownerOf(index))),
  anIndex.map((index) => macFor(index, ownerOf(index), "mainnet")),
  fc.uint8Array({ maxLength: 40 }),
  fc.constant(null),
);
const tampered: { [Name in keyof SigningRequest]?: fc.Arbitrary<unknown> } = {
  kind: fc.constantFrom("sweep", "top_up", "delegate", "undelegate", "transfer", "__proto__"),
  merchantId: fc.constantFrom(alice, bob, "operator", null, "", "0198c1f0-0000-7000-8000-00000000000c"),
  index: fc.oneof(anIndex, fc.constantFrom(-1, 0.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY)),
  address: anAddress,
  checkoutToken: fc.oneof(
    anIndex.map((index) => `token ${index}`),
    fc.string(),
    fc.constant(null),
  ),
  addressMac: aMac,
  currency: fc.constantFrom("USDT", "TRX", "USDD", null),
  recipient: fc.constantFrom("merchant", "operator", "thief", null),
  destination: fc.oneof(anAddress, fc.constant(null)),
  units: fc.oneof(fc.bigInt({ min: 0n, max: 60_000_000n }), fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n })),
  feeLimit: fc.oneof(fc.bigInt({ min: 0n, max: 40_000_000n }), fc.bigInt()),
  blockNumber: fc.bigInt({ min: 0n, max: 2n ** 64n }),
  blockId: fc.oneof(fc.string(), fc.constant("ff".repeat(32))),
  blockTimeMs: fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY)),
  expiresAtMs: fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 1e300)),
};

const aChange = fc.oneof(
  ...Object.entries(tampered).map(([name, values]) => values.map((value) => [name, value] as const)),
);
const aStep: fc.Arbitrary<Step> = fc
  .record({
    index: anIndex,
    kind: fc.constantFrom("sweep", "sweep", "sweep", "top_up", "delegate", "undelegate"),
    currency: fc.constantFrom("USDT", "TRX"),
    recipient: fc.constantFrom("merchant", "operator"),
    units: fc.bigInt({ min: 1n, max: 40_000_000n }),
    changes: fc.array(aChange, { maxLength: 3 }),
    isTampered: fc.boolean(),
    waitMs: fc.constantFrom(0, 0, MINUTE_MS, 16 * MINUTE_MS, 13 * 60 * MINUTE_MS, -MINUTE_MS),
    isRepeated: fc.boolean(),
  })
  .map(({ index, changes, isTampered, waitMs, isRepeated, ...row }) => {
    const merchantId = ownerOf(index);
    const base = { index, merchantId, ...row } as Partial<SigningRequest>;
    return {
      row: isTampered ? { ...base, ...Object.fromEntries(changes) } : base,
      waitMs,
      isRepeated,
    } as Step;
  });

/** The rules for all signatures, checked on the bytes alone, as TronWeb reads them. */
function createOracle(signer: TestSigner) {
  const own = new Map(
    Array.from({ length: INDEXES }, (_, index) => [hex(keys.addressAt([0, index])), index]),
  );
  const shares = new Map<string, number>();
  const gas = new Map<string, number>();
  const liveUntil = new Map<string, number>();
  const add = (sums: Map<string, number>, key: string, units: number, most: number) => {
    sums.set(key, (sums.get(key) ?? 0) + units);
    expect(sums.get(key)).toBeLessThanOrEqual(most);
  };
  return (outcome: SigningOutcome) => {
    const { type, value, permissionId, signer: key, feeLimit, expiration } = readByTronWeb(outcome);
    const day = new Date(signer.now).toISOString().slice(0, 10);
    expect(expiration).toBeLessThanOrEqual(signer.now + 12 * MINUTE_MS);
    expect(expiration).toBeGreaterThan(signer.now);
    if (value.owner_address === hex(stakeAddress)) {
      expect(type).toMatch(/^(Un)?DelegateResourceContract$/);
      expect([permissionId, value.lock ?? false, value.resource]).toEqual([2, false, "ENERGY"]);
      expect(own.has(value.receiver_address)).toBe(true);
      expect(key).toBe(hex(keys.addressAt([1, 1])));
      return;
    }
    expect([permissionId, key]).toEqual([0, value.owner_address]);
    if (value.owner_address === hex(gasAddress)) {
      expect(type).toBe("TransferContract");
      expect(own.has(value.to_address)).toBe(true);
      expect(value.amount).toBeLessThanOrEqual(20_000_000);
      add(gas, day, value.amount, 100_000_000);
      add(gas, `${day} ${value.to_address}`, 1, 3);
      return;
    }
    const index = own.get(value.owner_address) ?? expect.fail(`signed for ${value.owner_address}`);
    const isUsdt = type === "TriggerSmartContract";
    if (isUsdt) {
      expect(value.contract_address).toBe(usdt);
      expect(value.data).toMatch(/^a9059cbb0{24}[0-9a-f]{104}$/);
      expect([value.call_value ?? 0, value.call_token_value ?? 0, value.token_id ?? 0]).toEqual([0, 0, 0]);
      expect(feeLimit).toBeLessThanOrEqual(30_000_000);
    } else expect(type).toBe("TransferContract");
    const to = isUsdt ? `41${value.data.slice(32, 72)}` : value.to_address;
    const units = isUsdt ? Number(BigInt(`0x${value.data.slice(72)}`)) : value.amount;
    const merchant = ownerOf(index);
    if (to === operatorWallet) {
      const ceiling = isUsdt ? 50_000_000 : 0;
      add(shares, `${day.slice(0, 7)} ${merchant} ${isUsdt}`, units, ceiling);
    } else expect(to).toBe(merchant === alice ? aliceWallet : bobWallet);
    expect(signer.now).toBeGreaterThan((liveUntil.get(value.owner_address) ?? 0) + 10 * MINUTE_MS);
    liveUntil.set(value.owner_address, expiration);
  };
}

it("whatever the rows contain, money goes to its merchant's own wallet, or within the ceiling to the operator's", async () => {
  const counts = { signed: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 20 }), async (steps) => {
      const signer = await aSigner();
      const judge = createOracle(signer);
      for (const { row, waitMs, isRepeated } of steps) {
        signer.now += waitMs;
        const index = row.index ?? 0;
        const isIndex = Number.isInteger(index) && index >= 0 && index < 2 ** 31;
        const filled = isIndex ? row : { address: "", addressMac: null, ...row };
        const block = aBlock(60_000_000n, signer.now - MINUTE_MS);
        const request = aRequest(signer, { ...block, addressMac: issuedMac(index), ...filled });
        const outcome = signRequest(signer, request);
        if (isRepeated && outcome.refusal === undefined)
          expect(signRequest(signer, request)).toEqual(outcome);
        counts[outcome.refusal === undefined ? "signed" : "refused"] += 1;
        if (outcome.refusal === undefined) judge(outcome);
      }
    }),
    { numRuns: ROUNDS, endOnFailure: true },
  );
  expect(counts.signed).toBeGreaterThan(ROUNDS);
  expect(counts.refused).toBeGreaterThan(ROUNDS);
}, 600_000);

function issuedMac(index: number): Uint8Array | null {
  return Number.isInteger(index) && index >= 0 && index < INDEXES ? macFor(index, ownerOf(index)) : null;
}
