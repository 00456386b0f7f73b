import { SLOT_MS } from "./limits.ts";

export const RESOURCES = ["BANDWIDTH", "ENERGY"] as const;
export type ResourceCode = (typeof RESOURCES)[number];

/** Slots over which a use recovers: a day. */
const DAY_SLOTS = 28_800;
/** The parts of a slot; windows are counted in them (java-tron WINDOW_SIZE_PRECISION). */
const SLOT_PARTS = 1_000;
/** The longest window, in thousandths of a slot. */
export const FULL_WINDOW = DAY_SLOTS * SLOT_PARTS;
/** Factor against losses in integer divisions (java-tron PRECISION). */
const PRECISION = 1_000_000n;

/** Bytes or energy in use as of a block time. The use falls evenly to 0 within its window. */
export type Usage = {
  readonly used: number;
  /** milliseconds, a multiple of a slot */
  readonly timeMs: number;
  /** thousandths of a slot */
  readonly window: number;
};

export const UNUSED: Usage = { used: 0, timeMs: 0, window: FULL_WINDOW };

/**
 * The use after `amount` more at a block time. The new window is the mean of the old one's remainder and a day,
 * weighted by use. An amount of 0 gives the current use. Source: java-tron ResourceProcessor.increaseV2.
 */
export function useResource(usage: Usage, amount: number, nowMs: number): Usage {
  const elapsed = slotsSince(usage.timeMs, nowMs);
  const windowSlots = wholeSlots(usage.window);
  const average = decayed(usage.used, elapsed, windowSlots);
  const added = divideUp(BigInt(amount) * PRECISION, BigInt(DAY_SLOTS));
  const rest = Number((average * BigInt(windowSlots)) / PRECISION);
  const used = Number((average * BigInt(windowSlots) + added * BigInt(DAY_SLOTS)) / PRECISION);
  if (rest === 0) return { used, timeMs: nowMs, window: FULL_WINDOW };
  const left = usage.window - elapsed * SLOT_PARTS;
  const window = meanWindow([rest, left], [amount, FULL_WINDOW], used);
  return { used, timeMs: nowMs, window };
}

export function usedAt(usage: Usage, nowMs: number): number {
  return useResource(usage, 0, nowMs).used;
}

/**
 * The use of free bandwidth after `amount` more bytes; its window is always a day. Source: java-tron
 * BandwidthProcessor.useFreeNet.
 */
export function useFreely(usage: Usage, amount: number, nowMs: number): Usage {
  // In two steps, as in java-tron, which rounds the remainder before it adds the new use.
  const left = { used: usedAt(usage, nowMs), timeMs: nowMs, window: FULL_WINDOW };
  return { ...useResource(left, amount, nowMs), window: FULL_WINDOW };
}

/**
 * The use of an account that gets back a delegation with the receiver's use. Source: java-tron
 * ResourceProcessor.unDelegateIncreaseV2.
 */
export function returnUse(
  usage: Usage,
  returned: { readonly used: number; readonly window: number },
  nowMs: number,
): Usage {
  const own = useResource(usage, 0, nowMs);
  const used = own.used + returned.used;
  if (used === 0) return { ...UNUSED, timeMs: nowMs };
  const window = meanWindow([own.used, own.window], [returned.used, returned.window], used);
  return { used, timeMs: nowMs, window };
}

function decayed(used: number, elapsed: number, windowSlots: number): bigint {
  const average = divideUp(BigInt(used) * PRECISION, BigInt(windowSlots));
  if (elapsed === 0) return average;
  if (elapsed >= windowSlots) return 0n;
  return BigInt(Math.round(Number(average) * ((windowSlots - elapsed) / windowSlots)));
}

type Part = readonly [used: number, window: number];

function meanWindow(left: Part, right: Part, total: number): number {
  const weighted = ([used, window]: Part) => BigInt(used) * BigInt(window);
  return Math.min(Number(divideUp(weighted(left) + weighted(right), BigInt(total))), FULL_WINDOW);
}

function wholeSlots(window: number): number {
  return window < SLOT_PARTS ? DAY_SLOTS : Math.floor(window / SLOT_PARTS);
}

function slotsSince(timeMs: number, nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / SLOT_MS) - Math.floor(timeMs / SLOT_MS));
}

function divideUp(numerator: bigint, denominator: bigint): bigint {
  return numerator / denominator + (numerator % denominator > 0n ? 1n : 0n);
}
