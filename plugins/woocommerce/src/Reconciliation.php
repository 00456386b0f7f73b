<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** Reads the events that no webhook brought, from the stored position on. */
final class Reconciliation
{
    public const ACTION = 'daric_reconcile';
    public const EVERY_SECONDS = 300;

    private const PAGE_ROWS = 100;
    private const MAX_SECONDS = 20;
    private const VISIT_SECONDS = 60;
    private const TIMEOUT_SECONDS = 10.0;

    /** All that is new, for the scheduler. */
    public static function run(): void
    {
        self::read(self::MAX_SECONDS);
    }

    /** One page, if the last reading was more than a minute ago: for pages that show an order. */
    public static function onVisit(): void
    {
        if (time() - (int) get_option(Connection::RECONCILED_AT, 0) > self::VISIT_SECONDS) {
            self::read(0);
        }
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

    private static function read(int $seconds): void
    {
        $connection = Connection::current();
        if ($connection->obstacle() !== null) {
            return;
        }
        try {
            Lock::run('events', 0, static function () use ($connection, $seconds): void {
                $connection->refreshIfOld();
                self::readPages($connection, time() + $seconds);
            });
            update_option(Connection::FAULT, '', false);
        } catch (Busy $_) {
            return; // the other process reads, or an order is worked on: the next run reads it
        } catch (\Throwable $fault) {
            Log::warning("The events could not be handled: {$fault->getMessage()}");
            update_option(Connection::FAULT, $fault->getMessage(), false);
        }
    }

    /** The position moves behind a page only once every event of it is handled. */
    private static function readPages(Connection $connection, int $until): void
    {
        $events = new Events($connection);
        do {
            $cursor = (string) get_option(Connection::CURSOR, '');
            $page = self::page($connection, $cursor);
            $events->handle(array_values(array_filter($page['data'], [$events, 'isOfThisEnvironment'])));
            if ((string) $page['meta']['next'] !== '' && $page['meta']['next'] !== $cursor) {
                update_option(Connection::CURSOR, $page['meta']['next'], false);
            }
            if (!$page['meta']['has_more']) {
                update_option(Connection::RECONCILED_AT, time(), false);
                return;
            }
        } while (time() < $until);
    }

    private static function page(Connection $connection, string $cursor): array
    {
        $query = ['limit' => self::PAGE_ROWS, 'types' => implode(',', Events::TYPES)] + ($cursor === '' ? [] : ['after' => $cursor]);
        return $connection->api(self::TIMEOUT_SECONDS)->listEvents($query);
    }
}
