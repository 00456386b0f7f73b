import { baseUrl, choiceOf, integer, integerOr, setting } from "../runtime/setting.ts";

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
    roles: ["api"],
    meaning: "The base URL under which people reach the dashboard: of invitations, passkeys and the cookie.",
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
