import { choiceOf, integerOr, setting } from "../runtime/setting.ts";

/** Whether people can sign in, and how often they may try. */
export const peopleSettings = {
  dashboard: setting({
    env: "DASHBOARD",
    read: choiceOf(["on", "off"]).prefault("on"),
    default: "on",
    roles: ["api"],
    meaning: "`off`: the dashboard, its API and every sign-in are gone; API keys work as before.",
  }),
  signInsPerMinute: setting({
    env: "RATE_LIMIT_SIGN_IN_PER_MINUTE",
    ...integerOr(5, 1, 1_000_000),
    roles: ["api"],
    meaning: "Attempts to sign in per minute of one IPv4 address or IPv6 /64.",
  }),
};
