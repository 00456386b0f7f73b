import { type CsvReader, csvSeparators, decimalMarks } from "@daric/domain/csv";
import { ApiError, type ErrorDetail } from "@daric/domain/errors";
import { fieldRule, ruled, ruleOfIssue } from "@daric/domain/field-rule";
import { ID_PATTERN, idOf } from "@daric/domain/ids";
import { AMOUNT_PATTERN, parseAmount, RATE_PATTERN, SENT_AMOUNT_PATTERN } from "@daric/domain/money";
import { isUrl } from "@daric/domain/url";
import type { FastifyRequest, FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import { errorMessageOf, faultOfAmount, faultOfNumber } from "./error-message.ts";
import { createQueryReader, fieldsOf, isRead, type ReadQuery } from "./query-names.ts";

export const MAX_URL_LENGTH = 2048;
/** The path of a fault of the whole body. */
const WHOLE_BODY = "(body)";

/**
 * Path parameters with the `:id` of a row, in lower case. A malformed id is 404 before it reaches a handler.
 */
export function idParams<Kind extends string>(kind: Kind) {
  const id = z.string().meta({ format: "uuid" });
  return z.object({ id: id.transform((text) => idOf(kind, text.toLowerCase())) });
}

/** The parameters of a path behind a checkout's `:token`. A malformed token is refused without a look-up. */
export const tokenParams = z.object({ token: z.string() });

/** A reference to a row of these kinds in a body or query, in small letters. */
export function uuid<Kind extends string>(kind: Kind, ..._others: readonly Kind[]) {
  const id = z.string().regex(ID_PATTERN, "must be a UUID").meta({ format: "uuid" });
  return id.transform((text) => idOf(kind, text.toLowerCase()));
}

/** A non-negative amount in a body, unchanged. Never a JSON number. */
export const decimal = z
  .string({ error: ({ input }) => (typeof input === "number" ? faultOfNumber(input) : undefined) })
  .refine((value) => parseAmount(value) !== undefined, {
    error: ({ input }) => faultOfAmount(String(input)),
    params: { rule: fieldRule("amount") },
  })
  .meta({ pattern: SENT_AMOUNT_PATTERN.source, examples: ["25.5"] });

export const amountText = z.string().meta({ pattern: AMOUNT_PATTERN.source });

/** The currency of a price in an answer: its code of ISO 4217. A later version may know more of them. */
export const fiatCode = z.string().meta({ pattern: "^[A-Z]{3}$" });

/** A rate in an answer: units of a coin for 1 unit of a fiat currency. */
export const rateText = z.string().meta({ pattern: RATE_PATTERN.source });

/** An amount in an answer, exactly as it was sent. */
export const sentAmountText = z.string().meta({ pattern: SENT_AMOUNT_PATTERN.source });

/** A time in an answer: ISO 8601 in UTC. */
export const timestamp = z.string().meta({ format: "date-time" });

/** Text of at most `maximum` characters (code points, as PostgreSQL counts them). */
export function text(maximum: number) {
  return z
    .string()
    .refine(
      (value) => value.length <= maximum || [...value].length <= maximum,
      ruled(`must have at most ${maximum} characters`, "maxLength", maximum),
    )
    .meta({ maxLength: maximum });
}

/** Optional text; missing and `null` are both `null`. */
export function nullishText(maximum: number) {
  return text(maximum)
    .nullish()
    .transform((value) => value ?? null);
}

/** An http or https URL without credentials. The length limit applies to the text as sent. */
export const httpUrl = text(MAX_URL_LENGTH)
  .refine((value) => faultOfUrl(value) === undefined, {
    error: ({ input }) => faultOfUrl(String(input)),
    params: { rule: fieldRule("url") },
  })
  .meta({ format: "uri" });

/**
 * The normal form of a URL, so that the checked URL is the used one. Kept as sent if percent-encoding makes
 * it too long.
 */
function keptUrl(url: string): string {
  const { href } = new URL(url);
  return href.length > MAX_URL_LENGTH ? url : href;
}

/** An optional URL in its kept form; missing and `null` are both `null`. */
export const nullishHttpUrl = httpUrl
  .nullish()
  .transform((url) => (url === undefined || url === null ? null : keptUrl(url)));

/**
 * Runs a rule about several fields once these are valid, so that its fault is listed beside those of other
 * fields.
 */
export function areValid(...fields: readonly string[]): (payload: z.core.ParsePayload) => boolean {
  return ({ issues }) =>
    !issues.some(({ path: [field] = [] }) => field === undefined || fields.includes(String(field)));
}

/**
 * Refuses blanks, control characters and backslashes: URL parsers disagree on them. Refuses half a surrogate
 * pair too, which a parser would replace.
 */
function faultOfUrl(value: string): string | undefined {
  if (/[\s\\\p{Cc}\p{Surrogate}]/u.test(value))
    return "must have no blanks, control characters or backslashes";
  if (!/^https?:\/\//i.test(value)) return "must begin with https:// or http://";
  if (!isUrl(value)) return "is not a URL";
  // Credentials stand in front of an @.
  if (!value.includes("@")) return undefined;
  const { username, password } = new URL(value);
  return username === "" && password === "" ? undefined : "must not carry a user name or a password";
}

/**
 * The validator of bodies, queries and parameters: one VALIDATION_ERROR names every failing field. A repeated
 * known query parameter fails; unknown ones are ignored.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const names = httpPart === "querystring" ? fieldsOf(schema) : undefined;
  return (data: unknown) => {
    const input = httpPart === "body" ? (data ?? {}) : data;
    const faults = names === undefined ? [] : repeatedParameters(input).filter(({ path }) => names.has(path));
    return validated(schema, input, { faults, asSent: (fault) => fault });
  };
};

/** The same for routes behind a key: no parameter may repeat, and the query of a read has only known names. */
export const guardedValidatorCompiler: FastifySchemaCompiler<z.ZodType> = (route) => {
  if (route.httpPart !== "querystring") return validatorCompiler(route);
  const readQuery = isRead(route.method) ? createQueryReader(route.schema) : takeAll;
  return (query: object) => {
    const { known, faults, asSent } = readQuery(query);
    return validated(route.schema, known, { faults: [...repeatedParameters(query), ...faults], asSent });
  };
};

function takeAll(query: object): ReadQuery {
  return { known: { ...query }, faults: [], asSent: (fault) => fault };
}

/** The parsed input, or all its faults, those of known names first. */
function validated(
  schema: z.ZodType,
  input: unknown,
  { faults, asSent }: Pick<ReadQuery, "faults" | "asSent">,
) {
  const result = schema.safeParse(input);
  const found: ErrorDetail[] = [];
  if (result.success) addUnstorable(found, result.data, "");
  // Error messages cost as much as the whole check, so only refused input is validated again with them.
  else found.push(...detailsOf(schema.safeParse(input, { error: errorMessageOf, reportInput: true }).error));
  const details = [...faults, ...found.map(asSent)];
  return details.length > 0 ? { error: invalid(details) } : { value: result.data };
}

const anyObject = z.object({});

/** The fault of a body that is not accepted: it must be an object or empty. */
export function faultOfUnsupported(body: unknown): FastifyRequest["validationError"] {
  const { error } = anyObject.safeParse(body ?? {}, { error: errorMessageOf });
  if (error === undefined) return undefined;
  const details = detailsOf(error);
  return Object.assign(invalid(details), { validation: details, validationContext: "body" });
}

function invalid(details: readonly ErrorDetail[]): ApiError {
  return new ApiError("VALIDATION_ERROR", { details: firstPerPath(details) });
}

function detailsOf(error: z.ZodError | undefined): ErrorDetail[] {
  return (error?.issues ?? []).map((issue) => ({
    path: nameOf(issue.path.join(".")),
    message: issue.message,
    rule: ruleOfIssue(issue),
  }));
}

function nameOf(path: string): string {
  return path === "" ? WHOLE_BODY : path;
}

function repeatedParameters(query: unknown): ErrorDetail[] {
  return Object.entries(query ?? {})
    .filter(([, value]) => Array.isArray(value))
    .map(([path]) => ({ path, message: "must be given once" }));
}

/** PostgreSQL text cannot hold NUL, and would store a lone surrogate as another character. */
function addUnstorable(details: ErrorDetail[], value: unknown, path: string): void {
  if (typeof value === "string") {
    if (!/[\0\p{Surrogate}]/u.test(value)) return;
    details.push({ path: nameOf(path), message: "must not contain NUL or half a surrogate pair" });
  }
  if (typeof value !== "object" || value === null || value instanceof Date) return;
  for (const key of Object.keys(value)) {
    addUnstorable(details, value[key as keyof typeof value], path === "" ? key : `${path}.${key}`);
  }
}

/** A repeated parameter also fails as "must be a string"; the first message of a field is the one to fix. */
function firstPerPath(details: readonly ErrorDetail[]): ErrorDetail[] {
  const byPath = new Map<string, ErrorDetail>();
  for (const detail of details) {
    if (!byPath.has(detail.path)) byPath.set(detail.path, detail);
  }
  return [...byPath.values()];
}

/** An object with keys of the caller's choice; they are counted before any is validated. */
export function countedFirst<Schema extends z.ZodRecord>(maximum: number, schema: Schema) {
  return z.preprocess((value, { addIssue }) => {
    if (typeof value !== "object" || value === null || Object.keys(value).length <= maximum) return value;
    addIssue({ code: "custom", message: `must have at most ${maximum} keys` });
    return z.NEVER;
  }, schema);
}

/** The parameter `bom` of a download: `0` asks for the CSV that programs parse. */
export const bom = z
  .enum(["0", "1"])
  .prefault("1")
  .transform((mark): CsvReader => (mark === "0" ? "program" : "person"));

const separators = Object.keys(csvSeparators) as (keyof typeof csvSeparators)[];
/** The parameters of a download that choose the marks of CSV. */
export const csvMarks = {
  separator: z.enum(separators).default(",").meta({ description: "The mark between the columns of CSV." }),
  decimal: z.enum(decimalMarks).default(".").meta({ description: "The decimal mark of CSV." }),
};
