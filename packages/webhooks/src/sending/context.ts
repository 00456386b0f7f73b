import type { egressSettings } from "@daric/egress/settings";
import type { ContextOf } from "@daric/runtime/context";
import { type ConfigOf, durationMs, hexKey, setting } from "@daric/runtime/setting";

/** How long an attempt may take, and the key of the secrets that sign events. */
export const sendingSettings = {
  masterKey: setting({
    env: "DARIC_MASTER_KEY",
    read: hexKey,
    secret: true,
    default: "required",
    roles: ["api", "webhooks"],
    meaning:
      "The key that encrypts webhook secrets at rest: 64 hex characters. The database refuses another one than its own; `daric secret rotate` replaces it.",
  }),
  previousMasterKey: setting({
    env: "DARIC_MASTER_KEY_PREVIOUS",
    read: hexKey.optional(),
    secret: true,
    default: "none",
    roles: ["api", "webhooks"],
    meaning:
      "The master key before this one, while it is rotated: it opens what it sealed until `daric secret rotate` has sealed all anew.",
  }),
  timeoutMs: setting({
    env: "WEBHOOK_TIMEOUT",
    read: durationMs.prefault("15s"),
    default: "15s",
    roles: ["api", "webhooks"],
    meaning: "The whole time one attempt may take, from look-up to the end of the answer.",
  }),
};

/** The parts that a send needs, for the tests of the API and for the deliveries of the worker. */
export type Context = ContextOf<{
  readonly egress: ConfigOf<typeof egressSettings, "api">;
  readonly webhooks: ConfigOf<typeof sendingSettings, "api"> | ConfigOf<typeof sendingSettings, "webhooks">;
}>;
