<?php
// What a web server does for WordPress: files are served, and every other path is WordPress's.
$path = urldecode((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
$root = $_SERVER['DOCUMENT_ROOT'];
// A further site of a network has its name in front of the paths of WordPress's own files.
if (!file_exists($root . $path) && preg_match('#^/[\w-]+(/wp-(?:admin|content|includes)/.*|/wp-[\w-]+\.php)$#', $path, $parts)) {
    $inner = $root . $parts[1] . (substr($parts[1], -1) === '/' ? 'index.php' : '');
    if (is_file($inner)) {
        if (substr($inner, -4) !== '.php') {
            $types = ['css' => 'text/css', 'js' => 'text/javascript', 'svg' => 'image/svg+xml', 'png' => 'image/png'];
            header('Content-Type: ' . ($types[pathinfo($inner, PATHINFO_EXTENSION)] ?? 'application/octet-stream'));
            readfile($inner);
            return true;
        }
        $_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $path;
        $_SERVER['SCRIPT_FILENAME'] = $inner;
        chdir(dirname($inner));
        require $inner;
        return true;
    }
}
$file = $root . $path;
if (is_file($file) || (is_dir($file) && $path !== '/' && is_file(rtrim($file, '/') . '/index.php'))) {
    return false;
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
chdir($root);
require $root . '/index.php';
