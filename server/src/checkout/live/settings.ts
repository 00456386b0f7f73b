import { integerOr, setting } from "../../runtime/setting.ts";

/** How many pages are told what changes without asking. */
export const liveSettings = {
  socketsPerToken: setting({
    env: "CHECKOUT_SOCKETS_PER_TOKEN",
    ...integerOr(50, 0, 1_000_000),
    roles: ["api"],
    meaning:
      "Pages of one checkout that are told by websocket what changes, in one process. The others ask every few seconds.",
  }),
  socketsPerAddress: setting({
    env: "CHECKOUT_SOCKETS_PER_ADDRESS",
    ...integerOr(200, 0, 1_000_000),
    roles: ["api"],
    meaning:
      "The same of one IPv4 address or IPv6 /64, which a proxy is as long as TRUSTED_PROXIES does not name it.",
  }),
};
