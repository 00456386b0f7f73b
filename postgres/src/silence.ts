import type { Socket } from "node:net";
import type pg from "pg";
import { DatabaseUnavailableError, isServerError } from "./errors.ts";

/** How a database is found to be silent: one whose connections stand, and on none of which there are answers. */
export type SilenceOptions = {
  /** Asks for as little as can be asked, on a connection of its own. */
  readonly ping: () => Promise<unknown>;
  /** How long nobody is answered before it is asked, and how long that answer may take then, in ms; a second. */
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
 * Looks whether the connections of this pool are answered. Where somebody waits and nothing at all comes, not to a ping
 * either, they are closed, so that nobody waits longer, and until a ping is answered who comes is refused at once. A statement
 * that only takes long is left alone: the ping is answered beside it.
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
  // Of a process that stood still itself, what has come meanwhile is read first.
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, false), withinMs);
  });
  const answered = ping().then(
    () => true,
    (error: unknown) => isServerError(error),
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

/** `pg` keeps it where its types do not say. */
function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
