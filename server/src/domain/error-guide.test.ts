import { describe, expect, it } from "vitest";
import { docPathOf, errorGuide } from "./error-guide.ts";
import { type ApiErrorCode, errorCatalog } from "./errors.ts";

const codes = Object.keys(errorCatalog) as ApiErrorCode[];

describe.each(codes)("%s", (code) => {
  it("has a cause and a cure in whole sentences, which are not what its message says", () => {
    const { cause, cure } = errorGuide[code];
    for (const text of [cause, cure]) expect(text).toMatch(/^[A-Z`].{20,}\.$/s);
    expect(cause).not.toBe(errorCatalog[code].message);
  });

  it("has a place of its own on the page of errors, in lower case with hyphens", () => {
    expect(docPathOf(code)).toMatch(/^\/docs\/errors#[a-z]+(-[a-z]+)*$/);
  });
});

it("no two codes are explained in one place", () => {
  expect(new Set(codes.map(docPathOf)).size).toBe(codes.length);
});
