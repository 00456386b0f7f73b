<?php

// A receiver of webhooks. A real shop reads its own tables, and writes in one transaction.

declare(strict_types=1);

use Daric\Fulfilment;
use Daric\Webhook;
use Daric\WebhookVerificationException;

/** The order of this reference, with the id of the answer that made it; null if there is none. */
function orderOf(string $orderRef): ?array
{
    $orders = [
        'A-1042' => ['orderRef' => 'A-1042', 'amount' => '25.50', 'currency' => 'USDT', 'depositAddressId' => '01a1c0de-0000-7000-8000-000000001042'],
    ];
    return $orders[$orderRef] ?? null;
}

/** Whether this call is the first to deliver the order: in real life one UPDATE that finds it undelivered. */
function isFirstDelivery(string $orderRef): bool
{
    static $delivered = [];
    $isFirst = !isset($delivered[$orderRef]);
    $delivered[$orderRef] = true;
    return $isFirst;
}

/** @return array{int, string} the status to answer, and a line for the log */
function receive(string $body, array $headers): array
{
    try {
        $event = Webhook::verify($body, $headers, getenv('WEBHOOK_SECRET'));
    } catch (WebhookVerificationException $error) {
        return [400, $error->errorCode];
    }
    $orderRef = $event['data']['orderRef'] ?? '';
    $order = orderOf($orderRef);
    $reason = $order === null ? 'no order has this reference' : Fulfilment::reasonNotToDeliver($event, $order);
    if ($reason === null && !isFirstDelivery($orderRef)) {
        $reason = 'it is delivered already';
    }
    return [204, $reason === null ? "paid $orderRef" : "not delivered $orderRef: $reason"];
}

if (PHP_SAPI !== 'cli') {
    require __DIR__ . '/../vendor/autoload.php';
    [$status, $line] = receive(file_get_contents('php://input'), getallheaders());
    error_log($line);
    http_response_code($status); // any other fault is a 500, and Daric sends the event again
}
