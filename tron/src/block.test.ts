import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import {
  hasRecordings,
  type RecordedBlock,
  readRecording,
  recordedBlocks,
  transactionOf,
} from "../test/recordings.ts";
import { type BlockHeader, blockId, decodeBlock, encodeBlock, headerHash, transactionRoot } from "./block.ts";
import { EMPTY_ROOT, merkleRoot } from "./merkle.ts";
import { recoverSigner } from "./signature.ts";

function headerOf({ block_header: { raw_data } }: RecordedBlock): BlockHeader {
  return {
    timestamp: raw_data.timestamp,
    txTrieRoot: raw_data.txTrieRoot,
    parentHash: raw_data.parentHash,
    number: raw_data.number,
    witnessAddress: raw_data.witness_address,
    version: raw_data.version,
  };
}

function transactionsOf(block: RecordedBlock) {
  return (block.transactions ?? []).map((recorded) => ({
    transaction: transactionOf(recorded),
    contractRet: "SUCCESS" as const,
  }));
}

describe.skipIf(!hasRecordings)("recorded blocks", () => {
  it("the blockID is number and header hash", () => {
    for (const block of recordedBlocks()) expect(blockId(headerOf(block))).toBe(block.blockID);
  });

  it("the witness signature recovers to the witness", () => {
    for (const block of recordedBlocks()) {
      const header = headerOf(block);
      expect(recoverSigner(headerHash(header), block.block_header.witness_signature)).toBe(
        header.witnessAddress,
      );
    }
  });

  it("the txTrieRoot of a complete block covers every transaction with signature and result", () => {
    const block = readRecording<RecordedBlock>("nile-block-1000000.getblock.json");
    expect(transactionRoot(transactionsOf(block))).toBe(block.block_header.raw_data.txTrieRoot);
  });

  it("an encoded block decodes to itself", () => {
    const recorded = readRecording<RecordedBlock>("nile-block-1000000.getblock.json");
    const block = {
      id: recorded.blockID,
      header: headerOf(recorded),
      witnessSignature: recorded.block_header.witness_signature,
      transactions: transactionsOf(recorded),
    };
    expect(decodeBlock(encodeBlock(block))).toEqual(block);
  });
});

describe("merkleRoot", () => {
  const leaf = (digit: string) => hexToBytes(digit.repeat(64));

  it("is zeros for no transaction and the leaf itself for one", () => {
    expect(merkleRoot([])).toBe(EMPTY_ROOT);
    expect(merkleRoot([leaf("a")])).toBe("a".repeat(64));
  });

  it("promotes an odd leaf unchanged", () => {
    const pair = merkleRoot([leaf("a"), leaf("b")]);
    expect(merkleRoot([leaf("a"), leaf("b"), leaf("c")])).toBe(merkleRoot([hexToBytes(pair), leaf("c")]));
  });
});
