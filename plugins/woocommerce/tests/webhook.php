<?php

// The answer to a webhook.

declare(strict_types=1);

use Daric\Testing\SignedEvent;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\WebhookRoute;

require_once __DIR__ . '/stubs/shop.php';

if (!class_exists('WP_REST_Request')) {
    final class WP_REST_Request
    {
        private SignedEvent $event;

        public function __construct(SignedEvent $event)
        {
            $this->event = $event;
        }

        public function get_body(): string
        {
            return $this->event->body;
        }

        public function get_headers(): array
        {
            return $this->event->headers;
        }
    }

    final class WP_REST_Response
    {
        public array $answer;

        public function __construct(array $data, int $status)
        {
            $this->answer = [$status, $data['result']];
        }
    }
}

check('a fault of another plugin is answered by 500 and logged, so that the event comes again', static function (): array {
    $secret = 'whsec_' . str_repeat('a', 64);
    $order = TestCharges::shop([]);
    TestSite::$options[Connection::OPTION] = ['secrets' => [$secret], 'apiKey' => 'daric_live_sk_a_b'] + TestSite::$options[Connection::OPTION];
    $order->onRead = static function (): void {
        throw new TypeError('A hook of another plugin.');
    };
    $event = new SignedEvent('order.paid', $secret, ['orderRef' => '40 (wc-a1b2c3d4e5-40-1)', 'depositAddressId' => 'c1']);
    return [WebhookRoute::answer(new WP_REST_Request($event))->answer, strpos(end(TestSite::$warnings), 'A hook of another plugin.') > 0];
}, [[500, 'FAILED'], true]);
