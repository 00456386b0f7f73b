import type { Done } from "./generator.ts";
import type { Program, Runner } from "./programs.ts";
import type { Stage } from "./stage.ts";

/** What clients in a process of their own were answered. */
export type Answers = Done & {
  /** milliseconds from when each request was sent first to its answer of success, waits that were asked for included */
  readonly tookMs: readonly number[];
  /** answers with 429 or 503 */
  readonly refused: number;
  /** other answers, by status; "closed" where there was none */
  readonly others: Readonly<Record<string, number>>;
};

/** How they ask; `requests` in turn, each client from another one on. */
export type Manner = {
  readonly clients: number;
  /** from one request to the next, unless that takes longer */
  readonly everyMs?: number;
  /** whether they wait for as long as `Retry-After` says */
  readonly isPatient?: boolean;
  readonly requests: readonly Buffer[];
};

/** Starts clients of this program; each has a connection of its own, which it keeps, and one request in flight. */
export function startClients(
  stage: Stage,
  { port }: Program,
  { clients, everyMs = 0, isPatient = true, requests }: Manner,
): Promise<Runner<Answers>> {
  return stage.child<Answers>("clients", {
    BENCH_PORT: String(port),
    BENCH_CLIENTS: JSON.stringify({
      clients,
      everyMs,
      isPatient,
      requests: requests.map((bytes) => bytes.toString("latin1")),
    }),
  });
}

/** Answers of success a second. */
export function goodputOf({ done, elapsedMs }: Done): number {
  return (done / elapsedMs) * 1_000;
}
