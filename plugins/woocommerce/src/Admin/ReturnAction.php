<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\DaricException;
use Daric\WooCommerce\Busy;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Log;
use Daric\WooCommerce\Refunds;
use Daric\WooCommerce\Refusals;
use Daric\WooCommerce\Unavailable;

defined('ABSPATH') || exit;

/** What the buttons of the order box do: they ask Daric for a refund of money that is no part of the price. */
final class ReturnAction
{
    /** Hook `admin_post_daric_return`. */
    public static function answer(): void
    {
        $orderId = absint($_POST['order'] ?? 0); // phpcs:ignore WordPress.Security.NonceVerification.Missing -- the nonce needs it, and is checked next
        if (!current_user_can('edit_shop_orders')) {
            wp_die(esc_html__('You may not change orders.', 'daric'), '', ['response' => 403]);
        }
        check_admin_referer("daric_return_$orderId", 'daric_nonce');
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order) {
            wp_die(esc_html__('There is no such order.', 'daric'), '', ['response' => 404]);
        }
        $charge = isset($_POST['charge']) && is_string($_POST['charge']) ? sanitize_text_field(wp_unslash($_POST['charge'])) : '';
        Results::keep(...self::run($orderId, $charge));
        wp_safe_redirect($order->get_edit_order_url());
        exit;
    }

    /** @return array{0: bool, 1: string} whether it worked, and the words */
    private static function run(int $orderId, string $charge): array
    {
        $connection = Connection::current();
        if ($connection->obstacle() !== null) {
            return [false, __('This shop is not connected with Daric. Look at WooCommerce → Daric.', 'daric')];
        }
        $isOther = substr($charge, -strlen(Returnable::OTHER_COIN)) === Returnable::OTHER_COIN;
        $chargeId = $isOther ? substr($charge, 0, -strlen(Returnable::OTHER_COIN)) : $charge;
        try {
            (new Refunds($connection))->returnMoney($orderId, $chargeId, $isOther);
            return [true, __('The refund is asked for.', 'daric')];
        } catch (Busy $_) {
            return [false, __('Daric is working on this order. Try again in a few seconds.', 'daric')];
        } catch (Unavailable $reason) {
            return [false, $reason->getMessage()];
        } catch (DaricException $fault) {
            Log::warning("The money of order $orderId was not returned: {$fault->errorCode} ({$fault->correlationId})");
            return [false, Refusals::ofRefund($fault)];
        }
    }
}
