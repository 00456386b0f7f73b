import { recordedTransactions } from "@daric/testing/recordings";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hexField, intField, messageField, textField, varint } from "./protobuf.ts";
import { readRawData } from "./read-raw-data.ts";
import { contractTypeUrl, decodeRawData } from "./transaction.ts";

const owner = `41${"11".repeat(20)}`;
const to = `41${"22".repeat(20)}`;
const join = (...parts: Uint8Array[]) => concatBytes(...parts);
const bytesHex = (bytes: Uint8Array) => bytesToHex(bytes);

/** A varint padded to this many bytes. */
function longVarint(value: bigint, length: number): Uint8Array {
  const bytes = [...varint(value)];
  for (let at = bytes.length; at < length; at += 1) {
    bytes[at - 1] = (bytes[at - 1] ?? 0) | 0x80;
    bytes.push(0);
  }
  return Uint8Array.from(bytes);
}

const transferValue = (amount: bigint) => join(hexField(1, owner), hexField(2, to), intField(3, amount));
const anyOf = (value: Uint8Array, type = 1) =>
  join(textField(1, contractTypeUrl(type)), messageField(2, value));
const contractOf = (any: Uint8Array, type = 1) => join(intField(1, type), messageField(2, any));
const rawOf = (...contracts: Uint8Array[]) =>
  join(
    hexField(1, "0012"),
    intField(8, 1_767_225_660_000n),
    ...contracts.map((contract) => messageField(11, contract)),
    intField(14, 5),
  );
const read = (raw: Uint8Array) => readRawData(bytesHex(raw));
const readValue = (value: Uint8Array) => read(rawOf(contractOf(anyOf(value)))).contract;
const transfer = (amount: number | bigint) => ({
  kind: "transfer",
  ownerAddress: owner,
  toAddress: to,
  amount,
});

/** Fields that no TRON message has, of each wire type, nested groups included. */
const invalid = fc
  .array(
    fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => intField(90, value)),
      fc.uint8Array({ maxLength: 9 }).map((bytes) => messageField(91, bytes)),
      fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => join(varint((92n << 3n) | 5n), bytes)),
      fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => join(varint((93n << 3n) | 1n), bytes)),
      fc
        .uint8Array({ maxLength: 9 })
        .map((bytes) =>
          join(
            varint((94n << 3n) | 3n),
            messageField(3, bytes),
            Uint8Array.of(0x0b, 0x08, 0x01, 0x0c),
            varint((94n << 3n) | 4n),
          ),
        ),
      // Known numbers with other wire types, which java-tron's parser treats as unknown.
      fc.constantFrom(hexToBytes("0d01020304"), hexToBytes("190102030405060708"), hexToBytes("0b0c")),
    ),
    { maxLength: 3 },
  )
  .map((fields) => join(...fields));

describe("raw_data", () => {
  it("of recorded transactions reads as the full decoder reads it", () => {
    for (const { raw_data_hex } of recordedTransactions()) {
      const { expiration, contracts } = decodeRawData(hexToBytes(raw_data_hex));
      const rawData = readRawData(raw_data_hex);
      expect(BigInt(rawData.expiration)).toBe(expiration);
      const [{ type, value } = { type: 0, value: undefined }] = contracts;
      expect(rawData.contract.kind === "transfer").toBe(type === 1);
      if (rawData.contract.kind === "transfer") {
        const { kind, ownerAddress, toAddress, amount } = rawData.contract;
        expect({ kind, ownerAddress, toAddress, amount: BigInt(amount) }).toEqual(value);
      }
      if (rawData.contract.kind === "trigger")
        expect(value).toMatchObject({ ...rawData.contract, callValue: BigInt(rawData.contract.callValue) });
    }
  });

  it("keeps every int64, also negative ones, in varints of any length", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.nat(10), (amount, length) => {
        const written = join(Uint8Array.of(0x18), longVarint(amount, length));
        const value = join(hexField(1, owner), hexField(2, to), written);
        const contract = readValue(value);
        expect(contract.kind === "transfer" && BigInt(contract.amount)).toBe(amount);
      }),
    );
  });

  it("drops the bits of a varint beyond 64, and refuses more than ten bytes", () => {
    const tenBytes = hexToBytes("ffffffffffffffffff7f");
    const value = join(hexField(1, owner), hexField(2, to), Uint8Array.of(0x18), tenBytes);
    expect(readValue(value)).toEqual(transfer(-1n));
    const eleven = join(value.subarray(0, -1), Uint8Array.of(0xff, 0x01));
    expect(() => readValue(eleven)).toThrow(RangeError);
  });

  it("skips unknown fields at every position", () => {
    fc.assert(
      fc.property(invalid, invalid, invalid, invalid, (inRaw, inContract, inAny, inValue) => {
        const value = join(inValue, transferValue(7n), inValue);
        const any = join(inAny, anyOf(value), inAny);
        const contract = join(inContract, contractOf(any), inContract);
        const raw = join(inRaw, rawOf(contract), inRaw);
        expect(read(raw)).toEqual({ expiration: 1_767_225_660_000, feeLimit: 0, contract: transfer(7) });
      }),
    );
  });

  it("with a repeated field has its last value, and with a repeated message both merged", () => {
    const twice = join(
      hexField(2, owner),
      intField(3, 99),
      hexField(1, to),
      transferValue(7n),
      intField(3, 8),
    );
    expect(readValue(twice)).toEqual(transfer(8));
    const halves = join(
      intField(1, 31),
      messageField(2, textField(1, contractTypeUrl(1))),
      messageField(2, messageField(2, transferValue(7n))),
      intField(1, 1),
    );
    expect(read(rawOf(halves)).contract).toEqual(transfer(7));
    const expiring = join(intField(8, 1), rawOf(contractOf(anyOf(transferValue(7n)))), intField(8, 3));
    expect(read(expiring).expiration).toBe(3);
  });

  it("has one contract, whose type is that of its parameter", () => {
    const one = contractOf(anyOf(transferValue(7n)));
    expect(() => read(rawOf(one, one))).toThrow("two contracts");
    expect(() => read(rawOf())).toThrow("no contract");
    expect(() => read(rawOf(new Uint8Array(), one))).toThrow("two contracts");
    for (const [type, url] of [
      [1, 31],
      [31, 1],
      [1, 4],
      [4, 1],
      [2, 1],
      [100, 30],
    ] as const) {
      const contract = contractOf(anyOf(transferValue(7n), url), type);
      expect(() => read(rawOf(contract))).toThrow("a contract's type is not that of its parameter");
    }
  });

  it("may name the contract's message with any host", () => {
    const any = (url: string) => join(textField(1, url), messageField(2, transferValue(7n)));
    expect(read(rawOf(contractOf(any("/protocol.TransferContract")))).contract).toEqual(transfer(7));
    expect(read(rawOf(contractOf(any("x/y/protocol.TransferContract")))).contract).toEqual(transfer(7));
    for (const url of ["protocol.TransferContract", "x/protocol.TransferContractX", "x/TransferContract", ""])
      expect(() => read(rawOf(contractOf(any(url))))).toThrow("type");
  });

  it("distinguishes a type that moves no money from an unknown one", () => {
    const kindOf = (type: number) =>
      read(rawOf(contractOf(anyOf(new Uint8Array(), type), type))).contract.kind;
    expect([kindOf(4), kindOf(57), kindOf(0), kindOf(100), kindOf(30)]).toEqual([
      "other",
      "other",
      "other",
      "unknown",
      "create",
    ]);
  });

  it.each([
    ["a vote", 4, hexField(1, owner), { ownerAddress: owner, amount: 0, toAddress: "" }],
    ["an account's name", 10, join(textField(1, "me"), hexField(2, owner)), { ownerAddress: owner }],
    ["an account's id", 19, join(textField(1, "me"), hexField(2, owner)), { ownerAddress: owner }],
    ["a stake", 54, join(hexField(1, owner), intField(2, 9)), { ownerAddress: owner, amount: 9 }],
    ["an old stake", 11, join(hexField(1, owner), intField(2, 9)), { ownerAddress: owner, amount: 9 }],
    ["an unstake", 55, join(hexField(1, owner), intField(2, 9)), { ownerAddress: owner, amount: 0 }],
    [
      "a purchase of a token",
      9,
      join(hexField(1, owner), hexField(2, to), textField(3, "T"), intField(4, 9)),
      { ownerAddress: owner, toAddress: to, amount: 9 },
    ],
    ["nobody", 51, new Uint8Array(), { ownerAddress: "" }],
  ])("has the owner and the moved sun of %s", (_name, type, value, expected) => {
    const { contract } = read(rawOf(contractOf(anyOf(value, type), type)));
    expect(contract).toMatchObject({ kind: "other", type, ...expected });
  });

  it("has the fee limit", () => {
    const value = join(hexField(1, owner), hexField(2, to));
    const raw = join(rawOf(contractOf(anyOf(value, 31), 31)), intField(18, 150_000_000));
    expect(read(raw).feeLimit).toBe(150_000_000);
    expect(read(rawOf(contractOf(anyOf(value, 31), 31))).feeLimit).toBe(0);
  });

  it("that is garbled anywhere is refused, or reads in the same form", () => {
    const honest = rawOf(contractOf(anyOf(transferValue(7n))));
    fc.assert(
      fc.property(
        fc.nat(honest.length - 1),
        fc.uint8Array({ maxLength: 12 }),
        fc.nat(12),
        (at, put, gone) => {
          const raw = join(honest.subarray(0, at), put, honest.subarray(at + gone));
          expectReadingOrRefusal(raw);
        },
      ),
      { numRuns: 2_000 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), expectReadingOrRefusal), { numRuns: 1_000 });
  });

  it.each([
    ["a length beyond the end", "0affffffff07"],
    ["a negative length", "0affffffffffffffffff01"],
    ["a length of 4 GB", "0affffffff0f"],
    ["a field without a number", "00"],
    ["the end of a group that never began", "0c"],
    ["a group that never ends", "0b"],
    ["a group that another one ends", "0b14"],
    ["an unknown wire type", "0e"],
    ["half a varint", "0880"],
    ["a fixed number that is cut short", "0d000000"],
    ["groups nested to its full length", "0b".repeat(100_000)],
  ])("is refused with %s", (_name, hex) => {
    expect(() => readRawData(hex)).toThrow(RangeError);
    const inValue = join(hexToBytes(hex), transferValue(7n));
    expect(() => readValue(inValue)).toThrow(RangeError);
  });
});

function expectReadingOrRefusal(raw: Uint8Array): void {
  try {
    const { expiration, contract } = read(raw);
    expect(["number", "bigint"]).toContain(typeof expiration);
    expect(typeof contract.kind).toBe("string");
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    expect(error.message).not.toMatch(/call stack/);
  }
}
