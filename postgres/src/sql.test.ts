import { describe, expect, it } from "vitest";
import { joinedOf, literals, oneOf, sql } from "./sql.ts";

describe("literals", () => {
  it("are text of the statement, not parameters", () => {
    const { text, values } = sql`status in (${literals("PENDING", "REORG_PENDING")}) and id = ${1}`;
    expect(text).toBe("status in ('PENDING', 'REORG_PENDING') and id = $1");
    expect(values).toEqual([1]);
  });

  it.each(["", "pending", "A'B", "A;B", "A B", "A\nB", "Ä"])("reject %j", (word) => {
    expect(() => literals("PENDING", word)).toThrow("not a constant of capital letters");
  });

  it("reject an empty list, since `in ()` is no SQL", () => {
    expect(() => literals()).toThrow("not a constant of capital letters");
  });
});

describe("a statement about tenants", () => {
  it("has one tenant as a parameter, also if given twice, and several as a list", () => {
    expect(sql`merchant_id ${oneOf(["a", "a"])}`.text).toBe("merchant_id = $1::uuid");
    const { text, values } = sql`merchant_id ${oneOf(["a", "b", "a"])}`;
    expect(text).toBe("merchant_id = any($1::uuid[])");
    expect(values).toEqual([["a", "b"]]);
  });

  it("repeats one tenant for each joined table, and leaves several to the join", () => {
    const column = sql`other.merchant_id`;
    expect(joinedOf(column, ["a", "a"]).text).toBe("other.merchant_id = $1::uuid");
    expect(joinedOf(column, ["a", "b"]).text).toBe("true");
    expect(() => joinedOf(column, [])).toThrow("at least one tenant");
  });

  it("rejects none and more than 200", () => {
    const ids = Array.from({ length: 201 }, (_, index) => String(index));
    expect(() => oneOf([])).toThrow("at least one tenant");
    expect(() => oneOf(ids)).toThrow("at most 200 tenants");
    expect(oneOf(ids.slice(1)).values).toHaveLength(1);
  });
});
