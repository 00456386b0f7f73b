import { DaricError } from "@daric/sdk";
import { foreignText } from "./foreign-text.ts";

const MAX_MESSAGE = 400;
const MAX_DETAILS = 10;
const LOOK_FIRST =
  "The call may have been carried out nevertheless. Wait 15 seconds and call with the same reference: it finds what was made.";

/** A failed call in words: code and message of the service, and the id by which its operator finds the request. */
export function failureOf(error: unknown): object {
  if (error instanceof DaricError)
    return {
      error: {
        code: foreignText(error.code),
        message: foreignText(error.message, MAX_MESSAGE),
        details: error.details.slice(0, MAX_DETAILS).map(({ path, message }) => ({
          path: foreignText(path),
          message: foreignText(message),
        })),
        operation: error.operation,
        status: error.status ?? null,
        correlationId: foreignText(error.correlationId),
        retryAfterSeconds: error.retryAfter ?? null,
        ...(error.isOutcomeUnknown && { advice: LOOK_FIRST }),
      },
    };
  const message = error instanceof Error ? error.message : String(error);
  return { error: { code: "NOT_DONE", message: foreignText(message, MAX_MESSAGE) } };
}
