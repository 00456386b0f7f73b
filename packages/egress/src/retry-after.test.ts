import { afterEach, expect, it, vi } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const HOUR_MS = 3_600_000;
const read = (header: string | string[] | undefined) => retryAfterMs(header, HOUR_MS);
afterEach(() => void vi.useRealTimers());

it("a pause is asked for in seconds or by a date, and lasts at most as long as the caller allows", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 29, 12, 0, 0) });
  expect(read("120")).toBe(120_000);
  expect(read(" 2 ")).toBe(2_000);
  expect(read("Sun, 29 Nov 2026 12:05:00 GMT")).toBe(300_000);
  for (const long of ["3601", "99999999999999999999", "Fri, 01 Jan 2100 00:00:00 GMT"])
    expect(read(long), long).toBe(HOUR_MS);
});

it("0 and a date that has passed ask for no time", () => {
  expect(read("0")).toBe(0);
  expect(read("Wed, 21 Oct 2015 07:28:00 GMT")).toBe(0);
});

it("any other text asks for nothing", () => {
  for (const header of [
    undefined,
    "",
    "-1",
    "1e9",
    "1.5",
    "NaN",
    "soon",
    "2 s",
    "2026-11-29T12:00:00Z",
    "May GMT",
  ])
    expect(read(header), header).toBeUndefined();
  expect(read(["1", "2"])).toBeUndefined();
});
