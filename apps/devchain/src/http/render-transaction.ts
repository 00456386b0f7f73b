import { addressToBase58 } from "@daric/tron/address";
import type { MinedTransaction, TronBlock } from "@daric/tron/block";
import { CONTRACT_SHAPES } from "@daric/tron/contract-shapes";
import { contractTypeName } from "@daric/tron/contract-types";
import type { MessageShape } from "@daric/tron/message";
import {
  contractTypeUrl,
  type RawData,
  type TransactionContract,
  type TronTransaction,
} from "@daric/tron/transaction";
import type { Stake } from "../ledger/account.ts";
import type { TransactionOutcome } from "../ledger/transaction-info.ts";
import { type JsonTree, message } from "./json-text.ts";
import { renderMessage } from "./message-json.ts";
import { renderAddress, renderText } from "./render-text.ts";

/** A transaction in no block yet: without `ret`. */
export function renderTransaction(
  transaction: TronTransaction,
  visible: boolean,
): { [key: string]: JsonTree } {
  return {
    ...message({ signature: transaction.signatures }),
    txID: transaction.txId,
    raw_data: renderRawData(transaction.raw, visible),
    raw_data_hex: transaction.rawHex,
  };
}

export function renderMined({ transaction, contractRet }: MinedTransaction, visible: boolean): JsonTree {
  return { ret: [{ contractRet }], ...renderTransaction(transaction, visible) };
}

/** A block; `transactions` is absent without transactions or without detail. */
export function renderBlock(block: TronBlock, visible: boolean, detail = true): JsonTree {
  const { header } = block;
  const rawData = message({
    number: BigInt(header.number),
    txTrieRoot: header.txTrieRoot,
    witness_address: renderAddress(header.witnessAddress, visible),
    parentHash: header.parentHash,
    version: header.version,
    timestamp: BigInt(header.timestamp),
  });
  return {
    blockID: block.id,
    block_header: { raw_data: rawData, ...message({ witness_signature: block.witnessSignature }) },
    ...(detail &&
      message({ transactions: block.transactions.map((transaction) => renderMined(transaction, visible)) })),
  };
}

/** TransactionInfo: the outcome and its block. */
export function renderInfo(outcome: TransactionOutcome, block: TronBlock, visible: boolean): JsonTree {
  const { receipt } = outcome;
  return message({
    id: outcome.txId,
    fee: outcome.fee,
    blockNumber: BigInt(block.header.number),
    blockTimeStamp: BigInt(block.header.timestamp),
    contractResult: [outcome.contractResult],
    contract_address: renderAddress(outcome.contractAddress, visible),
    receipt: message({
      energy_usage: BigInt(receipt.energyUsage),
      energy_fee: receipt.energyFee,
      energy_usage_total: BigInt(receipt.energyUsageTotal),
      net_usage: BigInt(receipt.netUsage),
      net_fee: receipt.netFee,
      result: receipt.result,
      energy_penalty_total: BigInt(receipt.energyPenaltyTotal),
    }),
    log: outcome.logs.map(({ address, topics, data }) =>
      // Real nodes print 20 bytes in hex, but the full address in base58.
      message({ address: visible ? addressToBase58(`41${address}`) : address, topics, data }),
    ),
    result: outcome.failureMessage === "" ? undefined : "FAILED",
    resMessage: renderText(outcome.failureMessage, visible),
    withdraw_expire_amount: outcome.withdrawExpireAmount,
    cancel_unfreezeV2_amount: outcome.cancelledUnfreezing && renderCancelled(outcome.cancelledUnfreezing),
  });
}

/** Sun by resource; entries of a map keep their defaults. */
function renderCancelled(stake: Stake): JsonTree[] {
  return Object.entries({ ...stake, TRON_POWER: 0n }).map(([key, value]) => ({ key, value }));
}

function renderRawData(raw: RawData, visible: boolean): JsonTree {
  return {
    contract: raw.contracts.flatMap((contract) => renderContract(contract, visible)),
    ...message({
      ref_block_bytes: raw.refBlockBytes,
      ref_block_hash: raw.refBlockHash,
      expiration: raw.expiration,
      data: raw.data,
      fee_limit: raw.feeLimit,
      timestamp: raw.timestamp,
    }),
  };
}

/** Contracts of an unsupported type are left out of the JSON, as on a real node. */
function renderContract({ type, permissionId, value }: TransactionContract, visible: boolean): JsonTree[] {
  if (value.kind === "opaque") return [];
  const shape: MessageShape = CONTRACT_SHAPES[value.kind].shape;
  const parameter = {
    value: renderMessage(shape, { ...value }, visible),
    type_url: contractTypeUrl(type),
  };
  return [{ parameter, type: contractTypeName(type), ...message({ Permission_id: permissionId }) }];
}
