import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { reconnect } from "../connect.ts";
import { orderWhen, readOrder } from "../orders.ts";
import { activatePlugin, buildPluginZip, installPlugin } from "../plugin.ts";
import { purchase } from "../purchases.ts";
import { journey, type Rig } from "../rig.ts";
import { installShop, placeSite, type Site, setPermalinks, setUpShop } from "../wordpress.ts";

const EVENT_MS = 6_000;

/** Turns a WordPress into a network of two sites, and returns the second. */
async function addSecondSite(site: Site): Promise<Site> {
  const domain = new URL(site.url).host;
  await site.define({ WP_INSTALLING_NETWORK: true, WP_ALLOW_MULTISITE: true });
  await site.php(
    `require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    global $wpdb;
    foreach ($wpdb->tables('ms_global') as $table => $name) $wpdb->$table = $name;
    install_network();
    $done = populate_network(1, $args['domain'], 'admin@shop.example', 'Shops', '/', false);
    if (is_wp_error($done) && $done->get_error_code() !== 'no_wildcard_dns') throw new Exception($done->get_error_message());
    return true;`,
    { domain },
  );
  await site.define({
    ...{ WP_INSTALLING_NETWORK: false, MULTISITE: true, SUBDOMAIN_INSTALL: false },
    ...{
      DOMAIN_CURRENT_SITE: domain,
      PATH_CURRENT_SITE: "/",
      SITE_ID_CURRENT_SITE: 1,
      BLOG_ID_CURRENT_SITE: 1,
    },
  });
  const id = await site.php<number>(
    `$id = wpmu_create_blog($args['domain'], '/second/', 'Second shop', 1);
    if (is_wp_error($id)) throw new Exception($id->get_error_message());
    return $id;`,
    { domain },
  );
  const url = `${site.url}/second`;
  // WordPress 6.4 takes the colon of a port out.
  await site.sql("update wp_blogs set domain = ? where blog_id = ?", [domain, id]);
  await site.sql(`update wp_${id}_options set option_value = ? where option_name in ('siteurl', 'home')`, [
    url,
  ]);
  return {
    ...site,
    url,
    prefix: `wp_${id}_`,
    php: (code, args, options) => site.php(code, args, { url, ...options }),
  };
}

export const networks = [
  journey("each site of a network has a connection of its own, and no order of the other", async (rig) => {
    const { folder, databases } = rig;
    const first = await placeSite(folder, { from: rig.source, name: "network", databases });
    try {
      const firstRig: Rig = { ...rig, site: first, facts: await installShop(first) };
      await installPlugin(first, await buildPluginZip(folder));
      const second = await addSecondSite(first);
      const secondRig: Rig = { ...rig, site: second, facts: await setUpShop(second) };
      await activatePlugin(second);
      await setPermalinks(second, "/%postname%/");
      await reconnect(firstRig);
      await reconnect(secondRig);
      const bought = [await purchase(firstRig), await purchase(secondRig)] as const;
      const refs = [
        (await readOrder(first, bought[0].orderId)).attempts[0]?.orderRef,
        (await readOrder(second, bought[1].orderId)).attempts[0]?.orderRef,
      ];
      assert.notEqual(refs[0]?.split("-")[1], refs[1]?.split("-")[1], "both sites have one shop id");
      await rig.daric.pay(bought[1].chargeId, "exact");
      await orderWhen(second, bought[1].orderId, "processing");
      await sleep(EVENT_MS);
      assert.equal((await readOrder(first, bought[0].orderId)).status, "pending");
      await rig.daric.pay(bought[0].chargeId, "exact");
      await orderWhen(first, bought[0].orderId, "processing");
    } finally {
      await first.stop();
    }
  }),
];
