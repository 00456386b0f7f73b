import { expect, it } from "vitest";
import { isDatabaseUnavailable, isUniqueViolation } from "./errors.ts";

const internal = (message: string) => Object.assign(new Error(message), { code: "XX000" });

it.each([
  "terminating connection due to unexpected postmaster exit",
  "failure on connection marked as essential: 127.0.0.1:5602",
])("the internal error of a server that is gone means an outage: %s", (message) => {
  expect(isDatabaseUnavailable(internal(message))).toBe(true);
});

it("a standby that is not promoted yet means an outage; another error with its SQLSTATE does not", () => {
  const withState = (message: string) => Object.assign(new Error(message), { code: "55000" });
  expect(isDatabaseUnavailable(withState("recovery is in progress"))).toBe(true);
  expect(isDatabaseUnavailable(withState("currval of sequence is not yet defined"))).toBe(false);
});

it("any other internal error means no outage", () => {
  expect(isDatabaseUnavailable(internal("unrecognized node type: 330"))).toBe(false);
});

it("a unique key is known by its name, also in the message of a server of Citus in any language", () => {
  const message = (quoted: string) => `duplicate key value violates unique constraint ${quoted}`;
  for (const error of [
    { code: "23505", constraint: "orders_key" },
    ...['"orders_key_102041"', "»orders_key_102041«", "« orders_key_102041 »", "„orders_key_102041“"].map(
      (quoted) => Object.assign(new Error(message(quoted)), { code: "23505" }),
    ),
  ]) {
    expect(isUniqueViolation(error, "orders_key")).toBe(true);
    expect(isUniqueViolation(error, "orders")).toBe(false);
    expect(isUniqueViolation(error, "key")).toBe(false);
  }
});
