import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { SUSPENDED_AFTER } from "../queue/health-store.ts";

/**
 * A merchant may hold this many times what is free: alone three quarters, beside another one three sevenths. So some
 * is always left for the next one.
 */
export const SHARE = 3;
/** The claims for each slot of an endpoint whose pace this process does not know: one under way, and the next one. */
export const UNKNOWN_PER_SLOT = 2;
export type Held = { readonly merchantId: MerchantId; readonly endpointId: EndpointId };

/** The claims of one endpoint that a process holds. */
export type Lane<Claim> = {
  readonly endpointId: EndpointId;
  readonly merchant: MerchantLanes<Claim>;
  waiting: Claim[];
  running: number;
  /** attempts that are not recorded yet, and claims that are being given back */
  unrecorded: number;
  /** milliseconds of an attempt; undefined before the endpoint's first one ended */
  paceMs: number | undefined;
  /** failed attempts in a row, in this process; one that asked for a pause counts as five */
  failures: number;
};

/** Endpoints of which nothing is held, and whose pace is kept. */
const MAX_PACES = 5_000;

type MerchantLanes<Claim> = {
  readonly merchantId: MerchantId;
  /** lanes with a waiting claim and a free slot; the next one is first */
  readonly ready: Set<Lane<Claim>>;
  running: number;
  held: number;
};

/** The lanes of what a process holds, made when they are needed. */
export function createLanes<Claim extends Held>() {
  const lanes = new Map<EndpointId, Lane<Claim>>();
  const merchants = new Map<MerchantId, MerchantLanes<Claim>>();
  const paces = new Map<EndpointId, number>();
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
      paceMs: paces.get(endpointId),
      failures: 0,
    };
    lanes.set(endpointId, lane);
    return lane;
  }
  /** Forgets what is empty. The pace of an endpoint is kept. */
  function remove({ endpointId, merchant, paceMs }: Lane<Claim>): void {
    lanes.delete(endpointId);
    if (paces.size >= MAX_PACES) paces.clear();
    if (paceMs !== undefined) paces.set(endpointId, paceMs);
    if (merchant.held === 0) merchants.delete(merchant.merchantId);
  }
  return { lanes, merchants, laneOf, remove };
}

/** The merchants with a claim that may start, in turn, and of each its endpoints in turn. */
export function createLine<Claim>(perEndpoint: number) {
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
