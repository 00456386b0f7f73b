import type { Environment } from "@daric/domain/api-scope";
import type { Session } from "@daric/domain/session";
import type { ContextOf } from "@daric/runtime/context";
import type { AlarmMetrics } from "@daric/runtime/metrics";
import { currentFirst } from "@daric/runtime/seal";
import { baseUrl, type ConfigOf, choiceOf, integer, integerOr, setting } from "@daric/runtime/setting";

/** The settings of the dashboard's sign-in, and its limits. */
export const peopleSettings = {
  dashboard: setting({
    env: "DASHBOARD",
    read: choiceOf(["on", "off"]).prefault("on"),
    default: "on",
    roles: ["api"],
    meaning: "`off`: the dashboard, its API and every sign-in are gone; API keys work as before.",
  }),
  port: setting({
    env: "DASHBOARD_PORT",
    read: integer(0, 65_535).optional(),
    default: "none",
    roles: ["api"],
    meaning:
      "A port of its own, on HOST, for the dashboard, its API and sessions. PORT then has none of them. It needs DASHBOARD_BASE_URL.",
  }),
  baseUrl: setting({
    env: "DASHBOARD_BASE_URL",
    read: baseUrl.optional(),
    default: "the value of PUBLIC_BASE_URL",
    roles: ["api", "webhooks"],
    meaning:
      "The base URL under which people reach the dashboard: of invitations, messages, passkeys and the cookie.",
  }),
  signInsPerMinute: setting({
    env: "RATE_LIMIT_SIGN_IN_PER_MINUTE",
    ...integerOr(5, 1, 1_000_000),
    roles: ["api"],
    meaning: "Wrong passwords per minute of one IPv4 address or IPv6 /64, and refused passkeys beside them.",
  }),
};

/** The base URL of the dashboard. */
export function dashboardUrlOf({
  people,
  http,
}: {
  readonly people: { readonly baseUrl: string | undefined };
  readonly http: { readonly publicBaseUrl: string | undefined };
}): string | undefined {
  return people.baseUrl ?? http.publicBaseUrl;
}

/** The pepper makes and checks tokens; links start with the public URL. */
export type LinkContext = Pick<
  ContextOf<{
    readonly http: { readonly publicBaseUrl: string | undefined };
    readonly people: { readonly baseUrl: string | undefined };
    readonly chain?: { readonly network: string };
    readonly mail?: {
      readonly smtpUrl: string | undefined;
      readonly mailFrom: string | undefined;
      readonly greetingName?: string | undefined;
    };
    readonly merchants: { readonly keyPepper: string; readonly previousKeyPepper?: string | undefined };
  }>,
  "config" | "db"
> & {
  /** without it a failure leaves no line: the command line prints what it did */
  readonly log?: ContextOf["log"];
};

/** The integrity key makes the MAC of people's rights. */
type RightsConfig = { readonly integrity: { readonly key: Buffer } };
export type RightsContext = Pick<ContextOf<RightsConfig, AlarmMetrics>, "config" | "log" | "metrics">;

/** The context that reads sessions. */
export type SessionContext = RightsContext &
  Pick<LinkContext, "db"> & { readonly config: LinkContext["config"] };

/** The context of sign-in; the master key seals the secrets of authenticator apps. */
export type Context = ContextOf<
  LinkContext["config"] &
    RightsConfig & {
      readonly environment: Environment;
      readonly chain: { readonly network: string };
      readonly people: ConfigOf<typeof peopleSettings, "api">;
      readonly webhooks: { readonly masterKey: Buffer; readonly previousMasterKey?: Buffer | undefined };
    },
  AlarmMetrics
>;

/** The peppers that may have made existing tokens and codes: the current one and the one before it. */
export function peppersOf({ merchants }: LinkContext["config"]): readonly string[] {
  return currentFirst(merchants.keyPepper, merchants.previousKeyPepper);
}

/** The keys that may have sealed existing secrets of authenticator apps: the current one and the one before it. */
export function masterKeysOf({ webhooks }: Pick<Context["config"], "webhooks">): readonly Buffer[] {
  return currentFirst(webhooks.masterKey, webhooks.previousMasterKey);
}

/** The origin of a request. */
export type Origin = { readonly address: string; readonly userAgent: string };

/** A signed-in person who makes a change, with the network address of the request. */
export type Actor = { readonly session: Session; readonly address: string };

/** The author of a change: a person, or an operator at the command line by name. */
export type Author =
  | { readonly session: Pick<Session, "personId">; readonly address: string }
  | { readonly operator: string };
