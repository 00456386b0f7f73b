<?php

// The words of the shop's pages.

declare(strict_types=1);

use Daric\DaricException;
use Daric\WooCommerce\Admin\Health;
use Daric\WooCommerce\Admin\HealthCalls;
use Daric\WooCommerce\Admin\Words;
use Daric\WooCommerce\Judgement;
use Daric\WooCommerce\Refusals;

/** @return list<string> the values of Judgement's constants with these names */
function judged(string $pattern): array
{
    $all = (new ReflectionClass(Judgement::class))->getConstants();
    return array_values(array_intersect_key($all, array_flip(preg_grep($pattern, array_keys($all)))));
}

check('every task has its words, and no task has none', static function (): array {
    $words = array_map([Words::class, 'ofTask'], judged('/^TASK_/'));
    return [count($words) > 5, array_filter($words, static function (string $text): bool {
        return $text === '';
    }), count(array_unique($words)) === count($words), Words::ofTask('')];
}, [true, [], true, '']);

check('every state of a charge has words of its own', static function (): array {
    $states = judged('/^(?:OPEN_STATE|SEEN|SHORT|SHORT_ENDED|PAID|OVER|LATE|EXPIRED|CLOSED|PLANNED)$/');
    return [count($states), count(array_unique(array_map([Words::class, 'ofState'], $states)))];
}, [10, 10]);

check('the reconciliation is red after 30 minutes, and says why the last one failed', static function (): array {
    $at = static function (int $seconds, string $fault): array {
        ['level' => $level, 'text' => $text] = Health::reconciliation(10000, 10000 + $seconds, $fault);
        return [$level, $fault === '' || strpos($text, $fault) !== false];
    };
    return [$at(1800, ''), $at(1801, ''), $at(60, 'No route.'), $at(1801, 'No route.'), Health::reconciliation(0, 10000, '')['level']];
}, [['good', true], ['bad', true], ['warning', true], ['bad', true], 'bad']);

check('a schedule that is missing or late is red, and names wp-cron.php', static function (): array {
    $found = [Health::cron(false, 9000, false), Health::cron(7000, 9000, false), Health::cron(7000, 9000, true), Health::cron(8900, 9000, true), Health::cron(true, 9000, false)];
    return [array_column($found, 'level'), strpos($found[1]['text'], 'wp-cron.php') > 0, strpos($found[2]['text'], 'DISABLE_WP_CRON') > 0];
}, [['bad', 'bad', 'bad', 'good', 'good'], true, true]);

check('a webhook that does not arrive has its reason in words', static function (): array {
    $words = [
        HealthCalls::deliveryFault('http_status', 403),
        HealthCalls::deliveryFault('http_status', 404),
        HealthCalls::deliveryFault('http_status', 401),
        HealthCalls::deliveryFault('connect_timeout', 0),
        HealthCalls::deliveryFault('tls_error', 0),
        HealthCalls::deliveryFault('parked_too_long', 0),
    ];
    $named = ['Cloudflare', 'Permalinks', 'secret', 'firewall', 'certificate', 'parked_too_long'];
    return array_map(static function (string $text, string $name): bool {
        return strpos($text, $name) !== false;
    }, $words, $named);
}, array_fill(0, 6, true));

check('what Daric refuses is said in words, and a lost answer is not called a refusal', static function (): array {
    $of = static function (string $code, int $status, bool $isUnknown = false): string {
        return Refusals::ofRefund(new DaricException('Reason.', ['errorCode' => $code, 'operation' => 'POST /', 'status' => $status, 'isOutcomeUnknown' => $isUnknown]));
    };
    return [
        strpos($of('UNAUTHORIZED', 401), 'revoked') > 0,
        strpos($of('WRONG_ENVIRONMENT', 401), 'revoked') > 0,
        strpos($of('PAYMENT_IN_PROGRESS', 409), 'not final') > 0,
        strpos($of('REFUND_EXCEEDS_RECEIVED', 422), 'more than') > 0,
        strpos($of('TIMEOUT', 0, true), 'may exist') > 0,
        $of('REFUND_REF_TAKEN', 409),
    ];
}, [true, false, true, true, true, 'Daric refused: Reason.']);
