<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Gateway;
use Daric\WooCommerce\Site;

defined('ABSPATH') || exit;

/** The page WooCommerce → Daric: connect, see how it stands, answer *moved or copied?*, disconnect. It prints no key and no secret. */
final class ConnectPage
{
    public const SLUG = 'daric';
    public const CAPABILITY = 'manage_woocommerce';

    /** Hook `admin_menu`. */
    public static function register(): void
    {
        add_submenu_page('woocommerce', __('Daric', 'daric'), __('Daric', 'daric'), self::CAPABILITY, self::SLUG, [self::class, 'show']);
    }

    /** Filter `plugin_action_links_…`: the links beside the plugin's name. */
    public static function links(array $links): array
    {
        return array_merge(['connect' => '<a href="' . esc_url(self::url()) . '">' . esc_html__('Connect', 'daric') . '</a>'], $links);
    }

    public static function url(): string
    {
        return admin_url('admin.php?page=' . self::SLUG);
    }

    /** Hook `admin_enqueue_scripts`. */
    public static function style(): void
    {
        $screen = get_current_screen();
        $orders = function_exists('wc_get_page_screen_id') ? wc_get_page_screen_id('shop-order') : '';
        if ($screen !== null && in_array($screen->id, ['woocommerce_page_' . self::SLUG, $orders], true)) {
            wp_enqueue_style('daric-admin', plugins_url('assets/admin.css', DARIC_PLUGIN_FILE), [], \Daric\WooCommerce\Plugin::VERSION);
        }
    }

    /** Hook `admin_notices`: what stops payments is said on every screen, to the people that can mend it. */
    public static function notice(): void
    {
        $screen = get_current_screen();
        if (!current_user_can(self::CAPABILITY) || ($screen !== null && $screen->id === 'woocommerce_page_' . self::SLUG)) {
            return;
        }
        $text = self::alarm(Connection::current());
        if ($text !== '') {
            printf(
                '<div class="notice notice-error"><p><strong>Daric:</strong> %s <a href="%s">%s</a></p></div>',
                esc_html($text),
                esc_url(self::url()),
                esc_html__('Look at it', 'daric')
            );
        }
    }

    public static function show(): void
    {
        if (!current_user_can(self::CAPABILITY)) {
            wp_die(esc_html__('You may not manage this shop.', 'daric'));
        }
        $connection = Connection::current();
        echo '<div class="wrap daric-page"><h1>' . esc_html__('Daric', 'daric') . '</h1>';
        Results::show();
        if ($connection->isElsewhere()) {
            self::question($connection);
        }
        if ($connection->isConnected()) {
            self::facts($connection);
            self::health($connection);
        }
        // Before the question is answered a copy must not be connected: it would take the shop's orders for its own.
        if (!$connection->isElsewhere()) {
            self::forms($connection);
        }
        echo '</div>';
    }

    private static function forms(Connection $connection): void
    {
        if ($connection->isConnected()) {
            self::secretForm();
            self::endForm($connection);
        } else {
            self::connectForm(ConnectActions::address());
        }
    }

    private static function alarm(Connection $connection): string
    {
        if ($connection->obstacle() === Connection::MOVED_OR_COPIED) {
            return __('The address of this site has changed. Nothing is charged or refunded until you say whether it was moved or copied.', 'daric');
        }
        if ($connection->obstacle() === Connection::BAD_KEY) {
            return __('The API key is missing or malformed.', 'daric');
        }
        $isLate = $connection->isConnected() && Health::isReconciliationLate((int) get_option(Connection::RECONCILED_AT, 0), time());
        return $isLate ? __('Missed payments were not read for more than 30 minutes, so some may be missing.', 'daric') : '';
    }

    private static function connectForm(string $address): void
    {
        echo '<p>' . esc_html__('Connect this shop with your Daric once. It takes a minute.', 'daric') . '</p><ol>'
            . '<li>' . esc_html__('Open the dashboard of your Daric, and there API keys → Connect a shop.', 'daric') . '</li>'
            . '<li>' . esc_html__('Copy the code. It works once, for ten minutes.', 'daric') . '</li>'
            . '<li>' . esc_html__('Paste both here.', 'daric') . '</li></ol>';
        self::open('connect');
        echo '<table class="form-table" role="presentation"><tr><th scope="row"><label for="daric-address">' . esc_html__('Address of Daric', 'daric')
            . '</label></th><td><input class="regular-text code" type="url" id="daric-address" name="address" required placeholder="https://pay.example.com" value="'
            . esc_attr($address) . '" aria-describedby="daric-address-hint"><p class="description" id="daric-address-hint">'
            . esc_html__('Without a path. Developers may test with http://localhost or http://127.0.0.1; every other address needs https.', 'daric')
            . '</p></td></tr><tr><th scope="row"><label for="daric-code">' . esc_html__('Code', 'daric')
            . '</label></th><td><input class="regular-text code" type="text" id="daric-code" name="code" required autocomplete="off" spellcheck="false"></td></tr></table>';
        submit_button(__('Connect', 'daric'));
        echo '</form>';
    }

    private static function question(Connection $connection): void
    {
        echo '<div class="notice notice-error inline daric-question"><h2>' . esc_html__('Was this site moved or copied?', 'daric') . '</h2><p>';
        printf(
            /* translators: 1: the old address of the site, 2: the address now */
            esc_html__('It was connected as %1$s, and is %2$s now. Until you answer, the plugin charges, cancels and refunds nothing.', 'daric'),
            '<code>' . esc_html($connection->site()) . '</code>',
            '<code>' . esc_html(Site::now()) . '</code>'
        );
        echo '</p><div class="daric-answers"><div><p>' . esc_html__('The shop has a new address, and the old one is gone.', 'daric') . '</p>';
        self::button('moved', __('It was moved', 'daric'), 'primary');
        echo '</div><div><p>' . esc_html__('This is a copy, for a test for example, and the shop goes on elsewhere. The copy gets a name of its own, and you connect it with a new code.', 'daric') . '</p>';
        self::button('copied', __('It is a copy', 'daric'), 'secondary');
        echo '</div></div></div>';
    }

    private static function facts(Connection $connection): void
    {
        $environment = ['live' => __('live', 'daric'), 'test' => __('test: only people that manage the shop see the payment method', 'daric')];
        $rows = [
            __('Daric', 'daric') => $connection->baseUrl(),
            __('Merchant', 'daric') => $connection->merchantName(),
            __('Network', 'daric') => $connection->network(),
            __('Mode', 'daric') => $environment[(string) $connection->environment()] ?? __('unknown', 'daric'),
            __('Prices in', 'daric') => implode(', ', array_merge($connection->currencies(), ['USDT', 'TRX'])),
            __('API key', 'daric') => $connection->isKeyInConfig()
                ? __('DARIC_API_KEY of wp-config.php, which wins over the stored one', 'daric')
                : __('stored, and never shown', 'daric'),
            __('Daric sends its messages to', 'daric') => Connection::webhookUrl(),
        ];
        echo '<table class="widefat striped daric-facts"><tbody>';
        foreach ($rows as $name => $value) {
            echo '<tr><th scope="row">' . esc_html($name) . '</th><td>' . esc_html($value) . '</td></tr>';
        }
        echo '</tbody></table><p><a class="button" href="' . esc_url($connection->dashboardUrl()) . '" target="_blank" rel="noopener">'
            . esc_html__('Open the dashboard of Daric', 'daric') . '</a> <a class="button" href="'
            . esc_url(admin_url('admin.php?page=wc-settings&tab=checkout&section=daric')) . '">' . esc_html__('Settings of the payment method', 'daric') . '</a></p>';
    }

    private static function health(Connection $connection): void
    {
        $marks = [
            Health::GOOD => ['✓', __('Good', 'daric')],
            Health::WARNING => ['!', __('Look at this', 'daric')],
            Health::BAD => ['✗', __('Wrong', 'daric')],
        ];
        $findings = Health::findings($connection);
        if (Gateway::reasonToHide(get_woocommerce_currency()) !== null) {
            $findings[] = Health::finding(Health::WARNING, __('Payment method', 'daric'), (string) Gateway::reasonToHide(get_woocommerce_currency()));
        }
        echo '<h2>' . esc_html__('How it stands', 'daric') . '</h2><table class="widefat daric-health"><tbody>';
        foreach ($findings as $finding) {
            [$sign, $word] = $marks[$finding['level']];
            echo '<tr class="daric-' . esc_attr($finding['level']) . '"><td><span class="daric-mark" aria-hidden="true">' . esc_html($sign)
                . '</span> <span class="screen-reader-text">' . esc_html($word) . '</span></td><th scope="row">' . esc_html($finding['title'])
                . '</th><td>' . esc_html($finding['text']) . '</td></tr>';
        }
        echo '</tbody></table>';
        self::button('check', __('Check again, and read missed payments now', 'daric'), 'secondary');
    }

    private static function secretForm(): void
    {
        echo '<details class="daric-more"><summary>' . esc_html__('The secret of the messages was renewed in Daric', 'daric') . '</summary>';
        self::open('secret');
        echo '<p><label for="daric-secret">' . esc_html__('New secret', 'daric') . '</label> <input class="regular-text code" type="password" id="daric-secret" name="secret" required autocomplete="off"></p><p class="description">'
            . esc_html__('The one before it stays valid here for seven days, so that no message is lost.', 'daric') . '</p>';
        submit_button(__('Take the new secret', 'daric'), 'secondary', 'submit', false);
        echo '</form></details>';
    }

    private static function endForm(Connection $connection): void
    {
        echo '<details class="daric-more"><summary>' . esc_html__('Connect again', 'daric') . '</summary>';
        self::connectForm($connection->baseUrl());
        echo '</details><details class="daric-more"><summary>' . esc_html__('Disconnect', 'daric') . '</summary><p>'
            . esc_html__('The shop forgets its key and its secret. Orders keep their records. Revoke the key in Daric’s dashboard too.', 'daric') . '</p>';
        self::button('disconnect', __('Disconnect', 'daric'), 'secondary');
        echo '</details>';
    }

    private static function button(string $action, string $label, string $type): void
    {
        self::open($action);
        submit_button($label, $type, 'submit', false);
        echo '</form>';
    }

    private static function open(string $action): void
    {
        echo '<form method="post" action="' . esc_url(admin_url('admin-post.php')) . '" class="daric-form"><input type="hidden" name="action" value="'
            . esc_attr("daric_$action") . '">';
        wp_nonce_field("daric_$action");
    }
}
