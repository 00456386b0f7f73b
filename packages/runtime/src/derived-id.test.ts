import { isId } from "@daric/domain/ids";
import fc from "fast-check";
import { expect, it } from "vitest";
import { derivedId } from "./derived-id.ts";

it("an id stays the same in every release, since receivers know events by it", () => {
  expect(derivedId("deposit", "devnet", "ab", 0)).toBe("93288f5d-e927-8f4c-bfd1-ee16398d5c38");
});

it("is a UUID of version 8 and the same for the same parts", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.integer())), (parts) => {
      const id = derivedId(...parts);
      expect(isId(id) && id[14] === "8" && "89ab".includes(id[19] ?? "")).toBe(true);
      expect(derivedId(...parts)).toBe(id);
    }),
  );
});

it("lists of parts with the same concatenation have different ids", () => {
  const lists = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"], ["1:a"], [1, "a"], ["1", ":a"]];
  expect(new Set(lists.map((parts) => derivedId(...parts))).size).toBe(lists.length);
});
