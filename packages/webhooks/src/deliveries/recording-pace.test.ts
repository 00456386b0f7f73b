import { expect, it } from "vitest";
import { createRecordingPace, type RecordingPace } from "./recording-pace.ts";

/** How long each of these results may wait, which come evenly at so many a second. */
function waitsAt(pace: RecordingPace, perSecond: number, { from = 0, count = 1_000 } = {}): number[] {
  return Array.from({ length: count }, (_, place) => pace.waitMs(from + (place * 1_000) / perSecond));
}

it("below 500 results a second each may wait 5 ms", () => {
  expect(new Set(waitsAt(createRecordingPace(), 490))).toEqual(new Set([5]));
});

it("above 500 results a second each may wait a tenth of a second, from the 501st on", () => {
  const waits = waitsAt(createRecordingPace(), 510);
  expect(new Set(waits.slice(0, 500))).toEqual(new Set([5]));
  expect(new Set(waits.slice(500))).toEqual(new Set([100]));
});

it("below 500 results a second each may wait 5 ms, although they come in bursts", () => {
  const pace = createRecordingPace();
  const bursts = Array.from({ length: 20 }, (_, place) =>
    waitsAt(pace, 10_000, { from: place * 200, count: 90 }),
  );
  expect(new Set(bursts.flat())).toEqual(new Set([5]));
});

it("a second after a burst the results that come slowly wait 5 ms again", () => {
  const pace = createRecordingPace();
  waitsAt(pace, 3_000, { count: 600 });
  const after = waitsAt(pace, 100, { from: 200, count: 105 });
  expect(after.at(-1)).toBe(5);
  expect(pace.waitMs(60_000)).toBe(5);
});
