"""What to do with an event, shared by the recipes. A real shop reads its own tables, and writes in one transaction."""

from daric import DepositEvent, ExpectedOrder, OrderEvent, WebhookEvent, reason_not_to_deliver

# The orders that you created, by order_ref, with the id of the answer.
orders = {
    "A-1042": ExpectedOrder("A-1042", "25.50", "USDT", "01a1c0de-0000-7000-8000-000000001042"),
    "A-2001": ExpectedOrder("A-2001", "19.99", "USD", "01a1c0de-0000-7000-8000-000000002001"),
}
fulfilled = set()
cancelled = set()
handled = set()  # ids of events: in real life a unique column


def fulfil(event: WebhookEvent) -> None:
    """Fulfils an order once: it must be known, its charge and its price must match, and all of its money must have arrived."""
    if not isinstance(event, (DepositEvent, OrderEvent)):
        return print("received", event.event)
    order_ref = event.data.order_ref or ""
    if isinstance(event, OrderEvent) and event.event == "order.expired":
        return cancel(order_ref, event)
    # An ordinary order.paid comes beside its deposit.confirmed.
    if isinstance(event, OrderEvent) and event.event == "order.paid" and not event.data.rest_completes:
        return print("received", event.event, order_ref)
    reason = reason_to_wait(event, order_ref)
    handled.add(event.id)
    if reason is not None:
        return print(f"not delivered {order_ref}: {reason}")
    fulfilled.add(order_ref)
    print("paid", order_ref, orders[order_ref].amount, orders[order_ref].currency)


def cancel(order_ref: str, event: OrderEvent) -> None:
    """An event speaks of one charge: only that of your order cancels it, and nothing cancels a delivered or a paid order."""
    order = orders.get(order_ref)
    is_own = order is not None and order.deposit_address_id == event.data.deposit_address_id
    if not is_own or event.data.order_ref_paid or order_ref in fulfilled:
        return print("not cancelled", order_ref)
    cancelled.add(order_ref)
    print("cancelled", order_ref)


def reason_to_wait(event: WebhookEvent, order_ref: str):
    if event.id in handled:
        return "the event was handled before"
    if order_ref not in orders:
        return "no order has this reference"
    if order_ref in fulfilled:
        return "it is delivered already"
    if order_ref in cancelled:
        return "it is cancelled: return the money, or deliver by hand"
    return reason_not_to_deliver(event, orders[order_ref])
