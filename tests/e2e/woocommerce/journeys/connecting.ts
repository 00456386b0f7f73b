import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { until } from "@daric/testing/until";
import { openShopAdmin, type ShopAdmin } from "../admin.ts";
import { openAdmin, reconnect } from "../connect.ts";
import { orderWhen } from "../orders.ts";
import { purchase } from "../purchases.ts";
import { journey, newShopper, picture, type Rig } from "../rig.ts";
import { RESUMED_MS } from "../signed-event.ts";

const keysOf = ({ site }: Rig) =>
  site.php<{ apiKey?: string; secrets?: string[] }>("return (object) get_option('daric_connection', []);");

/** Tries to connect a shop that has no connection, and returns what the page says. */
async function refusalOf(rig: Rig, admin: ShopAdmin, address: string, code: string): Promise<string> {
  const text = await admin.press("connect", { address, code });
  assert.equal((await keysOf(rig)).apiKey, undefined, "it is connected");
  return text;
}

const isOffered = async (rig: Rig): Promise<boolean> => {
  const shopper = newShopper(rig);
  await shopper.add("mug");
  return shopper.orderClassic().then(
    () => true,
    () => false,
  );
};

export const connecting = [
  journey(
    "the settings page shows merchant, network, currencies, and that the test event has come",
    async (rig) => {
      const { site, facts } = rig;
      const admin = await openShopAdmin(site, facts);
      await until(
        "the test event has come",
        async () => /Test event\s+It came/.test(await admin.read()),
        60_000,
      );
      assert.match(await admin.read(), /Blue Bottle Books.*devnet.*EUR.*Reading missed payments/s);
      const html = await admin.html();
      const { apiKey = "", secrets = [] } = await keysOf(rig);
      for (const secret of [apiKey, ...secrets])
        assert.ok(!html.includes(secret), "the page prints a key or a secret");
      if (rig.pictures === undefined) return;
      const page = await openAdmin(rig, site);
      await picture(rig, page, "settings-connected");
      await page.context().close();
    },
  ),
  journey("the page turns red once no reconciliation has run for 30 minutes", async ({ site, facts }) => {
    const set = (seconds: number) =>
      site.php(
        "update_option(\\Daric\\WooCommerce\\Connection::RECONCILED_AT, time() - $args['seconds'], false); return true;",
        { seconds },
      );
    const admin = await openShopAdmin(site, facts);
    await set(1_900);
    assert.match(await admin.html(), /daric-bad"(?:(?!<\/tr>).)*Reading missed payments/s);
    await set(0);
    assert.doesNotMatch(await admin.html(), /daric-bad"(?:(?!<\/tr>).)*Reading missed payments/s);
  }),
  journey(
    "a used code, a replaced one, an unknown one, an address with a path and one without TLS are refused in words",
    async (rig) => {
      const { site, facts, daric, owner } = rig;
      const admin = await openShopAdmin(site, facts);
      await admin.press("disconnect");
      try {
        const replaced = await owner.shopCode();
        const code = await owner.shopCode();
        assert.match(await refusalOf(rig, admin, `${daric.baseUrl}/shop`, code), /without a path/i);
        assert.match(await refusalOf(rig, admin, "http://pay.example.com", code), /https/i);
        assert.match(await refusalOf(rig, admin, daric.baseUrl, replaced), /code/i);
        assert.match(await refusalOf(rig, admin, daric.baseUrl, "AAAA-BBBB-CCCC-DDDD"), /code/i);
        assert.match(
          await admin.press("connect", { address: daric.baseUrl, code }),
          /Connected with Blue Bottle Books/,
        );
        await admin.press("disconnect");
        assert.match(await refusalOf(rig, admin, daric.baseUrl, code), /code/i);
      } finally {
        await reconnect(rig);
      }
    },
  ),
  journey("a revoked key is said on the page, and an order is refused instead of being lost", async (rig) => {
    const { site, facts, daric } = rig;
    const { apiKey = "" } = await keysOf(rig);
    const keys = await daric.command<{ id: string }[]>("key", "list", "--merchant", daric.merchantId);
    const own = keys.find((key) => JSON.stringify(key).includes(apiKey.split("_")[3] ?? ""));
    assert.ok(own !== undefined, "the list of keys has not the shop's");
    await daric.command("key", "revoke", own.id);
    try {
      // Every process refuses it within five seconds.
      await until("no order is taken", async () => !(await isOffered(rig)), 20_000);
      const admin = await openShopAdmin(site, facts);
      assert.match(await admin.press("check"), /key/i);
    } finally {
      await reconnect(rig);
    }
  }),
  journey("a live key in wp-config of a shop on a test network takes no order", async (rig) => {
    const { site } = rig;
    await site.define({
      DARIC_API_KEY: "daric_live_sk_AAAAAAAAAAAA_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB",
    });
    try {
      assert.equal(await isOffered(rig), false);
    } finally {
      await site.define({ DARIC_API_KEY: "" });
    }
    const { orderId, chargeId } = await purchase(rig);
    await rig.daric.pay(chargeId, "exact");
    await orderWhen(site, orderId, "processing");
  }),
  journey("an own key in wp-config.php wins over the stored one", async (rig) => {
    const { site, facts, daric } = rig;
    const scopes = "charges:read,charges:write,deposits:read,webhooks:read,refunds:read,refunds:write";
    const { key } = await daric.command("key", "create", "--merchant", daric.merchantId, "--scopes", scopes);
    await site.define({ DARIC_API_KEY: key });
    try {
      const { orderId, chargeId } = await purchase(rig);
      await daric.pay(chargeId, "exact");
      // The refused events of the journeys before may have suspended the endpoint: it gets one delivery a minute then.
      await orderWhen(site, orderId, "processing", RESUMED_MS);
      const html = await (await openShopAdmin(site, facts)).html();
      assert.match(html, /DARIC_API_KEY/);
      assert.ok(!html.includes(key), "the page prints the key");
    } finally {
      await site.define({ DARIC_API_KEY: "" });
    }
  }),
  journey("the log has no key and no secret, and PHP's log no fault of the plugin", async ({ site }) => {
    const { apiKey, secrets } = await site.php<{ apiKey: string; secrets: string[] }>(
      "return get_option('daric_connection');",
    );
    const log = await site.phpLog();
    const files = await site.php<string[]>("return glob(WC_LOG_DIR . '*daric*') ?: [];");
    const text = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n") + log;
    for (const secret of [apiKey, ...secrets])
      assert.ok(!text.includes(secret), "a log has a key or a secret");
    const faults = log
      .split("\n")
      .filter((line) => /PHP (?:Fatal|Warning|Notice|Deprecated)/.test(line) && /plugins\/daric/.test(line));
    assert.deepEqual([...new Set(faults)], []);
  }),
];
