import { describe, expect, it } from "vitest";
import { literals, sql } from "./sql.ts";

describe("literals", () => {
  it("are text of the statement and no parameters", () => {
    const { text, values } = sql`status in (${literals("PENDING", "REORG_PENDING")}) and id = ${1}`;
    expect(text).toBe("status in ('PENDING', 'REORG_PENDING') and id = $1");
    expect(values).toEqual([1]);
  });

  it.each(["", "pending", "A'B", "A;B", "A B", "A\nB", "Ä"])("are never made of %j", (word) => {
    expect(() => literals("PENDING", word)).toThrow("no words of ours");
  });

  it("are at least one, for `in ()` is no SQL", () => {
    expect(() => literals()).toThrow("no words of ours");
  });
});
