import { environments } from "@daric/domain/api-scope";
import { EMAIL_PATTERN, isEmail, MAX_EMAIL_CHARS } from "@daric/domain/email";
import { ApiError } from "@daric/domain/errors";
import { ruled } from "@daric/domain/field-rule";
import { merchantRoles, scopesOfRole } from "@daric/domain/merchant-role";
import { hasSecondFactor, PROVEN_MS, type Session } from "@daric/domain/session";
import { ok } from "@daric/http/envelope";
import type { SessionGuard } from "@daric/http/session";
import { text, timestamp } from "@daric/http/validate";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Actor, type Context, dashboardUrlOf, type Origin } from "./context.ts";
import type { PasskeySite } from "./passkey.ts";
import { type ListedSession, listMerchantNames } from "./session-store.ts";
import type { SignedIn } from "./sign-in.ts";
import type { SignInLimits } from "./sign-in-limits.ts";
import { csrfTokenOf } from "./token.ts";

const MAX_SECRET_CHARS = 400;
export const MAX_CODE_CHARS = 40;
const MAX_ENCODED_CHARS = 20_000;
const MAX_AGENT_CHARS = 300;

export const email = z
  .string()
  .max(MAX_EMAIL_CHARS)
  .refine(isEmail, ruled("must be an e-mail address like ada@shop.example", "email"))
  .transform((address) => address.toLowerCase())
  .meta({ format: "email", pattern: EMAIL_PATTERN.source, examples: ["ada@shop.example"] });

export const password = text(MAX_SECRET_CHARS).meta({ examples: ["correct horse battery staple"] });
export const code = text(MAX_CODE_CHARS).meta({ examples: ["123456"] });

/** The name of a person or of a passkey. */
export const name = z
  .string()
  .refine(
    (value) => value.trim() !== "" && [...value].length <= 120 && !/\p{Cc}/u.test(value),
    ruled("must have 1 to 120 characters, no control characters among them", "length", 1, 120),
  );

export const encoded = z.string().max(MAX_ENCODED_CHARS);
/** The answer of `navigator.credentials.get`, as its toJSON writes it. */
const assertion = z.object({
  id: encoded,
  rawId: encoded,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.exactOptional(),
  }),
  clientExtensionResults: z.object({}).default({}),
});
export const signInBody = z.object({ email: z.string().max(254), password, code: code.optional() });
export const passkeyBody = z.object({ response: assertion });
export const proofBody = z.union([
  z.object({ response: assertion }),
  z.object({ password, code: code.optional() }),
]);
/** The options of a browser's passkey call, in its own form. */
export const passkeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });

const membershipRow = z.object({
  merchant_id: z.string().meta({ format: "uuid" }),
  merchant_name: z.string(),
  role: z.enum(merchantRoles),
  scopes: z.array(z.string()),
});

export const sessionRow = z
  .object({
    person: z.object({
      id: z.string().meta({ format: "uuid" }),
      email: z.string(),
      name: z.string(),
      is_operator: z.boolean(),
      has_totp: z.boolean(),
      passkeys: z.int(),
      recovery_codes_left: z.int(),
    }),
    memberships: z.array(membershipRow),
    csrf_token: z.string(),
    environment: z.enum(environments),
    network: z
      .string()
      .meta({ description: "The network of the chain, for links to a block explorer.", examples: ["nile"] }),
    second_factor_missing: z.boolean(),
    reauthenticated_at: timestamp,
    reauthenticated_until: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: "Session", description: "The person who is signed in, with the merchants and rights." });

async function toSessionRow(
  { db, config }: Context,
  session: Session,
  token: string,
): Promise<z.input<typeof sessionRow>> {
  const { environment, chain } = config;
  const names = await listMerchantNames(
    db,
    session.memberships.map(({ merchantId }) => merchantId),
  );
  return {
    person: {
      id: session.personId,
      email: session.email,
      name: session.name,
      is_operator: session.isOperator,
      has_totp: session.hasTotp,
      passkeys: session.passkeys,
      recovery_codes_left: session.recoveryCodesLeft,
    },
    memberships: session.memberships.map(({ merchantId, role }) => ({
      merchant_id: merchantId,
      merchant_name: names.get(merchantId) ?? "",
      role,
      scopes: [...scopesOfRole(role)],
    })),
    csrf_token: csrfTokenOf(config.merchants.keyPepper, token),
    environment,
    network: chain.network,
    second_factor_missing: environment === "live" && !hasSecondFactor(session),
    reauthenticated_at: session.reauthenticatedAt.toISOString(),
    reauthenticated_until: new Date(session.reauthenticatedAt.getTime() + PROVEN_MS).toISOString(),
    expires_at: session.expiresAt.toISOString(),
  };
}

/** The parts that all routes of this folder share. */
export type PeopleParts = {
  readonly context: Context;
  readonly guard: SessionGuard;
  readonly limits: SignInLimits;
};

/** The answer to a request that has this session, without a new token. */
export async function sessionAnswer({ context, guard }: PeopleParts, request: FastifyRequest) {
  const { session } = request;
  return ok(await toSessionRow(context, session, guard.tokenOf(request) ?? ""));
}

/** The answer to a request that made a token: it sets the cookie. */
export async function signedInAnswer(
  { context, guard }: PeopleParts,
  reply: FastifyReply,
  { session, token }: SignedIn,
) {
  guard.sendCookie(reply, token);
  return ok(await toSessionRow(context, session, token));
}

export function originOf({ ip, headers }: FastifyRequest): Origin {
  return { address: ip, userAgent: String(headers["user-agent"] ?? "").slice(0, MAX_AGENT_CHARS) };
}

export function actorOf({ session, ip }: FastifyRequest): Actor {
  return { session, address: ip };
}

/** The site of passkeys. @throws SERVICE_UNAVAILABLE if no public URL is configured. */
export function siteOf({ config }: Context): PasskeySite {
  const baseUrl = dashboardUrlOf(config);
  if (baseUrl === undefined)
    throw new ApiError("SERVICE_UNAVAILABLE", { message: "Passkeys need PUBLIC_BASE_URL." });
  return { pepper: config.merchants.keyPepper, origin: new URL(baseUrl).origin };
}

export const listedSessionRow = z.object({
  id: z.string().meta({ format: "uuid" }),
  created_at: timestamp,
  seen_at: timestamp,
  address: z.string(),
  user_agent: z.string(),
  is_current: z.boolean(),
});

export function toListedSession(row: ListedSession, current: string): z.input<typeof listedSessionRow> {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    seen_at: row.seenAt.toISOString(),
    address: row.address,
    user_agent: row.userAgent,
    is_current: row.id === current,
  };
}
