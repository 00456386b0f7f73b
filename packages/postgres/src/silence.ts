import type { Socket } from "node:net";
import type pg from "pg";
import { DatabaseUnavailableError, isServerError } from "./errors.ts";

/** Detection of a silent database: its connections are open and it does not answer on any. */
export type SilenceOptions = {
  /** A minimal query on a connection of its own. */
  readonly ping: () => Promise<unknown>;
  /** how long to wait without an answer before a ping, and then for the ping, in ms; 1 s by default */
  readonly patienceMs?: number;
};

export type Silence = {
  /** @throws DatabaseUnavailableError while the database is silent. */
  refuse(): void;
  stop(): void;
};

const PATIENCE_MS = 1_000;
const CHECKS_PER_LIMIT = 5;

/**
 * Watches a pool. If callers wait and neither a statement nor a ping is answered, it closes all connections.
 * New callers then fail at once, until a ping is answered. A slow statement alone does not trigger it.
 */
export function watchSilence(pool: pg.Pool, { ping, patienceMs = PATIENCE_MS }: SilenceOptions): Silence {
  const clients = new Set<pg.PoolClient>();
  let answeredMs = performance.now();
  let isSilent = false;
  let isPinging = false;
  const onAnswer = (): void => {
    answeredMs = performance.now();
  };
  pool.on("connect", (client) => {
    clients.add(client);
    socketOf(client).on("data", onAnswer);
  });
  pool.on("remove", (client) => clients.delete(client));
  const timer = setInterval(checkNow, patienceMs / CHECKS_PER_LIMIT).unref();

  function checkNow(): void {
    const isWaiting = pool.totalCount > pool.idleCount || pool.waitingCount > 0;
    if (!isWaiting && !isSilent) onAnswer();
    if (isPinging || (!isSilent && performance.now() - answeredMs < patienceMs)) return;
    isPinging = true;
    const queriedMs = performance.now();
    void isAnswered(ping, patienceMs).then((hasAnswered) => {
      isPinging = false;
      if (hasAnswered) onAnswer();
      isSilent = answeredMs < queriedMs;
      if (isSilent) for (const client of clients) socketOf(client).destroy();
    });
  }

  return {
    refuse: () => {
      if (isSilent)
        throw new DatabaseUnavailableError(new Error("it accepts connections and answers nothing"));
    },
    stop: () => clearInterval(timer),
  };
}

async function isAnswered(ping: () => Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  // If this process itself was paused, arrived answers are read first.
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, false), withinMs);
  });
  const answered = ping().then(
    () => true,
    (error: unknown) => isServerError(error),
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
