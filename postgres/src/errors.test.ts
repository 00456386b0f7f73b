import { expect, it } from "vitest";
import { isDatabaseUnavailable } from "./errors.ts";

const internal = (message: string) => Object.assign(new Error(message), { code: "XX000" });

it.each([
  "terminating connection due to unexpected postmaster exit",
  "failure on connection marked as essential: 127.0.0.1:5602",
])("the internal error of a server that is gone means an outage: %s", (message) => {
  expect(isDatabaseUnavailable(internal(message))).toBe(true);
});

it("a standby that is not promoted yet means an outage; another error with its SQLSTATE does not", () => {
  const ofState = (message: string) => Object.assign(new Error(message), { code: "55000" });
  expect(isDatabaseUnavailable(ofState("recovery is in progress"))).toBe(true);
  expect(isDatabaseUnavailable(ofState("currval of sequence is not yet defined"))).toBe(false);
});

it("any other internal error means no outage", () => {
  expect(isDatabaseUnavailable(internal("unrecognized node type: 330"))).toBe(false);
});
