import type { AcceptableCheck } from "./block-fault.ts";
import type { CompleteBlock } from "./complete-block.ts";

/**
 * What went wrong with a node.
 * `rate_limited`: 429, 403 with a penalty window, or the node's own limiter. `node_error`: a refusal in the node's
 * words. `unexpected_answer`: JSON that no honest node sends. `incomplete_block`: parts that do not belong together.
 * `behind`: its head or its solid block is far below what is known. `contradicts_ours`: its solid block is another one
 * than ours. `ahead_of_clock`: a block that our clock says cannot be yet.
 * `no_solidity`: what it was asked for solid blocks at does not serve them.
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

/** What a caller can decide by; the message is for people. */
export type NodeErrorDetails = {
  readonly fault: NodeFault;
  /** Host of the node. Never the whole URL: its path may hold an access key. */
  readonly node: string;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
  /** What the node said, short and without control characters. A gateway may name the access key in it. */
  readonly quote?: string;
  readonly cause?: unknown;
};

const MAX_CHARS = 2_000;

/** Words are kept in the database and shown: a name in them that a node has made up must neither forge lines nor end a text. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, "\ufffd").slice(0, MAX_CHARS);
}

/** A node that could not be asked or whose answer cannot be believed. */
export class NodeError extends Error {
  override readonly name: string = "NodeError";
  readonly fault: NodeFault;
  readonly node: string;
  /** Whether the same question, later or to another node, may be answered. */
  readonly retryable: boolean;
  /** How long the node asked to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** The message without what the node said: fit for anybody's eyes. */
  readonly safeMessage: string;

  constructor(message: string, details: NodeErrorDetails) {
    const safeMessage = printable(`${details.node}: ${message}`);
    super(details.quote === undefined ? safeMessage : `${safeMessage}: ${details.quote}`, {
      cause: details.cause,
    });
    this.safeMessage = safeMessage;
    this.fault = details.fault;
    this.node = details.node;
    this.retryable = details.retryable ?? true;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** A block that is not there, or whose parts do not belong together. Always worth asking again. */
export class IncompleteBlockError extends NodeError {
  override readonly name = "IncompleteBlockError";
  readonly blockNumber: number;
  /** What differs; undefined when the node does not have the block (yet), its normal answer above its head. */
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

/** A block that is not complete by these checks alone: what an operator may take as it is told. */
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

/** A node of another network than the configured one. No retry mends it: the configuration is wrong. */
export class WrongChainError extends NodeError {
  override readonly name = "WrongChainError";

  constructor(node: string, message: string) {
    super(message, { fault: "wrong_chain", node, retryable: false });
  }
}

const AWAY = new Set<NodeFault>(["unreachable", "timeout", "http_status", "rate_limited", "not_json"]);

/** Whether no answer of the node could be had, whatever was asked, and asking later may help. */
export function isNodeAway({ fault, retryable }: NodeError): boolean {
  return retryable && AWAY.has(fault);
}

/** What a host that answers, but serves no solid blocks, fails with: the setting of where they are asked for is wrong. */
export function noSolidityError(cause: NodeError, setting: string): NodeError {
  return new NodeError(
    `does not serve /walletsolidity: ${setting} must name where the node does (port 8091 of a java-tron)`,
    { fault: "no_solidity", node: cause.node, retryable: cause.retryable, cause },
  );
}

/** Whether the node answers, but not this path. */
export function isNotServed({ fault, retryable }: NodeError): boolean {
  return fault === "not_json" || (fault === "http_status" && !retryable);
}

/** At the tip every honest node is a moment behind: a missing block speaks against no node. */
export function isMissingBlock(error: NodeError): boolean {
  return error instanceof IncompleteBlockError && error.reason === undefined;
}

/**
 * What a call fails with that several nodes failed: rather with what is wrong with a block than that a node was away, and
 * first of all with a block that an operator may take; with what passes than with what does not, and last of all with a
 * missing block, which then no node has.
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
