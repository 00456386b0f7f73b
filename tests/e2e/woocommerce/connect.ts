import type { Rig } from "./rig.ts";

const SCOPES = "charges:read,charges:write,deposits:read,webhooks:read,refunds:read,refunds:write";

/** Connects the shop. */
export async function connectShop({ site, daric }: Rig): Promise<void> {
  const { key } = await daric.command("key", "create", "--merchant", daric.merchantId, "--scopes", SCOPES);
  const url = await site.php<string>("return \\Daric\\WooCommerce\\Connection::webhookUrl();");
  const { id, secret } = await daric.call("POST", "/v1/webhooks/endpoints", {
    url,
    eventTypes: ["deposit.detected","deposit.confirming","deposit.reorged","deposit.failed","deposit.confirmed","deposit.unmatched","order.paid","order.overpaid","order.paid_late","order.underpaid","order.expired","order.accepted","refund.ready","refund.completed","refund.canceled"],
  });
  await site.php(
    `update_option('daric_connection', ['baseUrl' => $args['base'], 'apiKey' => $args['key'], 'secrets' => [$args['secret']], 'endpointId' => $args['id'],
     'merchantId' => $args['merchant'], 'site' => get_option('home'), 'shopId' => 'abcdefghij'], false);
     $c = \\Daric\\WooCommerce\\Connection::current(); $c->refresh();
     update_option('woocommerce_daric_settings', ['enabled' => 'yes']); return $c->currencies();`,
    { base: daric.baseUrl, key, secret, id, merchant: daric.merchantId },
  );
}
