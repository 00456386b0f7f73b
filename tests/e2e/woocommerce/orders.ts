import { until } from "@daric/testing/until";
import type { Site } from "./wordpress.ts";

const STATE_LIMIT_MS = 40_000;

/** An order as the shop's database has it. */
export type ShopOrder = {
  readonly id: number;
  /** without `wc-` */
  readonly status: string;
  readonly paymentMethod: string;
  readonly total: string;
  readonly currency: string;
  readonly key: string;
  readonly isPaid: boolean;
  /** all notes, oldest first */
  readonly notes: readonly string[];
  readonly meta: Readonly<Record<string, string>>;
  /** the plugin's charges, oldest first */
  readonly attempts: readonly ShopAttempt[];
};

export type ShopAttempt = {
  readonly number: number;
  readonly orderRef: string;
  readonly chargeId: string;
  readonly checkoutUrl: string;
  readonly amount: string;
  readonly currency: string;
};

type OrderRow = { status: string; payment_method: string; total_amount: string; currency: string };

export async function readOrder(site: Site, id: number): Promise<ShopOrder> {
  const [row] = await site.sql<OrderRow>(`select * from ${site.prefix}wc_orders where id = ?`, [id]);
  if (row === undefined) throw new Error(`there is no order ${id}`);
  const metas = await site.sql<{ meta_key: string; meta_value: string }>(
    `select meta_key, meta_value from ${site.prefix}wc_orders_meta where order_id = ?`,
    [id],
  );
  const meta = Object.fromEntries(metas.map(({ meta_key, meta_value }) => [meta_key, meta_value]));
  const [operation] = await site.sql<{ order_key: string; date_paid_gmt: string | null }>(
    `select order_key, date_paid_gmt from ${site.prefix}wc_order_operational_data where order_id = ?`,
    [id],
  );
  const notes = await site.sql<{ comment_content: string }>(
    `select comment_content from ${site.prefix}comments where comment_post_ID = ? and comment_type = 'order_note' order by comment_ID`,
    [id],
  );
  return {
    id,
    status: row.status.replace(/^wc-/, ""),
    paymentMethod: row.payment_method,
    total: row.total_amount,
    currency: row.currency,
    key: operation?.order_key ?? "",
    isPaid: typeof operation?.date_paid_gmt === "string",
    notes: notes.map(({ comment_content }) => comment_content),
    meta,
    attempts: JSON.parse(meta._daric_attempts ?? "[]"),
  };
}

/** The charge of the newest attempt. @throws Error without one */
export async function chargeOf(site: Site, id: number): Promise<string> {
  const { attempts, notes } = await readOrder(site, id);
  const charge = attempts.at(-1)?.chargeId;
  if (charge === undefined) throw new Error(`order ${id} has no charge: ${notes.join(" | ")}`);
  return charge;
}

/** Waits until the order has this status, and returns it. @throws Error with the order's notes */
export async function orderWhen(
  site: Site,
  id: number,
  status: string,
  limitMs = STATE_LIMIT_MS,
): Promise<ShopOrder> {
  let order = await readOrder(site, id);
  await until(
    `order ${id} is ${status}`,
    async () => {
      order = await readOrder(site, id);
      return order.status === status;
    },
    limitMs,
  ).catch(() => {
    throw new Error(`order ${id} is ${order.status}, not ${status}: ${order.notes.join(" | ")}`);
  });
  return order;
}

/** Whether a person must do something for the order. */
export const hasTask = (order: ShopOrder) => (order.meta._daric_task ?? "") !== "";

/** Waits until a note of the order has this text. @throws Error with the order's notes */
export async function whenNoted(
  site: Site,
  id: number,
  text: RegExp,
  limitMs = STATE_LIMIT_MS,
): Promise<ShopOrder> {
  let order = await readOrder(site, id);
  await until(
    `a note of order ${id} has ${text}`,
    async () => {
      order = await readOrder(site, id);
      return order.notes.some((note) => text.test(note));
    },
    limitMs,
  ).catch(() => {
    throw new Error(`no note of order ${id} (${order.status}) has ${text}: ${order.notes.join(" | ")}`);
  });
  // The fields of the order were read before its notes.
  return readOrder(site, id);
}

/** How often the shop was asked to deliver: WooCommerce mails each new order to it once. */
export async function timesOrdered(site: Site, id: number): Promise<number> {
  const subjects = (await site.mails()).map(({ subject }) => subject);
  return subjects.filter((subject) => /new order/i.test(subject) && subject.includes(`#${id}`)).length;
}
