<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** The texts of order notes about refunds. */
final class RefundNotes
{
    public static function asked(string $coins): string
    {
        /* translators: %s: an amount with its coin */
        return sprintf(__('A refund of %s is asked for in Daric. Nothing is paid until it is confirmed and paid in Daric’s dashboard, under Refunds.', 'daric'), $coins);
    }

    public static function claimMailed(): string
    {
        return __('The customer has a mail with the link to name the address of the refund. The link stands in My account too.', 'daric');
    }

    public static function claimNotMailed(): string
    {
        return __('The mail that asks the customer for an address could not be sent. Copy the link from the refund in Daric’s dashboard, and send it to the customer alone.', 'daric');
    }

    public static function askedElsewhere(array $record): string
    {
        /* translators: %s: an amount with its coin */
        return sprintf(__('A refund of %s was asked for in Daric’s dashboard. Nothing is paid yet.', 'daric'), self::coins($record));
    }

    public static function ready(array $record): string
    {
        /* translators: %s: an amount with its coin */
        return sprintf(__('The refund of %s has an address now. Pay it in Daric’s dashboard, under Refunds.', 'daric'), self::coins($record));
    }

    public static function completed(array $record): string
    {
        return sprintf(
            /* translators: 1: an amount with its coin, 2: id of a transaction */
            __('Refunded: %1$s is paid and final. Transaction: %2$s.', 'daric'),
            self::coins($record),
            $record['txHash']
        );
    }

    public static function paidAfterCancel(): string
    {
        return __('This refund was canceled before, so WooCommerce has none of it. Record it with the button Refund manually.', 'daric');
    }

    public static function allBack(): string
    {
        return Admin\Words::ofTask(Judgement::TASK_CANCEL);
    }

    public static function canceled(array $record): string
    {
        /* translators: %s: an amount with its coin */
        return sprintf(__('The refund of %s was canceled in Daric: it is not paid.', 'daric'), self::coins($record));
    }

    public static function canceledWithRefund(array $record): string
    {
        /* translators: %s: an amount with its coin */
        return sprintf(__('The refund of %s was canceled in Daric, so its refund in WooCommerce is deleted. Nothing was paid.', 'daric'), self::coins($record));
    }

    public static function restocked(): string
    {
        return __('Goods of this refund were put back on stock. If the customer keeps them, take them off the stock again.', 'daric');
    }

    public static function canceledInPart(array $record): string
    {
        /* translators: %s: an amount with its coin */
        return sprintf(__('A part of this refund, %s, was canceled in Daric, and another part is paid or on its way. Compare the refund in WooCommerce with Daric’s dashboard.', 'daric'), self::coins($record));
    }

    public static function canceledHere(array $record): string
    {
        /* translators: %s: an amount with its coin */
        return sprintf(__('The refund was deleted, so the refund of %s is canceled in Daric.', 'daric'), self::coins($record));
    }

    public static function notCanceled(array $record): string
    {
        /* translators: %s: an amount with its coin */
        return sprintf(__('The refund was deleted, but the refund of %s could not be canceled in Daric. Look into its dashboard, under Refunds.', 'daric'), self::coins($record));
    }

    private static function coins(array $record): string
    {
        return RefundRecords::words($record);
    }
}
