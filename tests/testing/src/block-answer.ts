import { headerHashOf, idOfHash } from "@daric/chain/blocks/block-id";
import { type ContractResult, contractResultNumber } from "@daric/tron/contract-result";
import { contractTypeNumber } from "@daric/tron/contract-types";
import { sha256Hex } from "@daric/tron/hash";
import { merkleRoot } from "@daric/tron/merkle";
import { hexField, intField, messageField } from "@daric/tron/protobuf";

import {
  type ContractValue,
  contractTypeUrl,
  type RawData,
  transactionFromRaw,
} from "@daric/tron/transaction";
import { signPublicly } from "../../../apps/devchain/src/chain/sign-publicly.ts";
import { turnAt } from "./witnesses.ts";

export type BlockFacts = {
  readonly number: number;
  readonly timeMs: number;
  /** by default some id of the height below */
  readonly parentId?: string;
  /** by default none, with a root of zeros */
  readonly transactions?: readonly TransactionAnswer[];
};

/** The contract of a transaction; addresses are 21-byte hex. */
export type ContractFacts =
  | { readonly type: "TransferContract"; readonly from: string; readonly to: string; readonly amount: bigint }
  | {
      readonly type: "TriggerSmartContract";
      readonly from: string;
      readonly contract: string;
      readonly data: string;
      /** sun */
      readonly callValue?: bigint;
    }
  | {
      readonly type: "CreateSmartContract";
      readonly from: string;
      readonly callValue: bigint;
    }
  | {
      readonly type: "TransferAssetContract";
      readonly from: string;
      readonly to: string;
      readonly amount: bigint;
      readonly asset: string;
    }
  /** any other contract */
  | { readonly type: string; readonly from: string };

/** A transaction in a node's block. */
export type TransactionAnswer = {
  ret: { [field: string]: unknown }[];
  signature: string[];
  txID: string;
  raw_data: { [field: string]: unknown };
  raw_data_hex: string;
};

/** A block of an honest node: its id and root are correct, and the witness in turn has signed it. */
export function blockAnswer(facts: BlockFacts): {
  blockID: string;
  block_header: { raw_data: Record<string, unknown>; witness_signature: string };
  transactions: TransactionAnswer[];
} {
  const { number, timeMs, parentId = idOfHeight(number - 1), transactions = [] } = facts;
  const witness = turnAt(number);
  const raw_data = {
    number,
    timestamp: timeMs,
    parentHash: parentId,
    txTrieRoot: merkleRoot(transactions.map(leafOf)),
    witness_address: witness.address,
    version: 36,
  };
  const hashHex = headerHashOf(raw_data);
  const witness_signature = signPublicly(hashHex, witness.privateKey);
  return {
    blockID: idOfHash(number, hashHex),
    block_header: { raw_data, witness_signature },
    transactions: [...transactions],
  };
}

/** An id of this height for a header that is never requested. */
export function idOfHeight(number: number, rest = "a".repeat(48)): string {
  return number.toString(16).padStart(16, "0") + rest;
}

type Sent = {
  readonly contractRet?: ContractResult;
  readonly expirationMs?: number | bigint;
  /** makes equal contracts different transactions */
  readonly timestampMs?: number;
};

/** A transaction and its bytes as a node returns them. */
export function transactionAnswer(contract: ContractFacts, sent: Sent = {}): TransactionAnswer {
  const { contractRet = "SUCCESS", expirationMs = 0, timestampMs = 0 } = sent;
  const raw: RawData = {
    refBlockBytes: "0012",
    refBlockHash: "00112233445566ff",
    expiration: BigInt(expirationMs),
    data: "",
    contracts: [
      { type: contractTypeNumber(contract.type) ?? 0, permissionId: 0, value: contractValueOf(contract) },
    ],
    timestamp: BigInt(timestampMs),
    feeLimit: 0n,
  };
  const { txId, rawHex } = transactionFromRaw(raw);
  const type_url = contractTypeUrl(contractTypeNumber(contract.type) ?? 0);
  return {
    ret: [{ contractRet }],
    signature: [`${txId}${txId}00`],
    txID: txId,
    raw_data: { contract: [{ type: contract.type, parameter: { value: {}, type_url } }] },
    raw_data_hex: rawHex,
  };
}

function contractValueOf(contract: ContractFacts): ContractValue {
  if ("data" in contract) {
    const { from: ownerAddress, contract: contractAddress, data, callValue = 0n } = contract;
    const call = { callValue, callTokenValue: 0n, tokenId: 0n };
    return { kind: "trigger", ownerAddress, contractAddress, data, ...call };
  }
  if ("callValue" in contract) {
    const made = Buffer.concat([hexField(1, contract.from), intField(5, contract.callValue)]);
    return {
      kind: "opaque",
      value: Buffer.concat([hexField(1, contract.from), messageField(2, made)]).toString("hex"),
    };
  }
  if ("asset" in contract) {
    const { from, to, amount, asset } = contract;
    const bytes = [
      hexField(1, Buffer.from(asset).toString("hex")),
      hexField(2, from),
      hexField(3, to),
      intField(4, amount),
    ];
    return { kind: "opaque", value: Buffer.concat(bytes).toString("hex") };
  }
  if ("to" in contract) {
    const { from: ownerAddress, to: toAddress, amount } = contract;
    return { kind: "transfer", ownerAddress, toAddress, amount };
  }
  return { kind: "opaque", value: Buffer.from(hexField(1, contract.from)).toString("hex") };
}

function leafOf({ raw_data_hex, signature, ret }: TransactionAnswer): string {
  return sha256Hex(
    Buffer.concat([
      hexField(1, raw_data_hex),
      ...signature.map((signed) => hexField(2, signed)),
      ...ret.map(({ contractRet }) =>
        messageField(5, intField(3, contractResultNumber(contractRet as ContractResult))),
      ),
    ]),
  );
}
