import { blockAnswer } from "@daric/testing/block-answer";
import { recordedBlocks } from "@daric/testing/recordings";
import { turnAt } from "@daric/testing/witnesses";
import { describe, expect, it } from "vitest";
import { signerOf } from "./block-signer.ts";
import { parseBlockHeader } from "./parse-block.ts";
import { AnswerError } from "./read-json.ts";

const NUMBER = 5;
const told = blockAnswer({ number: NUMBER, timeMs: 1_700_000_000_000 });

function headerOf(answer: unknown) {
  const header = parseBlockHeader(answer);
  return header ?? expect.fail("no header");
}

function signedBy(witness_signature: unknown) {
  const block_header = { ...told.block_header, witness_signature };
  return { ...told, block_header };
}

describe("the signer of a block", () => {
  it("is the address of the key that signed its header", () => {
    const header = headerOf(told);
    expect(header.witnessHex).toBe(turnAt(NUMBER).address);
    expect(signerOf(header)).toBe(turnAt(NUMBER).address);
  });

  it("is another one when the signature is of another header", () => {
    const other = blockAnswer({ number: NUMBER, timeMs: 1_700_000_003_000 });
    expect(signerOf(headerOf(signedBy(other.block_header.witness_signature)))).not.toBe(
      turnAt(NUMBER).address,
    );
  });

  it("is nobody where the signature is none", () => {
    for (const none of [undefined, "", "00", "ff".repeat(65), "00".repeat(65)])
      expect(signerOf(headerOf(signedBy(none)))).toBeUndefined();
    expect(() => headerOf(signedBy(7))).toThrow(AnswerError);
  });

  it("is the witness of every recorded block", () => {
    for (const block of recordedBlocks()) {
      const header = headerOf(block);
      if (header.number > 0) expect(signerOf(header)).toBe(header.witnessHex);
    }
  });
});
