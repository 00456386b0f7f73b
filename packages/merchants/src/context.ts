import type { NetworkSettings } from "@daric/chain/nodes/networks";
import type { Environment } from "@daric/domain/api-scope";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import type { egressSettings } from "@daric/egress/settings";
import type { ContextOf } from "@daric/runtime/context";
import { collectedGauge, type OpenCollector } from "@daric/runtime/metrics";
import { type ConfigOf, setting } from "@daric/runtime/setting";
import type { Registry } from "prom-client";
import { z } from "zod";

export const merchantSettings = {
  keyPepper: setting({
    env: "DARIC_KEY_PEPPER",
    read: z.string().min(32, "must have at least 32 characters"),
    secret: true,
    default: "required",
    roles: ["api"],
    meaning:
      "The secret under which API keys are hashed. The database refuses another one than its own; `daric secret rotate` replaces it.",
  }),
  previousKeyPepper: setting({
    env: "DARIC_KEY_PEPPER_PREVIOUS",
    read: z.string().min(32, "must have at least 32 characters").optional(),
    secret: true,
    default: "none",
    roles: ["api"],
    meaning:
      "The pepper before this one, while it is rotated: API keys that were made under it work as long as it is set. `daric secret rotate --plan` lists them.",
  }),
};

export type Context = ContextOf<{ readonly chain: NetworkSettings }>;

export type BrandingContext = Pick<Context, "db" | "config"> & LogoContext;

export type LogoContext = {
  readonly config: { readonly egress: ConfigOf<typeof egressSettings, "api"> };
  /** the access to the network; tests replace the system's */
  readonly access?: NetworkAccess;
};

export type KeyContext = ContextOf<{
  readonly environment: Environment;
  readonly merchants: { readonly keyPepper: string; readonly previousKeyPepper?: string | undefined };
}>;

/** The metrics of API keys. */
export function createMerchantMetrics(registers: Registry[], openCollector: OpenCollector) {
  const expiringKeys = openCollector<number>("expiring_keys");
  collectedGauge(
    {
      name: "daric_api_keys_expiring",
      help: "API keys that were used within a week and expire within two weeks",
      registers,
    },
    expiringKeys,
    (value) => [{ value }],
  );
  return { expiringKeys };
}
