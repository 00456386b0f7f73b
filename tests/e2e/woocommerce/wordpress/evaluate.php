<?php
// Runs PHP code inside a shop: reads {url, code, args, installing} from the standard input, and prints the value as JSON after a line RESULT.
$task = json_decode(stream_get_contents(STDIN), true);
$url = parse_url($task['url']);
$_SERVER['HTTP_HOST'] = $url['host'] . ':' . $url['port'];
$_SERVER['REQUEST_URI'] = $url['path'] ?? '/';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['SERVER_NAME'] = $url['host'];
$_SERVER['REMOTE_ADDR'] = '127.0.0.1';
if ($task['isInstalling']) {
    define('WP_INSTALLING', true);
    define('WP_SITEURL', $task['url']);
}
require getcwd() . '/wp-load.php';
$run = static function (array $args) use ($task) {
    return eval($task['code']);
};
$value = $run($task['args']);
while (ob_get_level() > 0) {
    ob_end_flush();
}
echo "\nRESULT\n", json_encode($value, JSON_THROW_ON_ERROR);
