<?php

/**
 * Removes the plugin's options when a person deletes it. Orders keep their metadata and notes, so that they stay readable; the shop's
 * id goes too, since a new connection makes a new one.
 */

declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

/** Removes the options of the current site. */
function daric_uninstall_site(): void
{
    $options = [
        'daric_connection', 'daric_events_cursor', 'daric_reconciled_at', 'daric_tested_at', 'daric_fault', 'daric_address',
        'daric_tried_at', 'daric_away_until', 'daric_failures',
        'woocommerce_daric_settings', 'woocommerce_daric_refund_claim_settings',
    ];
    foreach ($options as $option) {
        delete_option($option);
    }
    if (function_exists('as_unschedule_all_actions')) {
        as_unschedule_all_actions('', [], 'daric');
    }
}

if (is_multisite()) {
    foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $daric_site) {
        switch_to_blog((int) $daric_site);
        daric_uninstall_site();
        restore_current_blog();
    }
} else {
    daric_uninstall_site();
}
