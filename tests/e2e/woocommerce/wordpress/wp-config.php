<?php
// The settings of a shop of this test. rig.json beside it has those of this run.
$rig = json_decode(file_get_contents(__DIR__ . '/rig.json'), true);
$table_prefix = 'wp_';
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY'] as $rigName) {
    define($rigName, hash('sha256', $rigName . $rig['constants']['DB_NAME']));
    define(str_replace('KEY', 'SALT', $rigName), hash('sha256', 'salt' . $rigName));
}
// No request leaves the machine.
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost');
define('WP_DEBUG', true);
define('WP_DEBUG_LOG', true);
define('WP_DEBUG_DISPLAY', false);
// The test runs the tasks itself, so that it can also leave them out.
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('FS_METHOD', 'direct');
foreach ($rig['constants'] as $rigName => $rigValue) {
    defined($rigName) || define($rigName, $rigValue);
}
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
