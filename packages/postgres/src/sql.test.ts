import { afterEach, describe, expect, it } from "vitest";
import { HungServerError } from "./errors.ts";
import { joinedOf, literals, oneOf, sql } from "./sql.ts";
import { inShards, requireAllAnswering, setClusterServers, spreadTenants } from "./tenants.ts";

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

  it("leaves one tenant and several to the join of another table", () => {
    const column = sql`other.merchant_id`;
    expect(joinedOf(column, ["a", "a"]).text).toBe("true");
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

describe("a statement about tenants of a sharded engine", () => {
  afterEach(() => {
    spreadTenants(undefined);
    setClusterServers({ serverOf: new Map(), hung: new Set() });
  });
  const byFirstLetter = (tenant: string) => tenant.slice(0, 1);

  it("names those of one shard as a list for each table, and rejects those of two", () => {
    spreadTenants(byFirstLetter);
    const column = sql`other.merchant_id`;
    expect(joinedOf(column, ["a1", "a2"]).text).toBe("other.merchant_id = any($1::uuid[])");
    expect(joinedOf(column, ["a1"]).text).toBe("other.merchant_id = $1::uuid");
    expect(() => oneOf(["a1", "b1"])).toThrow("tenants of one shard");
  });

  it("is one for each shard, with at most 200 units in their order", () => {
    spreadTenants(byFirstLetter);
    const units = ["b1", "a1", "b2", ...Array.from({ length: 200 }, (_, index) => `a${index + 2}`)];
    const lists = inShards(units, (unit) => unit);
    expect(lists.map(({ length }) => length)).toEqual([2, 200, 1]);
    expect(lists[0]).toEqual(["b1", "b2"]);
    expect(lists[2]).toEqual(["a201"]);
  });

  it("is refused at once while their server does not answer, as is one about all", () => {
    spreadTenants(byFirstLetter);
    const serverOf = new Map([
      ["a", "one:5432"],
      ["b", "two:5432"],
    ]);
    expect(requireAllAnswering).not.toThrow();
    setClusterServers({ serverOf, hung: new Set(["two:5432"]) });
    expect(() => oneOf(["b1"])).toThrow(HungServerError);
    expect(oneOf(["a1"]).values).toEqual(["a1"]);
    expect(requireAllAnswering).toThrow("two:5432");
  });
});
