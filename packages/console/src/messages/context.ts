import type { chargeSettings } from "@daric/charges/context";
import type { Environment } from "@daric/domain/api-scope";
import type { mailSettings } from "@daric/egress/mail-settings";
import type { egressSettings } from "@daric/egress/settings";
import type { ContextOf } from "@daric/runtime/context";
import type { AlarmMetrics } from "@daric/runtime/metrics";
import type { ConfigOf } from "@daric/runtime/setting";
import type { sendingSettings } from "@daric/webhooks/sending/context";
import type { peopleSettings } from "../people/context.ts";
import type { MessageNetwork } from "./letter.ts";

/** The context of the role that makes and sends messages. */
export type MessageContext = ContextOf<
  {
    readonly environment: Environment;
    readonly integrity: { readonly key: Buffer };
    readonly charges: ConfigOf<typeof chargeSettings, "webhooks">;
    readonly chain: { readonly network: MessageNetwork };
    readonly http: { readonly publicBaseUrl: string | undefined };
    readonly people: ConfigOf<typeof peopleSettings, "webhooks">;
    readonly alerts: { readonly telegramToken: string | undefined };
    readonly mail: ConfigOf<typeof mailSettings, "webhooks">;
    readonly egress: ConfigOf<typeof egressSettings, "webhooks">;
    readonly webhooks: ConfigOf<typeof sendingSettings, "webhooks">;
  },
  AlarmMetrics
>;
