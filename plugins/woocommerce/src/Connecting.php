<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

use Daric\Daric;

/** What a code of *Connect a shop* does. */
final class Connecting
{
    private const TIMEOUT_SECONDS = 30.0;
    private const LOCK_SECONDS = 10;

    /**
     * Sends the code and stores the answer; then reads the facts of the merchant, and what happened before. No event is read meanwhile,
     * so that the position among the events is that of the merchant.
     *
     * @param string $baseUrl the address of Daric, `https://pay.example.com`, without a path
     * @return array{connection: Connection, isAgain: bool, fault: \Throwable|null} `isAgain` is whether the shop had a key before; with a
     *   `fault` the shop is connected, and the scheduler reads later what could not be read now
     * @throws \Daric\DaricException a refusal of the service: a used or an old code
     * @throws \InvalidArgumentException an address with a path or without TLS, or a site that was moved or copied; it says so in words
     * @throws Busy the events are read just now; the code is not used up
     */
    public static function run(string $baseUrl, string $code): array
    {
        $address = Site::checkedBaseUrl($baseUrl);
        return Lock::run('events', self::LOCK_SECONDS, static function () use ($address, $code): array {
            return self::locked($address, $code);
        });
    }

    private static function locked(string $address, string $code): array
    {
        $old = Connection::current();
        if ($old->isElsewhere()) {
            throw new \InvalidArgumentException(__('Say first whether this site was moved or copied.', 'daric'));
        }
        $client = new Daric($address, null, WordPressTransport::options(self::TIMEOUT_SECONDS, 0));
        $answer = $client->connectShop(['code' => trim($code), 'webhookUrl' => Connection::webhookUrl(), 'site' => Site::now()]);
        $connection = Connection::store($address, $answer);
        // The code is used up: from here on no failure may leave the shop half connected.
        $fault = self::faultOf([$connection, 'refresh']);
        if ($old->merchantId() !== $answer['merchantId'] || get_option(Connection::CURSOR, '') === '') {
            $fault = self::faultOf(static function () use ($connection): void {
                Reconciliation::begin($connection);
            }) ?? $fault;
        }
        update_option(Connection::FAULT, $fault === null ? '' : $fault->getMessage(), false);
        update_option(Connection::RECONCILED_AT, time(), false);
        Reconciliation::schedule();
        return ['connection' => $connection, 'isAgain' => $old->isConnected(), 'fault' => $fault];
    }

    private static function faultOf(callable $work): ?\Throwable
    {
        try {
            $work();
            return null;
        } catch (\Throwable $fault) {
            Log::warning("The shop is connected, but not all could be read: {$fault->getMessage()}");
            return $fault;
        }
    }
}
