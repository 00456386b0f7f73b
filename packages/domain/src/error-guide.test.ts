import { describe, expect, it } from "vitest";
import { docPathOf, errorGuide } from "./error-guide.ts";
import { type ApiErrorCode, errorCatalog } from "./errors.ts";

const codes = Object.keys(errorCatalog) as ApiErrorCode[];

describe.each(codes)("%s", (code) => {
  it("has a cause and a cure in whole sentences that do not repeat the message", () => {
    const { cause, cure } = errorGuide[code];
    for (const text of [cause, cure]) expect(text).toMatch(/^[A-Z`].{20,}\.$/s);
    expect(cause).not.toBe(errorCatalog[code].message);
  });

  it("has an anchor on the error page, in lower case with hyphens", () => {
    expect(docPathOf(code)).toMatch(/^\/docs\/errors#[a-z]+(-[a-z]+)*$/);
  });
});

it("each code has its own anchor", () => {
  expect(new Set(codes.map(docPathOf)).size).toBe(codes.length);
});
