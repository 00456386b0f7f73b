import { expect, it } from "vitest";
import { createFrameLimit } from "./sockets.ts";

const PING = 0x89;
const PONG = 0x8a;
const TEXT_BEGINS = 0x01;

function frame(head: number, length: number): Buffer {
  return Buffer.concat([Buffer.from([head, 0x80 | length]), Buffer.alloc(4 + length, head)]);
}

it("twenty control frames may arrive in 25 s, in any pieces, and another after that time", () => {
  let now = 0;
  const allows = createFrameLimit(() => now);
  const twenty = Buffer.concat(
    Array.from({ length: 20 }, (_, at) => frame(at % 2 === 0 ? PING : PONG, at * 6)),
  );
  for (let at = 0; at < twenty.length; at += 7) expect(allows(twenty.subarray(at, at + 7))).toBe(true);
  now = 25_000;
  expect(allows(frame(PONG, 125))).toBe(true);
  now = 49_999;
  for (let more = 0; more < 19; more += 1) expect(allows(frame(PING, 0))).toBe(true);
  expect(allows(frame(PING, 0))).toBe(false);
});

it("a data frame may not begin, and a control frame may not exceed its limit", () => {
  for (const head of [0x00, TEXT_BEGINS, 0x81, 0x82])
    expect(createFrameLimit(() => 0)(Buffer.from([head]))).toBe(false);
  expect(createFrameLimit(() => 0)(Buffer.from([PING, 0x80 | 126]))).toBe(false);
});
