"""A shop's day against a real service on a devnet, at DARIC_URL with the key DARIC_KEY and a receiver at DARIC_RECEIVER."""

import importlib
import os
import sys
import time
import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

from daric import Daric, DaricError, DepositEvent, ExpectedOrder, is_fulfilled_by

URL = os.environ.get("DARIC_URL", "")


@unittest.skipUnless(URL, "no DARIC_URL")
class ShopsDay(unittest.TestCase):
    def setUp(self) -> None:
        self.daric = Daric(URL, os.environ["DARIC_KEY"])

    def tearDown(self) -> None:
        self.daric.close()

    def test_an_order_is_made_once_paid_and_proved_and_its_money_promised_back_once(self) -> None:
        made = self.daric.create_order_once(order_ref="python-1", amount=Decimal("25.50"))
        sys.path.insert(0, str(Path(__file__).parents[1] / "recipes"))
        self.assertEqual(importlib.import_module("create_order").checkout_url_of("python-1", "25.5"), made.order.checkout_url)
        again = self.daric.create_order_once(order_ref="python-1", amount="25.5")
        self.assertEqual((made.is_new, again.is_new, again.order.id), (True, False, made.order.id))
        with self.assertRaises(DaricError) as conflict:
            self.daric.create_order_once(order_ref="python-1", amount="26")
        self.assertEqual(conflict.exception.code, "ORDER_REF_CONFLICT")
        self.assertEqual(self.daric.retrieve_checkout(made.order.checkout_token).state, "awaiting")
        self.daric.simulate_payment(made.order.id, case="exact")
        order = ExpectedOrder("python-1", "25.5", "USDT", made.order.id)
        for event in self.daric.follow_events(types=["deposit.confirmed"], poll=0.1):
            if isinstance(event, DepositEvent) and is_fulfilled_by(event, order):
                break
        row = self.daric.retrieve_deposit_address(made.order.id)
        self.assertEqual((row.payment_status, row.amount_received), ("paid", Decimal("25.5")))
        deposits = list(self.daric.all_deposits(order_ref="python-1"))
        self.assertEqual([deposit.amount for deposit in deposits], [Decimal("25.5")])
        refund = self.daric.ask_for_refund(row.id, refund_ref="R-python-1", amount="4.5", reason="One came broken")
        same = self.daric.ask_for_refund(row.id, refund_ref="R-python-1", amount="4.5", reason="One came broken")
        self.assertEqual(refund.id, same.id)
        self.assertEqual(self.daric.cancel_refund(refund.id).status, "CANCELED")

    def test_a_short_order_asks_for_its_rest_and_is_accepted(self) -> None:
        orders = [self.daric.create_deposit_address(amount="10", order_ref=f"python-short-{n}") for n in range(2)]
        for order in orders:
            self.daric.simulate_payment(order.id, case="under")
        for order in orders:
            self.until(lambda: self.daric.retrieve_deposit_address(order.id).amount_received == 5)
        rest = self.daric.ask_for_rest(orders[0].id)
        self.assertEqual((rest.rest_of, rest.expected_amount), (orders[0].id, Decimal("5")))
        self.assertEqual(self.daric.accept_deposit_address(orders[1].id, reason="small").payment_status, "paid")

    def test_lists_links_endpoints_and_refusals(self) -> None:
        made = {self.daric.create_deposit_address(amount="1", order_ref="python-many").id for _ in range(5)}
        self.assertEqual({row.id for row in self.daric.all_deposit_addresses(order_ref="python-many", limit=2)}, made)
        one = self.daric.list_deposit_addresses(order_ref="python-many", limit=1).data[0]
        self.assertEqual(self.daric.archive_deposit_address(one.id).status, "ARCHIVED")
        link = self.daric.create_payment_link(title="Tasting", amount="5", description="With cheese")
        self.assertIsNone(self.daric.update_payment_link(link.id, description=None, is_active=False).description)
        endpoint = self.daric.create_webhook_endpoint(url=os.environ["DARIC_RECEIVER"])
        self.assertTrue(self.daric.send_test_event(endpoint.id).ok)
        self.assertEqual(len(list(self.daric.all_webhook_deliveries(endpoint_id=endpoint.id))), 1)
        self.assertTrue(self.daric.delete_webhook_endpoint(endpoint.id).deleted)
        with self.assertRaises(DaricError) as refused:
            self.daric.create_deposit_address(amount="1", success_url="shop.example")
        self.assertEqual((refused.exception.code, refused.exception.details[0].path), ("VALIDATION_ERROR", "successUrl"))
        self.assertTrue(refused.exception.correlation_id)
        file = self.daric.export_payments(format="csv", bom="0", from_=datetime.now(timezone.utc) - timedelta(days=1))
        self.assertIn(b"python-many", file.content)
        self.assertTrue((file.name or "").endswith(".csv"))
        self.assertIn("refunds:write", self.daric.retrieve_account().scopes)
        self.assertIn("USDT", [row.currency for row in self.daric.list_balances()])
        self.assertIn("EUR", [row.code for row in self.daric.list_currencies()])

    def until(self, condition) -> None:  # type: ignore[no-untyped-def]
        deadline = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)


if __name__ == "__main__":
    unittest.main()
