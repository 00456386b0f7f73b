import type { AcceptableCheck } from "./block-fault.ts";
import type { CompleteBlock } from "./complete-block.ts";

/**
 * The kinds of a node's failures.
 *
 * - rate_limited: 429, 403 with a penalty window, or the node's own limiter.
 * - node_error: the node's own error message.
 * - unexpected_answer: JSON that no honest node sends.
 * - incomplete_block: parts that do not belong together.
 * - behind: its head or solid block is far below a known one.
 * - contradicts_ours: its solid block differs from ours.
 * - ahead_of_clock: its block lies in the future by our clock.
 * - no_solidity: it does not serve solid blocks.
 */
export type NodeFault =
  | "unreachable"
  | "timeout"
  | "http_status"
  | "rate_limited"
  | "too_large"
  | "not_json"
  | "node_error"
  | "unexpected_answer"
  | "incomplete_block"
  | "behind"
  | "contradicts_ours"
  | "ahead_of_clock"
  | "no_solidity"
  | "wrong_chain";

export type NodeErrorDetails = {
  readonly fault: NodeFault;
  /** host of the node; the whole URL may hold an access key */
  readonly node: string;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
  /** the node's message, short and without control characters; a gateway may put the access key in it */
  readonly quote?: string;
  readonly cause?: unknown;
};

const MAX_CHARS = 2_000;

/** Messages are stored and shown: text from a node must not forge log lines or end a text. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, "\ufffd").slice(0, MAX_CHARS);
}

/** A node that did not answer, or whose answer cannot be used. */
export class NodeError extends Error {
  override readonly name: string = "NodeError";
  readonly fault: NodeFault;
  readonly node: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** the message without the node's text, fit for every reader */
  readonly safeMessage: string;
  /** the same without the node's name, for a text that names it */
  readonly summary: string;

  constructor(message: string, details: NodeErrorDetails) {
    const safeMessage = printable(`${details.node}: ${message}`);
    super(details.quote === undefined ? safeMessage : `${safeMessage}: ${details.quote}`, {
      cause: details.cause,
    });
    this.safeMessage = safeMessage;
    this.summary = printable(message);
    this.fault = details.fault;
    this.node = details.node;
    this.retryable = details.retryable ?? true;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** A missing block, or one whose parts do not belong together. A retry may help. */
export class IncompleteBlockError extends NodeError {
  override readonly name = "IncompleteBlockError";
  readonly blockNumber: number;
  /** the fault; undefined if the node does not have the block, its normal answer above its head */
  readonly reason: string | undefined;

  constructor(node: string, blockNumber: number, reason?: string) {
    super(`block ${blockNumber}: ${reason ?? "the node does not have it"}`, {
      fault: "incomplete_block",
      node,
    });
    this.blockNumber = blockNumber;
    this.reason = reason;
  }
}

export class InvalidBlockError extends IncompleteBlockError {
  readonly block: CompleteBlock;
  readonly checks: readonly AcceptableCheck[];

  constructor(node: string, block: CompleteBlock, { reason, checks }: Invalidity) {
    super(node, block.header.number, reason);
    this.block = block;
    this.checks = checks;
  }
}

type Invalidity = { readonly reason: string; readonly checks: readonly AcceptableCheck[] };

/** A node of another network than the configured one. No retry helps. */
export class WrongChainError extends NodeError {
  override readonly name = "WrongChainError";

  constructor(node: string, message: string) {
    super(message, { fault: "wrong_chain", node, retryable: false });
  }
}

const AWAY = new Set<NodeFault>(["unreachable", "timeout", "http_status", "rate_limited", "not_json"]);

/** Whether the node gave no answer for a reason that may pass and does not depend on the request. */
export function isNodeAway({ fault, retryable }: NodeError): boolean {
  return retryable && AWAY.has(fault);
}

/** The error of a host that answers but serves no solid blocks: `setting` names the wrong host. */
export function noSolidityError(cause: NodeError, setting: string): NodeError {
  return new NodeError(
    `does not serve /walletsolidity: set ${setting} to the URL that does (port 8091 of a java-tron)`,
    { fault: "no_solidity", node: cause.node, retryable: cause.retryable, cause },
  );
}

/** Whether the node answers, but not on this path. */
export function isNotServed({ fault, retryable }: NodeError): boolean {
  return fault === "not_json" || (fault === "http_status" && !retryable);
}

/** At the tip every honest node lags a little, so a missing block is no fault of the node. */
export function isMissingBlock(error: NodeError): boolean {
  return error instanceof IncompleteBlockError && error.reason === undefined;
}

/**
 * The error to report if several nodes failed. The order: an overridable block, another faulty block, a passing failure, a
 * lasting one, a missing block.
 */
export function moreSpecific(earlier: NodeError, later: NodeError): NodeError {
  return weight(earlier) > weight(later) ? earlier : later;
}

function weight(error: NodeError): number {
  if (isMissingBlock(error)) return 0;
  if (!error.retryable) return 1;
  if (!(error instanceof IncompleteBlockError)) return 2;
  return error instanceof InvalidBlockError ? 4 : 3;
}
