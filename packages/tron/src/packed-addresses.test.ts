import { expect, it } from "vitest";
import { hashesIn, packAddresses } from "./packed-addresses.ts";

const address = (digit: string) => `41${digit.repeat(40)}`;
const hashOf = (hex: string) => Buffer.from(hex.slice(2), "hex");

it("packed addresses keep their order and duplicates", () => {
  const hexes = [..."a0f3a"].map(address);
  expect(packAddresses(hexes).toString("hex")).toBe(hexes.join(""));
  expect(hashesIn(packAddresses(hexes))).toEqual(hexes.map(hashOf));
  expect(packAddresses([])).toEqual(Buffer.alloc(0));
});

it.each(["41", "4", `41${"zz".repeat(20)}`, `41${"a".repeat(39)}`, `41${"a".repeat(42)}`, ""])(
  "a text that is no address (%s) becomes zeros and shifts no other",
  (text) => {
    const hexes = [address("1"), text, address("2")];
    expect(hashesIn(packAddresses(hexes))).toEqual([
      hashOf(address("1")),
      Buffer.alloc(20),
      hashOf(address("2")),
    ]);
  },
);

it("a text that is too long and one that is too short by as much shift no address between them", () => {
  const hexes = [`${address("1")}aa`, address("2"), address("3").slice(0, -2)];
  expect(hashesIn(packAddresses(hexes))[1]).toEqual(hashOf(address("2")));
});
