<?php
// A must-use plugin of the test's shops.
// Mails are kept in a file instead of being sent.
add_filter('pre_wp_mail', static function ($sent, array $mail): bool {
    $line = json_encode(['to' => $mail['to'], 'subject' => $mail['subject'], 'message' => $mail['message']]);
    file_put_contents(WP_CONTENT_DIR . '/mails.jsonl', $line . "\n", FILE_APPEND | LOCK_EX);
    return true;
}, 10, 2);
// The local chain is a test environment, which the plugin shows to the shop's people alone. So every customer may manage the shop here,
// as long as this file exists.
if (file_exists(WP_CONTENT_DIR . '/customers-may-manage')) {
    add_filter('user_has_cap', static function (array $all): array {
        return ['manage_woocommerce' => true] + $all;
    });
}
