import type { NodeError } from "../blocks/node-error.ts";

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;
const RATE_LIMIT_PAUSE_MS = 1_000;
const QUARANTINE_MS = 600_000;

/**
 * The recent behaviour of a node, in monotonic ms. `avoidedUntil`: after a failure it is called only if no better node answers.
 * `pausedUntil`: after a rate limit it is not called at all, because calls lengthen the penalty. `quarantinedUntil`: it
 * contradicted a final block and comes last, whatever it answers.
 */
export type NodeHealth = {
  readonly failures: number;
  readonly avoidedUntil: number;
  readonly pausedUntil: number;
  readonly quarantinedUntil: number;
};

export const healthy: NodeHealth = { failures: 0, avoidedUntil: 0, pausedUntil: 0, quarantinedUntil: 0 };

/**
 * A valid answer clears the failures, but not a pause. It does not undo a demotion that came while the call was running, because
 * the node took too long.
 */
export function afterSuccess(health: NodeHealth, healthBefore: NodeHealth = health): NodeHealth {
  const isPassedSince =
    health.failures === healthBefore.failures && health.avoidedUntil > healthBefore.avoidedUntil;
  return { ...health, failures: 0, avoidedUntil: isPassedSince ? health.avoidedUntil : 0 };
}

/** The backoff doubles from 0.25 s to 30 s and shortens no longer one. A rate limit pauses as long as requested, at least 1 s. */
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

export function afterDemotion(health: NodeHealth, now: number): NodeHealth {
  return { ...health, avoidedUntil: now + MAX_BACKOFF_MS };
}

/** The other nodes lead for ten minutes, counted from its last contradiction. */
export function afterQuarantine(health: NodeHealth, now: number): NodeHealth {
  return { ...health, quarantinedUntil: now + QUARANTINE_MS };
}

/**
 * The nodes to call, in order: good ones as configured, avoided ones by the end of their time, then those in quarantine. Paused
 * ones are left out.
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
