import { describe, expect, it } from "vitest";
import { arrayText, uuidArray } from "./arrays.ts";

describe("the text of an array", () => {
  it("has numbers, words and nulls as they are", () => {
    expect(arrayText([7, "order.paid", null])).toBe("{7,order.paid,NULL}");
    expect(arrayText([])).toBe("{}");
  });

  it.each(["", "a b", 'a"', "a{", "a\\", "a\n", "ä"])("rejects %j", (text) => {
    expect(() => arrayText(["a", text])).toThrow("not a list");
    expect(() => arrayText([text])).toThrow("not a list");
  });
});

describe("an array of ids", () => {
  const id = "01a21e63-59e0-7e13-bffc-d642e8f743e3";

  it.each([
    "",
    "01a2",
    `${id}0`,
    `${id}00`,
    id.slice(0, -2),
    id.replace("e", "x"),
    `${id.slice(0, 8)}0${id.slice(9)}`,
  ])("rejects %j", (text) => {
    expect(() => uuidArray([id, text])).toThrow("not a list of UUIDs");
    expect(() => uuidArray([text, id])).toThrow("not a list of UUIDs");
    expect(() => uuidArray([text])).toThrow("not a list of UUIDs");
  });
});
