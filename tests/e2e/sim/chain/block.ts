import { bytesField, digestOf, numberField } from "./bytes.ts";
import { type SigningKey, signature } from "./keys.ts";
import { type IncludedTransaction, rootOfTransactions } from "./transactions.ts";

const VERSION = 36;
export const SLOT_LENGTH_MS = 3_000;

export type SimBlock = {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
  readonly witnessHex: string;
  readonly included: readonly IncludedTransaction[];
  /** as nodes print it, with and without its transactions, and its infos */
  readonly text: string;
  readonly headerText: string;
  readonly infosText: string;
};

/** The content of a block. A liar may name any witness, but signs with its own key. */
export type BlockContent = {
  readonly parent: { readonly number: number; readonly id: string } | undefined;
  readonly timeMs: number;
  readonly witnessHex: string;
  readonly key: SigningKey;
  readonly included: readonly IncludedTransaction[];
};

export function makeBlock(plan: BlockContent): SimBlock {
  const number = plan.parent === undefined ? 0 : plan.parent.number + 1;
  const parentId = plan.parent?.id ?? "00".repeat(32);
  const root = rootOfTransactions(plan.included);
  const header = Buffer.concat([
    numberField(1, plan.timeMs),
    bytesField(2, root),
    bytesField(3, parentId),
    numberField(7, number),
    bytesField(9, plan.witnessHex),
    numberField(10, VERSION),
  ]);
  const hash = digestOf(header);
  const id = number.toString(16).padStart(16, "0") + hash.toString("hex").slice(16);
  const head = {
    blockID: id,
    block_header: {
      raw_data: {
        ...(number === 0 ? {} : { number }),
        txTrieRoot: root,
        witness_address: plan.witnessHex,
        parentHash: parentId,
        version: VERSION,
        timestamp: plan.timeMs,
      },
      witness_signature: signature(hash, plan.key),
    },
  };
  const transactions = plan.included.map(({ signed, effect }) => ({
    ret: [{ contractRet: effect.result }],
    txID: signed.id,
    ...signed.json,
  }));
  const infos = plan.included.map(({ signed, effect }) => ({
    id: signed.id,
    blockNumber: number,
    blockTimeStamp: plan.timeMs,
    contractResult: [""],
    ...effect.info,
  }));
  return {
    number,
    id,
    parentId,
    timeMs: plan.timeMs,
    witnessHex: plan.witnessHex,
    included: plan.included,
    text: JSON.stringify(transactions.length === 0 ? head : { ...head, transactions }),
    headerText: JSON.stringify(head),
    infosText: JSON.stringify(infos),
  };
}
