<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

use Daric\Daric;

/**
 * The connection of this site with its Daric: one option, which no page prints.
 *
 * A key in wp-config.php, `define('DARIC_API_KEY', '…')`, wins over the stored one.
 */
final class Connection
{
    /** The facts of the connection, an array; never loaded with each page. */
    public const OPTION = 'daric_connection';
    /** The id of the last event that the reconciliation handled. */
    public const CURSOR = 'daric_events_cursor';
    /** The Unix time of the last whole reconciliation. */
    public const RECONCILED_AT = 'daric_reconciled_at';
    /** The Unix time of the last webhook.test with a right signature. */
    public const TESTED_AT = 'daric_tested_at';
    /** The last failure of a reconciliation, in words; empty after a success. */
    public const FAULT = 'daric_fault';
    /** Why the connection cannot be used now. */
    public const NOT_CONNECTED = 'NOT_CONNECTED';
    public const BAD_KEY = 'BAD_KEY';
    public const MOVED_OR_COPIED = 'MOVED_OR_COPIED';

    /** @var array<string, mixed> */
    private array $facts;

    /** @param array<string, mixed> $facts as the option has them */
    private function __construct(array $facts)
    {
        $this->facts = $facts;
    }

    public static function current(): self
    {
        $facts = get_option(self::OPTION, []);
        return new self(is_array($facts) ? $facts : []);
    }

    /**
     * Sends the code of *Connect a shop*, and stores the key, the secret, the site's address and a new shop id.
     *
     * @param string $baseUrl the address of Daric, `https://pay.example.com`, without a path
     * @throws \Daric\DaricException a refusal of the service: a used or an old code
     * @throws \InvalidArgumentException an address with a path, or without TLS
     */
    public static function connect(string $baseUrl, string $code): self
    {
        throw new \LogicException('soon');
    }

    /** Asks Daric for the merchant, the network and the currencies, and stores them. */
    public function refresh(): void
    {
    }

    /** Forgets key, secret and position. Orders keep their records, and the shop id stays. */
    public function disconnect(): void
    {
    }

    /** The answer *moved*: the site has a new address, and no other site has this shop id. */
    public function confirmMoved(): void
    {
    }

    /** The answer *copied*: this site gets an id of its own, and needs a key of its own. */
    public function confirmCopied(): void
    {
    }

    /** Why nothing can be made, cancelled or refunded: one of the constants; null if all is well. */
    public function obstacle(): ?string
    {
        return $this->baseUrl() === '' ? self::NOT_CONNECTED : null;
    }

    public function isConnected(): bool
    {
        return $this->obstacle() !== self::NOT_CONNECTED;
    }

    public function baseUrl(): string
    {
        return (string) ($this->facts['baseUrl'] ?? '');
    }

    /** `test` or `live`, as the key says; null without a key. */
    public function environment(): ?string
    {
        return null;
    }

    public function isTest(): bool
    {
        return $this->environment() !== 'live';
    }

    /** 10 letters and digits, which every orderRef of this site carries. */
    public function shopId(): string
    {
        return (string) ($this->facts['shopId'] ?? '');
    }

    /** The address of the site when it was connected. */
    public function site(): string
    {
        return (string) ($this->facts['site'] ?? '');
    }

    public function merchantName(): string
    {
        return (string) ($this->facts['merchantName'] ?? '');
    }

    public function network(): string
    {
        return (string) ($this->facts['network'] ?? '');
    }

    /** @return list<string> the fiat currencies that Daric prices, as of the last refresh */
    public function currencies(): array
    {
        return $this->facts['currencies'] ?? [];
    }

    public function endpointId(): string
    {
        return (string) ($this->facts['endpointId'] ?? '');
    }

    /** Whether the key is in wp-config.php. */
    public function isKeyInConfig(): bool
    {
        return defined('DARIC_API_KEY') && DARIC_API_KEY !== '';
    }

    /** @return list<string> the endpoint's secret, and the one before it */
    public function secrets(): array
    {
        return $this->facts['secrets'] ?? [];
    }

    /** Takes a new secret of the endpoint, after a rotation in Daric; the one before it stays valid. */
    public function addSecret(string $secret): void
    {
    }

    /** Where Daric sends its webhooks to. */
    public static function webhookUrl(): string
    {
        return rest_url('daric/v1/webhook');
    }

    /** A page of the dashboard. */
    public function dashboardUrl(string $path = ''): string
    {
        return $this->baseUrl() . '/dashboard' . $path;
    }

    /**
     * The client with this site's key.
     *
     * @param float $timeoutSeconds of each try
     * @throws \LogicException without a usable key
     */
    public function api(float $timeoutSeconds = 15.0, int $maxRetries = 1): Daric
    {
        throw new \LogicException('soon');
    }
}
