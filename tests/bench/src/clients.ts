import type { Done } from "./generator.ts";
import type { Program, Runner } from "./programs.ts";
import type { Stage } from "./stage.ts";

export type Answers = Done & {
  /** milliseconds from the first try of a request to its success, requested waits included */
  readonly tookMs: readonly number[];
  /** answers with 429 or 503 */
  readonly refused: number;
  /** other answers, by status; "closed" without one */
  readonly others: Readonly<Record<string, number>>;
};

/** Each client sends `requests` in turn; each begins with another request. */
export type ClientBehaviour = {
  readonly clients: number;
  /** from the start of one request to the next, if the answer comes in this time */
  readonly everyMs?: number;
  /** whether they obey `Retry-After` */
  readonly isPatient?: boolean;
  readonly requests: readonly Buffer[];
};

/** Starts clients of this program; each keeps one connection with one request in flight. */
export function startClients(
  stage: Stage,
  { port }: Program,
  { clients, everyMs = 0, isPatient = true, requests }: ClientBehaviour,
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

/** Successes a second. */
export function goodputOf({ done, elapsedMs }: Done): number {
  return (done / elapsedMs) * 1_000;
}
