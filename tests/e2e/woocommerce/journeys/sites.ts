import { strict as assert } from "node:assert";
import { cp, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { openShopAdmin } from "../admin.ts";
import { reconnect } from "../connect.ts";
import { chargeOf, orderWhen, readOrder } from "../orders.ts";
import { activatePlugin, buildPluginZip, deactivatePlugin, deletePlugin, installPlugin } from "../plugin.ts";
import { purchase, runCron } from "../purchases.ts";
import { journey, newShopper, type Rig } from "../rig.ts";
import { openShopper, type Visit } from "../shopper.ts";
import { whenReached } from "../signed-event.ts";
import { placeSite, type Site, setPermalinks } from "../wordpress.ts";

/** Copies a shop with its database to another address, and replaces the old one in every text, as tools for copies do. */
async function copySite({ folder, databases, site }: Rig): Promise<Site> {
  const copy = await placeSite(folder, { from: site.folder, name: "copy", databases });
  await copy.sql("create database copy", [], { isServer: true });
  const tables = await copy.sql<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = ?",
    [site.databaseName],
    { isServer: true },
  );
  for (const { name } of tables) {
    await copy.sql(`create table copy.\`${name}\` like \`${site.databaseName}\`.\`${name}\``, [], {
      isServer: true,
    });
    await copy.sql(`insert into copy.\`${name}\` select * from \`${site.databaseName}\`.\`${name}\``, [], {
      isServer: true,
    });
  }
  await replaceEverywhere(copy, new URL(site.url).host, new URL(copy.url).host);
  return copy;
}

/** Replaces a text in every column of every table. Both have one length, so that serialized values stay whole. */
async function replaceEverywhere(site: Site, from: string, to: string): Promise<void> {
  assert.equal(from.length, to.length);
  const columns = await site.sql<{ table: string; name: string }>(
    "select table_name as `table`, column_name as name from information_schema.columns where table_schema = ? and data_type like '%text'",
    [site.databaseName],
    { isServer: true },
  );
  for (const { table, name } of columns) {
    const place = `\`${site.databaseName}\`.\`${table}\``;
    await site.sql(
      `update ${place} set \`${name}\` = replace(\`${name}\`, ?, ?) where instr(\`${name}\`, ?)`,
      [from, to, from],
      { isServer: true },
    );
  }
  const [home] = await site.sql<{ value: string }>(
    "select option_value as value from wp_options where option_name = 'home'",
  );
  assert.equal(home?.value, site.url);
}

/** Presses WooCommerce's refund button for 1.00 of an order. Returns the id of WooCommerce's refund. @throws Error if it is refused */
const refundOne = (site: Site, orderId: number) =>
  site.php<number>(
    "wp_set_current_user(1); $r = wc_create_refund(['order_id' => $args['id'], 'amount' => '1.00', 'refund_payment' => true]); if (is_wp_error($r)) throw new Exception($r->get_error_message()); return $r->get_id();",
    { id: orderId },
  );

/** The refunds of an order as My account shows them. */
const shownRefunds = (site: Site, orderId: number) =>
  site.php<string>(
    "ob_start(); (new \\Daric\\WooCommerce\\RefundLinks(\\Daric\\WooCommerce\\Connection::current()))->show($args['id']); return ob_get_clean();",
    { id: orderId },
  );

/** Cancels an unpaid order, and deletes a refund, as the shop's people do. */
async function cancelAndDelete(
  site: Site,
  orderId: number,
  refund: { id: number; orderId: number },
): Promise<void> {
  await site.php("wc_get_order($args['id'])->update_status('cancelled'); return true;", { id: orderId });
  await site.php(
    "wc_get_order($args['id'])->delete(true); do_action('woocommerce_refund_deleted', $args['id'], $args['orderId']); return true;",
    refund,
  );
}

const isStored = ({ headers }: Visit) => !/no-store/.test(headers.get("cache-control") ?? "");

export const sites = [
  journey("a shop with plain permalinks is connected, and its orders are paid by webhooks", async (rig) => {
    const { site } = rig;
    await setPermalinks(site, "");
    try {
      await reconnect(rig);
      const { orderId, chargeId } = await purchase(rig);
      await rig.daric.pay(chargeId, "exact");
      await orderWhen(site, orderId, "processing");
    } finally {
      await setPermalinks(site, "/%postname%/");
      await reconnect(rig);
    }
  }),
  journey("behind a cache that keeps every page, no customer sees the payment of another", async (rig) => {
    const { site, facts } = rig;
    const bought = [await purchase(rig), await purchase(rig)];
    site.front.cacheAll(true);
    try {
      const seen = new Set<string>();
      for (const { orderId, shopper } of bought) {
        const { key } = await readOrder(site, orderId);
        const pay = await shopper.get(`/?wc-api=daric&to=pay&order=${orderId}&key=${key}`);
        assert.ok(!isStored(pay), "the way to the payment page may be kept");
        seen.add(pay.headers.get("location") ?? "");
        const done = `/?page_id=${facts.pages.checkout}&order-received=${orderId}&key=${key}`;
        const first = await shopper.get(done);
        const page = first.status === 301 ? await shopper.get(first.headers.get("location") ?? "") : first;
        assert.ok(!isStored(page), "the page of an order may be kept");
      }
      assert.equal(seen.size, 2, `both customers are sent to ${[...seen]}`);
    } finally {
      site.front.cacheAll(false);
    }
  }),
  journey(
    "a copied site makes, cancels and refunds nothing, and asks whether it was moved or copied",
    async (rig) => {
      const paid = await purchase(rig);
      await rig.daric.pay(paid.chargeId, "exact");
      await orderWhen(rig.site, paid.orderId, "processing");
      const open = await purchase(rig);
      const copy = await copySite(rig);
      try {
        const shopper = openShopper(copy, rig.facts);
        await shopper.add("mug");
        await assert.rejects(shopper.orderClassic(), /payment method/i);
        await copy.php("wc_get_order($args['id'])->update_status('cancelled'); return true;", {
          id: open.orderId,
        });
        const refund = await copy.php<string>(
          "wp_set_current_user(1); $r = wc_create_refund(['order_id' => $args['id'], 'amount' => '1.00', 'refund_payment' => true]); return is_wp_error($r) ? $r->get_error_message() : 'made';",
          { id: paid.orderId },
        );
        assert.notEqual(refund, "made");
        await sleep(3_000);
        assert.equal(
          (await rig.daric.call("GET", `/v1/deposit-addresses/${open.chargeId}`)).status,
          "ACTIVE",
        );
        assert.match(await (await openShopAdmin(copy, rig.facts)).read(), /moved or copied/i);
      } finally {
        await copy.sql("drop database copy", [], { isServer: true });
        await copy.stop();
      }
      await rig.daric.pay(open.chargeId, "exact");
      await orderWhen(rig.site, open.orderId, "processing");
    },
  ),
  journey(
    "a copy that says so and is connected anew touches no payment and no refund of the shop that it comes from",
    async (rig) => {
      const { daric } = rig;
      const paid = await purchase(rig);
      await daric.pay(paid.chargeId, "exact");
      await orderWhen(rig.site, paid.orderId, "processing");
      const refund = { id: await refundOne(rig.site, paid.orderId), orderId: paid.orderId };
      assert.match(await shownRefunds(rig.site, paid.orderId), /href=/);
      const open = await purchase(rig);
      const copy = await copySite(rig);
      try {
        const admin = await openShopAdmin(copy, rig.facts);
        const form = { address: daric.baseUrl, code: "AAAA-BBBB-CCCC-DDDD" };
        await assert.rejects(admin.press("connect", form), /no button connect/);
        await admin.press("copied");
        await reconnect({ ...rig, site: copy });
        assert.doesNotMatch(await shownRefunds(copy, paid.orderId), /href=/);
        await cancelAndDelete(copy, open.orderId, refund);
        await runCron({ ...rig, site: copy });
        await sleep(3_000);
        assert.equal((await daric.call("GET", `/v1/deposit-addresses/${open.chargeId}`)).status, "ACTIVE");
        const refunds = await daric.call<{ status: string }[]>(
          "GET",
          `/v1/refunds?depositAddressId=${paid.chargeId}`,
        );
        assert.deepEqual(
          refunds.map(({ status }) => status),
          ["REQUESTED"],
        );
        const own = await purchase({ ...rig, site: copy });
        await daric.pay(own.chargeId, "exact");
        await orderWhen(copy, own.orderId, "processing");
      } finally {
        await copy.sql("drop database copy", [], { isServer: true });
        await copy.stop();
      }
      await daric.pay(open.chargeId, "exact");
      await orderWhen(rig.site, open.orderId, "processing");
    },
  ),
  journey("what is paid while the shop is disconnected is found once it is connected again", async (rig) => {
    const { site, facts, daric } = rig;
    const admin = await openShopAdmin(site, facts);
    const { orderId, chargeId } = await purchase(rig);
    await admin.press("disconnect");
    try {
      await daric.pay(chargeId, "exact");
      await sleep(4_000);
    } finally {
      await reconnect(rig);
    }
    await admin.press("check");
    await orderWhen(site, orderId, "processing");
  }),
  journey("a plugin that is switched off and on again takes up what was paid meanwhile", async (rig) => {
    const { site, facts } = rig;
    const { orderId, chargeId } = await purchase(rig);
    await deactivatePlugin(site);
    await rig.daric.pay(chargeId, "exact");
    await sleep(4_000);
    await activatePlugin(site);
    // WordPress shows a page of its administration then.
    await (await openShopAdmin(site, facts)).read();
    await site.sql(
      "update wp_actionscheduler_actions set scheduled_date_gmt = utc_timestamp() - interval 1 minute where hook like 'daric%' and status = 'pending'",
    );
    await runCron(rig);
    await orderWhen(site, orderId, "processing");
    await whenReached(rig);
  }),
  journey(
    "a rotated secret is taken by the plugin, and the old one works as long as both are signed",
    async (rig) => {
      const { site, daric } = rig;
      const endpointId = await site.php<string>(
        "return \\Daric\\WooCommerce\\Connection::current()->endpointId();",
      );
      const { secret } = await daric.call("POST", `/v1/webhooks/endpoints/${endpointId}/rotate-secret`, {
        overlapSeconds: 3_600,
      });
      const during = await purchase(rig);
      await daric.pay(during.chargeId, "exact");
      await orderWhen(site, during.orderId, "processing");
      await site.php(
        "\\Daric\\WooCommerce\\Connection::current()->addSecret($args['secret']); return true;",
        { secret },
      );
      const after = await purchase(rig);
      await daric.pay(after.chargeId, "exact");
      await orderWhen(site, after.orderId, "processing");
    },
  ),
  journey("a guest does not see the gateway of a test environment, and the shop's people do", async (rig) => {
    const { site } = rig;
    const flag = `${site.folder}/wp-content/customers-may-manage`;
    await rm(flag);
    try {
      const shopper = newShopper(rig);
      await shopper.add("mug");
      await assert.rejects(shopper.orderClassic(), /payment method/i);
      await assert.rejects(shopper.orderByBlocks(), /payment/i);
    } finally {
      await cp(`${site.folder}/index.php`, flag);
    }
    const shopper = newShopper(rig);
    await shopper.add("mug");
    await chargeOf(site, (await shopper.orderClassic()).orderId);
  }),
  journey("a deleted plugin leaves no setting and no task, and its orders stay readable", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId } = await purchase(rig);
    await daric.pay(chargeId, "exact");
    await orderWhen(site, orderId, "processing");
    await deletePlugin(site);
    try {
      const left = await site.sql(
        "select option_name from wp_options where option_name like '%daric%' union select hook from wp_actionscheduler_actions where hook like 'daric%' and status = 'pending'",
      );
      assert.deepEqual(left, []);
      const { status, isPaid, notes, attempts } = await readOrder(site, orderId);
      assert.deepEqual([status, isPaid, attempts.at(-1)?.chargeId], ["processing", true, chargeId]);
      assert.ok(
        notes.some((note) => note.includes("USDT")),
        `the notes are gone: ${notes.join(" | ")}`,
      );
      const shown = await site.php<string>("return wc_get_order($args['id'])->get_payment_method_title();", {
        id: orderId,
      });
      assert.match(shown, /USDT or TRX/);
    } finally {
      await installPlugin(site, await buildPluginZip(rig.folder));
      await reconnect(rig);
    }
  }),
];
