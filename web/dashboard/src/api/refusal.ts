import type { PersonError } from "./dashboard-contract.ts";

/** A field of a request with the rule that it breaks. */
export type FieldFault = NonNullable<PersonError["error"]["details"]>[number];

/** The service's refusal of a request, or a failure to reach it (`UNREACHABLE`). */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly faults: readonly FieldFault[];
  readonly correlationId: string | undefined;

  constructor(
    message: string,
    known: {
      code: string;
      status: number;
      faults?: readonly FieldFault[];
      correlationId?: string | undefined;
    },
  ) {
    super(message);
    this.name = "Refusal";
    this.code = known.code;
    this.status = known.status;
    this.faults = known.faults ?? [];
    this.correlationId = known.correlationId;
  }
}

type ErrorAnswer = {
  readonly message?: string;
  readonly error?: { readonly code?: string; readonly details?: readonly FieldFault[] };
  readonly correlationId?: string;
};

/** Reads the error envelope of an answer; a proxy's page without one becomes `UNREADABLE`. */
export function refusalOf(status: number, answer: unknown): Refusal {
  const { message, error, correlationId } = (answer ?? {}) as ErrorAnswer;
  return new Refusal(message ?? `The server answered ${status} without a reason.`, {
    code: error?.code ?? "UNREADABLE",
    status,
    faults: error?.details ?? [],
    correlationId,
  });
}

/** Whether the error is a refusal with this code. */
export function isRefusal(error: unknown, code?: string): error is Refusal {
  return error instanceof Refusal && (code === undefined || error.code === code);
}

/** The rule that this field, or an entry of it, breaks; undefined if it breaks none. */
export function faultOf(error: unknown, field: string): FieldFault | undefined {
  if (!isRefusal(error)) return undefined;
  return error.faults.find(({ path }) => path === field || path.startsWith(`${field}.`));
}
