import { type ApiError, errorCatalog } from "@daric/domain/errors";
import { fieldRules } from "@daric/domain/field-rule";
import { z } from "zod";

/** The body of every successful answer about one thing (service contract, "Conventions"). */
export function ok<T>(data: T) {
  return { success: true as const, message: "Success" as const, data };
}

export function created<T>(data: T) {
  return { success: true as const, message: "Created" as const, data };
}

/** The body of a list: one page of rows, and the number of all rows. */
export function listed<T>(rows: readonly T[], meta: { page: number; limit: number; total: number }) {
  const { page, limit, total } = meta;
  return {
    success: true as const,
    message: "Success" as const,
    data: [...rows],
    meta: { page, limit, total },
  };
}

/** The answer with warnings of what the service cannot do, if there are any. */
export function warned<Answer extends object>(answer: Answer, sentences: readonly string[]): Answer {
  return sentences.length === 0 ? answer : { ...answer, warnings: sentences };
}

/** Warnings of an answer; `sendUnknownFieldWarnings` adds those of ignored fields. */
export const warnings = z
  .array(z.string())
  .max(10)
  .optional()
  .meta({
    description:
      "What this service cannot do with a field that it took. To a test key also each field of the body that is ignored, as the " +
      "header `x-ignored-fields` names it. At most 10; left out without any.",
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

/** For frequent answers: they are built key by key from their own type, so they are not validated again. */
export const writeAsItIs = (body: unknown): string => JSON.stringify(body);

const detail = z.object({ path: z.string(), message: z.string() });
const rule = z.object({ name: z.enum(Object.keys(fieldRules)), limits: z.array(z.string()) }).optional();

/** The body of every refusal of a key's request. */
export const errorEnvelope = z
  .object({
    success: z.literal(false),
    message: z.string(),
    error: z.object({
      code: z.enum(Object.keys(errorCatalog)),
      docUrl: z.string().meta({
        description:
          "The explanation of the code: an absolute URL if the service has a public base URL, else a path.",
        examples: ["https://pay.example/docs/errors#validation-error"],
      }),
      details: z.array(detail).optional(),
    }),
    correlationId: z.string(),
  })
  .meta({ id: "Error", description: "A refusal. `details` names every invalid field." });

/** The body of every refusal of a person's request. */
export const personErrorEnvelope = errorEnvelope
  .extend({
    error: errorEnvelope.shape.error.extend({ details: z.array(detail.extend({ rule })).optional() }),
  })
  .meta({
    id: "PersonError",
    description:
      "A refusal. `details` names every invalid field, and where the rule has a stable name, that name with its limits.",
  });

/** Builds the body of a refusal; `correlationId` is exactly the caller's. Only answers to people name the rules. */
export function refused(
  error: ApiError,
  { docUrl, correlationId, isOfPerson }: { docUrl: string; correlationId: string; isOfPerson: boolean },
): z.output<typeof personErrorEnvelope> {
  const faults = error.details.map(({ path, message, rule: broken }) => ({
    path,
    message,
    ...(isOfPerson && broken && { rule: { ...broken, limits: [...broken.limits] } }),
  }));
  const details = faults.length > 0 ? { details: faults } : {};
  return {
    success: false,
    message: error.message,
    error: { code: error.code, docUrl, ...details },
    correlationId,
  };
}
