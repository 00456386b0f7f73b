import {
  completeBlocks,
  headerOf,
  type RecordedBlock,
  recordedBlocks,
  transactionOf,
} from "@daric/testing/recordings";
import { describe, expect, it } from "vitest";
import { blockId, decodeBlock, encodeBlock, headerHash, transactionRoot } from "./block.ts";
import { EMPTY_ROOT, merkleRoot } from "./merkle.ts";
import { recoverSigner } from "./signature.ts";

function transactionsOf(block: RecordedBlock) {
  return (block.transactions ?? []).map((recorded) => ({
    transaction: transactionOf(recorded),
    contractRet: recorded.ret[0]?.contractRet ?? "DEFAULT",
  }));
}

describe("recorded blocks", () => {
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

  it("the txTrieRoot covers every transaction with signature and result", () => {
    for (const block of completeBlocks()) {
      expect(transactionRoot(transactionsOf(block))).toBe(block.block_header.raw_data.txTrieRoot);
    }
  });

  it("an encoded block decodes to itself", () => {
    for (const recorded of completeBlocks()) {
      const block = {
        id: recorded.blockID,
        header: headerOf(recorded),
        witnessSignature: recorded.block_header.witness_signature,
        transactions: transactionsOf(recorded),
      };
      expect(decodeBlock(encodeBlock(block))).toEqual(block);
    }
  });

  it("a header with a numbered witness and a state root keeps both, and has another id", () => {
    for (const recorded of recordedBlocks()) {
      const header = { ...headerOf(recorded), witnessId: 7, accountStateRoot: "ab".repeat(32) };
      const block = { id: blockId(header), header, witnessSignature: "", transactions: [] };
      expect(decodeBlock(encodeBlock(block))).toEqual(block);
      expect(block.id).not.toBe(recorded.blockID);
    }
  });
});

describe("merkleRoot", () => {
  const leaf = (digit: string) => digit.repeat(64);

  it("is zeros for no transaction and the leaf itself for one", () => {
    expect(merkleRoot([])).toBe(EMPTY_ROOT);
    expect(merkleRoot([leaf("a")])).toBe("a".repeat(64));
  });

  it("promotes an odd leaf unchanged", () => {
    const pair = merkleRoot([leaf("a"), leaf("b")]);
    expect(merkleRoot([leaf("a"), leaf("b"), leaf("c")])).toBe(merkleRoot([pair, leaf("c")]));
  });
});
