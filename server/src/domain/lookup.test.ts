import { describe, expect, it } from "vitest";
import { endOfAddress, readNamedTransaction } from "./lookup.ts";

const ID = "4b9d1f0c2a7e8835d1c6f0a9be42771355aa90c1e3fd6b7788991200aabbccdd";

describe("a payer's input", () => {
  it.each([
    ID,
    ID.toUpperCase(),
    `  ${ID}\n`,
    `https://tronscan.org/#/transaction/${ID}`,
    `https://tronscan.org/#/transaction/${ID}?lang=es`,
    `https://nile.tronscan.org/#/transaction/${ID.toUpperCase()}/`,
    `TxID: ${ID}.`,
  ])("names a transaction by its id in any case, also inside a link: %j", (text) => {
    expect(readNamedTransaction(text)).toEqual({ txId: ID });
  });

  it.each([`0x${ID}`, `0X${ID.toUpperCase()}`, `https://etherscan.io/tx/0x${ID}`])(
    "names a transaction of another network if the id begins with 0x: %j",
    (text) => {
      expect(readNamedTransaction(text)).toBe("not_on_tron");
    },
  );

  it.each([
    "",
    "A-1042",
    ID.slice(1),
    `${ID}0`,
    `${ID}z`,
    `00x${ID}`,
    "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE",
    `${" ".repeat(500)}${ID}`,
    "<script>alert(1)</script>",
  ])("names no transaction otherwise: %j", (text) => {
    expect(readNamedTransaction(text)).toBe("not_an_id");
  });
});

it("the end of an address is its last four characters", () => {
  expect(endOfAddress("TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE")).toBe("cbLSE".slice(-4));
});
