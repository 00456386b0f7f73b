import { strict as assert } from "node:assert";
import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Row } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { orderWhen, readOrder, timesOrdered } from "../orders.ts";
import { purchase, runCron, withLifetime } from "../purchases.ts";
import { journey, type Rig } from "../rig.ts";
import { sendWebhook, webhookDoor, withoutWebhooks } from "../signed-event.ts";

const FORGED = 1_000;
const AT_ONCE = 4;
const EVENT_MS = 6_000;

/** The event of this name about a charge, as Daric's feed has it. */
async function eventOf({ daric }: Rig, chargeId: string, name: string): Promise<Row> {
  let found: Row | undefined;
  await until(`${name} is in the feed`, async () => {
    let after = "";
    for (;;) {
      const answer = await fetch(`${daric.baseUrl}/v1/events?limit=100&types=${name}${after}`, {
        headers: { "x-api-key": daric.apiKey },
      });
      const { data, meta } = (await answer.json()) as Row;
      found = data.find((event: Row) => event.data?.depositAddressId === chargeId);
      if (found !== undefined || !meta.has_more) return found !== undefined;
      after = `&after=${meta.next}`;
    }
  });
  return found as Row;
}

/** The numbers of rows by table, and the bytes of the logs. */
async function footprint({ site }: Rig): Promise<Record<string, number>> {
  const tables = await site.sql<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = database()",
  );
  const counts = tables
    // Action Scheduler's own claims come and go without any webhook.
    .filter(({ name }) => !/actionscheduler_(claims|logs)/.test(name))
    .map(({ name }) => `select '${name}' as name, count(*) as rows_ from \`${name}\``);
  const rows = await site.sql<{ name: string; rows_: number }>(counts.join(" union all "));
  const content = join(site.folder, "wp-content");
  const logs = await readdir(join(content, "uploads/wc-logs")).catch(() => []);
  const files = [
    "debug.log",
    ...logs.filter((name) => /daric/.test(name)).map((name) => `uploads/wc-logs/${name}`),
  ];
  const sizes = await Promise.all(
    files.map(
      async (name) => [name, (await stat(join(content, name)).catch(() => ({ size: 0 }))).size] as const,
    ),
  );
  return Object.fromEntries([...rows.map(({ name, rows_ }) => [name, Number(rows_)] as const), ...sizes]);
}

const pageOf = (rig: Rig, id: number, key: string) =>
  `/?page_id=${rig.facts.pages.checkout}&order-received=${id}&key=${key}`;

export const deliveries = [
  journey(
    "an order whose webhook was lost is paid as soon as the customer sees the thank-you page",
    async (rig) => {
      const { site, daric } = rig;
      await withoutWebhooks(rig, async () => {
        const { orderId, chargeId, shopper } = await purchase(rig);
        await daric.pay(chargeId, "exact");
        await sleep(EVENT_MS);
        const { key, status } = await readOrder(site, orderId);
        assert.equal(status, "pending");
        const page = await shopper.get(pageOf(rig, orderId, key));
        if (page.status === 301) await shopper.get(page.headers.get("location") ?? "");
        await orderWhen(site, orderId, "processing");
      });
    },
  ),
  journey("an order whose webhook was lost is paid by the next scheduled reconciliation", async (rig) => {
    await withoutWebhooks(rig, async () => {
      const { orderId, chargeId } = await purchase(rig);
      await rig.daric.pay(chargeId, "exact");
      await sleep(EVENT_MS);
      await rig.site.sql(
        "update wp_actionscheduler_actions set scheduled_date_gmt = utc_timestamp() - interval 1 minute where hook like 'daric%' and status = 'pending'",
      );
      await runCron(rig);
      await orderWhen(rig.site, orderId, "processing");
    });
  }),
  journey(
    "after six hours without webhooks and without cron, one run of the cron brings every order up to date",
    async (rig) => {
      const { site, daric } = rig;
      await withoutWebhooks(rig, async () => {
        const paid = [await purchase(rig), await purchase(rig, "book")];
        const short = await purchase(rig);
        const expired = await withLifetime(rig, 30, () => purchase(rig));
        for (const { chargeId } of paid) await daric.pay(chargeId, "exact");
        await daric.pay(short.chargeId, "under");
        await until(
          "it has expired",
          async () =>
            (await daric.call("GET", `/v1/deposit-addresses/${expired.chargeId}`)).status === "EXPIRED",
          150_000,
        );
        // The shop slept: its actions and its memory of the last run are six hours old.
        await site.sql(
          "update wp_actionscheduler_actions set scheduled_date_gmt = utc_timestamp() - interval 6 hour where hook like 'daric%' and status = 'pending'",
        );
        await site.php(
          "update_option(\\Daric\\WooCommerce\\Connection::RECONCILED_AT, time() - 6 * 3600, false); return true;",
        );
        await runCron(rig);
        for (const { orderId } of paid) await orderWhen(site, orderId, "processing");
        await orderWhen(site, short.orderId, "on-hold");
        assert.equal((await readOrder(site, expired.orderId)).status, "pending");
      });
    },
  ),
  journey(`${FORGED} forged webhooks a minute leave no row and no flood of the log`, async (rig) => {
    const door = await webhookDoor(rig);
    const event = {
      id: randomUUID(),
      event: "order.paid",
      apiVersion: "v1",
      environment: "test",
      data: { orderRef: "wc-x-1-1" },
    };
    const before = await footprint(rig);
    const answers = new Map<number, number>();
    const worker = async () => {
      for (let n = 0; n < FORGED / AT_ONCE; n += 1) {
        const status = await sendWebhook(door, {
          event,
          id: randomUUID(),
          signature: "v1,bm90IHRoZSByaWdodCBzaWduYXR1cmU=",
        });
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    assert.deepEqual(
      [...answers.keys()].filter((status) => status < 400 || status >= 500),
      [],
      "a forged webhook was taken",
    );
    const after = await footprint(rig);
    const grown = Object.keys(after).filter((name) => (after[name] ?? 0) > (before[name] ?? 0));
    const rows = grown.filter((name) => !/log$/.test(name));
    assert.deepEqual(rows, [], "rows were written");
    const bytes = grown.reduce((sum, name) => sum + (after[name] ?? 0) - (before[name] ?? 0), 0);
    assert.ok(bytes < 4_000, `the logs grew by ${bytes} bytes`);
  }),
  journey("a webhook that is replayed changes nothing, and an old signature is refused", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId } = await purchase(rig);
    await daric.pay(chargeId, "exact");
    await orderWhen(site, orderId, "processing");
    const event = await eventOf(rig, chargeId, "order.paid");
    await sleep(EVENT_MS);
    const before = await readOrder(site, orderId);
    const door = await webhookDoor(rig);
    for (let n = 0; n < 5; n += 1) {
      const status = await sendWebhook(door, { event, id: event.id });
      assert.ok(status >= 200 && status < 300, `a replay is answered by ${status}`);
    }
    assert.deepEqual(await readOrder(site, orderId), before);
    const old = await sendWebhook(door, { event, id: event.id, at: new Date(Date.now() - 3_600_000) });
    assert.ok(old >= 400 && old < 500, `an hour-old signature is answered by ${old}`);
  }),
  journey("one event on several PHP workers at once pays the order once", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId } = await withoutWebhooks(rig, async () => {
      const bought = await purchase(rig);
      await daric.pay(bought.chargeId, "exact");
      await eventOf(rig, bought.chargeId, "order.paid");
      await sleep(1_000);
      return bought;
    });
    const event = await eventOf(rig, chargeId, "order.paid");
    const door = await webhookDoor(rig);
    const statuses = await Promise.all(
      Array.from({ length: 2 * AT_ONCE }, () => sendWebhook(door, { event, id: event.id })),
    );
    assert.deepEqual(
      statuses.filter((status) => status !== 503 && (status < 200 || status >= 300)),
      [],
      "other answers than taken and busy",
    );
    await orderWhen(site, orderId, "processing");
    await sleep(EVENT_MS);
    assert.equal(await timesOrdered(site, orderId), 1);
  }),
  journey("an event of another environment is refused and changes nothing", (rig) =>
    withoutWebhooks(rig, async () => {
      const { orderId, chargeId } = await purchase(rig);
      await rig.daric.pay(chargeId, "exact");
      const event = await eventOf(rig, chargeId, "order.paid");
      const door = await webhookDoor(rig);
      const status = await sendWebhook(door, { event: { ...event, environment: "live" }, id: event.id });
      assert.ok(status >= 400 && status < 500, `it is answered by ${status}`);
      assert.equal((await readOrder(rig.site, orderId)).status, "pending");
      assert.equal(await sendWebhook(door, { event, id: event.id }), 200);
      await orderWhen(rig.site, orderId, "processing");
    }),
  ),
  journey(
    "an event of a charge that is not this shop's is taken without a row and without a line",
    async (rig) => {
      const charge = await rig.daric.call("POST", "/v1/deposit-addresses", {
        amount: "5",
        orderRef: `other-${randomUUID()}`,
      });
      const before = await footprint(rig);
      await rig.daric.pay(charge.id, "exact");
      const event = await eventOf(rig, charge.id, "order.paid");
      assert.equal(await sendWebhook(await webhookDoor(rig), { event, id: event.id }), 200);
      await sleep(EVENT_MS);
      assert.deepEqual(await footprint(rig), before);
    },
  ),
];
