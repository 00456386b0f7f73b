import { type ApiErrorCode, errorCatalog } from "@daric/domain/errors";
import { serviceSources } from "@daric/testing/service-sources";
import { expect, it } from "vitest";

it("each code of the catalogue is expected by a test", () => {
  const codes = Object.keys(errorCatalog) as ApiErrorCode[];
  const tests = serviceSources(/\.test\.ts$/);
  const named = new Set(tests.flatMap(({ text }) => text.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g)));
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
});
