import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { driversUrl, securityOf } from "./tls.ts";

beforeEach(() => {
  vi.stubEnv("PGSSLMODE", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const at = (rest: string) => `postgres://daric:secret@db.example:5432/daric${rest}`;

it.each([
  ["?sslmode=require", "?sslmode=verify-full"],
  ["?sslmode=prefer&application_name=x", "?sslmode=verify-full&application_name=x"],
  ["?sslrootcert=/ca.pem&sslmode=verify-ca", "?sslrootcert=/ca.pem&sslmode=verify-full"],
  ["?sslrootcert=system&sslmode=require", "?sslmode=verify-full&sslmode=verify-full"],
  ["?sslmode=verify-full", "?sslmode=verify-full"],
  ["?sslmode=no-verify", "?sslmode=no-verify"],
  ["?sslmode=disable", "?sslmode=disable"],
  ["?uselibpqcompat=true&sslmode=require", "?uselibpqcompat=true&sslmode=require"],
  ["", ""],
])("the driver gets %s as %s, so it warns of nothing and checks the certificate", (given, driven) => {
  expect(driversUrl(at(given))).toBe(at(driven));
});

it.each([
  ["a connection without TLS", at(""), /^the connection to another host is not encrypted$/],
  ["a host without a dot", "postgres://d@postgres/daric", /not encrypted/],
  ["an address of a private network", "postgres://d@10.0.0.5/daric", /not encrypted/],
  ["no-verify", at("?sslmode=no-verify"), /^the certificate of the server is not verified/],
  ["require of libpq", at("?uselibpqcompat=true&sslmode=require"), /any server is believed$/],
])("%s is doubted, with the way to verify", (_, url, words) => {
  expect(securityOf(url)).toEqual({
    words: expect.stringMatching(words),
    mend: expect.stringContaining("sslrootcert=<file of your provider's CA>"),
  });
});

it.each([
  ["a verified certificate", at("?sslmode=verify-full")],
  ["require, which verifies too", at("?sslmode=require")],
  ["the same by PGSSLMODE", at(""), "require"],
  ["a network that the operator calls private", at("?sslmode=disable")],
  ["this machine", "postgres://d@localhost/daric"],
  ["this machine by IPv4", "postgres://d@127.0.0.1:5433/daric?sslmode=no-verify"],
  ["this machine by IPv6", "postgres://d@[::1]/daric"],
  ["a socket", "postgresql:///daric?host=/run/postgresql"],
])("%s is not doubted", (_, url, mode = "") => {
  vi.stubEnv("PGSSLMODE", mode);
  expect(securityOf(url)).toBeUndefined();
});
