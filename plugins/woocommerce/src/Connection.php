<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

use Daric\Daric;

/** The connection of this site with its Daric: one option, which no page prints. A key in wp-config.php wins over the stored one. */
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

    private const REFRESH_SECONDS = 600;
    /** Daric signs with the secret before for at most seven days after a rotation. */
    private const OVERLAP_SECONDS = 604800;

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
     * Stores what Daric answered to a code. A site that was connected before keeps its shop id, which its orders carry.
     *
     * @param array{apiKey: string, webhookSecret: string, endpointId: string, merchantId: string} $answer
     */
    public static function store(string $baseUrl, array $answer): self
    {
        $old = self::current();
        $connection = new self([
            'baseUrl' => $baseUrl,
            'apiKey' => $answer['apiKey'],
            'secrets' => [$answer['webhookSecret']],
            'endpointId' => $answer['endpointId'],
            'merchantId' => $answer['merchantId'],
            'site' => Site::hidden(Site::now()),
            'shopId' => $old->shopId() === '' ? self::newShopId() : $old->shopId(),
            'refusedKey' => $old->refusedKey(),
        ]);
        $connection->save();
        return $connection;
    }

    /**
     * Asks Daric for the merchant, the network and the currencies, and stores them.
     *
     * @throws \Daric\DaricException
     */
    public function refresh(): void
    {
        $api = $this->api();
        $account = $api->retrieveAccount();
        $currencies = [];
        foreach ($api->listCurrencies() as $currency) {
            if ($currency['sources'] !== [] && $currency['available'] !== false) {
                $currencies[] = $currency['code'];
            }
        }
        $this->merge([
            'merchantId' => $account['merchantId'],
            'merchantName' => $account['name'],
            'network' => $account['network'],
            'currencies' => $currencies,
            'refreshedAt' => time(),
        ]);
    }

    /**
     * Refreshes the facts if they are older than ten minutes: some currencies rest at weekends.
     *
     * @throws \Daric\DaricException
     */
    public function refreshIfOld(): void
    {
        if (time() - (int) ($this->facts['refreshedAt'] ?? 0) > self::REFRESH_SECONDS) {
            $this->refresh();
        }
    }

    /** Forgets key and secrets. The rest stays: a later connection finds what was paid in between, and a copy is still known as one. */
    public function disconnect(): void
    {
        $this->facts = array_intersect_key($this->facts, array_flip(['shopId', 'merchantId', 'site', 'refusedKey']));
        $this->save();
        delete_option(self::TESTED_AT);
        delete_option(self::RECONCILED_AT);
        delete_option(self::FAULT);
    }

    /** The answer *moved*: the site has a new address, and no other site has this shop id. */
    public function confirmMoved(): void
    {
        $this->facts['site'] = Site::hidden(Site::now());
        $this->save();
    }

    /** The answer *copied*: this site gets an id of its own, and needs a key of its own. A key in wp-config.php is refused until it is another one. */
    public function confirmCopied(): void
    {
        $refusedKey = $this->isKeyInConfig() ? hash('sha256', DARIC_API_KEY) : $this->refusedKey();
        $this->disconnect();
        $this->facts = ['shopId' => self::newShopId(), 'refusedKey' => $refusedKey];
        $this->save();
        delete_option(self::CURSOR);
    }

    /** Why nothing can be made, cancelled or refunded: one of the constants; null if all is well. */
    public function obstacle(): ?string
    {
        if ($this->baseUrl() === '' || $this->shopId() === '') {
            return self::NOT_CONNECTED;
        }
        if ($this->environment() === null) {
            return self::BAD_KEY;
        }
        return $this->isElsewhere() ? self::MOVED_OR_COPIED : null;
    }

    /** Whether the site has another address than when it was connected, so that a person must say whether it was moved or copied. */
    public function isElsewhere(): bool
    {
        return ($this->isConnected() || $this->site() !== '') && !Site::isSame($this->site(), Site::now());
    }

    public function isConnected(): bool
    {
        return $this->baseUrl() !== '';
    }

    public function baseUrl(): string
    {
        return (string) ($this->facts['baseUrl'] ?? '');
    }

    /** `test` or `live`, as the key says; null without a usable key. */
    public function environment(): ?string
    {
        return preg_match('/^daric_(test|live)_sk_[0-9A-Za-z]+_[0-9A-Za-z]+$/D', $this->apiKey(), $parts) === 1 ? $parts[1] : null;
    }

    public function isTest(): bool
    {
        return $this->environment() === 'test';
    }

    /** 10 letters and digits, which every orderRef of this site carries. */
    public function shopId(): string
    {
        return (string) ($this->facts['shopId'] ?? '');
    }

    /** The address of the site when it was connected. */
    public function site(): string
    {
        return Site::shown((string) ($this->facts['site'] ?? ''));
    }

    public function merchantId(): string
    {
        return (string) ($this->facts['merchantId'] ?? '');
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

    /** Whether an order in this currency can be paid. */
    public function prices(string $currency): bool
    {
        return in_array($currency, Total::COINS, true) || in_array($currency, $this->currencies(), true);
    }

    public function endpointId(): string
    {
        return (string) ($this->facts['endpointId'] ?? '');
    }

    /** Whether the key of wp-config.php counts: it is there, and is not that of the site which this one is a copy of. */
    public function isKeyInConfig(): bool
    {
        return defined('DARIC_API_KEY') && is_string(DARIC_API_KEY) && DARIC_API_KEY !== ''
            && hash('sha256', DARIC_API_KEY) !== $this->refusedKey();
    }

    /** @return list<string> the endpoint's secret, and the one before it as long as Daric may sign with it */
    public function secrets(): array
    {
        $isOverlap = time() - (int) ($this->facts['secretAt'] ?? 0) <= self::OVERLAP_SECONDS;
        return array_slice($this->facts['secrets'] ?? [], 0, $isOverlap ? 2 : 1);
    }

    /**
     * Takes a new secret of the endpoint, after a rotation in Daric; the one before it stays valid for seven days.
     *
     * @throws \InvalidArgumentException
     */
    public function addSecret(string $secret): void
    {
        if (preg_match('/^whsec_[0-9a-f]{64}$/D', $secret) !== 1) {
            throw new \InvalidArgumentException(__('A secret is whsec_ and 64 characters.', 'daric'));
        }
        $this->facts['secrets'] = array_slice(array_values(array_unique(array_merge([$secret], $this->secrets()))), 0, 2);
        $this->facts['secretAt'] = time();
        $this->save();
    }

    /** Where Daric sends its webhooks to. */
    public static function webhookUrl(): string
    {
        return rest_url(WebhookRoute::SPACE . WebhookRoute::PATH);
    }

    public function dashboardUrl(string $path = ''): string
    {
        return $this->baseUrl() . '/dashboard' . $path;
    }

    /** @throws \InvalidArgumentException without a usable key */
    public function api(float $timeoutSeconds = 15.0, int $maxRetries = 1): Daric
    {
        return new Daric($this->baseUrl(), $this->apiKey(), WordPressTransport::options($timeoutSeconds, $maxRetries));
    }

    private function apiKey(): string
    {
        return $this->isKeyInConfig() ? DARIC_API_KEY : (string) ($this->facts['apiKey'] ?? '');
    }

    /** The hash of a key in wp-config.php that this copy must not use; empty for none. */
    private function refusedKey(): string
    {
        return (string) ($this->facts['refusedKey'] ?? '');
    }

    /** Adds facts of this connection to the stored ones. A person may have connected, disconnected or answered since they were asked for: then they are of no use. */
    private function merge(array $news): void
    {
        wp_cache_delete(self::OPTION, 'options');
        $stored = self::current()->facts;
        foreach (['baseUrl', 'apiKey', 'shopId', 'site'] as $name) {
            if (($stored[$name] ?? '') !== ($this->facts[$name] ?? '')) {
                return;
            }
        }
        $this->facts = array_merge($stored, $news);
        $this->save();
    }

    private function save(): void
    {
        update_option(self::OPTION, $this->facts, false);
    }

    private static function newShopId(): string
    {
        return strtolower(wp_generate_password(10, false));
    }
}
