import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareWithHead } from "./head.ts";

const cursor = { number: 30, solidNumber: 12 };

describe("compared with our cursor a head", () => {
  it.each([
    { title: "above the cursor is ahead", number: 31, ours: undefined, position: "ahead" },
    { title: "at the cursor with our block is the same", number: 30, ours: "a", position: "same" },
    { title: "at the cursor with another block is a fork", number: 30, ours: "b", position: "fork" },
    { title: "below the cursor with our block is behind", number: 29, ours: "a", position: "behind" },
    { title: "below the cursor with another block is a fork", number: 29, ours: "b", position: "fork" },
    { title: "at a height without a block of ours is a fork", number: 29, ours: undefined, position: "fork" },
    { title: "at the final height with our block is behind", number: 12, ours: "a", position: "behind" },
    {
      title: "at the final height with another block is a fork",
      number: 12,
      ours: "b",
      position: "fork",
    },
    {
      title: "below the final height is below_final, also with our block",
      number: 11,
      ours: "a",
      position: "below_final",
    },
    {
      title: "below the final height is below_final, also with another block",
      number: 11,
      ours: "b",
      position: "below_final",
    },
  ])("$title", ({ number, ours, position }) => {
    expect(compareWithHead(cursor, { number, id: "a" }, ours)).toBe(position);
  });

  it("is a fork only between the final height and the cursor, and is ahead only above the cursor", () => {
    const height = fc.integer({ min: 0, max: 60 });
    const id = fc.constantFrom("a", "b");
    fc.assert(
      fc.property(height, id, id, (number, theirs, ours) => {
        const position = compareWithHead(cursor, { number, id: theirs }, ours);
        expect(position === "ahead").toBe(number > cursor.number);
        expect(position === "fork").toBe(number >= 12 && number <= 30 && theirs !== ours);
      }),
    );
  });
});
