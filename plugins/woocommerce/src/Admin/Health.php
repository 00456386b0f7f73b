<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Reconciliation;

defined('ABSPATH') || exit;

/** How the connection stands, in words: what is good, what to look at, and what is wrong. */
final class Health
{
    public const GOOD = 'good';
    public const WARNING = 'warning';
    public const BAD = 'bad';

    public const LATE_SECONDS = 1800;

    /** @return list<array{level: string, title: string, text: string}> */
    public static function findings(Connection $connection): array
    {
        $now = time();
        $findings = $connection->obstacle() === null ? HealthCalls::findings($connection) : [];
        $findings[] = self::testEvent((int) get_option(Connection::TESTED_AT, 0), $now);
        $findings[] = self::reconciliation((int) get_option(Connection::RECONCILED_AT, 0), $now, (string) get_option(Connection::FAULT, ''));
        $findings[] = self::cron(
            as_next_scheduled_action(Reconciliation::ACTION, [], 'daric'),
            $now,
            defined('DISABLE_WP_CRON') && DISABLE_WP_CRON
        );
        $findings[] = self::permalinks((string) get_option('permalink_structure'));
        return $findings;
    }

    /** @return array{level: string, title: string, text: string} */
    public static function finding(string $level, string $title, string $text): array
    {
        return ['level' => $level, 'title' => $title, 'text' => $text];
    }

    public static function isReconciliationLate(int $at, int $now): bool
    {
        return $now - $at > self::LATE_SECONDS;
    }

    /** @param int $at a Unix time; 0 for never */
    public static function testEvent(int $at, int $now): array
    {
        $title = __('Test event', 'daric');
        return $at === 0
            ? self::finding(self::WARNING, $title, __('None came yet. Daric sends one a few seconds after connecting, and again by the button Send a test event in its dashboard, under Webhooks. Payments are found without messages too, a few minutes later.', 'daric'))
            /* translators: %s: a time span, "2 hours" */
            : self::finding(self::GOOD, $title, sprintf(__('It came %s ago.', 'daric'), human_time_diff($at, $now)));
    }

    /** @param string $fault the failure of the last one in words; empty after a success */
    public static function reconciliation(int $at, int $now, string $fault): array
    {
        $title = __('Reading missed payments', 'daric');
        $ran = $at === 0
            ? __('It has never run.', 'daric')
            /* translators: %s: a time span, "2 hours" */
            : sprintf(__('It ran %s ago.', 'daric'), human_time_diff($at, $now));
        if (!self::isReconciliationLate($at, $now)) {
            return self::finding($fault === '' ? self::GOOD : self::WARNING, $title, trim("$ran $fault"));
        }
        $help = __('Every five minutes the shop asks Daric for the payments that no message told of. Without it payments may be missing.', 'daric');
        return self::finding(self::BAD, $title, trim("$ran $help $fault"));
    }

    /** @param int|bool $next when the scheduler runs the reconciliation: a Unix time, true for now, false for never */
    public static function cron($next, int $now, bool $isOff): array
    {
        $title = __('Scheduler', 'daric');
        if ($next === false) {
            return self::finding(self::BAD, $title, __('The reading of missed payments is not scheduled. Open this page again; if it stays so, look at WooCommerce → Status → Scheduled Actions.', 'daric'));
        }
        $isLate = is_int($next) && $now - $next > self::LATE_SECONDS;
        if ($isLate && $isOff) {
            return self::finding(self::BAD, $title, __('WordPress’s own scheduler is off (DISABLE_WP_CRON), and no other one runs. Let your host call wp-cron.php every five minutes.', 'daric'));
        }
        if ($isLate) {
            return self::finding(self::BAD, $title, __('WordPress’s scheduler does not run. It needs visits of the shop, or your host calls wp-cron.php every five minutes. A page with a password before the shop stops it too.', 'daric'));
        }
        return $isOff
            ? self::finding(self::GOOD, $title, __('It runs by your host (DISABLE_WP_CRON).', 'daric'))
            : self::finding(self::GOOD, $title, __('It runs.', 'daric'));
    }

    public static function permalinks(string $structure): array
    {
        $title = __('Readable addresses', 'daric');
        return $structure === ''
            ? self::finding(self::WARNING, $title, __('They are off (Settings → Permalinks), so messages come to an address with ?rest_route. That works. If you switch them on, connect again.', 'daric'))
            : self::finding(self::GOOD, $title, __('They are on.', 'daric'));
    }
}
