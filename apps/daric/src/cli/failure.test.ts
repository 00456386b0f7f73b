import { DatabaseUnavailableError } from "@daric/postgres/errors";
import { expect, it } from "vitest";
import { failureLines } from "./failure.ts";

const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

it("a slow server and an unreachable one get different advice", () => {
  const slow = new DatabaseUnavailableError(coded("canceling statement due to statement timeout", "57014"));
  expect(failureLines(slow)).toEqual([
    "the database is unavailable: canceling statement due to statement timeout (PostgreSQL is there, and too busy or too slow for it: run it again later)",
  ]);
  const away = new DatabaseUnavailableError(coded("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"));
  expect(failureLines(away)).toEqual([expect.stringContaining("is PostgreSQL running")]);
});

it("a pooler in statement mode gets its own advice", () => {
  const words = "transaction blocks not allowed in statement pooling mode";
  expect(failureLines(new DatabaseUnavailableError(coded(words, "08P01")))).toEqual([
    `the database is unavailable: ${words}: PgBouncer needs pool_mode = transaction before the service`,
  ]);
});

it("a refused login names the variable of the URL with that user, and an unreachable server that of its host", () => {
  const env = {
    DATABASE_URL: "postgres://daric:a@pooler:6432/daric",
    DATABASE_DIRECT_URL: "postgres://owner:b@127.0.0.1:5432/daric",
  };
  const refused = (user: string) =>
    new DatabaseUnavailableError(coded(`password authentication failed for user "${user}"`, "28P01"));
  expect(failureLines(refused("owner"), env)).toEqual([
    expect.stringMatching(/: correct user and password in DATABASE_DIRECT_URL$/),
  ]);
  expect(failureLines(refused("daric"), env)).toEqual([
    expect.stringMatching(/: correct user and password in DATABASE_URL$/),
  ]);
  const away = new DatabaseUnavailableError(coded("connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED"));
  expect(failureLines(away, env)).toEqual([expect.stringContaining("and DATABASE_DIRECT_URL right?")]);
});

it("a key that an index cannot hold twice is named", () => {
  const detail = "Key (merchant_id, customer_ref)=(1, c-1) is duplicated.";
  const error = Object.assign(coded('could not create unique index "one_receive"', "23505"), { detail });
  expect(failureLines(error)).toEqual([`could not create unique index "one_receive": ${detail}`]);
});
