<?php

declare(strict_types=1);

use Daric\Daric;
use Daric\DaricException;

/** The page to send the customer to. A second call for the same order returns the same page. */
function checkoutUrlOf(Daric $daric, string $orderRef, string $amount): ?string
{
    try {
        $order = ['orderRef' => $orderRef, 'amount' => $amount, 'successUrl' => 'https://shop.example/thanks'];
        ['isNew' => $isNew, 'order' => $row] = $daric->createOrderOnce($order);
    } catch (DaricException $error) {
        if ($error->isOutcomeUnknown) {
            return null; // ask again in 15 s
        }
        error_log("$error->errorCode $error->correlationId " . json_encode($error->details));
        throw $error;
    }
    error_log($orderRef . ($isNew ? ' is made now ' : ' was there already ') . $row['id']);
    return $row['checkout_url'];
}
