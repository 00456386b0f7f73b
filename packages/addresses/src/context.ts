import type { ContextOf } from "@daric/runtime/context";
import { type AlarmMetrics, collectedGauge, type OpenCollector } from "@daric/runtime/metrics";
import { type ConfigOf, setting } from "@daric/runtime/setting";
import { AccountXpubError, parseAccountXpub } from "@daric/tron/account-xpub";
import type { Registry } from "prom-client";
import { z } from "zod";
import type { MacContext } from "./address-mac.ts";

/** The setting stays text, because the deriver's thread parses it. */
const accountXpub = z.string().superRefine((text, issue) => {
  try {
    parseAccountXpub(text);
  } catch (error) {
    const reason = error instanceof AccountXpubError ? error.message : "it cannot be read";
    issue.addIssue({ code: "custom", message: `is refused: ${reason}; \`daric seed\` prints an xpub` });
  }
});

export const addressSettings = {
  accountXpub: setting({
    env: "ACCOUNT_XPUB",
    read: accountXpub,
    secret: true,
    default: "required",
    roles: ["api"],
    meaning:
      "The account extended public key (m/44'/195'/n') that addresses are derived from: one for the life of a database, and of no other database. Never a private key.",
  }),
};

export type GuardContext = Pick<ContextOf<unknown, AlarmMetrics>, "db" | "log" | "metrics" | "clock">;

export type SourceContext = GuardContext &
  Pick<
    ContextOf<MacContext["config"] & { readonly addresses: ConfigOf<typeof addressSettings, "api"> }>,
    "config" | "databaseOutage" | "clock"
  >;

export function createAddressMetrics(registers: Registry[], openCollector: OpenCollector) {
  const addressesAhead = openCollector<number>("addresses_ahead");
  collectedGauge(
    {
      name: "daric_addresses_ahead",
      help: "Addresses that this process has ready for the next orders",
      registers,
    },
    addressesAhead,
    (value) => [{ value }],
  );
  return { addressesAhead };
}
