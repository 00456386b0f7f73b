import { type RecordedTransaction, recordedTransactions, transactionOf } from "@daric/testing/recordings";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { TronWeb } from "tronweb";
import { describe, expect, it } from "vitest";
import { transferCall } from "./abi.ts";
import { messageField } from "./protobuf.ts";
import { recoverSigner } from "./signature.ts";
import {
  type ContractValue,
  decodeRawData,
  decodeTransaction,
  encodeRawData,
  encodeTransaction,
  transactionFromRaw,
} from "./transaction.ts";

const RUNNABLE = ["TransferContract", "TriggerSmartContract"];

function runnable(): RecordedTransaction[] {
  return recordedTransactions().filter((recorded) => RUNNABLE.includes(typeOf(recorded)));
}

function typeOf(recorded: RecordedTransaction): string {
  return recorded.raw_data.contract[0]?.type ?? "";
}

describe("recorded transactions", () => {
  it("decoding the bytes gives the txID", () => {
    for (const recorded of recordedTransactions()) expect(transactionOf(recorded).txId).toBe(recorded.txID);
  });

  it("decoding raw_data_hex and encoding it again changes no byte", () => {
    for (const { raw_data_hex } of recordedTransactions()) {
      expect(bytesToHex(encodeRawData(decodeRawData(hexToBytes(raw_data_hex))))).toBe(raw_data_hex);
    }
  });

  it("the signature recovers to the owner", () => {
    for (const recorded of runnable()) {
      const owner = recorded.raw_data.contract[0]?.parameter.value.owner_address;
      expect(recoverSigner(recorded.txID, recorded.signature[0] ?? "")).toBe(owner);
    }
  });
});

describe("transactions", () => {
  const raw = {
    refBlockBytes: "0012",
    refBlockHash: "00112233445566ff",
    expiration: 1_767_225_660_000n,
    data: "6d656d6f",
    contracts: [
      {
        type: 1,
        permissionId: 2,
        value: {
          kind: "transfer",
          ownerAddress: `41${"11".repeat(20)}`,
          toAddress: `41${"22".repeat(20)}`,
          amount: 2n ** 62n + 1n,
        },
      },
    ],
    timestamp: 1_767_225_600_001n,
    feeLimit: 7n,
  } as const;

  it("an encoded transaction decodes to itself, memo, permission and large amounts included", () => {
    const transaction = transactionFromRaw(raw, ["ab".repeat(65)]);
    expect(decodeTransaction(encodeTransaction(transaction))).toEqual(transaction);
  });

  it("unknown fields keep their place in the txID", () => {
    const withAuths = hexToBytes(`${bytesToHex(encodeRawData(raw))}4a00`);
    const decoded = decodeTransaction(messageField(1, withAuths));
    expect(decoded.rawHex).toBe(bytesToHex(withAuths));
    expect(decoded.txId).not.toBe(transactionFromRaw(raw).txId);
  });

  it("truncated bytes are refused", () => {
    const bytes = encodeTransaction(transactionFromRaw(raw));
    expect(() => decodeTransaction(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
  });
});

describe("TronWeb builds the same bytes", () => {
  const tronWeb = new TronWeb({ fullHost: "http://127.0.0.1:1" });
  const [owner, other] = [`41${"11".repeat(20)}`, `41${"22".repeat(20)}`];
  const blockHeader = {
    ref_block_bytes: "0012",
    ref_block_hash: "00112233445566ff",
    expiration: 1_767_225_660_000,
    timestamp: 1_767_225_600_000,
  };
  const contracts = (type: number, value: ContractValue, permissionId = 0, feeLimit = 0n) =>
    transactionFromRaw({
      refBlockBytes: blockHeader.ref_block_bytes,
      refBlockHash: blockHeader.ref_block_hash,
      expiration: BigInt(blockHeader.expiration),
      data: "",
      contracts: [{ type, permissionId, value }],
      timestamp: BigInt(blockHeader.timestamp),
      feeLimit,
    });
  const delegation = {
    ownerAddress: owner,
    resource: "ENERGY",
    balance: 9_000_000n,
    receiverAddress: other,
  } as const;

  it("of a delegation under a permission, locked or not, and of its return", async () => {
    const options = { permissionId: 2, blockHeader };
    for (const [lock, lockPeriod] of [
      [false, 0],
      [true, 28_800],
    ] as const) {
      const theirs = await tronWeb.transactionBuilder.delegateResource(
        9_000_000,
        other,
        "ENERGY",
        owner,
        lock,
        lockPeriod,
        options,
      );
      const ours = contracts(
        57,
        { kind: "delegate", ...delegation, lock, lockPeriod: BigInt(lockPeriod) },
        2,
      );
      expect([ours.txId, ours.rawHex]).toEqual([theirs.txID, theirs.raw_data_hex]);
      expect(decodeRawData(hexToBytes(ours.rawHex))).toEqual(ours.raw);
    }
    const back = await tronWeb.transactionBuilder.undelegateResource(
      9_000_000,
      other,
      "ENERGY",
      owner,
      options,
    );
    const ours = contracts(58, { kind: "undelegate", ...delegation }, 2);
    expect([ours.txId, ours.rawHex]).toEqual([back.txID, back.raw_data_hex]);
    expect(decodeRawData(hexToBytes(ours.rawHex))).toEqual(ours.raw);
  });

  it("of a transfer of a token", async () => {
    const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
      `41${"33".repeat(20)}`,
      "transfer(address,uint256)",
      { txLocal: true, feeLimit: 30_000_000, blockHeader },
      [
        { type: "address", value: other },
        { type: "uint256", value: "12345678901" },
      ],
      owner,
    );
    const ours = contracts(
      31,
      {
        kind: "trigger",
        ownerAddress: owner,
        contractAddress: `41${"33".repeat(20)}`,
        callValue: 0n,
        data: transferCall(other, 12_345_678_901n),
        callTokenValue: 0n,
        tokenId: 0n,
      },
      0,
      30_000_000n,
    );
    expect([ours.txId, ours.rawHex]).toEqual([transaction.txID, transaction.raw_data_hex]);
  });
});
