import { ApiError } from "@daric/domain/errors";
import type { ClaimPageInput } from "./page-input.ts";
import type { AddressNaming, ClaimParts } from "./parts.ts";

const REFUSED = 422;

/** The parts of a page that its form decides. */
export type FormAnswer = Partial<Pick<ClaimPageInput, "typed" | "fault" | "checked" | "isTooLate">>;

type Submitted =
  | { readonly isTaken: true }
  | (FormAnswer & { readonly status: number; readonly retryAfterSeconds?: number | undefined });

/**
 * Does a step of the page's form: the page with a fault, or with the address to confirm, or the claim.
 *
 * @throws an error of `name` for which the page has no text
 */
export async function submitForm(
  { name, hasPaid }: Pick<ClaimParts, "name" | "hasPaid">,
  naming: AddressNaming,
): Promise<Submitted> {
  const { address: typed, isSure } = naming;
  if (typed === "") return { status: REFUSED, fault: { is: "missing" } };
  try {
    const { refund, closed, fault, isNew } = await name(naming);
    if (fault !== undefined) return { status: REFUSED, typed, fault };
    if (isSure || closed !== undefined) return { isTaken: true };
    const checked = { address: typed, hasPaidOrder: await hasPaid(refund, typed), isNew };
    return { status: 200, checked };
  } catch (error) {
    return answerTo(error, typed);
  }
}

function answerTo(error: unknown, typed: string): Submitted {
  if (!(error instanceof ApiError)) throw error;
  const { code, status, retryAfterSeconds } = error;
  if (code === "REFUND_CLOSED") return { status, isTooLate: true };
  if (code !== "RATE_LIMITED" && code !== "SERVICE_UNAVAILABLE") throw error;
  return { status, retryAfterSeconds, typed, fault: { is: "unchecked" } };
}
