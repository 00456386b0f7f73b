import { expect, it } from "vitest";
import { isDatabaseUnavailable } from "./errors.ts";

const internal = (message: string) => Object.assign(new Error(message), { code: "XX000" });

it.each([
  "terminating connection due to unexpected postmaster exit",
  "failure on connection marked as essential: 127.0.0.1:5602",
])("a server that is gone is an outage, though its error is internal: %s", (message) => {
  expect(isDatabaseUnavailable(internal(message))).toBe(true);
});

it("a standby that is not promoted yet is an outage, and another state of an object is none", () => {
  const ofState = (message: string) => Object.assign(new Error(message), { code: "55000" });
  expect(isDatabaseUnavailable(ofState("recovery is in progress"))).toBe(true);
  expect(isDatabaseUnavailable(ofState("currval of sequence is not yet defined"))).toBe(false);
});

it("any other internal error is none", () => {
  expect(isDatabaseUnavailable(internal("unrecognized node type: 330"))).toBe(false);
});
