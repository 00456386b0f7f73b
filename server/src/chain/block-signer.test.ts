import { blockAnswer } from "@daric/testing/block-answer";
import { recordedBlocks } from "@daric/testing/recordings";
import { aHeader, someWitnesses, turnAt } from "@daric/testing/witnesses";
import { recoverSigner } from "@daric/tron/signature";
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

  it("is the new key's from the block on that a witness signs with it, and the old one's before, in any order", () => {
    const [witness = expect.fail(), old = expect.fail(), changed = expect.fail()] = someWitnesses(3);
    for (const [at, signer] of [old, old, changed, old, changed, changed, old].entries()) {
      const header = aHeader({ number: 100 + at, timeMs: 1_700_000_000_000 + at, witness, signer });
      expect(signerOf(header)).toBe(signer.address);
    }
  });

  it("is whose a signature recovers to where the witness has signed before, whatever is wrong with it", () => {
    const headers = Array.from({ length: 3 }, (_, at) => aHeader({ number: 27 * at + 5, timeMs: at + 1 }));
    const [first = expect.fail(), second = expect.fail(), third = expect.fail()] = headers;
    expect([first, second].map(signerOf)).toEqual([turnAt(5).address, turnAt(5).address]);
    const rs = third.signatureHex.slice(0, 128);
    const lasts = ["00", "01", "02", "03", "04", "1a", "1b", "1c", "1d", "1e", "1f", "ff"];
    const told = [...lasts.map((last) => rs + last), rs, `${third.signatureHex}abcdef`, second.signatureHex];
    for (const signatureHex of told) {
      expect(signerOf({ ...third, signatureHex })).toBe(recoverSigner(third.hashHex, signatureHex));
    }
    expect(signerOf(third)).toBe(turnAt(5).address);
  });

  it("is found for every witness, when there are more than are remembered", () => {
    const witnesses = someWitnesses(70);
    for (const round of [1, 2]) {
      for (const [at, witness] of witnesses.entries()) {
        const header = aHeader({ number: 100 * round + at, timeMs: at + 1, witness });
        expect(signerOf(header)).toBe(witness.address);
      }
    }
  });

  it("is found for a header that was told long ago as for one of a moment ago", () => {
    const [witness = expect.fail()] = someWitnesses(1);
    const header = (number: number) => aHeader({ number, timeMs: number, witness });
    const first = header(1);
    expect([signerOf(first), signerOf(first)]).toEqual([witness.address, witness.address]);
    for (let number = 2; number <= 210; number += 1) expect(signerOf(header(number))).toBe(witness.address);
    expect(signerOf(first)).toBe(witness.address);
  });
});
