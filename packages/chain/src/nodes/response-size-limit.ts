import { NodeError } from "../blocks/node-error.ts";

export type BodyLimits = {
  readonly maxBodyBytes: number;
  /** the limit of one large answer at a time, shared by all hosts */
  readonly largeBodyBytes?: number | undefined;
};

export type ResponseSizeLimit = {
  /** @throws NodeError if the answer is larger than allowed, or than allowed now. */
  require(bytes: number): void;
  readonly byteLimit: number;
  /** Must be called when the answer has ended. */
  release(): void;
};

let isLargeAnswerRunning = false;

/** One large answer may run at a time: several would exhaust the memory, yet a large block must be readable. */
export function limitResponseSize(
  node: string,
  { maxBodyBytes, largeBodyBytes = maxBodyBytes }: BodyLimits,
): ResponseSizeLimit {
  let isLarge = false;
  return {
    require: (bytes) => {
      if (bytes <= maxBodyBytes) return;
      if (bytes > largeBodyBytes) throw tooLarge(node, largeBodyBytes);
      if (isLargeAnswerRunning && !isLarge) throw tooLarge(node, maxBodyBytes);
      isLarge = true;
      isLargeAnswerRunning = true;
    },
    byteLimit: largeBodyBytes,
    release: () => {
      if (isLarge) isLargeAnswerRunning = false;
    },
  };
}

export function tooLarge(node: string, maxBytes: number): NodeError {
  return new NodeError(`answered more than ${maxBytes} bytes`, { fault: "too_large", node });
}
