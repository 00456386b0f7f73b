import { isDatabaseUnavailable } from "@daric/postgres/errors";
import { ApiError } from "../../domain/errors.ts";

const RETRY_SECONDS = 10;

/** What a payer is told instead of a checkout, and when to look again by itself. */
export type Problem = {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly retryAfterSeconds: number | undefined;
};

/** An error in the words of a payer. Never tells what failed inside. */
export function problemOf(error: unknown): Problem {
  const refusal = error instanceof ApiError ? error : undefined;
  if (refusal?.code === "NOT_FOUND") {
    return {
      status: 404,
      title: "There is no checkout here",
      text: "The link may be cut off or mistyped. Open it again from the shop, or ask the shop for a new one. Please send no money to an address from elsewhere.",
      retryAfterSeconds: undefined,
    };
  }
  if (refusal?.code === "RATE_LIMITED") {
    return {
      status: 429,
      title: "One moment, please",
      text: "This page was opened very often just now. It comes back by itself.",
      retryAfterSeconds: refusal.retryAfterSeconds ?? RETRY_SECONDS,
    };
  }
  const isAway = isDatabaseUnavailable(error);
  return {
    status: isAway ? 503 : (refusal?.status ?? 500),
    title: "This page is not available right now",
    text: "A payment that you have sent is not lost: it is on the chain and will be found. This page looks again by itself.",
    retryAfterSeconds: RETRY_SECONDS,
  };
}
