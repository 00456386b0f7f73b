import { addressScale } from "./benches/address-scale.ts";
import { bigBlock } from "./benches/big-block.ts";
import { blackHoles } from "./benches/black-holes.ts";
import { blockToWebhook } from "./benches/block-to-webhook.ts";
import { catchUp } from "./benches/catch-up.ts";
import { checkoutPoll } from "./benches/checkout-poll.ts";
import { checkoutView } from "./benches/checkout-view.ts";
import { citusCreate } from "./benches/citus-create.ts";
import { citusPayments } from "./benches/citus-payments.ts";
import { createOrder } from "./benches/create-order.ts";
import { dashboardExport } from "./benches/dashboard-export.ts";
import { dashboardList } from "./benches/dashboard-list.ts";
import { dashboardLoad } from "./benches/dashboard-load.ts";
import { growth } from "./benches/growth.ts";
import { heldRow } from "./benches/held-row.ts";
import { history10m } from "./benches/history-10m.ts";
import { httpLayer } from "./benches/http-layer.ts";
import { idle } from "./benches/idle.ts";
import { junkFlood } from "./benches/junk-flood.ts";
import { keyCheck } from "./benches/key-check.ts";
import { linkFlood } from "./benches/link-flood.ts";
import { messages } from "./benches/messages.ts";
import { outboxCost } from "./benches/outbox-cost.ts";
import { overload } from "./benches/overload.ts";
import { pageLcp } from "./benches/page-lcp.ts";
import { pageWeight } from "./benches/page-weight.ts";
import { pair } from "./benches/pair.ts";
import { parked } from "./benches/parked.ts";
import { planScale } from "./benches/plan-scale.ts";
import { blockDecode, blockProof } from "./benches/read-block.ts";
import { refundScale } from "./benches/refund-scale.ts";
import { rolesXN } from "./benches/roles-x-n.ts";
import { sockets } from "./benches/sockets.ts";
import { sweepCost } from "./benches/sweep-cost.ts";
import { sweepMany } from "./benches/sweep-many.ts";
import { tipLatency } from "./benches/tip-latency.ts";
import { webhooks } from "./benches/webhooks.ts";
import { webhooksHistory } from "./benches/webhooks-history.ts";
import { webhooksIsolation } from "./benches/webhooks-isolation.ts";
import { webhooksWakeup } from "./benches/webhooks-wakeup.ts";
import { whale } from "./benches/whale.ts";
import type { Bench } from "./harness.ts";

/** All benches, in the order in which `--list` prints them. */
export const benches: readonly Bench[] = [
  createOrder,
  citusCreate,
  citusPayments,
  pair,
  rolesXN,
  checkoutView,
  checkoutPoll,
  sockets,
  keyCheck,
  growth,
  history10m,
  whale,
  heldRow,
  bigBlock,
  idle,
  httpLayer,
  blockDecode,
  blockProof,
  addressScale,
  refundScale,
  catchUp,
  tipLatency,
  sweepCost,
  sweepMany,
  planScale,
  parked,
  blackHoles,
  webhooksHistory,
  webhooks,
  webhooksIsolation,
  webhooksWakeup,
  blockToWebhook,
  outboxCost,
  messages,
  overload,
  junkFlood,
  linkFlood,
  pageWeight,
  pageLcp,
  dashboardLoad,
  dashboardExport,
  dashboardList,
];
