import type { ApiError } from "@daric/domain/errors";
import { ruled } from "@daric/domain/field-rule";
import { parseId } from "@daric/domain/ids";
import { openSampleApp } from "@daric/testing/sample-app";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { pageQuery } from "./pagination.ts";
import {
  decimal,
  httpUrl,
  idParams,
  nullishHttpUrl,
  nullishText,
  text,
  uuid,
  validatorCompiler,
} from "./validate.ts";

function check(schema: z.ZodType, data: unknown, httpPart = "body") {
  const result = validatorCompiler({ schema, httpPart } as never)(data) as {
    value?: unknown;
    error?: ApiError;
  };
  const details = result.error?.details.map(({ path, message }) => ({ path, message }));
  return details ? { details } : { value: result.value };
}

function rulesOf(schema: z.ZodType, data: unknown): Record<string, unknown> {
  const { error } = validatorCompiler({ schema, httpPart: "body" } as never)(data) as { error?: ApiError };
  return Object.fromEntries(error?.details.map(({ path, rule }) => [path, rule]) ?? []);
}

it("a rule has a stable name with its limits, so that a page can say it in another language", () => {
  const schema = z.object({
    amount: decimal,
    label: text(3),
    url: httpUrl,
    missing: z.string(),
    state: z.enum(["on", "off"]),
    kinds: z.array(z.string()).min(1),
    name: z.string().min(1),
    count: z.number().min(5),
    own: z.string().refine(() => false, ruled("must be short", "length", 1, 9)),
    nameless: z.string().refine(() => false, "must be another"),
  });
  const sent = { amount: "1e3", label: "long", url: "x", state: "x", kinds: [], name: "", count: 1 };
  expect(rulesOf(schema, { ...sent, own: "", nameless: "" })).toEqual({
    amount: { name: "amount", limits: [] },
    label: { name: "maxLength", limits: ["3"] },
    url: { name: "url", limits: [] },
    missing: { name: "required", limits: [] },
    state: { name: "invalid", limits: [] },
    kinds: { name: "atLeastOne", limits: [] },
    name: { name: "required", limits: [] },
    count: { name: "atLeast", limits: ["5"] },
    own: { name: "length", limits: ["1", "9"] },
    nameless: undefined,
  });
});

describe("details", () => {
  it("name every failing field by its path, in plain words", () => {
    const body = z.object({
      amount: decimal,
      orderRef: nullishText(3),
      url: httpUrl,
      status: z.enum(["active", "disabled"]),
      isActive: z.boolean(),
      eventTypes: z.array(z.string()).min(1),
      kinds: z.array(z.enum(["a", "b", "c"])),
      count: z.number().min(1),
      nested: z.object({ deep: z.object({ flag: z.boolean() }) }),
    });
    const { details } = check(body, {
      amount: 25.5,
      orderRef: "long",
      status: "open",
      isActive: "true",
      eventTypes: [],
      kinds: ["a", "x"],
      count: 0,
      nested: { deep: null },
    });
    expect(details).toEqual([
      { path: "amount", message: 'must be a string in quotes: "25.5", not 25.5 (money is never a number)' },
      { path: "orderRef", message: "must have at most 3 characters" },
      { path: "url", message: "is required" },
      { path: "status", message: "must be active or disabled" },
      { path: "isActive", message: "must be true or false" },
      { path: "eventTypes", message: "must have at least 1 item" },
      { path: "kinds.1", message: "must be a, b or c" },
      { path: "count", message: "must be at least 1" },
      { path: "nested.deep", message: "must be an object" },
    ]);
  });

  it.each([[[]], ["text"], [1], [true]])("a body that is %j and not an object is refused", (body) => {
    expect(check(z.object({}), body)).toEqual({
      details: [{ path: "(body)", message: "must be an object" }],
    });
  });

  it("suggest the probable value for one outside the list", () => {
    const schema = z.object({ currency: z.enum(["USDT", "TRX"]), kind: z.enum(["order", "receive"]) });
    const messages = (data: object) => check(schema, data).details?.map(({ message }) => message);
    expect(messages({ currency: "usdt", kind: "Order" })).toEqual([
      "must be USDT or TRX (capital letters)",
      "must be order or receive (small letters)",
    ]);
    expect(messages({ currency: "USTD", kind: "recieve" })).toEqual([
      "must be USDT or TRX: did you mean USDT?",
      "must be order or receive: did you mean receive?",
    ]);
    expect(messages({ currency: "BTC", kind: 5 })).toEqual([
      "must be USDT or TRX",
      "must be order or receive",
    ]);
  });

  it("say that a number or boolean is not a string in quotes", () => {
    const schema = z.object({ a: z.string(), b: z.string(), c: z.string() });
    expect(check(schema, { a: 5, b: true, c: [] }).details?.map(({ message }) => message)).toEqual([
      "must be a string in quotes",
      "must be a string in quotes",
      "must be a string",
    ]);
  });

  it("name text that PostgreSQL cannot store by its path", () => {
    const schema = z.object({ a: z.string(), list: z.array(z.string()) });
    const message = "must not contain NUL or half a surrogate pair";
    expect(check(schema, { a: "\0", list: ["ok", "\ud800"] }).details).toEqual([
      { path: "a", message },
      { path: "list.1", message },
    ]);
    expect(check(schema, { a: "😀", list: [], unknown: "\0" })).toEqual({ value: { a: "😀", list: [] } });
  });
});

describe("a query", () => {
  it("with a repeated parameter is refused; an unknown one of a public route is ignored", async () => {
    const { app } = openSampleApp();
    const send = async (url: string) =>
      (await app.inject({ url, headers: { "x-api-key": "good" } })).json().error;
    expect(await send("/v1/things?page=1&page=2&x=1&x=1&limit=0")).toEqual({
      code: "VALIDATION_ERROR",
      docUrl: "http://127.0.0.1:3000/docs/errors#validation-error",
      details: [
        { path: "page", message: "must be given once" },
        { path: "x", message: "must be given once" },
        { path: "limit", message: "must be at least 1" },
      ],
    });
    expect(await send("/v1/public/ip?utm=1&utm=1")).toBeUndefined();
    await app.close();
  });

  it("may have unknown parameters", () => {
    expect(check(pageQuery, { utm: "x" }, "querystring")).toEqual({ value: { page: 1, limit: 20 } });
  });

  it.each(["0", "-1", "1.0", "1e3", "", " 1", "0x1", "٣", "9007199254740993"])("refuses page %j", (page) => {
    expect(check(pageQuery, { page }, "querystring").details).toHaveLength(1);
  });

  it("accepts any page that is a number, and 1 to 100 rows", () => {
    const query = { page: "9007199254740991", limit: "100" };
    expect(check(pageQuery, query, "querystring")).toEqual({ value: { page: 9007199254740991, limit: 100 } });
    expect(check(pageQuery, { limit: "101" }, "querystring").details).toEqual([
      { path: "limit", message: "must be at most 100" },
    ]);
  });
});

describe("fields", () => {
  it("an amount is a decimal string and stays unchanged", () => {
    const schema = z.object({ amount: decimal.nullish() });
    expect(check(schema, { amount: "25.50" })).toEqual({ value: { amount: "25.50" } });
    expect(check(schema, { amount: null })).toEqual({ value: { amount: null } });
    expect(check(schema, {})).toEqual({ value: {} });
    for (const amount of ["", "1.0000001", "-1", "1e3", "+1", " 1", "01", "NaN", "1,5", 1, true, {}]) {
      expect(check(schema, { amount }).details).toMatchObject([{ path: "amount" }]);
    }
  });

  it("text is counted in code points", () => {
    expect(check(text(2), "😀😀")).toEqual({ value: "😀😀" });
    expect(check(text(2), "😀😀😀").details).toHaveLength(1);
  });

  it.each([
    "http://shop.example",
    "https://shop.example:8443/thanks?a=b#c",
    "HTTPS://Shop.Example/",
    "http://[::1]/",
    `https://a.example/${"x".repeat(2048 - 18)}`,
  ])("%s is an http URL", (url) => {
    expect(check(httpUrl, url)).toEqual({ value: url });
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScript://x",
    "ftp://a.example",
    "//a.example",
    "http:\\\\a.example",
    "http:/a.example",
    "\thttp://a.example",
    "http://a.example/\n",
    "http://user:secret@a.example",
    "https://user@a.example",
    "http://",
    "https://a b.example",
    `https://a.example/${"x".repeat(2048)}`,
    "",
  ])("%j is not an accepted http URL", (url) => {
    expect(check(httpUrl, url).details).toHaveLength(1);
  });

  it.each([
    ["shop.example/x", /^must begin with https:\/\/ or http:\/\/$/],
    ["ftp://a.example", /begin with https/],
    ["https://a b.example", /blanks/],
    ["https://me:pw@a.example", /user name/],
    ["https://", /is not a URL/],
    [`https://a.example/${"é".repeat(2048)}`, /at most 2048/],
  ])("the error names the fault of %j", (url, fault) => {
    expect(check(httpUrl, url).details).toEqual([{ path: "(body)", message: expect.stringMatching(fault) }]);
  });

  it.each(["x", "é", "😀"])("a URL has at most 2,048 characters as sent, even of %s", (character) => {
    const url = `https://a.example/${character.repeat(2048 - 18)}`;
    expect(check(httpUrl, url)).toEqual({ value: url });
    expect(check(httpUrl, url + character).details).toHaveLength(1);
  });

  it("an optional URL or text may be null or missing", () => {
    const schema = z.object({ url: nullishHttpUrl, label: nullishText(1) });
    expect(check(schema, { url: null })).toEqual({ value: { url: null, label: null } });
  });

  it("a reference in capital letters equals the one in small letters", () => {
    const id = "0190a5f0-0000-7000-8000-00000000000a";
    expect(check(uuid("charge"), id.toUpperCase())).toEqual({ value: id });
    expect(check(idParams("charge"), { id: id.toUpperCase() })).toEqual({ value: { id } });
    expect(parseId("charge", id.toUpperCase())).toBe(id);
  });

  it("a reference is a UUID of any version", () => {
    expect(check(uuid("charge"), "00000000-0000-0000-0000-000000000001").details).toBeUndefined();
    expect(check(uuid("charge"), "{00000000-0000-0000-0000-000000000001}").details).toHaveLength(1);
  });
});
