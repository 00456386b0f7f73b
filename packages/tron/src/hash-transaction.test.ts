import { completeBlocks, recordedTransactions, transactionOf } from "@daric/testing/recordings";
import { bytesToHex } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { contractResultNumber } from "./contract-result.ts";
import { hashTransaction } from "./hash-transaction.ts";
import { merkleRoot } from "./merkle.ts";
import { intField } from "./protobuf.ts";
import { transactionLeaf } from "./transaction.ts";

it("recorded transactions hash to their id", () => {
  for (const { raw_data_hex: rawHex, signature: signatures, txID } of recordedTransactions()) {
    expect(hashTransaction({ rawHex, signatures, results: [] })?.txId).toBe(txID);
  }
});

it("the leaves of recorded blocks make their root", () => {
  for (const block of completeBlocks()) {
    const leaves = (block.transactions ?? []).map(({ raw_data_hex: rawHex, signature: signatures, ret }) => {
      const results = ret.map(({ contractRet }) => intField(3, contractResultNumber(contractRet)));
      return hashTransaction({ rawHex, signatures, results })?.leaf ?? "";
    });
    expect(merkleRoot(leaves)).toBe(block.block_header.raw_data.txTrieRoot);
  }
});

it("a leaf is that of the encoded transaction, for any length of its parts", () => {
  const long = fc.uint8Array({ minLength: 3_900, maxLength: 4_300 });
  const hex = fc.oneof(fc.uint8Array({ maxLength: 400 }), long).map(bytesToHex);
  const [recorded] = recordedTransactions();
  if (recorded === undefined) throw new Error("nothing is recorded");
  fc.assert(
    fc.property(hex, fc.array(hex, { maxLength: 3 }), fc.nat(15), (rawHex, signatures, number) => {
      const transaction = { ...transactionOf(recorded), rawHex, signatures };
      const hashes = hashTransaction({ rawHex, signatures, results: [intField(3, number)] });
      expect(hashes?.leaf).toBe(transactionLeaf(transaction, number));
    }),
  );
});

it("a text that is not whole bytes of lower-case hex has no hash", () => {
  const honest = { rawHex: "0a02abcd", signatures: ["00ff"], results: [] };
  expect(hashTransaction(honest)).toBeDefined();
  for (const text of ["0A02ABCD", "0a02abc", "0a02abcdzz", "zz", "0a02abcd0"]) {
    expect(hashTransaction({ ...honest, rawHex: text })).toBeUndefined();
    expect(hashTransaction({ ...honest, signatures: ["00ff", text] })).toBeUndefined();
  }
});
