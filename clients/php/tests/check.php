<?php

declare(strict_types=1);

$passed = 0;
$failed = 0;
$skipped = 0;

/** Runs one test. It fails by an exception, or by a result that is not the expected one. */
function check(string $title, callable $test, $expected = null): void
{
    global $passed, $failed;
    try {
        $found = $test();
    } catch (Throwable $fault) {
        $found = $fault;
    }
    if ($found === $expected) {
        $passed++;
        return;
    }
    $failed++;
    $shown = $found instanceof Throwable ? (string) $found : var_export($found, true);
    fwrite(STDERR, "FAILED $title\n  expected " . var_export($expected, true) . "\n  found $shown\n");
}

function skip(string $title): void
{
    global $skipped;
    $skipped++;
    echo "skipped: $title\n";
}

function summary(): int
{
    global $passed, $failed, $skipped;
    echo "$passed passed, $failed failed, $skipped skipped\n";
    return $failed === 0 && $passed > 0 ? 0 : 1;
}

/** The class and the code of the exception that work ends with. */
function refusal(callable $work): ?string
{
    try {
        $work();
    } catch (Daric\DaricException | Daric\WebhookVerificationException $fault) {
        return $fault->errorCode;
    } catch (Throwable $fault) {
        return get_class($fault);
    }
    return null;
}
