import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { until } from "@daric/testing/until";
import type { Page } from "playwright-core";
import { connectShop, openAdmin, sendCode } from "../connect.ts";
import { orderWhen } from "../orders.ts";
import { purchase } from "../purchases.ts";
import { journey, newShopper, picture, type Rig } from "../rig.ts";

const disconnected = (rig: Rig) =>
  rig.site.php("\\Daric\\WooCommerce\\Connection::current()->disconnect(); return true;");

/** Tries to connect, and returns what the page says. The shop stays without a connection. */
async function refusalOf(
  { site }: Rig,
  page: Page,
  form: { address: string; code: string },
): Promise<string> {
  const text = await sendCode(page, site, form);
  const facts = await site.php<{ apiKey?: string }>("return (object) get_option('daric_connection', []);");
  assert.equal(facts.apiKey, undefined, "it is connected");
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
    "the settings page shows merchant, network, currencies, the test event and the last reconciliation",
    async (rig) => {
      const page = await openAdmin(rig, rig.site);
      await until("the test event has come", async () => {
        await page.goto(`${rig.site.url}/wp-admin/admin.php?page=daric`);
        return /Blue Bottle Books[\s\S]*devnet[\s\S]*EUR/i.test(
          await page.locator(".daric-page").innerText(),
        );
      });
      await picture(rig, page, "settings-connected");
      const html = await page.content();
      const { apiKey, secrets } = await rig.site.php<{ apiKey: string; secrets: string[] }>(
        "return get_option('daric_connection');",
      );
      for (const secret of [apiKey, ...secrets])
        assert.ok(!html.includes(secret), "the page prints a key or a secret");
      await page.context().close();
    },
  ),
  journey(
    "a used code, an unknown code, an address with a path and one without TLS are refused in words",
    async (rig) => {
      await disconnected(rig);
      const page = await openAdmin(rig, rig.site);
      try {
        const code = await rig.owner.shopCode();
        const address = rig.daric.baseUrl;
        assert.match(await refusalOf(rig, page, { address: `${address}/shop`, code }), /without a path/i);
        assert.match(await refusalOf(rig, page, { address: "http://pay.example.com", code }), /https/i);
        assert.match(await refusalOf(rig, page, { address, code: "AAAA-BBBB-CCCC-DDDD" }), /code/i);
        await sendCode(page, rig.site, { address, code });
        await disconnected(rig);
        assert.match(await refusalOf(rig, page, { address, code }), /code/i);
        await picture(rig, page, "settings-refused");
      } finally {
        await page.context().close();
        await connectShop(rig);
      }
    },
  ),
  journey("a code that a newer one replaced is refused", async (rig) => {
    await disconnected(rig);
    const page = await openAdmin(rig, rig.site);
    try {
      const old = await rig.owner.shopCode();
      await rig.owner.shopCode();
      assert.match(await refusalOf(rig, page, { address: rig.daric.baseUrl, code: old }), /code/i);
    } finally {
      await page.context().close();
      await connectShop(rig);
    }
  }),
  journey("a revoked key is said on the page, and an order is refused instead of being lost", async (rig) => {
    const { site, daric } = rig;
    const name = await site.php<string>(
      "return explode('_', get_option('daric_connection')['apiKey'])[3] ?? '';",
    );
    const keys = await daric.command<{ id: string; prefix?: string; start?: string; key?: string }[]>(
      "key",
      "list",
      "--merchant",
      daric.merchantId,
    );
    const own = keys.find((key) => JSON.stringify(key).includes(name));
    assert.ok(own !== undefined, `no key like ${name} in ${JSON.stringify(keys[0])}`);
    await daric.command("key", "revoke", own.id);
    try {
      const shopper = newShopper(rig);
      await shopper.add("mug");
      await assert.rejects(shopper.orderClassic());
      const page = await openAdmin(rig, site);
      await page.goto(`${site.url}/wp-admin/admin.php?page=daric`);
      await page.locator('form:has(input[value="daric_check"]) [type=submit]').click();
      await page.waitForLoadState("domcontentloaded");
      assert.match(await page.locator(".daric-page").innerText(), /key/i);
      await picture(rig, page, "settings-revoked");
      await page.context().close();
    } finally {
      await connectShop(rig);
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
    const { site, daric } = rig;
    const scopes = "charges:read,charges:write,deposits:read,webhooks:read,refunds:read,refunds:write";
    const { key } = await daric.command("key", "create", "--merchant", daric.merchantId, "--scopes", scopes);
    await site.define({ DARIC_API_KEY: key });
    try {
      const { orderId, chargeId } = await purchase(rig);
      await daric.pay(chargeId, "exact");
      await orderWhen(site, orderId, "processing");
      const page = await openAdmin(rig, site);
      await page.goto(`${site.url}/wp-admin/admin.php?page=daric`);
      assert.match(await page.locator(".daric-page").innerText(), /DARIC_API_KEY/);
      assert.ok(!(await page.content()).includes(key), "the page prints the key");
      await page.context().close();
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
