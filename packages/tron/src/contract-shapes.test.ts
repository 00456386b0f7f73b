import { vectorStakes } from "@daric/testing/recordings";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { TronWeb } from "tronweb";
import { describe, expect, it } from "vitest";
import { CONTRACT_SHAPES, type ContractKind, contractKind, type ShapedContract } from "./contract-shapes.ts";
import { contractTypeNumber } from "./contract-types.ts";
import { intField } from "./protobuf.ts";
import { decodeRawData, encodeRawData, type RawData } from "./transaction.ts";

const OWNER = `41${"11".repeat(20)}`;
const RECEIVER = `41${"22".repeat(20)}`;
const HEADER = {
  ref_block_bytes: "0012",
  ref_block_hash: "00112233445566ff",
  expiration: 1_767_225_660_000,
  timestamp: 1_767_225_600_001,
};
const { transactionBuilder: builder } = new TronWeb({ fullHost: "http://127.0.0.1:1" });
const options = { blockHeader: HEADER };

function rawOf(value: ShapedContract): RawData {
  return {
    refBlockBytes: HEADER.ref_block_bytes,
    refBlockHash: HEADER.ref_block_hash,
    expiration: BigInt(HEADER.expiration),
    data: "",
    contracts: [{ type: CONTRACT_SHAPES[value.kind].type, permissionId: 0, value }],
    timestamp: BigInt(HEADER.timestamp),
    feeLimit: 0n,
  };
}

const PERMISSION = { threshold: 1n, parentId: 0, keys: [{ address: OWNER, weight: 1n }] };
const OPERATIONS = "7fff1fc0033e0000000000000000000000000000000000000000000000000000";
const KEYS = [{ address: OWNER, weight: 1 }];

describe("a contract", () => {
  it("has the type number of its name in java-tron", () => {
    const names: Readonly<Record<ContractKind, string>> = {
      transfer: "TransferContract",
      accountUpdate: "AccountUpdateContract",
      accountId: "SetAccountIdContract",
      trigger: "TriggerSmartContract",
      permissionUpdate: "AccountPermissionUpdateContract",
      freeze: "FreezeBalanceV2Contract",
      unfreeze: "UnfreezeBalanceV2Contract",
      withdrawUnfrozen: "WithdrawExpireUnfreezeContract",
      delegate: "DelegateResourceContract",
      undelegate: "UnDelegateResourceContract",
      cancelUnfreeze: "CancelAllUnfreezeV2Contract",
    };
    for (const [kind, name] of Object.entries(names)) {
      expect(contractKind(contractTypeNumber(name) ?? -1)).toBe(kind);
    }
  });

  it("of every kind has TronWeb's bytes, and decodes to itself", async () => {
    const stake = { ownerAddress: OWNER, resource: "ENERGY", receiverAddress: RECEIVER } as const;
    const locked = [5_000_000, RECEIVER, "ENERGY", OWNER, true, 1_200, options] as const;
    const ours: ShapedContract[] = [
      { kind: "freeze", ownerAddress: OWNER, frozenBalance: 7_000_000n, resource: "BANDWIDTH" },
      { kind: "unfreeze", ownerAddress: OWNER, unfreezeBalance: 3_000_000n, resource: "ENERGY" },
      { kind: "accountUpdate", ownerAddress: OWNER, accountName: "53c3bc64" },
      { kind: "accountId", ownerAddress: OWNER, accountId: "73686f702d303031" },
      { kind: "withdrawUnfrozen", ownerAddress: OWNER },
      { kind: "cancelUnfreeze", ownerAddress: OWNER },
      { kind: "delegate", ...stake, balance: 5_000_000n, lock: true, lockPeriod: 1_200n },
      { kind: "undelegate", ...stake, balance: 5_000_000n },
      {
        kind: "permissionUpdate",
        ownerAddress: OWNER,
        owner: { ...PERMISSION, type: "Owner", id: 0, permissionName: "owner", operations: "" },
        witness: undefined,
        actives: [{ ...PERMISSION, type: "Active", id: 0, permissionName: "stake", operations: OPERATIONS }],
      },
    ];
    const theirs = await Promise.all([
      builder.freezeBalanceV2(7_000_000, "BANDWIDTH", OWNER, options),
      builder.unfreezeBalanceV2(3_000_000, "ENERGY", OWNER, options),
      builder.updateAccount("Süd", OWNER, options),
      builder.setAccountId("73686f702d303031", OWNER, options),
      builder.withdrawExpireUnfreeze(OWNER, options),
      builder.cancelUnfreezeBalanceV2(OWNER, options),
      builder.delegateResource(...locked),
      builder.undelegateResource(5_000_000, RECEIVER, "ENERGY", OWNER, options),
      builder.updateAccountPermissions(
        OWNER,
        { type: 0, permission_name: "owner", threshold: 1, keys: KEYS },
        undefined,
        [{ type: 2, permission_name: "stake", threshold: 1, operations: OPERATIONS, keys: KEYS }],
        options,
      ),
    ]);
    for (const [place, value] of ours.entries()) {
      const bytes = encodeRawData(rawOf(value));
      expect(bytesToHex(bytes)).toBe(theirs[place]?.raw_data_hex);
      expect(decodeRawData(bytes).contracts[0]?.value).toEqual(value);
    }
  });

  it("recorded by java-tron is decoded by field and encoded to the same bytes", () => {
    const kinds = vectorStakes().map(({ tx }) => {
      const raw = decodeRawData(hexToBytes(tx.raw_data_hex));
      expect(bytesToHex(encodeRawData(raw))).toBe(tx.raw_data_hex);
      return raw.contracts[0]?.value.kind;
    });
    expect(kinds).toEqual(["freeze", "delegate", "unfreeze", "undelegate", "permissionUpdate", "transfer"]);
  });

  it("with an unnamed enum number is refused", () => {
    const raw = rawOf({ kind: "freeze", ownerAddress: OWNER, frozenBalance: 1n, resource: "ENERGY" });
    const [one, three] = [bytesToHex(intField(3, 1)), bytesToHex(intField(3, 3))];
    const hex = bytesToHex(encodeRawData(raw)).replace(`1001${one}`, `1001${three}`);
    expect(() => decodeRawData(hexToBytes(hex))).toThrow(RangeError);
  });
});
