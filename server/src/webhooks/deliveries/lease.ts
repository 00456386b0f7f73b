/** Time beyond two deadlines that a claim lasts: for the queries around the attempt and a process that stalls. */
const MARGIN_MS = 15_000;

/**
 * How long a claim lasts. It must outlive the attempt by far, or a second worker would send beside the first: two
 * whole deadlines and a margin. What a crash costs is this wait and never a delivery.
 */
export function leaseMs(deadlineMs: number): number {
  return 2 * deadlineMs + MARGIN_MS;
}
