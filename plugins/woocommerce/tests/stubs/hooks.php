<?php

// Hooks, which are counted and never fired.

declare(strict_types=1);

define('DARIC_PLUGIN_FILE', dirname(__DIR__, 2) . '/daric.php');
$GLOBALS['hooks'] = [];

function add_action(string $hook): void
{
    $GLOBALS['hooks'][] = $hook;
}

function add_filter(string $hook): void
{
    $GLOBALS['hooks'][] = $hook;
}

function plugin_basename(string $file): string
{
    return 'daric/' . basename($file);
}
