/** Time limits of database work, in milliseconds. */
export type Limits = {
  /** the deadline of a statement that is its own transaction */
  readonly answerMs: number;
  readonly transactionMs?: number;
  /** the server cancels a statement of a transaction after this time */
  readonly statementMs: number;
  /** the server cancels a wait for a lock after this time */
  readonly lockMs: number;
  /** the server aborts a transaction after this idle time, which frees its locks */
  readonly idleMs: number;
};

/** The client waits this much longer than the server: only a dead connection gets there. */
const READ_GRACE_MS = 5_000;
/** The server's limit ends this much before the caller's, so that the caller gets the server's error. */
const SERVER_LEAD_MS = 1_000;

/** Limits of workers. A single statement has the limits of the service's role ({@link roleDefaults}). */
export const WORKER_LIMITS: Limits = {
  answerMs: 9_000,
  statementMs: 30_000,
  lockMs: 30_000,
  idleMs: 30_000,
};

/** How long a request waits for a row that another transaction holds. */
export const LOCK_WAIT_MS = 2_000;

export function limitsWithin(answerMs: number): Limits {
  const serverMs = Math.max(1, answerMs - SERVER_LEAD_MS);
  const { idleMs } = WORKER_LIMITS;
  return {
    answerMs,
    transactionMs: answerMs,
    statementMs: serverMs,
    lockMs: Math.min(LOCK_WAIT_MS, serverMs),
    idleMs: Math.min(idleMs, serverMs),
  };
}

/** Returns the time left for the next answer; at least a moment, since a sent statement has to end somehow. */
export type TimeLeft = () => number;

export function timeOfStatement({ answerMs }: Limits): TimeLeft {
  return until(answerMs);
}

/** The time of each answer of a transaction; with a deadline, they share one. */
export function timeOfTransaction({ transactionMs, statementMs }: Limits): TimeLeft {
  return transactionMs === undefined ? () => statementMs + READ_GRACE_MS : until(transactionMs);
}

function until(ms: number): TimeLeft {
  const deadline = performance.now() + ms;
  return () => Math.max(1, Math.ceil(deadline - performance.now()));
}

/**
 * Begins with limits in one query: a second query would double the cost, and a pooler would keep limits of a
 * session.
 */
export function beginText({ statementMs, lockMs, idleMs }: Limits): string {
  return [
    "begin",
    `set local statement_timeout = ${Math.round(statementMs)}`,
    `set local lock_timeout = ${Math.round(lockMs)}`,
    `set local idle_in_transaction_session_timeout = ${Math.round(idleMs)}`,
  ].join("; ");
}
