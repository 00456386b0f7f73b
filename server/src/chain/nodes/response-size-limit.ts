import { NodeError } from "../blocks/node-error.ts";

/** How many bytes an answer may have, after decompression. */
export type BodyLimits = {
  readonly maxBodyBytes: number;
  /** where one may be larger than that: of all hosts together one such answer comes at a time */
  readonly largeBodyBytes?: number | undefined;
};

/** What one answer may take of this process's memory. */
export type ResponseSizeLimit = {
  /** @throws NodeError where it is larger than it may be, or than it may be now. */
  require(bytes: number): void;
  /** what it may have at most, where that is free */
  readonly mostBytes: number;
  /** To be called when it has come, or never will. */
  release(): void;
};

let isLargeOneComing = false;

/**
 * Several large answers at a time, or one without an end, would take all memory; and a block whose answer is larger than was
 * thought must be read all the same. Whoever asks again finds room later.
 */
export function limitResponseSize(
  node: string,
  { maxBodyBytes, largeBodyBytes = maxBodyBytes }: BodyLimits,
): ResponseSizeLimit {
  let isLarge = false;
  return {
    require: (bytes) => {
      if (bytes <= maxBodyBytes) return;
      if (bytes > largeBodyBytes) throw tooLarge(node, largeBodyBytes);
      if (isLargeOneComing && !isLarge) throw tooLarge(node, maxBodyBytes);
      isLarge = true;
      isLargeOneComing = true;
    },
    mostBytes: largeBodyBytes,
    release: () => {
      if (isLarge) isLargeOneComing = false;
    },
  };
}

export function tooLarge(node: string, maxBytes: number): NodeError {
  return new NodeError(`answered more than ${maxBytes} bytes`, { fault: "too_large", node });
}
