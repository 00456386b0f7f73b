<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

use Daric\DaricException;

/** Reads the events that no webhook brought, from the stored position on. */
final class Reconciliation
{
    public const ACTION = 'daric_reconcile';
    public const EVERY_SECONDS = 300;

    /** The Unix time of the last try by a page. */
    private const TRIED_AT = 'daric_tried_at';
    /** The Unix time until which pages do not ask Daric, because it did not answer. */
    private const AWAY_UNTIL = 'daric_away_until';
    /** The position behind which an event fails, and how often it did: `{ cursor, tries }`. */
    private const FAILURES = 'daric_failures';

    private const PAGE_ROWS = 100;
    private const MAX_SECONDS = 20;
    private const VISIT_SECONDS = 60;
    private const TIMEOUT_SECONDS = 10.0;
    private const VISIT_TIMEOUT_SECONDS = 4.0;
    /** A page that shows an order waits no longer for the orders of others. */
    private const VISIT_WORK_SECONDS = 3.0;
    private const MAX_TRIES = 10;

    /** All that is new, for the scheduler. */
    public static function run(): void
    {
        self::read(false);
    }

    /** One page, at most once a minute: for pages that show an order. */
    public static function onVisit(): void
    {
        $last = max((int) get_option(Connection::RECONCILED_AT, 0), (int) get_option(self::TRIED_AT, 0));
        if (time() - $last > self::VISIT_SECONDS) {
            update_option(self::TRIED_AT, time(), false);
            self::read(true);
        }
    }

    /** Notes a Daric that does not answer, so that for a minute no page waits for it. */
    public static function noteFault(\Throwable $fault): void
    {
        if (self::isUnanswered($fault)) {
            update_option(self::AWAY_UNTIL, time() + self::VISIT_SECONDS, false);
        }
    }

    /** Whether Daric did not answer a moment ago, so that no page must wait for it again. */
    public static function isDaricAway(): bool
    {
        return time() < (int) get_option(self::AWAY_UNTIL, 0);
    }

    /**
     * Begins behind the newest event. What happened before is read from what Daric lists. The caller holds the lock of the events.
     *
     * @throws DaricException
     */
    public static function begin(Connection $connection): void
    {
        $page = $connection->api(self::TIMEOUT_SECONDS)->listEvents(['after' => 'newest', 'limit' => 1]);
        update_option(self::AWAY_UNTIL, 0, false); // it answered just now
        (new Backlog($connection, time() + self::MAX_SECONDS))->read();
        update_option(Connection::CURSOR, (string) ($page['meta']['next'] ?? ''), false);
    }

    /** Keeps the scheduler at it, also after the plugin was off. */
    public static function schedule(): void
    {
        $isWanted = Connection::current()->isConnected();
        if ($isWanted && !as_has_scheduled_action(self::ACTION, [], 'daric')) {
            as_schedule_recurring_action(time() + self::EVERY_SECONDS, self::EVERY_SECONDS, self::ACTION, [], 'daric', true);
        }
        if (!$isWanted) {
            self::unschedule();
        }
    }

    public static function unschedule(): void
    {
        as_unschedule_all_actions(self::ACTION, [], 'daric');
    }

    private static function read(bool $isVisit): void
    {
        $connection = Connection::current();
        if ($connection->obstacle() !== null) {
            return;
        }
        try {
            Lock::run('events', 0, static function () use ($connection, $isVisit): void {
                self::readPages($connection, $isVisit);
                if (!$isVisit) {
                    // Last, so that a failure of it keeps no event waiting.
                    $connection->refreshIfOld();
                }
            });
            update_option(Connection::FAULT, '', false);
            update_option(self::AWAY_UNTIL, 0, false);
        } catch (Busy $_) {
            return; // the other process reads, or an order is worked on: the next run reads it
        } catch (\Throwable $fault) {
            Log::warning("The events could not be handled: {$fault->getMessage()}");
            update_option(Connection::FAULT, $fault->getMessage(), false);
            self::noteFault($fault);
        }
    }

    /** The position moves behind a page only once every event of it is handled, or has failed ten times. */
    private static function readPages(Connection $connection, bool $isVisit): void
    {
        $until = time() + ($isVisit ? 0 : self::MAX_SECONDS);
        do {
            $cursor = (string) get_option(Connection::CURSOR, '');
            $page = self::page($connection, $cursor, $isVisit);
            self::handle(new Events($connection), $page['data'], $cursor, $isVisit ? microtime(true) + self::VISIT_WORK_SECONDS : INF);
            if ((string) $page['meta']['next'] !== '' && $page['meta']['next'] !== $cursor) {
                update_option(Connection::CURSOR, $page['meta']['next'], false);
            }
            if (!$page['meta']['has_more']) {
                update_option(Connection::RECONCILED_AT, time(), false);
                return;
            }
        } while (time() < $until);
    }

    private static function page(Connection $connection, string $cursor, bool $isVisit): array
    {
        $query = ['limit' => self::PAGE_ROWS, 'types' => implode(',', Events::TYPES)] + ($cursor === '' ? [] : ['after' => $cursor]);
        $api = $isVisit ? $connection->api(self::VISIT_TIMEOUT_SECONDS, 0) : $connection->api(self::TIMEOUT_SECONDS);
        try {
            return $api->listEvents($query);
        } catch (DaricException $fault) {
            $isUnknown = $fault->errorCode === 'VALIDATION_ERROR' && in_array('after', array_column($fault->details, 'path'), true);
            if ($isVisit || !$isUnknown) {
                throw $fault;
            }
            Log::warning("Daric does not know the event $cursor, after a restore for example: the unpaid orders are looked at instead.");
            self::begin($connection);
            return ['data' => [], 'meta' => ['next' => '', 'has_more' => false]];
        }
    }

    /** An event that always fails, at another plugin's fault for example, keeps those behind it waiting for ten tries and no longer. */
    private static function handle(Events $events, array $rows, string $cursor, float $until): void
    {
        try {
            $events->handle(array_values(array_filter($rows, [$events, 'isOfThisEnvironment'])), $until);
        } catch (\Throwable $fault) {
            if ($fault instanceof Busy || self::isUnanswered($fault) || self::failures($cursor) < self::MAX_TRIES) {
                throw $fault;
            }
            Log::warning('An event after ' . ($cursor === '' ? 'the beginning' : $cursor) . ' is passed over, because it failed '
                . self::MAX_TRIES . " times: {$fault->getMessage()}");
        }
    }

    /** Counts a failure behind this position, and returns how many there were. */
    private static function failures(string $cursor): int
    {
        $stored = get_option(self::FAILURES, []);
        $tries = 1 + (($stored['cursor'] ?? null) === $cursor ? (int) $stored['tries'] : 0);
        update_option(self::FAILURES, ['cursor' => $cursor, 'tries' => $tries], false);
        return $tries;
    }

    /** Whether Daric gave no answer, or none for now, so that the same call may succeed later. */
    private static function isUnanswered(\Throwable $fault): bool
    {
        return $fault instanceof DaricException
            && ($fault->status === null || $fault->status === 429 || $fault->status >= 500 || $fault->errorCode === 'UNEXPECTED_ANSWER');
    }
}
