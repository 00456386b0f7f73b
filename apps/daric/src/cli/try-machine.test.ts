import { apiConnections } from "@daric/http/connections";
import { expect, it } from "vitest";
import { tryFiles } from "./try-machine.ts";

const found = (wanted: number | undefined, openFiles: number) =>
  tryFiles(apiConnections(wanted, openFiles)).map(({ verdict, words }) => `${verdict}: ${words}`);

it("more connections than open files allow are doubtful, both a setting and the default", () => {
  expect(found(20_000, 1_024)).toEqual([
    "doubtful: 1024 leave room for 768 connections, not for the 20000 of HTTP_MAX_CONNECTIONS",
  ]);
  expect(found(undefined, 4_096)).toEqual([expect.stringMatching(/^doubtful: 4096 leave room for 3840 /)]);
  expect(found(500, 1_024)).toEqual(["OK: 1024"]);
  expect(found(undefined, 20_000)).toEqual(["OK: 20000"]);
  expect(found(20_000, Number.POSITIVE_INFINITY)).toEqual([]);
});
