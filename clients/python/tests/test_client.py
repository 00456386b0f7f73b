"""The parts of the client that the vectors do not reach, against a transport in this process."""

import asyncio
import copy
import json
import pickle
import threading
import unittest
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Dict, List

import httpx

import daric
from daric import AsyncDaric, CallOptions, Daric, DaricError, ExpectedOrder, is_fulfilled_by, verify_webhook
from daric.errors import WebhookVerificationError
from daric.testing import signed_event

KEY = "daric_test_sk_0123456789abcdef_secret"
SECRET = "whsec_" + "01" * 32


class Service:
    """The part of the service that stores orders."""

    def __init__(self) -> None:
        self.orders: List[Dict[str, Any]] = []
        self.requests: List[httpx.Request] = []
        self.fault: Callable[[httpx.Request], Any] = lambda request: None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.method == "POST":
            body = json.loads(request.content)
            row = {
                "id": f"order-{len(self.orders) + 1}",
                "currency": "USDT",
                "expected_amount": body["amount"],
                "order_ref": body["orderRef"],
                "payment_state": "none",
                "payment_status": "awaiting",
            }
            self.orders.append(row)
            data: Any = row
        else:
            ref = request.url.params.get("orderRef")
            data = [row for row in reversed(self.orders) if row["order_ref"] == ref]
        answer = self.fault(request)
        if answer is not None:
            return answer  # type: ignore[no-any-return]
        meta = {"page": 1, "limit": 100, "total": 1}
        return httpx.Response(200, json={"success": True, "message": "", "data": data, "meta": meta})

    def client(self, **options: Any) -> Daric:
        http = httpx.Client(transport=httpx.MockTransport(self))
        return Daric("https://pay.example.com", KEY, http_client=http, **options)

    def creates(self) -> int:
        return sum(request.method == "POST" for request in self.requests)


class Orders(unittest.TestCase):
    def setUp(self) -> None:
        self.service = Service()
        self.client = self.service.client()

    def test_the_first_call_makes_the_order_and_later_ones_find_it(self) -> None:
        made = self.client.create_order_once(order_ref="A-1", amount=Decimal("25.5"))
        self.assertTrue(made.is_new)
        found = self.client.create_order_once(order_ref="A-1", amount="25.50")
        self.assertEqual((found.is_new, found.order.id), (False, "order-1"))
        with self.assertRaises(DaricError) as refused:
            self.client.create_order_once(order_ref="A-1", amount="26")
        self.assertEqual(refused.exception.code, "ORDER_REF_CONFLICT")
        self.assertEqual(refused.exception.details[0].path, "amount")
        self.assertEqual(self.service.creates(), 1)

    def test_threads_of_one_client_make_one_order(self) -> None:
        made: List[bool] = []
        threads = [
            threading.Thread(target=lambda: made.append(self.client.create_order_once(order_ref="A-1", amount="1").is_new))
            for _ in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((sum(made), self.service.creates()), (1, 1))

    def test_tasks_of_one_client_make_one_order(self) -> None:
        async def both() -> Any:
            http = httpx.AsyncClient(transport=httpx.MockTransport(self.service))
            async with AsyncDaric("https://pay.example.com", KEY, http_client=http) as client:
                return await asyncio.gather(*(client.create_order_once(order_ref="A-1", amount="1") for _ in range(16)))

        self.assertEqual(sum(made.is_new for made in asyncio.run(both())), 1)

    def test_an_order_whose_answer_was_lost_is_found(self) -> None:
        def lose(request: httpx.Request) -> Any:
            if request.method == "POST":
                raise httpx.ReadError("connection lost")

        self.service.fault = lose
        made = self.client.create_order_once(order_ref="A-1", amount="1")
        self.assertEqual((made.is_new, self.service.creates()), (False, 1))

    def test_an_order_behind_a_503_with_retry_after_is_asked_for_again(self) -> None:
        def refuse(request: httpx.Request) -> Any:
            if self.service.creates() == 1 and request.method == "POST":
                self.service.orders.clear()
                return httpx.Response(503, headers={"retry-after": "0"}, text="<html>")

        self.service.fault = refuse
        self.assertTrue(self.client.create_order_once(order_ref="A-1", amount="1").is_new)
        self.assertEqual(self.service.creates(), 2)

    def test_an_order_of_another_reference_is_never_returned(self) -> None:
        row = {"id": "x", "order_ref": "ALICE-1", "currency": "USDT", "expected_amount": "1"}
        meta = {"page": 1, "limit": 100, "total": 1}
        answer = {"success": True, "message": "", "data": [row], "meta": meta}
        self.service.fault = lambda request: httpx.Response(200, json=answer)
        with self.assertRaises(DaricError) as refused:
            self.client.create_order_once(order_ref="BOB-1", amount="1")
        self.assertEqual(refused.exception.code, "UNEXPECTED_ANSWER")
        self.assertEqual(self.service.creates(), 0)


class BadInput(unittest.TestCase):
    def setUp(self) -> None:
        self.service = Service()
        self.client = self.service.client()

    def tearDown(self) -> None:
        self.assertEqual(self.service.requests, [])

    def test_a_float_for_money_is_refused_with_the_reason(self) -> None:
        floats: Any = [lambda: self.client.create_deposit_address(amount=12.5), lambda: self.client.create_order_once(order_ref="A", amount=0.1)]  # type: ignore[arg-type]
        for call in floats:
            with self.assertRaisesRegex(TypeError, "body.amount is the float"):
                call()
        with self.assertRaises(ValueError):
            self.client.create_deposit_address(amount=Decimal("NaN"))

    def test_a_time_without_a_zone_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "no time zone"):
            self.client.list_deposits(from_=datetime(2026, 11, 21))
        event = signed_event("order.paid", SECRET)
        with self.assertRaisesRegex(ValueError, "no time zone"):
            verify_webhook(event.body, event.headers, SECRET, now=datetime(2026, 1, 1))

    def test_an_id_that_would_name_another_resource_is_not_sent(self) -> None:
        for text in ("", ".", "..", None):
            with self.assertRaises(ValueError):
                self.client.retrieve_deposit(text)  # type: ignore[arg-type]

    def test_a_refund_without_a_reference_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "refundRef"):
            self.client.ask_for_refund("a-1", refund_ref="", amount="1")

    def test_a_client_shows_no_key_and_is_not_pickled(self) -> None:
        for client in (self.client, AsyncDaric("https://pay.example.com", KEY)):
            self.assertNotIn("secret", repr(client) + str(vars(client)["_settings"]))
            for copier in (pickle.dumps, copy.deepcopy):
                with self.assertRaisesRegex(TypeError, "secret key"):
                    copier(client)  # type: ignore[operator]

    def test_options_that_cannot_work_are_refused(self) -> None:
        for options in (
            {"base_url": "pay.example.com"},
            {"base_url": "https://pay.example.com/v1"},
            {"base_url": "https://pay.example.com?x=1"},
            {"api_key": KEY + " "},
            {"api_key": SECRET},
            {"timeout": 0},
            {"timeout": float("nan")},
            {"max_retries": 11},
            {"max_retries": True},
        ):
            with self.subTest(**options):
                with self.assertRaises(ValueError) as refused:
                    Daric(**{"base_url": "https://pay.example.com", "api_key": KEY, **options})  # type: ignore[arg-type]
                self.assertNotIn(SECRET[6:], str(refused.exception))
        with self.assertRaises(ValueError):
            self.client.list_deposits(options=CallOptions(correlation_id="snow ☃"))


class Answers(unittest.TestCase):
    def test_money_is_decimal_and_times_have_a_zone(self) -> None:
        event = signed_event("deposit.confirmed", SECRET, data={"amountReceived": "25.500001"})
        found = verify_webhook(event.body, event.headers, [SECRET])
        self.assertIsInstance(found, daric.DepositEvent)
        assert isinstance(found, daric.DepositEvent)
        self.assertEqual(found.data.amount_received, Decimal("25.500001"))
        self.assertEqual(found.created_at, datetime(2026, 11, 21, 12, 2, tzinfo=timezone.utc))

    def test_a_number_for_money_is_no_answer_of_daric(self) -> None:
        service = Service()
        answer = {"success": True, "data": {"id": "1", "amount": 25.5}, "message": ""}
        service.fault = lambda request: httpx.Response(200, json=answer)
        with self.assertRaises(DaricError) as refused:
            service.client().retrieve_deposit("1")
        self.assertEqual(refused.exception.code, "UNEXPECTED_ANSWER")

    def test_a_download_is_a_file_and_a_proxys_page_is_none(self) -> None:
        service = Service()
        client = service.client(max_retries=0)
        headers = {"content-type": "text/csv", "content-disposition": 'attachment; filename="payments.csv"'}
        service.fault = lambda request: httpx.Response(200, headers=headers, content=b"id\r\n1\r\n")
        file = client.export_payments(format="csv")
        self.assertEqual((file.content, file.type, file.name), (b"id\r\n1\r\n", "text/csv", "payments.csv"))
        refusal = {"success": False, "message": "No.", "error": {"code": "INSUFFICIENT_SCOPE"}, "correlationId": "c"}
        for answer, code in (
            (httpx.Response(200, text="<html>"), "UNEXPECTED_ANSWER"),
            (httpx.Response(200, json={"success": True, "data": []}), "UNEXPECTED_ANSWER"),
            (httpx.Response(403, json=refusal), "INSUFFICIENT_SCOPE"),
        ):
            service.fault = lambda request, answer=answer: answer  # type: ignore[misc]
            with self.assertRaises(DaricError) as refused:
                client.export_payments()
            self.assertEqual(refused.exception.code, code)

    def test_every_row_comes_once_read_on_after_the_last_one(self) -> None:
        rows = [{"id": str(n), "amount": "1"} for n in range(5)]

        def answer(request: httpx.Request) -> httpx.Response:
            after = request.url.params.get("after")
            start = 0 if after is None else int(after) + 1
            data = rows[start : start + 2]
            return httpx.Response(200, json={"success": True, "data": data, "meta": {"page": 1, "limit": 2, "total": 5}})

        client = Daric("https://pay.example.com", KEY, http_client=httpx.Client(transport=httpx.MockTransport(answer)))
        self.assertEqual([row.id for row in client.all_deposits(limit=2)], ["0", "1", "2", "3", "4"])

        async def collected() -> List[str]:
            http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
            async with AsyncDaric("https://pay.example.com", KEY, http_client=http) as shop:
                return [row.id async for row in shop.all_deposits(limit=2)]

        self.assertEqual(asyncio.run(collected()), ["0", "1", "2", "3", "4"])

    def test_followed_events_come_once_over_a_fault_and_a_lasting_refusal_ends(self) -> None:
        example = json.loads(signed_event("order.paid", SECRET).body)
        answers = [
            httpx.Response(503, headers={"retry-after": "0"}, text="<html>"),
            httpx.Response(200, json={"success": True, "data": [{**example, "id": "1"}, {**example, "id": "2", "data": None}], "meta": {"limit": 100, "next": "2", "has_more": True}}),
            httpx.Response(401, json={"success": False, "message": "No.", "error": {"code": "UNAUTHORIZED"}, "correlationId": "c"}),
        ]
        asked: List[str] = []

        def answer(request: httpx.Request) -> httpx.Response:
            asked.append(str(request.url.params))
            return answers.pop(0)

        client = Daric("https://pay.example.com", KEY, max_retries=0, http_client=httpx.Client(transport=httpx.MockTransport(answer)))
        faults: List[str] = []
        ids: List[Any] = []
        with self.assertRaises(DaricError):
            for event in client.follow_events("0", types=["order.paid"], on_fault=lambda fault: faults.append(fault.code)):
                ids.append((event.id, type(event).__name__))
        self.assertEqual(ids, [("1", "OrderEvent"), ("2", "EventRow")])
        self.assertEqual(faults, ["UNEXPECTED_ANSWER"])
        self.assertEqual(asked[0], "limit=100&after=0&types=order.paid")
        self.assertTrue(asked[2].startswith("limit=100&after=2&"))


class Webhooks(unittest.TestCase):
    def test_every_event_of_the_contract_can_be_made_and_verified(self) -> None:
        for name in daric.types.EVENTS:
            event = signed_event(name, SECRET, previous_secret="whsec_" + "23" * 32)
            for secret in (SECRET, "whsec_" + "23" * 32):
                found = verify_webhook(event.body, event.headers, secret)
                self.assertEqual((found.event, type(found)), (name, daric.types.EVENTS[name]))

    def test_a_parsed_body_is_refused_with_advice_for_each_framework(self) -> None:
        for body in ({}, [], None, 7):
            with self.assertRaisesRegex(WebhookVerificationError, "FastAPI(.|\n)*Django(.|\n)*Flask") as refused:
                verify_webhook(body, {}, SECRET)  # type: ignore[arg-type]
            self.assertEqual(refused.exception.code, "BODY_PARSED")

    def test_a_repeated_header_counts_as_missing(self) -> None:
        event = signed_event("webhook.test", SECRET)
        pairs = [(name.upper(), value) for name, value in event.headers.items()]
        self.assertEqual(verify_webhook(event.body, pairs, SECRET).event, "webhook.test")
        with self.assertRaises(WebhookVerificationError) as refused:
            verify_webhook(event.body, [*pairs, ("Webhook-Id", "other")], SECRET)
        self.assertEqual(refused.exception.code, "MISSING_HEADER")

    def test_a_float_as_the_price_of_an_order_is_refused(self) -> None:
        event = signed_event("deposit.confirmed", SECRET)
        with self.assertRaises(TypeError):
            is_fulfilled_by(verify_webhook(event.body, event.headers, SECRET), ExpectedOrder("A", 12.5, "USDT"))  # type: ignore[arg-type]


class Errors(unittest.TestCase):
    def test_an_error_travels_between_processes_with_all_its_facts(self) -> None:
        fault = daric.FieldFault("amount", "must be a string")
        error = DaricError("No.", code="VALIDATION_ERROR", operation="GET /x", status=422, details=[fault], correlation_id="c")
        copied = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copied), vars(copied)), ("No.", vars(error)))
        refused = pickle.loads(pickle.dumps(WebhookVerificationError("BAD_SECRET", "No.")))
        self.assertEqual((refused.code, str(refused)), ("BAD_SECRET", "No."))


class Package(unittest.TestCase):
    def test_the_version_is_that_of_the_package(self) -> None:
        text = (Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8")
        self.assertIn(f'\nversion = "{daric.__version__}"\n', text)


if __name__ == "__main__":
    unittest.main()
