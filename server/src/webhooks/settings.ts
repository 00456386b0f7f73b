import { deliverySettings } from "./deliveries/settings.ts";
import { endpointSettings } from "./endpoints/settings.ts";
import { eventSettings } from "./events/settings.ts";
import { sendingSettings } from "./sending/settings.ts";

/** Where events may go, how fast and how often. */
export const webhookSettings = {
  ...sendingSettings,
  ...endpointSettings,
  ...eventSettings,
  ...deliverySettings,
};
