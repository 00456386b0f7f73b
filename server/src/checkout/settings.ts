import { integerOr, list, setting } from "../runtime/setting.ts";
import { translatedTags } from "./messages/languages.ts";

const knownTags = ["en", ...translatedTags];

/** Tags as they are written here, however the operator writes them. */
const chosenTags = list.transform((items, issue): readonly string[] =>
  items.flatMap((item) => {
    const tag = knownTags.find((known) => known.toLowerCase() === item.toLowerCase());
    if (tag !== undefined) return [tag];
    issue.addIssue({
      code: "custom",
      message: `names ${JSON.stringify(item)}; there are ${knownTags.join(", ")}`,
    });
    return [];
  }),
);

/** How often payers may ask, how many pages are told what changes without asking, and in which languages. */
export const checkoutSettings = {
  readsPerMinute: setting({
    env: "RATE_LIMIT_CHECKOUT_PER_MINUTE",
    ...integerOr(120, 1, 1_000_000),
    roles: ["api"],
    meaning: "Reads per minute of one valid checkout token.",
  }),
  requotesPerMinute: setting({
    env: "RATE_LIMIT_REQUOTE_PER_MINUTE",
    ...integerOr(6, 1, 1_000_000),
    roles: ["api"],
    meaning: "Requotes per minute of one valid checkout token.",
  }),
  languages: setting({
    env: "CHECKOUT_LANGUAGES",
    read: chosenTags.prefault(translatedTags.join()),
    default: "all",
    roles: ["api"],
    meaning: `Languages of the checkout page, of ${knownTags.join(", ")}. English is always one: a payer who reads none of them gets it.`,
  }),
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
