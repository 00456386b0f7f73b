import { expect, it } from "vitest";
import { followStatus, type LivePage } from "./live-status.ts";
import { type SeenCheckout, seenOf } from "./projection.ts";
import { retryMs } from "./socket.ts";

const shown = (state: SeenCheckout["state"], confirmations = 0): SeenCheckout => ({
  state,
  order: { payAmount: "25.5", quoteExpiresAt: null },
  payment: { expiresAt: null },
  status: {
    depositStatus: null,
    confirmations,
    requiredConfirmations: 19,
    amountReceived: "0",
    txHash: null,
  },
});
const received = (...of: Parameters<typeof shown>) =>
  JSON.stringify({ type: "checkout", data: shown(...of) });

/** A page with a clock that the test moves, and this state for its polls. */
function aPage(polled: SeenCheckout) {
  const done: string[] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  const sockets: { message(text: string): void; close(): void }[] = [];
  let seen = seenOf(shown("awaiting"));
  const page: LivePage = {
    fetchProjection: async () => {
      done.push("poll");
      return Response.json({ data: polled }, { headers: { etag: '"1"' } });
    },
    fetchPage: async () => new Response("page"),
    etag: '"1"',
    seen: () => seen,
    isFinal: () => false,
    isQuiet: () => false,
    showConfirmations: (count) => done.push(`confirmations ${count}`),
    showPage: (markup) => {
      seen = seenOf(polled);
      done.push(markup);
      return true;
    },
    takeReturn: () => false,
    showConnection: () => {},
    openSocket: (onMessage) => {
      sockets.push(onMessage);
      return onMessage;
    },
    pause: (ms) => new Promise((end) => pauses.push({ ms, end })),
    random: () => 0.5,
  };
  void followStatus(page);
  return { done, pauses, sockets };
}

/** Lets all work happen that needs no time. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

it("a socket's message is shown without a poll, and the page is reloaded if it must change", async () => {
  const { done, pauses, sockets } = aPage(shown("confirming", 7));
  sockets[0]?.message(received("awaiting"));
  await settled();
  expect(done.splice(0)).toEqual(["confirmations 0"]);
  sockets[0]?.message(received("confirming", 6));
  await settled();
  expect(done.splice(0)).toEqual(["confirmations 6", "page"]);
  sockets[0]?.message(received("confirming", 7));
  await settled();
  expect(done.splice(0)).toEqual(["confirmations 7"]);
  // A repeated message means a change outside its text.
  sockets[0]?.message(received("confirming", 7));
  await settled();
  expect(done.splice(0)).toEqual(["confirmations 7", "page"]);
  expect(pauses.map(({ ms }) => ms)).toEqual([3_000, 30_000, 30_000, 30_000, 30_000]);
});

it("a repeated message before a read is not missed, and a new socket starts fresh", async () => {
  const { done, sockets } = aPage(shown("awaiting"));
  sockets[0]?.message(received("awaiting"));
  sockets[0]?.message(received("awaiting"));
  await settled();
  expect(done.splice(0)).toEqual(["confirmations 0", "page"]);
  sockets[0]?.close();
  await settled();
  sockets[0]?.message(received("awaiting"));
  await settled();
  expect(done).toEqual(["poll", "confirmations 0", "confirmations 0"]);
});

it("a lost socket causes a poll at once, and reconnects come at growing intervals", async () => {
  const { done, pauses, sockets } = aPage(shown("awaiting"));
  sockets[0]?.message(received("awaiting"));
  await settled();
  done.length = 0;
  sockets[0]?.close();
  await settled();
  expect(done).toEqual(["poll", "confirmations 0"]);
  expect(pauses.slice(2).map(({ ms }) => ms)).toEqual([1_000, 3_000]);
  pauses[2]?.end();
  await settled();
  expect(sockets).toHaveLength(2);
  sockets[1]?.close();
  await settled();
  expect(pauses.at(-1)?.ms).toBe(2_000);
  expect([1, 2, 7, 50].map((failures) => retryMs(failures, 0.5))).toEqual([1_000, 2_000, 60_000, 60_000]);
  expect([retryMs(1, 0), retryMs(1, 1)]).toEqual([500, 1_500]);
});

it("a socket that misses a change found by a poll is replaced", async () => {
  const { done, pauses, sockets } = aPage(shown("paid"));
  sockets[0]?.message(received("awaiting"));
  await settled();
  pauses.at(-1)?.end();
  await settled();
  expect(done).toEqual(["confirmations 0", "poll", "confirmations 0", "page"]);
  expect(pauses.some(({ ms }) => ms === 1_000)).toBe(true);
});
