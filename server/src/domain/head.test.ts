import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareWithHead } from "./head.ts";

const cursor = { number: 30, solidNumber: 12 };

describe("against our cursor a head", () => {
  it.each([
    { title: "above it is ahead", number: 31, ours: undefined, position: "ahead" },
    { title: "of its height and our block is the same", number: 30, ours: "a", position: "same" },
    { title: "of its height and another block is a fork", number: 30, ours: "b", position: "fork" },
    { title: "below it and our block is behind", number: 29, ours: "a", position: "behind" },
    { title: "below it and another block is a fork", number: 29, ours: "b", position: "fork" },
    { title: "of a height where we read no block is a fork", number: 29, ours: undefined, position: "fork" },
    { title: "of the height that was final is behind", number: 12, ours: "a", position: "behind" },
    {
      title: "of the height that was final and another block is a fork",
      number: 12,
      ours: "b",
      position: "fork",
    },
    {
      title: "below what was final is that, also with our block",
      number: 11,
      ours: "a",
      position: "below_final",
    },
    {
      title: "below what was final is that, also with another block",
      number: 11,
      ours: "b",
      position: "below_final",
    },
  ])("$title", ({ number, ours, position }) => {
    expect(compareWithHead(cursor, { number, id: "a" }, ours)).toBe(position);
  });

  it("is a fork only where it is comparable and differs, and nothing but a higher one is read from", () => {
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
