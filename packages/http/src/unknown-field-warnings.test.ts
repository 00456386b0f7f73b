import { createBody } from "@daric/charges/api/schema";
import { openSampleApp, ROW_ID } from "@daric/testing/sample-app";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldsOf } from "./query-names.ts";
import { unknownFields } from "./unknown-field-warnings.ts";

const fields = fieldsOf(createBody) ?? expect.fail();
const reported = (body: object) => unknownFields(body, fields);

describe("the ignored fields of a body", () => {
  it.each([
    [{ order_ref: 1 }, "order_ref->orderRef"],
    [{ "order-ref": 1, foo: 1 }, "order-ref->orderRef, foo"],
    [{ ORDERREF: 1 }, "ORDERREF->orderRef"],
    [{ ammount: 1 }, "ammount->amount"],
    [{ succesUrl: 1, cancelURL: 1 }, "succesUrl->successUrl, cancelURL->cancelUrl"],
    [{ price: 1 }, "price"],
    [{ "a b,c->d": 1 }, "a%20b%2Cc-%3Ed"],
    [{ "clé\r\nx: y": 1 }, "cl%C3%A9%0D%0Ax%3A%20y"],
    [{ "": 1 }, undefined],
    [{ toString: 1, constructor: "x", hasOwnProperty: 1 }, "toString, constructor, hasOwnProperty"],
    [{ amount: "1", metadata: { anything: "goes" }, orderRef: "r", apiKeyId: "x" }, undefined],
    [{}, undefined],
    [["amount"], undefined],
  ])("of %j are %j", (body, expected) => {
    expect(reported(body)).toBe(expected);
  });

  it("include those of nested objects, by their path", () => {
    const nested = fieldsOf(
      z.object({ a: z.object({ firstName: z.string() }).nullish(), open: z.looseObject({}) }),
    );
    const body = { a: { first_name: 1, other: 1 }, open: { a: 1 } };
    expect(unknownFields(body, nested ?? expect.fail())).toBe("a.first_name->a.firstName, a.other");
    expect(unknownFields({ a: null }, nested ?? expect.fail())).toBeUndefined();
  });

  it("are ten names at most, in 500 bytes at most: the rest is left out", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`zzz${n}zzz`, 1]));
    expect(reported(many)?.split(", ")).toHaveLength(10);
    expect(reported({ ["z".repeat(501)]: 1, foo: 1 })).toBe("foo");
    expect(reported({ ["z".repeat(501)]: 1 })).toBeUndefined();
    expect(reported({ ["z".repeat(500)]: 1, foo: 1 })).toBe("z".repeat(500));
  });

  it("make a header value of plain characters", () => {
    const name = fc
      .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 12 })
      .map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const value = reported(Object.fromEntries(names.map((key) => [key, 1]))) ?? "";
        expect(value).toMatch(/^[\w.%>, -]*$/);
        expect(value.length).toBeLessThanOrEqual(500);
      }),
    );
  });
});

describe("a request's answer", () => {
  const { app } = openSampleApp();
  afterAll(() => app.close());
  const send = (method: "POST" | "PATCH", url: string, payload: object) =>
    app.inject({ method, url, payload, headers: { "x-api-key": "good" } });

  it("names them, also in a refusal and on a route without a body", async () => {
    const made = await send("POST", "/v1/things", { amount: "1", order_ref: "x" });
    expect([made.statusCode, made.headers["x-ignored-fields"]]).toEqual([201, "order_ref->orderRef"]);
    const refused = await send("PATCH", `/v1/things/${ROW_ID}`, { is_active: true });
    expect([refused.statusCode, refused.headers["x-ignored-fields"]]).toEqual([422, "is_active->isActive"]);
  });

  it("names those of a query too, unless the query is refused", async () => {
    const made = await send("POST", "/v1/things?order_ref=x", { amount: "1" });
    expect(made.headers["x-ignored-fields"]).toBe("order_ref");
    const seen = await app.inject({ url: "/v1/public/ip?utm_source=x" });
    expect([seen.statusCode, seen.headers["x-ignored-fields"]]).toEqual([200, "utm_source"]);
  });

  it("has no such header if nothing is ignored", async () => {
    const made = await send("POST", "/v1/public/echo", { amount: "1" });
    expect(made.statusCode).toBeLessThan(300);
    expect(made.headers).not.toHaveProperty("x-ignored-fields");
  });
});
