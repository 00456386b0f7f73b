import type { EndpointId, MerchantId } from "../../domain/ids.ts";

/**
 * A merchant may hold this many times what is free: alone three quarters, beside another one three sevenths, so that
 * some is always left for the next one.
 */
export const SHARE = 3;
/** What is claimed of an endpoint lasts about so long at its present pace. */
const AHEAD_MS = 100;
/** The most that is claimed of one endpoint at once. */
const MOST_OF_ENDPOINT = 128;
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
  end(claim: Held, durationMs: number): void;
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
 * {@link SHARE} times as many as are free.
 */
export function createReadAhead<Claim extends Held>(limits: {
  readonly slots: number;
  readonly perEndpoint: number;
}): ReadAhead<Claim> {
  const lanes = new Map<EndpointId, Lane<Claim>>();
  const merchants = new Map<MerchantId, MerchantLanes<Claim>>();
  /** merchants with a ready lane; the next one is first */
  const ready = new Set<MerchantLanes<Claim>>();
  let running = 0;
  let held = 0;

  function laneOf({ merchantId, endpointId }: Held): Lane<Claim> {
    const merchant = merchants.get(merchantId) ?? { merchantId, ready: new Set(), running: 0, held: 0 };
    merchants.set(merchantId, merchant);
    const lane: Lane<Claim> = lanes.get(endpointId) ?? {
      endpointId,
      merchant,
      waiting: [],
      running: 0,
      unrecorded: 0,
      paceMs: undefined,
    };
    lanes.set(endpointId, lane);
    return lane;
  }

  /** Moves a lane and its merchant into the lines, at their ends, or out of them. */
  function queue(lane: Lane<Claim>): void {
    const { merchant } = lane;
    merchant.ready.delete(lane);
    if (lane.waiting.length > 0 && lane.running < limits.perEndpoint) merchant.ready.add(lane);
    if (merchant.ready.size === 0) ready.delete(merchant);
    else ready.add(merchant);
  }

  function next(): Claim | undefined {
    const freeSlots = limits.slots - running;
    if (freeSlots <= 0) return undefined;
    for (const merchant of ready) {
      if (merchant.running >= SHARE * freeSlots) continue;
      const [lane] = merchant.ready;
      const claim = lane?.waiting.shift();
      if (lane === undefined || claim === undefined) continue;
      lane.running += 1;
      merchant.running += 1;
      running += 1;
      ready.delete(merchant);
      queue(lane);
      return claim;
    }
    return undefined;
  }

  function free(lane: Lane<Claim>): void {
    lane.running -= 1;
    lane.merchant.running -= 1;
    running -= 1;
    lane.unrecorded += 1;
    if (!lane.merchant.ready.has(lane)) queue(lane);
  }

  return {
    add: (claims) => {
      for (const claim of claims) {
        const lane = laneOf(claim);
        lane.waiting.push(claim);
        lane.merchant.held += 1;
        held += 1;
        if (!lane.merchant.ready.has(lane)) queue(lane);
      }
    },
    next,
    end: (claim, durationMs) => {
      const lane = laneOf(claim);
      lane.paceMs =
        lane.paceMs === undefined ? durationMs : lane.paceMs + NEWEST * (durationMs - lane.paceMs);
      free(lane);
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
      return all.flatMap((lane) => {
        const taken = lane?.waiting.splice(0) ?? [];
        if (lane !== undefined && taken.length > 0) {
          lane.unrecorded += taken.length;
          queue(lane);
        }
        return taken;
      });
    },
    held: () => held,
    heldByMerchant: () => new Map([...merchants].map(([id, merchant]) => [id, merchant.held])),
    rooms: () => new Map([...lanes].map(([id, lane]) => [id, roomOf(lane, limits.perEndpoint)])),
  };
}

function roomOf<Claim>({ waiting, running, unrecorded, paceMs }: Lane<Claim>, perEndpoint: number): number {
  const atPace = paceMs === undefined ? perEndpoint : (perEndpoint * AHEAD_MS) / Math.max(paceMs, 1);
  const most = Math.min(Math.max(perEndpoint, Math.floor(atPace)), MOST_OF_ENDPOINT);
  return Math.max(0, most - waiting.length - running - unrecorded);
}
