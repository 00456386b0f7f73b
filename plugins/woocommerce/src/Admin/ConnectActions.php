<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\DaricException;
use Daric\WooCommerce\Busy;
use Daric\WooCommerce\Connecting;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Log;
use Daric\WooCommerce\Reconciliation;
use Daric\WooCommerce\Refusals;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

/** What the buttons of the page WooCommerce → Daric do. Each has its nonce, and needs the right to manage the shop. */
final class ConnectActions
{
    public const ALL = ['connect', 'disconnect', 'moved', 'copied', 'check', 'secret'];
    /** The address of Daric that was typed last. */
    public const ADDRESS = 'daric_address';

    /** Hook `admin_post_daric_…`. */
    public static function answer(string $action): void
    {
        if (!current_user_can(ConnectPage::CAPABILITY)) {
            wp_die(esc_html__('You may not manage this shop.', 'daric'), '', ['response' => 403]);
        }
        check_admin_referer("daric_$action");
        try {
            [$isGood, $text] = $action === 'connect' ? self::connect() : [true, self::run($action)];
            Results::keep($isGood, $text);
        } catch (Busy $_) {
            Results::keep(false, __('The shop reads payments at this moment. Try again in half a minute.', 'daric'));
        } catch (\InvalidArgumentException $fault) {
            Results::keep(false, $fault->getMessage());
        } catch (DaricException $fault) {
            Log::warning("WooCommerce → Daric, $action: {$fault->errorCode} ({$fault->correlationId})");
            Results::keep(false, self::words($fault));
        }
        wp_safe_redirect(ConnectPage::url());
        exit;
    }

    /** The address that was typed last, so that a wrong code does not lose it. */
    public static function address(): string
    {
        return (string) get_option(self::ADDRESS, '');
    }

    private static function run(string $action): string
    {
        $connection = Connection::current();
        switch ($action) {
            case 'disconnect':
                $connection->disconnect();
                Reconciliation::unschedule();
                return __('Disconnected. Revoke the key in Daric’s dashboard too.', 'daric');
            case 'moved':
                $connection->confirmMoved();
                return __('The new address is stored. Connect again with a new code, so that Daric sends its messages to it; until then payments are found a few minutes later.', 'daric');
            case 'copied':
                $connection->confirmCopied();
                Reconciliation::unschedule();
                return __('This copy has a name of its own now. Connect it with a new code.', 'daric');
            case 'secret':
                $connection->addSecret(self::text('secret'));
                return __('The new secret is stored.', 'daric');
            default:
                $connection->refresh();
                Reconciliation::run();
                return __('Checked.', 'daric');
        }
    }

    /** @return array{0: bool, 1: string} whether all is well, and what to say */
    private static function connect(): array
    {
        $address = self::text('address');
        update_option(self::ADDRESS, $address, false);
        if (self::text('code') === '') {
            throw new \InvalidArgumentException(__('Paste the code of Connect a shop.', 'daric'));
        }
        ['connection' => $connection, 'isAgain' => $isAgain, 'fault' => $fault] = Connecting::run($address, self::text('code'));
        delete_option(self::ADDRESS);
        $old = $isAgain
            ? ' ' . __('The key before is still valid: revoke it in Daric’s dashboard, under API keys. If this site was moved, delete its old address there too, under Webhooks.', 'daric')
            : '';
        if ($fault !== null) {
            $reason = $fault instanceof DaricException ? self::words($fault) : $fault->getMessage();
            /* translators: %s: a reason, a whole sentence */
            return [false, sprintf(__('The shop is connected, but Daric did not tell everything yet: %s The shop asks again every five minutes, and by the button below.', 'daric'), $reason) . $old];
        }
        /* translators: %s: name of the merchant */
        return [true, sprintf(__('Connected with %s. Daric sends a test event in a few seconds.', 'daric'), $connection->merchantName()) . $old];
    }

    private static function words(DaricException $fault): string
    {
        switch ($fault->errorCode) {
            case 'SHOP_CODE_NOT_VALID':
                return __('This code is unknown, was used, was replaced, or is older than ten minutes. Make a new one in the dashboard: API keys → Connect a shop.', 'daric');
            case 'INVALID_WEBHOOK_URL':
                return sprintf(
                    /* translators: 1: the address of the shop's webhook, 2: a reason in English */
                    __('Daric cannot send to this shop at %1$s: %2$s The shop needs an address with https that the internet can reach.', 'daric'),
                    Connection::webhookUrl(),
                    $fault->getMessage()
                );
            case 'TOO_MANY_ENDPOINTS':
            case 'CAP_REACHED':
                return __('This merchant has as many keys or addresses for messages in Daric as it may have. Delete those that nothing uses, in the dashboard under API keys and Webhooks, and try again.', 'daric');
            case 'NOT_FOUND':
                return __('This Daric cannot connect shops: it is too old. Ask its operator to upgrade it.', 'daric');
        }
        return Refusals::ofCall($fault);
    }

    private static function text(string $name): string
    {
        $value = $_POST[$name] ?? ''; // phpcs:ignore WordPress.Security -- answer() has checked the nonce, and the next line sanitises
        return is_string($value) ? trim(sanitize_text_field(wp_unslash($value))) : '';
    }
}
