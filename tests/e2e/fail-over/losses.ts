import { type Database, sql } from "@daric/postgres/sql";
import { until } from "@daric/testing/until";
import type { WebhookReceiver } from "@daric/testing/webhook-receiver";
import type { Sales } from "./sales.ts";

export type Losses = {
  /** orders that were answered with 201 */
  readonly acked: number;
  /** acknowledged orders that are missing */
  readonly lost: number;
  /** repeated references, addresses and announced orders */
  readonly doubled: number;
  readonly paid: number;
  /** paid orders without their `order.paid` */
  readonly unannounced: number;
};

/** Waits at most `limitMs` for the events of paid orders, and compares the answers with the database. */
export async function findLosses(
  db: Database,
  { sales, receiver, limitMs }: { sales: Sales; receiver: WebhookReceiver; limitMs: number },
): Promise<Losses> {
  const announcedOrders = () => receiver.received.map(({ event }) => String(event.data.depositAddressId));
  const unannounced = () => sales.paid.filter((id) => !announcedOrders().includes(id)).length;
  await until("all paid orders are announced", () => unannounced() === 0, limitMs).catch(() => {});
  const rows = await db.query<{ id: string; ref: string; address: string }>(
    sql`select id, concat(merchant_id, order_ref) as ref, address from deposit_addresses`,
  );
  const ids = new Set(rows.map(({ id }) => id));
  const eventIds = new Map(receiver.received.map(({ event }) => [event.id, event.data.depositAddressId]));
  return {
    acked: sales.made.length,
    lost: sales.made.filter(({ order }) => !ids.has(String(order.id))).length,
    doubled:
      repeats(rows.map(({ ref }) => ref)) +
      repeats(rows.map(({ address }) => address)) +
      repeats([...eventIds.values()]),
    paid: sales.paid.length,
    unannounced: unannounced(),
  };
}

const repeats = (values: readonly unknown[]) => values.length - new Set(values).size;
