import type { Environment } from "../../domain/api-scope.ts";
import type { ContextOf } from "../../runtime/context.ts";
import type { AlarmMetrics } from "../../runtime/metrics.ts";
import type { ConfigOf, Role } from "../../runtime/setting.ts";
import type { SealingEventContext } from "../events/event-mac.ts";
import type { eventSettings } from "../events/settings.ts";
import type { Context as SendingContext } from "../sending/context.ts";
import type { DeliveryMetrics } from "./metrics.ts";
import type { deliverySettings } from "./settings.ts";

export type ApiContext = SendingContext &
  ContextOf<
    SealingEventContext["config"] & {
      readonly environment: Environment;
      readonly webhooks: ConfigOf<typeof deliverySettings, "api">;
    },
    DeliveryMetrics & AlarmMetrics
  >;

export type WebhooksContext = SendingContext &
  ContextOf<
    SealingEventContext["config"] & {
      readonly roles: readonly Role[];
      readonly webhooks: ConfigOf<typeof deliverySettings & typeof eventSettings, "webhooks">;
    },
    DeliveryMetrics & AlarmMetrics
  >;
