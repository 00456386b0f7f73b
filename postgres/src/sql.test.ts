import { describe, expect, it } from "vitest";
import { joinedOf, literals, oneOf, sql } from "./sql.ts";

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

describe("a statement about tenants", () => {
  it("names one by itself, however often it is given, and several as a list", () => {
    expect(sql`merchant_id ${oneOf(["a", "a"])}`.text).toBe("merchant_id = $1::uuid");
    const { text, values } = sql`merchant_id ${oneOf(["a", "b", "a"])}`;
    expect(text).toBe("merchant_id = any($1::uuid[])");
    expect(values).toEqual([["a", "b"]]);
  });

  it("names one again for each table that it joins, and leaves several to the join", () => {
    const column = sql`other.merchant_id`;
    expect(joinedOf(column, ["a", "a"]).text).toBe("other.merchant_id = $1::uuid");
    expect(joinedOf(column, ["a", "b"]).text).toBe("true");
    expect(() => joinedOf(column, [])).toThrow("one tenant at least");
  });

  it("is about nobody never, and about 200 at most", () => {
    const ids = Array.from({ length: 201 }, (_, index) => String(index));
    expect(() => oneOf([])).toThrow("one tenant at least");
    expect(() => oneOf(ids)).toThrow("200 tenants at most");
    expect(oneOf(ids.slice(1)).values).toHaveLength(1);
  });
});
