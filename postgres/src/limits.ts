/** How long what is asked of the database may take, in milliseconds. */
export type Limits = {
  /** When the caller is answered, whatever the server does: a statement that is its own transaction. */
  readonly answerMs: number;
  /** The same for all of a transaction, where it has an end of its own. */
  readonly transactionMs?: number;
  /** When the server cancels a statement of a transaction. */
  readonly statementMs: number;
  /** When the server cancels a wait for a lock in a transaction. */
  readonly lockMs: number;
  /** When the server ends a transaction whose process stands still, so that its locks are free again. */
  readonly idleMs: number;
};

/** How much later than the server we give up on a statement: only a dead or half-open connection gets there. */
const READ_GRACE_MS = 5_000;
/** By how much the server is to be earlier than the caller's end, so that its clear refusal is what the caller gets. */
const SERVER_LEAD_MS = 1_000;

/**
 * What a worker may take: a statement of a transaction half a minute. A single statement lives under the defaults of
 * the service's role ({@link roleDefaults}), and its answer is waited for a second longer than the server allows.
 */
export const WORKER_LIMITS: Limits = {
  answerMs: 9_000,
  statementMs: 30_000,
  lockMs: 30_000,
  idleMs: 30_000,
};

/** How long a caller who waits is kept by a row that somebody else holds. */
export const LOCK_WAIT_MS = 2_000;

/** The limits of a caller who is to be answered within `answerMs`, by a statement or by a whole transaction. */
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

/** Says how long the next answer may be waited for; at least a moment, since what was sent has to end somehow. */
export type TimeLeft = () => number;

/** The time that a single statement has from now on, whatever it is repeated for. */
export function timeOfStatement({ answerMs }: Limits): TimeLeft {
  return until(answerMs);
}

/** The time that each answer of a transaction has, from now on together where the transaction has an end. */
export function timeOfTransaction({ transactionMs, statementMs }: Limits): TimeLeft {
  return transactionMs === undefined ? () => statementMs + READ_GRACE_MS : until(transactionMs);
}

function until(ms: number): TimeLeft {
  const deadline = performance.now() + ms;
  return () => Math.max(1, Math.ceil(deadline - performance.now()));
}

/**
 * Begins a transaction under these limits, as one simple query: a round trip of its own for the limits would double
 * the price of a begin, and limits of the session would stay behind at a pooler.
 */
export function beginText({ statementMs, lockMs, idleMs }: Limits): string {
  return [
    "begin",
    `set local statement_timeout = ${Math.round(statementMs)}`,
    `set local lock_timeout = ${Math.round(lockMs)}`,
    `set local idle_in_transaction_session_timeout = ${Math.round(idleMs)}`,
  ].join("; ");
}
