import type { NodeError } from "../blocks/node-error.ts";

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;
const RATE_LIMIT_PAUSE_MS = 1_000;
const QUARANTINE_MS = 600_000;

/**
 * How a node has behaved lately, in monotonic ms. A failure makes it second choice for a while (`avoidedUntil`): it
 * is asked only when no better node answers. A rate limit forbids asking at all (`pausedUntil`), because asking
 * on lengthens the penalty. One that contradicts what was final is asked after all others (`quarantinedUntil`), and good
 * answers do not change that.
 */
export type NodeHealth = {
  readonly failures: number;
  readonly avoidedUntil: number;
  readonly pausedUntil: number;
  readonly quarantinedUntil: number;
};

export const healthy: NodeHealth = { failures: 0, avoidedUntil: 0, pausedUntil: 0, quarantinedUntil: 0 };

/**
 * A good answer clears the failures, but not a pause that another call was just asked to keep; and who answers when the lead was
 * passed on since he was asked, because he took too long, does not lead again by that.
 */
export function afterSuccess(health: NodeHealth, healthBefore: NodeHealth = health): NodeHealth {
  const isPassedSince =
    health.failures === healthBefore.failures && health.avoidedUntil > healthBefore.avoidedUntil;
  return { ...health, failures: 0, avoidedUntil: isPassedSince ? health.avoidedUntil : 0 };
}

/**
 * Doubles from 0.25 s to 30 s, and makes no time shorter for which others lead; a rate limit pauses for as long as the node asked,
 * and for 1 s at least.
 */
export function afterFailure(health: NodeHealth, error: NodeError, now: number): NodeHealth {
  const failures = health.failures + 1;
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
  const isPaused = error.fault === "rate_limited" || error.retryAfterMs !== undefined;
  const pauseMs = isPaused ? Math.max(error.retryAfterMs ?? backoffMs, RATE_LIMIT_PAUSE_MS) : 0;
  return {
    failures,
    avoidedUntil: Math.max(health.avoidedUntil, now + Math.max(backoffMs, pauseMs)),
    pausedUntil: isPaused ? now + pauseMs : health.pausedUntil,
    quarantinedUntil: health.quarantinedUntil,
  };
}

/** The others lead for 30 s; where they fail too it is asked all the same. */
export function afterDemotion(health: NodeHealth, now: number): NodeHealth {
  return { ...health, avoidedUntil: now + MAX_BACKOFF_MS };
}

/** The others lead for ten minutes, and again when it says so again. */
export function afterQuarantine(health: NodeHealth, now: number): NodeHealth {
  return { ...health, quarantinedUntil: now + QUARANTINE_MS };
}

/**
 * The nodes worth asking now, in order: the good ones as configured, then the avoided ones, the one whose time is
 * up first leading; behind them in the same order those in quarantine. Paused ones are left out.
 */
export function failoverOrder<T extends { readonly health: NodeHealth }>(
  nodes: readonly T[],
  now: number,
): T[] {
  const allowed = nodes.filter((node) => node.health.pausedUntil <= now);
  const good = allowed.filter((node) => node.health.avoidedUntil <= now);
  const avoided = allowed.filter((node) => node.health.avoidedUntil > now);
  const inOrder = [...good, ...avoided.sort((a, b) => a.health.avoidedUntil - b.health.avoidedUntil)];
  const isInQuarantine = (node: T) => node.health.quarantinedUntil > now;
  return [...inOrder.filter((node) => !isInQuarantine(node)), ...inOrder.filter(isInQuarantine)];
}
