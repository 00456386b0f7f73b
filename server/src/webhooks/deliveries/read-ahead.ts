import type { EndpointId, MerchantId } from "../../domain/ids.ts";
import { SUSPENDED_AFTER } from "../queue/health-store.ts";

/**
 * A merchant may hold this many times what is free: alone three quarters, beside another one three sevenths. So some
 * is always left for the next one.
 */
export const SHARE = 3;
/** What is claimed of an endpoint lasts about so long at its present pace. */
const AHEAD_MS = 200;
/** The most that is claimed of one endpoint at once. */
const MOST_OF_ENDPOINT = 256;
/** The weight of the newest attempt in an endpoint's pace. */
const NEWEST = 0.2;

type Held = { readonly merchantId: MerchantId; readonly endpointId: EndpointId };

/** What one process holds of an endpoint. */
type Lane<Claim> = {
  readonly endpointId: EndpointId;
  readonly merchant: MerchantLanes<Claim>;
  waiting: Claim[];
  running: number;
  /** attempts whose result is not recorded yet */
  unrecorded: number;
  /** milliseconds of an attempt; undefined before the first ended */
  paceMs: number | undefined;
  /** failed attempts in a row, in this process */
  failures: number;
};

type MerchantLanes<Claim> = {
  readonly merchantId: MerchantId;
  /** lanes with a waiting claim and a free slot; the next one is first */
  readonly ready: Set<Lane<Claim>>;
  running: number;
  held: number;
};

export type ReadAhead<Claim extends Held> = {
  add(claims: readonly Claim[]): void;
  /** Gives the next claim to attempt and takes a slot for it; undefined without a free slot or a claim that may start. */
  next(): Claim | undefined;
  /** The attempt has ended and its slot is free; the claim is held until it is recorded. */
  end(claim: Held, attempt: { readonly durationMs: number; readonly isFailure: boolean }): void;
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
 * {@link SHARE} times as many as are free. An endpoint that has failed {@link SUSPENDED_AFTER} times in a row starts no
 * more until that is recorded, since it may be suspended then.
 */
export function createReadAhead<Claim extends Held>(limits: Limits): ReadAhead<Claim> {
  const { lanes, merchants, laneOf } = createLanes<Claim>();
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
    end: (claim, { durationMs, isFailure }) => {
      const lane = laneOf(claim);
      lane.failures = isFailure ? lane.failures + 1 : 0;
      lane.paceMs =
        lane.paceMs === undefined ? durationMs : lane.paceMs + NEWEST * (durationMs - lane.paceMs);
      free(lane);
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
      if (lane.waiting.length + lane.running + lane.unrecorded === 0) lanes.delete(lane.endpointId);
      if (lane.merchant.held === 0) merchants.delete(lane.merchant.merchantId);
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

function createLanes<Claim extends Held>() {
  const lanes = new Map<EndpointId, Lane<Claim>>();
  const merchants = new Map<MerchantId, MerchantLanes<Claim>>();
  function merchantOf(merchantId: MerchantId): MerchantLanes<Claim> {
    const known = merchants.get(merchantId) ?? { merchantId, ready: new Set(), running: 0, held: 0 };
    merchants.set(merchantId, known);
    return known;
  }
  /** Finds the lane of a claim, or makes one. */
  function laneOf({ merchantId, endpointId }: Held): Lane<Claim> {
    const known = lanes.get(endpointId);
    if (known !== undefined) return known;
    const merchant = merchantOf(merchantId);
    const lane = {
      endpointId,
      merchant,
      waiting: [],
      running: 0,
      unrecorded: 0,
      paceMs: undefined,
      failures: 0,
    };
    lanes.set(endpointId, lane);
    return lane;
  }
  return { lanes, merchants, laneOf };
}

/** The merchants with a claim that may start, in turn, and of each its endpoints in turn. */
function createLine<Claim>(perEndpoint: number) {
  const ready = new Set<MerchantLanes<Claim>>();
  const mayStart = ({ waiting, running, failures }: Lane<Claim>) =>
    waiting.length > 0 && running < perEndpoint && failures < SUSPENDED_AFTER;

  /** Moves a lane and its merchant to the ends of their lines, or out of them. */
  function requeue(lane: Lane<Claim>): void {
    const { merchant } = lane;
    merchant.ready.delete(lane);
    if (mayStart(lane)) merchant.ready.add(lane);
    ready.delete(merchant);
    if (merchant.ready.size > 0) ready.add(merchant);
  }

  return {
    /** Adds a lane that may start a claim, and removes one that may not; one in the line keeps its place. */
    join: (lane: Lane<Claim>): void => {
      if (mayStart(lane)) {
        lane.merchant.ready.add(lane);
        ready.add(lane.merchant);
      } else requeue(lane);
    },
    next: (free: number): Claim | undefined => {
      for (const merchant of free > 0 ? ready : []) {
        if (merchant.running >= SHARE * free) continue;
        const [lane] = merchant.ready;
        const claim = lane?.waiting.shift();
        if (lane === undefined || claim === undefined) continue;
        lane.running += 1;
        merchant.running += 1;
        requeue(lane);
        return claim;
      }
      return undefined;
    },
    resume: (lane: Lane<Claim>): void => {
      if (lane.failures < SUSPENDED_AFTER || lane.unrecorded > 0) return;
      lane.failures = 0;
      requeue(lane);
    },
    takeWaiting: (lane: Lane<Claim>): Claim[] => {
      const taken = lane.waiting.splice(0);
      lane.unrecorded += taken.length;
      if (taken.length > 0) requeue(lane);
      return taken;
    },
  };
}

function roomOf<Claim>({ waiting, running, unrecorded, paceMs }: Lane<Claim>, perEndpoint: number): number {
  const atPace = paceMs === undefined ? perEndpoint : (perEndpoint * AHEAD_MS) / Math.max(paceMs, 1);
  const most = Math.min(Math.max(perEndpoint, Math.floor(atPace)), MOST_OF_ENDPOINT);
  return Math.max(0, most - waiting.length - running - unrecorded);
}
