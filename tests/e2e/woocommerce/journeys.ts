import { attempts } from "./journeys/attempts.ts";
import { buying } from "./journeys/buying.ts";
import { carts } from "./journeys/carts.ts";
import { connecting } from "./journeys/connecting.ts";
import { guide } from "./journeys/guide.ts";
import { networks } from "./journeys/networks.ts";
import { payments } from "./journeys/payments.ts";
import { refunds } from "./journeys/refunds.ts";
import { sites } from "./journeys/sites.ts";
import { spareMoney } from "./journeys/spare-money.ts";
import { stock } from "./journeys/stock.ts";
import { sums } from "./journeys/sums.ts";
import { deliveries } from "./journeys/webhooks.ts";

/** In the order in which they are played. Those that change the site come last. */
export const journeys = [
  ...buying,
  ...connecting,
  ...carts,
  ...sums,
  ...payments,
  ...attempts,
  ...spareMoney,
  ...stock,
  ...refunds,
  ...deliveries,
  ...sites,
  ...networks,
  ...guide,
];
