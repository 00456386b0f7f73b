<?php

// A shop's day against a real service on a devnet, at DARIC_URL with the key DARIC_KEY and a receiver at DARIC_RECEIVER.

declare(strict_types=1);

use Daric\Daric;
use Daric\DaricException;
use Daric\Fulfilment;

if (getenv('DARIC_URL') === false) {
    skip('a real service, without DARIC_URL');
    return;
}
require __DIR__ . '/../recipes/create-order.php';
$shop = new Daric(getenv('DARIC_URL'), getenv('DARIC_KEY'));

function awaitTrue(callable $condition): void
{
    $end = microtime(true) + 30;
    while (!$condition()) {
        if (microtime(true) > $end) {
            throw new RuntimeException('waited 30 s in vain');
        }
        usleep(100000);
    }
}

check('an order is made once, paid and proved, and its money promised back once', static function () use ($shop): array {
    $made = $shop->createOrderOnce(['orderRef' => 'php-1', 'amount' => '25.50']);
    $isSamePage = checkoutUrlOf($shop, 'php-1', '25.5') === $made['order']['checkout_url'];
    $again = $shop->createOrderOnce(['orderRef' => 'php-1', 'amount' => '25.5']);
    $id = $made['order']['id'];
    $conflict = refusal(static function () use ($shop): void {
        $shop->createOrderOnce(['orderRef' => 'php-1', 'amount' => '26']);
    });
    $state = $shop->retrieveCheckout($made['order']['checkout_token'])['state'];
    $shop->simulatePayment($id, ['case' => 'exact']);
    $order = ['orderRef' => 'php-1', 'amount' => '25.50', 'currency' => 'USDT', 'depositAddressId' => $id];
    foreach ($shop->followEvents(null, ['types' => ['deposit.confirmed'], 'pollSeconds' => 0.1]) as $event) {
        if (Fulfilment::reasonNotToDeliver($event, $order) === null) {
            break;
        }
    }
    $row = $shop->retrieveDepositAddress($id);
    $amounts = array_column(iterator_to_array($shop->allDeposits(['orderRef' => 'php-1']), false), 'amount');
    $ask = ['refundRef' => 'R-php-1', 'amount' => '4.5', 'reason' => 'One came broken'];
    $refunds = [$shop->askForRefund($id, $ask)['id'], $shop->askForRefund($id, $ask)['id']];
    $canceled = $shop->cancelRefund($refunds[0])['status'];
    return [$made['isNew'], $isSamePage, $again['isNew'], $again['order']['id'] === $id, $conflict, $state, $row['payment_status'], $row['amount_received'], $amounts, count(array_unique($refunds)), $canceled];
}, [true, true, false, true, 'ORDER_REF_CONFLICT', 'awaiting', 'paid', '25.5', ['25.5'], 1, 'CANCELED']);

check('a short order asks for its rest, and another is accepted', static function () use ($shop): array {
    $ids = [];
    foreach ([0, 1] as $n) {
        $ids[$n] = $shop->createDepositAddress(['amount' => '10', 'orderRef' => "php-short-$n"])['id'];
        $shop->simulatePayment($ids[$n], ['case' => 'under']);
    }
    foreach ($ids as $id) {
        awaitTrue(static function () use ($shop, $id): bool {
            return $shop->retrieveDepositAddress($id)['amount_received'] === '5';
        });
    }
    $rest = $shop->askForRest($ids[0]);
    return [$rest['rest_of'] === $ids[0], $rest['expected_amount'], $shop->acceptDepositAddress($ids[1], ['reason' => 'small'])['payment_status']];
}, [true, '5', 'paid']);

check('lists, endpoints and refusals', static function () use ($shop): array {
    for ($n = 0; $n < 5; $n++) {
        $shop->createDepositAddress(['amount' => '1', 'orderRef' => 'php-many']);
    }
    $rows = iterator_to_array($shop->allDepositAddresses(['orderRef' => 'php-many', 'limit' => 2]), false);
    $archived = $shop->archiveDepositAddress($rows[0]['id'])['status'];
    $endpoint = $shop->createWebhookEndpoint(['url' => getenv('DARIC_RECEIVER')]);
    $isOk = $shop->sendTestEvent($endpoint['id'])['ok'];
    $isDeleted = $shop->deleteWebhookEndpoint($endpoint['id'])['deleted'];
    try {
        $shop->createDepositAddress(['amount' => '1', 'successUrl' => 'shop.example'], ['correlationId' => 'mine-1']);
    } catch (DaricException $error) {
        $refused = [$error->errorCode, $error->details[0]['path'], $error->correlationId];
    }
    $file = $shop->exportPayments(['format' => 'csv', 'bom' => '0', 'from' => new DateTimeImmutable('-1 day')]);
    $isFile = strpos($file['content'], 'php-many') !== false && substr((string) $file['name'], -4) === '.csv';
    $isAllowed = in_array('refunds:write', $shop->retrieveAccount()['scopes'], true);
    return [$isFile, $isAllowed, count(array_unique(array_column($rows, 'id'))), $archived, $isOk, $isDeleted, $refused ?? null];
}, [true, true, 5, 'ARCHIVED', true, true, ['VALIDATION_ERROR', 'successUrl', 'mine-1']]);
