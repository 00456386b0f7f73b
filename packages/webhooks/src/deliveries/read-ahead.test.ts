import { type EndpointId, idOf, type MerchantId } from "@daric/domain/ids";
import { expect, it } from "vitest";
import { createReadAhead } from "./read-ahead.ts";

type Claim = { readonly merchantId: MerchantId; readonly endpointId: EndpointId };

const id = (number: number) => `0193a1b2-0000-7000-8000-${String(number).padStart(12, "0")}`;
const merchant = (number: number) => idOf("merchant", id(number));
const endpoint = (number: number) => idOf("endpoint", id(number));

/** So many claims of an endpoint. */
function claims(perMerchant: number, endpointNumber: number, count: number): Claim[] {
  return Array.from({ length: count }, () => ({
    merchantId: merchant(perMerchant),
    endpointId: endpoint(endpointNumber),
  }));
}

/** Takes claims until there is none that may start. */
function startAll({ next }: { next(): Claim | undefined }): Claim[] {
  const started: Claim[] = [];
  for (let claim = next(); claim !== undefined; claim = next()) started.push(claim);
  return started;
}

const countOf = (started: readonly Claim[], number: number) =>
  started.filter(({ merchantId }) => merchantId === merchant(number)).length;

it("an endpoint has its slots and no more, and the next claim starts when one ends", () => {
  const readAhead = createReadAhead<Claim>({ slots: 100, perEndpoint: 8 });
  readAhead.add(claims(1, 1, 20));
  const [first, ...others] = startAll(readAhead);
  expect(others).toHaveLength(7);
  if (first) readAhead.end(first, { durationMs: 5, isFailure: false });
  expect(startAll(readAhead)).toHaveLength(1);
});

it("a merchant with any number of endpoints has three quarters of the slots, another one a part of the rest", () => {
  const readAhead = createReadAhead<Claim>({ slots: 16, perEndpoint: 4 });
  for (let number = 1; number <= 40; number++) readAhead.add(claims(1, number, 4));
  expect(startAll(readAhead)).toHaveLength(12);
  readAhead.add(claims(2, 100, 4));
  expect(startAll(readAhead)).toEqual(claims(2, 100, 3));
});

it("merchants take turns, and their endpoints too", () => {
  const readAhead = createReadAhead<Claim>({ slots: 100, perEndpoint: 8 });
  readAhead.add([...claims(1, 1, 2), ...claims(1, 2, 2), ...claims(2, 3, 2)]);
  const started = startAll(readAhead).map(({ endpointId }) => endpointId);
  expect(started.slice(0, 4)).toEqual([1, 3, 2, 3].map(endpoint));
});

it("a claim is held until it is forgotten, and counts for its merchant and its endpoint", () => {
  const readAhead = createReadAhead<Claim>({ slots: 2, perEndpoint: 1 });
  readAhead.add(claims(1, 1, 3));
  const [started] = startAll(readAhead);
  expect([readAhead.held(), readAhead.heldByMerchant()]).toEqual([3, new Map([[merchant(1), 3]])]);
  if (started) readAhead.end(started, { durationMs: 1, isFailure: false });
  expect(readAhead.held()).toBe(3);
  if (started) readAhead.forget(started);
  for (const claim of readAhead.takeWaiting()) readAhead.forget(claim);
  expect([readAhead.held(), readAhead.rooms(), readAhead.heldByMerchant()]).toEqual([
    0,
    new Map(),
    new Map(),
  ]);
});

it("of a quick endpoint much is claimed ahead, of a slow one no more than it has slots, of a new one twice as many", () => {
  for (const [durationMs, room] of [
    [2, 255],
    [200, 79],
    [15_000, 7],
  ] as const) {
    const readAhead = createReadAhead<Claim>({ slots: 100, perEndpoint: 8 });
    readAhead.add(claims(1, 1, 2));
    expect(readAhead.rooms()).toEqual(new Map([[endpoint(1), 14]]));
    const [first] = startAll(readAhead);
    if (first) readAhead.end(first, { durationMs, isFailure: false });
    if (first) readAhead.forget(first);
    expect(readAhead.rooms()).toEqual(new Map([[endpoint(1), room]]));
  }
});

it("claims that come while others of a suspended endpoint are given back start after that", () => {
  const readAhead = createReadAhead<Claim>({ slots: 100, perEndpoint: 5 });
  readAhead.add(claims(1, 1, 8));
  for (const claim of startAll(readAhead)) {
    readAhead.end(claim, { durationMs: 1, isFailure: true });
    readAhead.forget(claim);
  }
  const released = readAhead.takeWaiting(endpoint(1));
  readAhead.add(claims(1, 1, 2));
  readAhead.resume(endpoint(1));
  expect([released.length, startAll(readAhead).length]).toEqual([3, 0]);
  released.forEach(readAhead.forget);
  readAhead.resume(endpoint(1));
  expect(startAll(readAhead)).toHaveLength(2);
});

it("results that wait to be recorded take no room of their endpoint", () => {
  const readAhead = createReadAhead<Claim>({ slots: 1_000, perEndpoint: 500 });
  readAhead.add(claims(1, 1, 256));
  expect(readAhead.rooms()).toEqual(new Map([[endpoint(1), 0]]));
  for (const claim of startAll(readAhead)) readAhead.end(claim, { durationMs: 2, isFailure: false });
  expect(readAhead.rooms()).toEqual(new Map([[endpoint(1), 256]]));
  expect(readAhead.held()).toBe(256);
});

it("the pace of an endpoint is kept while nothing of it is held", () => {
  const readAhead = createReadAhead<Claim>({ slots: 100, perEndpoint: 8 });
  const attemptOne = () => {
    readAhead.add(claims(1, 1, 1));
    const [first] = startAll(readAhead);
    const isFirst = first && readAhead.end(first, { durationMs: 200, isFailure: false });
    const rooms = readAhead.rooms();
    if (first) readAhead.forget(first);
    return { isFirst, rooms };
  };
  const rooms = new Map([[endpoint(1), 80]]);
  expect(attemptOne()).toEqual({ isFirst: true, rooms });
  expect(readAhead.rooms()).toEqual(new Map());
  expect(attemptOne()).toEqual({ isFirst: false, rooms });
});

it("the waiting claims of one endpoint are taken out, and others start", () => {
  const readAhead = createReadAhead<Claim>({ slots: 1, perEndpoint: 1 });
  readAhead.add([...claims(1, 1, 3), ...claims(2, 2, 1)]);
  const taken = readAhead.takeWaiting(endpoint(1));
  expect(taken).toHaveLength(3);
  const started = startAll(readAhead);
  expect([countOf(started, 1), countOf(started, 2)]).toEqual([0, 1]);
});

it("after five failures in a row an endpoint starts no more until they are recorded", () => {
  const readAhead = createReadAhead<Claim>({ slots: 100, perEndpoint: 1 });
  readAhead.add(claims(1, 1, 20));
  const failed = () => {
    const started = startAll(readAhead);
    for (const claim of started) readAhead.end(claim, { durationMs: 1, isFailure: true });
    return started.length;
  };
  expect([1, 2, 3, 4, 5, 6].map(failed)).toEqual([1, 1, 1, 1, 1, 0]);
  const [claim] = claims(1, 1, 1);
  for (const started of [0, 0, 0, 0, 1]) {
    if (claim) readAhead.forget(claim);
    readAhead.resume(endpoint(1));
    expect(failed()).toBe(started);
  }
});
