<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\DaricException;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Refusals;

defined('ABSPATH') || exit;

/** What only calls tell: whether Daric answers, whether its webhooks arrive, and whether this server reaches itself. */
final class HealthCalls
{
    private const TIMEOUT_SECONDS = 5.0;

    /** @return list<array{level: string, title: string, text: string}> */
    public static function findings(Connection $connection): array
    {
        $title = __('Daric', 'daric');
        try {
            $api = $connection->api(self::TIMEOUT_SECONDS, 0);
            $api->retrieveAccount();
            $findings = [Health::finding(Health::GOOD, $title, __('It answers, and knows the key.', 'daric')), self::deliveries($connection)];
        } catch (DaricException $fault) {
            $findings = [Health::finding(Health::BAD, $title, Refusals::ofCall($fault))];
        }
        $findings[] = self::ownAddress(wp_remote_post(Connection::webhookUrl(), [
            'timeout' => self::TIMEOUT_SECONDS,
            'redirection' => 0,
            'headers' => ['content-type' => 'application/json'],
            'body' => '{}',
        ]));
        return $findings;
    }

    private static function deliveries(Connection $connection): array
    {
        $title = __('Messages from Daric', 'daric');
        $api = $connection->api(self::TIMEOUT_SECONDS, 0);
        try {
            $endpoint = $connection->endpointId() === '' ? null : $api->retrieveWebhookEndpoint($connection->endpointId());
        } catch (DaricException $fault) {
            if ($fault->status !== 404) {
                throw $fault;
            }
            $endpoint = null;
        }
        if ($endpoint === null) {
            return Health::finding(Health::BAD, $title, __('Daric has no address of this shop any more to send them to. Connect again with a new code.', 'daric'));
        }
        if ($endpoint['url'] !== Connection::webhookUrl()) {
            return Health::finding(Health::BAD, $title, sprintf(
                /* translators: %s: a web address */
                __('Daric sends them to %s, and the address of this shop is another one now. Connect again with a new code.', 'daric'),
                $endpoint['url']
            ));
        }
        if ($endpoint['status'] !== 'active') {
            return Health::finding(Health::BAD, $title, __('Daric does not send them, because they are switched off in its dashboard, under Webhooks.', 'daric'));
        }
        $health = $api->retrieveWebhookEndpointHealth($endpoint['id']);
        if ($health['failing_since'] === null && !$health['is_suspended']) {
            return Health::finding(Health::GOOD, $title, __('They arrive.', 'daric'));
        }
        $newest = $api->listWebhookDeliveries(['endpointId' => $endpoint['id'], 'limit' => 1])['data'][0] ?? [];
        $reason = self::deliveryFault((string) ($newest['last_error'] ?? ''), (int) ($newest['last_status_code'] ?? 0));
        return Health::finding(Health::BAD, $title, __('They do not arrive.', 'daric') . " $reason");
    }

    /** Why a webhook does not arrive, by what Daric saw. */
    public static function deliveryFault(string $error, int $status): string
    {
        switch ($error) {
            case 'dns_error':
                return __('Daric does not find the name of this shop’s address.', 'daric');
            case 'blocked_address':
                return __('The address of this shop is inside a private network, where Daric does not send.', 'daric');
            case 'tls_error':
                return __('The certificate of this shop is not valid.', 'daric');
            case 'connect_refused':
            case 'connect_timeout':
            case 'connect_error':
            case 'reset':
            case 'timeout':
                return __('This shop does not answer Daric: a firewall of your host may stop it.', 'daric');
            case 'http_status':
                return self::statusFault($status);
        }
        /* translators: %s: a code */
        return $error === '' ? '' : sprintf(__('Reason: %s.', 'daric'), $error);
    }

    private static function statusFault(int $status): string
    {
        if ($status === 401) {
            return __('This shop does not know the secret of the messages. If it was renewed in Daric, give the new one below; else connect again.', 'daric');
        }
        if ($status === 403 || $status === 429) {
            return __('A firewall, a security plugin or Cloudflare’s bot mode turns Daric away. Let requests to /wp-json/daric/ through.', 'daric');
        }
        if ($status === 404) {
            return __('The address is not there: the setting Permalinks was changed, or a plugin switched WordPress’s REST interface off.', 'daric');
        }
        /* translators: %d: a status of HTTP */
        return sprintf(__('This shop answers with the status %d. Look into WooCommerce → Status → Logs.', 'daric'), $status);
    }

    /**
     * Whether this server reaches its own webhook address, as cron needs it too.
     *
     * @param array|\WP_Error $answer
     */
    public static function ownAddress($answer): array
    {
        $title = __('Own address', 'daric');
        if (is_wp_error($answer)) {
            return Health::finding(Health::WARNING, $title, sprintf(
                /* translators: %s: a reason in English */
                __('This server does not reach itself (%s). WordPress’s scheduler needs that; messages from Daric may arrive all the same.', 'daric'),
                $answer->get_error_message()
            ));
        }
        $status = (int) wp_remote_retrieve_response_code($answer);
        $body = json_decode(wp_remote_retrieve_body($answer), true);
        if (is_array($body) && isset($body['result'])) {
            return Health::finding(Health::GOOD, $title, __('The address for messages answers.', 'daric'));
        }
        if ($status >= 300 && $status < 400) {
            return Health::finding(Health::BAD, $title, __('The address for messages leads on to another one, where Daric does not follow. Set the address of the site under Settings → General to that other one, and connect again.', 'daric'));
        }
        $isCloudflare = (string) wp_remote_retrieve_header($answer, 'cf-mitigated') !== ''
            || ($status >= 400 && stripos((string) wp_remote_retrieve_header($answer, 'server'), 'cloudflare') !== false);
        if ($isCloudflare) {
            return Health::finding(Health::BAD, $title, __('Cloudflare turns requests to the address for messages away. Its bot mode (Bot Fight Mode) must let /wp-json/daric/ through.', 'daric'));
        }
        return Health::finding(Health::BAD, $title, self::statusFault($status));
    }
}
