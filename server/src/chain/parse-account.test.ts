import { describe, expect, it } from "vitest";
import { parseIsAccount } from "./parse-account.ts";
import { AnswerError } from "./read-json.ts";

const hex = `41${"22".repeat(20)}`;

describe("an account", () => {
  it("is there when it is answered, and is not when the answer is empty", () => {
    expect(parseIsAccount({ address: hex, balance: 1 }, hex)).toBe(true);
    expect(parseIsAccount({}, hex)).toBe(false);
  });

  it.each([[{ address: `41${"33".repeat(20)}` }], [{ Error: "busy" }], [[]], [null]])(
    "is not believed of %j",
    (answer) => {
      expect(() => parseIsAccount(answer, hex)).toThrow(AnswerError);
    },
  );
});
