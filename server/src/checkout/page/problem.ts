import { ApiError } from "../../domain/errors.ts";
import type { Messages } from "../messages/catalogue.ts";

const RETRY_SECONDS = 10;

/** What a payer is told instead of a checkout, and when to look again by itself. */
export type Problem = {
  readonly status: number;
  readonly reason: keyof Messages["problems"];
  readonly retryAfterSeconds: number | undefined;
};

/** An error as a payer may know it. Never tells what failed inside. */
export function problemOf(error: unknown): Problem {
  const refusal = error instanceof ApiError ? error : undefined;
  if (refusal?.code === "NOT_FOUND") {
    return { status: 404, reason: "notFound", retryAfterSeconds: undefined };
  }
  if (refusal?.code === "RATE_LIMITED") {
    return {
      status: 429,
      reason: "tooOften",
      retryAfterSeconds: refusal.retryAfterSeconds ?? RETRY_SECONDS,
    };
  }
  if (refusal?.code === "RATE_UNAVAILABLE") {
    return {
      status: refusal.status,
      reason: "noRate",
      retryAfterSeconds: refusal.retryAfterSeconds ?? RETRY_SECONDS,
    };
  }
  return {
    status: refusal?.status ?? 500,
    reason: "unavailable",
    retryAfterSeconds: refusal?.retryAfterSeconds ?? RETRY_SECONDS,
  };
}
