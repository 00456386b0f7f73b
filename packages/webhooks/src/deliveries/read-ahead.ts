import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { SUSPENDED_AFTER } from "../queue/health-store.ts";
import { createLanes, createLine, type Held, type Lane, UNKNOWN_PER_SLOT } from "./lanes.ts";

/** The claims of an endpoint last about so long at its present pace. */
const AHEAD_MS = 2_000;
/** The most claims of one endpoint that are not answered yet. */
const MAX_PER_ENDPOINT = 256;
/** The weight of the newest attempt in an endpoint's pace. */
const NEWEST = 0.2;

export type EndedAttempt = {
  readonly durationMs: number;
  readonly isFailure: boolean;
  /** its answer asked for a pause */
  readonly isPaused?: boolean;
};

export type ReadAhead<Claim extends Held> = {
  add(claims: readonly Claim[]): void;
  /** Gives the next claim to attempt and takes a slot for it; undefined without a free slot or a claim that may start. */
  next(): Claim | undefined;
  /**
   * The attempt has ended and its slot is free; the claim is held until it is recorded. Returns whether this is the
   * first pace of the endpoint, so that more may be claimed of it.
   */
  end(claim: Held, attempt: EndedAttempt): boolean;
  /** Lets an endpoint go on if all its failed attempts are recorded. Called for one that they have not suspended. */
  resume(endpointId: EndpointId): void;
  /** There was no attempt: its slot is free, and the claim is held until it is forgotten. */
  skip(claim: Claim): Claim;
  /** The claim is not held any more. */
  forget(claim: Held): void;
  /** Takes out the waiting claims, of one endpoint or of all. They are held until they are forgotten. */
  takeWaiting(endpointId?: EndpointId): Claim[];
  readonly held: () => number;
  readonly heldByMerchant: () => ReadonlyMap<MerchantId, number>;
  /** How many more may be claimed of each endpoint of which something is held. */
  readonly rooms: () => ReadonlyMap<EndpointId, number>;
};

/**
 * The claims of one process: those that wait for a slot, the attempts in `slots`, and unrecorded ones. Merchants take
 * turns at the slots, then their endpoints. An endpoint has at most `perEndpoint` slots, a merchant at most
 * three times as many as are free. An endpoint that has failed five times in a row, or asked for a pause,
 * starts no more until that is recorded. It may have to wait then.
 */
export function createReadAhead<Claim extends Held>(limits: Limits): ReadAhead<Claim> {
  const { lanes, merchants, laneOf, remove } = createLanes<Claim>();
  const line = createLine<Claim>(limits.perEndpoint);
  let running = 0;
  let held = 0;

  function free(lane: Lane<Claim>): void {
    lane.running -= 1;
    lane.merchant.running -= 1;
    running -= 1;
    lane.unrecorded += 1;
    line.join(lane);
  }

  return {
    add: (claims) => {
      for (const claim of claims) {
        const lane = laneOf(claim);
        lane.waiting.push(claim);
        lane.merchant.held += 1;
        held += 1;
        line.join(lane);
      }
    },
    next: () => {
      const claim = line.next(limits.slots - running);
      if (claim !== undefined) running += 1;
      return claim;
    },
    end: (claim, { durationMs, isFailure, isPaused = false }) => {
      const lane = laneOf(claim);
      const { paceMs } = lane;
      const failures = isPaused ? SUSPENDED_AFTER : 1;
      lane.failures = isFailure ? lane.failures + failures : 0;
      lane.paceMs = paceMs === undefined ? durationMs : paceMs + NEWEST * (durationMs - paceMs);
      free(lane);
      return paceMs === undefined;
    },
    resume: (endpointId) => {
      const lane = lanes.get(endpointId);
      if (lane !== undefined) line.resume(lane);
    },
    skip: (claim) => {
      free(laneOf(claim));
      return claim;
    },
    forget: (claim) => {
      const lane = laneOf(claim);
      lane.unrecorded -= 1;
      lane.merchant.held -= 1;
      held -= 1;
      if (lane.waiting.length + lane.running + lane.unrecorded === 0) remove(lane);
    },
    takeWaiting: (endpointId) => {
      const all = endpointId === undefined ? [...lanes.values()] : [lanes.get(endpointId)];
      return all.flatMap((lane) => (lane === undefined ? [] : line.takeWaiting(lane)));
    },
    held: () => held,
    heldByMerchant: () => new Map([...merchants].map(([id, merchant]) => [id, merchant.held])),
    rooms: () => new Map([...lanes].map(([id, lane]) => [id, roomOf(lane, limits.perEndpoint)])),
  };
}

type Limits = { readonly slots: number; readonly perEndpoint: number };

function roomOf<Claim>({ waiting, running, paceMs }: Lane<Claim>, perEndpoint: number): number {
  const atPace =
    paceMs === undefined ? UNKNOWN_PER_SLOT * perEndpoint : (perEndpoint * AHEAD_MS) / Math.max(paceMs, 1);
  const max = Math.min(Math.max(perEndpoint, Math.floor(atPace)), MAX_PER_ENDPOINT);
  return Math.max(0, max - waiting.length - running);
}
