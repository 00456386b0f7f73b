"""The table of vectors that every client obeys. The exchanges need the service at DARIC_VECTORS_URL, which answers as they say."""

import asyncio
import json
import os
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, Tuple
from urllib.parse import urlsplit

import httpx

from daric import AsyncDaric, CallOptions, Daric, DaricError, ExpectedOrder, WebhookVerificationError
from daric import reason_not_to_deliver, verify_webhook
from daric import _operations
from daric._operation import Operation
from daric._retry import is_repeatable, retry_wait
from daric._wire import canonical_decimal, decode_event

FOLDER = Path(__file__).parents[2] / "typescript" / "vectors"
SERVICE = os.environ.get("DARIC_VECTORS_URL")
KEY = "daric_test_sk_0123456789abcdef_secret"
OPERATIONS = {value.name: value for value in vars(_operations).values() if isinstance(value, Operation)}


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))


CALLS = read("calls.json")


def raw(operation: str) -> "Operation[Any]":
    """The operation with its answer as it is on the wire."""
    known = OPERATIONS[operation]
    return Operation(operation, Any, known.is_keyless, known.is_repeatable)


def facts(error: DaricError, base_url: str) -> Dict[str, Any]:
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(base_url))
    return {
        "code": error.code,
        "status": error.status,
        "isOutcomeUnknown": error.is_outcome_unknown,
        "correlationId": error.correlation_id,
        "retryAfter": error.retry_after,
        "details": [{"path": fault.path, "message": fault.message} for fault in error.details],
        "docPath": error.doc_url and error.doc_url.replace(origin, ""),
    }


def given(vector: Dict[str, Any], run: str, index: int) -> Tuple[Dict[str, Any], Dict[str, Any], CallOptions]:
    is_refused = vector["answers"][0].get("fault") == "refuse"
    base_url = "http://127.0.0.1:2" if is_refused else f"{SERVICE}/{run}/{index}"
    client = {"base_url": base_url, "api_key": KEY, "max_retries": vector.get("maxRetries", 1)}
    parts = {part: vector[part] for part in ("path", "query", "body") if part in vector}
    timeout = vector.get("timeoutMs")
    return client, parts, CallOptions(timeout=timeout and timeout / 1000)


def expected(vector: Dict[str, Any]) -> Any:
    return vector["expected"].get("error", vector["expected"].get("data"))


class Vectors(unittest.TestCase):
    maxDiff = None

    @unittest.skipUnless(SERVICE, "no DARIC_VECTORS_URL")
    def test_exchanges_of_the_client_that_waits(self) -> None:
        def outcome(index: int) -> Any:
            vector = CALLS["exchanges"][index]
            client, parts, options = given(vector, "sync", index)
            daric = Daric(**client, http_client=http)
            try:
                return daric._call(raw(vector["operation"]), options, **parts)
            except DaricError as error:
                return facts(error, client["base_url"])

        # One for all, because each loads the certificates of the machine.
        with httpx.Client() as http, ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(outcome, range(len(CALLS["exchanges"]))))
        for vector, found in zip(CALLS["exchanges"], outcomes):
            with self.subTest(vector["name"]):
                self.assertEqual(found, expected(vector))

    @unittest.skipUnless(SERVICE, "no DARIC_VECTORS_URL")
    def test_exchanges_of_the_client_for_asyncio(self) -> None:
        async def outcome(index: int, http: httpx.AsyncClient, lane: asyncio.Semaphore) -> Any:
            vector = CALLS["exchanges"][index]
            client, parts, options = given(vector, "async", index)
            daric = AsyncDaric(**client, http_client=http)
            async with lane:
                try:
                    return await daric._call(raw(vector["operation"]), options, **parts)
                except DaricError as error:
                    return facts(error, client["base_url"])

        async def all_of_them() -> Any:
            lane = asyncio.Semaphore(8)
            async with httpx.AsyncClient() as http:
                return await asyncio.gather(*(outcome(index, http, lane) for index in range(len(CALLS["exchanges"]))))

        for vector, found in zip(CALLS["exchanges"], asyncio.run(all_of_them())):
            with self.subTest(vector["name"]):
                self.assertEqual(found, expected(vector))

    def test_repeatable(self) -> None:
        for vector in CALLS["repeatable"]:
            with self.subTest(**vector):
                self.assertIs(is_repeatable(OPERATIONS[vector["operation"]], vector["body"]), vector["expected"])

    def test_waits(self) -> None:
        for vector in CALLS["waits"]:
            failure = DaricError(
                "",
                code=vector["code"],
                operation="",
                status=vector["status"],
                retry_after=vector["retryAfter"],
                is_outcome_unknown=vector["isOutcomeUnknown"],
            )
            wait = retry_wait(failure, tries=vector["tries"], may_repeat=vector["mayRepeat"], random=vector["random"])
            with self.subTest(**vector):
                self.assertEqual(None if wait is None else wait * 1000, vector["waitMs"])

    def test_decimals(self) -> None:
        for vector in CALLS["decimals"]:
            with self.subTest(**vector):
                self.assertEqual(canonical_decimal(vector["text"]), vector["canonical"])

    def test_fulfilment(self) -> None:
        for vector in CALLS["fulfilment"]:
            order = vector["order"]
            wanted = ExpectedOrder(order["orderRef"], order["amount"], order["currency"], order.get("depositAddressId"))
            with self.subTest(vector["name"]):
                self.assertEqual(reason_not_to_deliver(decode_event(vector["event"]), wanted), vector["reason"])

    def test_webhooks(self) -> None:
        for vector in read("webhooks.json")["vectors"]:
            tolerance = float("inf") if vector["toleranceSeconds"] is None else vector["toleranceSeconds"]
            now = datetime.fromtimestamp(vector["now"], timezone.utc)
            try:
                verify_webhook(vector["body"], vector["headers"], vector["secrets"], tolerance=tolerance, now=now)
                outcome = "valid"
            except WebhookVerificationError as error:
                outcome = error.code
            with self.subTest(vector["name"]):
                self.assertEqual(outcome, vector["expected"])


if __name__ == "__main__":
    unittest.main()
