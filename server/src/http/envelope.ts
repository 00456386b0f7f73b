import { z } from "zod";
import { type ApiError, errorCatalog } from "../domain/errors.ts";

/** The body of every successful answer about one thing (service contract, "Conventions"). */
export function ok<T>(data: T) {
  return { success: true as const, message: "Success" as const, data };
}

/** The body of an answer to a create operation. */
export function created<T>(data: T) {
  return { success: true as const, message: "Created" as const, data };
}

/** The body of a list: one page of rows, and how many rows there are in all. */
export function listed<T>(rows: readonly T[], meta: { page: number; limit: number; total: number }) {
  const { page, limit, total } = meta;
  return {
    success: true as const,
    message: "Success" as const,
    data: [...rows],
    meta: { page, limit, total },
  };
}

/** What an answer says of the fields of the body that were ignored; see `sendUnknownFieldWarnings`. */
export const warnings = z
  .array(z.string())
  .max(10)
  .optional()
  .meta({
    description:
      "To a test key only: each field of the body that is ignored, as the header `x-ignored-fields` names it, at most 10. " +
      "Left out where everything was understood.",
  });

export function successOf<Data extends z.ZodType>(data: Data) {
  return z.object({ success: z.literal(true), message: z.literal("Success"), data });
}

export function createdOf<Data extends z.ZodType>(data: Data) {
  return z.object({ success: z.literal(true), message: z.literal("Created"), data });
}

export function listOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    success: z.literal(true),
    message: z.literal("Success"),
    data: z.array(row),
    meta: z.object({ page: z.int(), limit: z.int(), total: z.int() }),
  });
}

/** For the answers that are asked for most: what is made key by key by its own type is not judged each time. */
export const writeAsItIs = (body: unknown): string => JSON.stringify(body);

/** The body of every refusal. */
export const errorEnvelope = z
  .object({
    success: z.literal(false),
    message: z.string(),
    error: z.object({
      code: z.enum(Object.keys(errorCatalog)),
      docUrl: z.string().meta({
        description:
          "Where the code is explained: absolute where the service has a public base address, else a path.",
        examples: ["https://pay.example/docs/errors#validation-error"],
      }),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    }),
    correlationId: z.string(),
  })
  .meta({ id: "Error", description: "A refusal. `details` names every field that is not valid." });

/** The body that says this refusal; `correlationId` is repeated exactly as the caller sent it. */
export function refused(
  error: ApiError,
  { docUrl, correlationId }: { docUrl: string; correlationId: string },
): z.output<typeof errorEnvelope> {
  const details = error.details.length > 0 ? { details: [...error.details] } : {};
  return {
    success: false,
    message: error.message,
    error: { code: error.code, docUrl, ...details },
    correlationId,
  };
}
