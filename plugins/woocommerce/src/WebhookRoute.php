<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

use Daric\DaricException;
use Daric\Webhook;
use Daric\WebhookVerificationException;

/**
 * Where Daric sends its events: `POST daric/v1/webhook` of WordPress's REST interface.
 *
 * A request without a right signature leaves no row and no line in the log, so that forged ones fill neither.
 */
final class WebhookRoute
{
    public const SPACE = 'daric/v1';
    public const PATH = '/webhook';

    /** An event has at most 16 kB. */
    private const MAX_BYTES = 65536;

    public static function register(): void
    {
        register_rest_route(self::SPACE, self::PATH, [
            'methods' => 'POST',
            'callback' => [self::class, 'answer'],
            'permission_callback' => '__return_true', // the signature is the permission
        ]);
    }

    public static function answer(\WP_REST_Request $request): \WP_REST_Response
    {
        $connection = Connection::current();
        $body = $request->get_body();
        try {
            if (strlen($body) > self::MAX_BYTES) {
                return self::response(413, 'TOO_LARGE');
            }
            $event = Webhook::verify($body, $request->get_headers(), $connection->secrets());
        } catch (WebhookVerificationException $fault) {
            return self::response(401, $fault->errorCode);
        }
        return self::handled($connection, $event);
    }

    private static function handled(Connection $connection, array $event): \WP_REST_Response
    {
        if ($connection->obstacle() !== null) {
            return self::response(503, (string) $connection->obstacle());
        }
        $events = new Events($connection);
        if (!$events->isOfThisEnvironment($event)) {
            Log::warning('A webhook of another environment than that of this shop’s key was refused.');
            return self::response(403, 'WRONG_ENVIRONMENT');
        }
        if ($event['event'] === 'webhook.test') {
            update_option(Connection::TESTED_AT, time(), false);
            return self::response(200, 'TESTED');
        }
        try {
            $events->handle([$event]);
            return self::response(200, 'HANDLED');
        } catch (Busy $_) {
            return self::response(503, 'BUSY');
        } catch (DaricException $fault) {
            Log::warning("A webhook comes again, because Daric could not be asked: {$fault->getMessage()}");
            return self::response(503, 'DARIC_UNREACHABLE');
        } catch (\Throwable $fault) {
            // Another plugin's fault in a hook of the order, for example.
            Log::warning("A webhook comes again, because it could not be handled: {$fault->getMessage()}");
            return self::response(500, 'FAILED');
        }
    }

    private static function response(int $status, string $result): \WP_REST_Response
    {
        return new \WP_REST_Response(['result' => $result], $status, ['Cache-Control' => 'no-store']);
    }
}
