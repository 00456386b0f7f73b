import { Gauge, type Registry } from "prom-client";

export type CheckoutMetrics = ReturnType<typeof createCheckoutMetrics>;

export function createCheckoutMetrics(registers: Registry[]) {
  return {
    checkoutSockets: new Gauge({
      name: "daric_checkout_sockets",
      help: "Checkout pages that are connected by a websocket",
      registers,
    }),
  };
}
