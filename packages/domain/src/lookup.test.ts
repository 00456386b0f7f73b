import { describe, expect, it } from "vitest";
import { endOfAddress, lookAlikeOf, readNamedTransaction } from "./lookup.ts";

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

describe("two addresses that look alike", () => {
  const here = "TYWUK9dGbqEyKhEsLJW1ChVWFMSMMmrbBL";
  const withEnds = (start: string, end: string) =>
    start + here.slice(start.length, -end.length || undefined) + end;

  it("are shortened to characters in which they differ, if they begin or end alike", () => {
    const table: [string, string, string][] = [
      [withEnds("TL1exs", "R9rbBL"), "TL1exs…R9rbBL", "TYWUK9…MmrbBL"],
      [withEnds("TYWUab", "xxxxxx"), "TYWUab…xxxxxx", "TYWUK9…MmrbBL"],
      [withEnds("TYWUK9d", "xmrbBL"), "TYWUK9…xmrbBL", "TYWUK9…MmrbBL"],
      [withEnds("TYWUK9dx", "MmrbBL"), "TYWUK9dx…SMMmrbBL", "TYWUK9dG…SMMmrbBL"],
      [`${here.slice(0, 16)}xx${here.slice(18)}`, `${here.slice(0, 16)}xx${here.slice(18)}`, here],
    ];
    for (const [other, otherShown, hereShown] of table)
      expect(lookAlikeOf(other, here)).toEqual({ other: otherShown, here: hereShown });
  });

  it("are none if the four characters of both ends differ, or if they are the same", () => {
    expect(lookAlikeOf("TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE", here)).toBeUndefined();
    expect(lookAlikeOf(here, here)).toBeUndefined();
  });
});
