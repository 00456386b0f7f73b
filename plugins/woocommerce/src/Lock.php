<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

/** Locks of the database, which end with its connection. */
final class Lock
{
    /** @var array<string, true> the locks of this process */
    private static array $held = [];

    /**
     * Runs the work while no other process of this site runs work of that name. A lock inside itself is no other.
     *
     * @return mixed what the work returns
     * @throws Busy if another process holds the lock for longer than that
     */
    public static function run(string $name, int $waitSeconds, callable $work)
    {
        global $wpdb;
        // A lock's name counts for the whole database server, and has at most 64 characters.
        $key = 'daric_' . md5(DB_NAME . '|' . $wpdb->prefix . '|' . $name);
        if (isset(self::$held[$key])) {
            return $work();
        }
        if ((string) $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $key, $waitSeconds)) !== '1') { // phpcs:ignore WordPress.DB.DirectDatabaseQuery -- a lock is no data
            throw new Busy("Another process works on $name.");
        }
        self::$held[$key] = true;
        try {
            return $work();
        } finally {
            unset(self::$held[$key]);
            $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $key)); // phpcs:ignore WordPress.DB.DirectDatabaseQuery -- a lock is no data
        }
    }

    /**
     * @return mixed
     * @throws Busy
     */
    public static function order(int $orderId, int $waitSeconds, callable $work)
    {
        return self::run("order $orderId", $waitSeconds, $work);
    }
}
