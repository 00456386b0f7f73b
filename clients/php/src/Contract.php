<?php

// Written from clients/typescript/openapi.json by `npm run generate`.

declare(strict_types=1);

namespace Daric;

/** The facts of the contract that the client decides by. */
final class Contract
{
    /** @var array<string, array{isKeyless: bool, isRepeatable: bool, timeoutSeconds: int|null, required: list<string>}> */
    public const OPERATIONS = [
        'POST /v1/deposit-addresses/{id}/accept' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/deposit-addresses/{id}/archive' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/deposit-addresses/{id}/refunds' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => ['refundRef']],
        'POST /v1/refunds/{id}/ask-again' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/deposit-addresses/{id}/rest' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/refunds/{id}/cancel' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/refund-claims/{token}' => ['isKeyless' => true, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => ['address']],
        'POST /v1/shop-connections' => ['isKeyless' => true, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => ['code', 'site', 'webhookUrl']],
        'POST /v1/deposit-addresses' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/links/{token}/orders' => ['isKeyless' => true, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/payment-links' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => ['title']],
        'POST /v1/webhooks/endpoints' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => ['url']],
        'DELETE /v1/webhooks/endpoints/{id}' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/deposit-addresses/{id}/receipt' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => 120, 'required' => []],
        'GET /v1/statements' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => 120, 'required' => []],
        'GET /v1/exports/fees' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => 120, 'required' => []],
        'GET /v1/exports/journal' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => 120, 'required' => []],
        'GET /v1/exports/payments' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => 120, 'required' => []],
        'GET /v1/exports/refunds' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => 120, 'required' => []],
        'GET /v1/exports/settlements' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => 120, 'required' => []],
        'POST /v1/deposit-addresses/{id}/extend' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => ['seconds']],
        'GET /v1/balances' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/currencies' => ['isKeyless' => true, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/deposit-addresses' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/deposits' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/events' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/payment-links' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/refunds' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/settlement-accounts' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/settlements' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/webhooks/deliveries' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/webhooks/endpoints' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/checkout/{token}/lookup' => ['isKeyless' => true, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => ['txHash']],
        'GET /v1/lookup' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/webhooks/endpoints/{id}/recover' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => 120, 'required' => ['from']],
        'POST /v1/checkout/{token}/requote' => ['isKeyless' => true, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/webhooks/deliveries/resend' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => 120, 'required' => []],
        'POST /v1/webhooks/deliveries/{id}/resend' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/account' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/checkout/{token}' => ['isKeyless' => true, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/deposits/{id}' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/deposit-addresses/{id}' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/events/{id}' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/payment-links/{id}' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/refunds/{id}' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/refund-claims/{token}' => ['isKeyless' => true, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/settlements/{id}' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/webhooks/deliveries/{id}' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/webhooks/endpoints/{id}' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'GET /v1/webhooks/endpoints/{id}/health' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/webhooks/endpoints/{id}/rotate-secret' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/webhooks/endpoints/{id}/test' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => []],
        'POST /v1/checkout/{token}/simulate' => ['isKeyless' => true, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => ['case']],
        'POST /v1/test/deposit-addresses/{id}/simulate' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => ['case']],
        'POST /v1/test/refunds/{id}/simulate' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => ['case']],
        'PATCH /v1/payment-links/{id}' => ['isKeyless' => false, 'isRepeatable' => false, 'timeoutSeconds' => null, 'required' => []],
        'PATCH /v1/webhooks/endpoints/{id}' => ['isKeyless' => false, 'isRepeatable' => true, 'timeoutSeconds' => null, 'required' => []],
    ];

    /** The names of the events. */
    public const EVENTS = [
        'deposit.confirmed',
        'deposit.confirming',
        'deposit.detected',
        'deposit.failed',
        'deposit.reorged',
        'deposit.stuck',
        'deposit.unmatched',
        'order.accepted',
        'order.expired',
        'order.overpaid',
        'order.paid',
        'order.paid_late',
        'order.underpaid',
        'refund.canceled',
        'refund.completed',
        'refund.ready',
        'refund.requested',
        'settlement.completed',
        'settlement.failed',
        'webhook.test',
    ];
}
