import { createOrder } from "./benches/create-order.ts";
import { httpLayer } from "./benches/http-layer.ts";
import type { Bench } from "./harness.ts";

/** In the order in which they are listed. */
export const benches: readonly Bench[] = [createOrder, httpLayer];
