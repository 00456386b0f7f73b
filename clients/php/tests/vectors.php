<?php

// The table of vectors that every client obeys.

declare(strict_types=1);

use Daric\Api;
use Daric\DaricException;
use Daric\Decimal;
use Daric\Fulfilment;
use Daric\RetryPolicy;
use Daric\Settings;
use Daric\Webhook;
use Daric\WebhookVerificationException;

/** Objects without fields are no lists. */
function vectorsOf(string $name): array
{
    return json_decode(file_get_contents(__DIR__ . "/../../typescript/vectors/$name"), true, 512, JSON_THROW_ON_ERROR);
}

function outcomeOf(array $vector, string $baseUrl): array
{
    $settings = new Settings($baseUrl, 'daric_test_sk_0123456789abcdef_secret', ['maxRetries' => $vector['maxRetries'] ?? 1]);
    $parts = array_intersect_key($vector, ['path' => 1, 'query' => 1, 'body' => 1]);
    $options = isset($vector['timeoutMs']) ? ['timeoutSeconds' => $vector['timeoutMs'] / 1000] : [];
    try {
        return ['data' => (new Api($settings))->send($vector['operation'], $parts, $options)['data']];
    } catch (DaricException $error) {
        return ['error' => [
            'code' => $error->errorCode,
            'status' => $error->status,
            'isOutcomeUnknown' => $error->isOutcomeUnknown,
            'correlationId' => $error->correlationId,
            'retryAfter' => $error->retryAfter,
            'details' => $error->details,
            'docPath' => $error->docUrl === null ? null : str_replace($settings->origin(), '', $error->docUrl),
        ]];
    }
}

$calls = vectorsOf('calls.json');
$service = getenv('DARIC_VECTORS_URL');
foreach ($service === false ? [] : $calls['exchanges'] as $index => $vector) {
    $isRefused = ($vector['answers'][0]['fault'] ?? '') === 'refuse';
    $expected = isset($vector['expected']['error'])
        ? ['error' => $vector['expected']['error']]
        : ['data' => $vector['expected']['data']];
    check("exchange: {$vector['name']}", static function () use ($vector, $isRefused, $service, $index): array {
        return outcomeOf($vector, $isRefused ? 'http://127.0.0.1:2' : "$service/php/$index");
    }, $expected);
}
if ($service === false) {
    skip('the exchanges, without DARIC_VECTORS_URL');
}
foreach ($calls['repeatable'] as $vector) {
    check("repeatable: {$vector['operation']}", static function () use ($vector): bool {
        return RetryPolicy::isRepeatable($vector['operation'], $vector['body']);
    }, $vector['expected']);
}
foreach ($calls['waits'] as $index => $vector) {
    check("wait $index after {$vector['code']}", static function () use ($vector): ?float {
        $failure = new DaricException('', ['errorCode' => $vector['code'], 'operation' => ''] + $vector);
        return RetryPolicy::waitMs($failure, $vector['tries'], $vector['mayRepeat'], (float) $vector['random']);
    }, $vector['waitMs'] === null ? null : (float) $vector['waitMs']);
}
foreach ($calls['decimals'] as $vector) {
    check("decimal {$vector['text']}", static function () use ($vector): ?string {
        return Decimal::canonical($vector['text']);
    }, $vector['canonical']);
}
foreach ($calls['fulfilment'] as $vector) {
    check("fulfilment: {$vector['name']}", static function () use ($vector): ?string {
        return Fulfilment::reasonNotToDeliver($vector['event'], $vector['order']);
    }, $vector['reason']);
}
foreach (vectorsOf('webhooks.json')['vectors'] as $vector) {
    check("webhook: {$vector['name']}", static function () use ($vector): string {
        $options = ['now' => $vector['now'], 'toleranceSeconds' => $vector['toleranceSeconds'] ?? INF];
        try {
            Webhook::verify($vector['body'], $vector['headers'], $vector['secrets'], $options);
            return 'valid';
        } catch (WebhookVerificationException $error) {
            return $error->errorCode;
        }
    }, $vector['expected']);
}
