"""Each recipe has valid syntax, and does its work once where its framework is installed."""

import asyncio
import importlib
import os
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, List, Tuple
from unittest import mock

from daric.testing import SignedEvent, signed_event

FOLDER = Path(__file__).parents[1] / "recipes"
SECRET = "whsec_" + "01" * 32
LINK = "01a1c0de-0000-7000-8000-000000000001"
CHARGE = "01a1c0de-0000-7000-8000-000000001042"


class Recipes(unittest.TestCase):
    def setUp(self) -> None:
        variables = {"WEBHOOK_SECRET": SECRET, "DARIC_URL": "https://pay.example.com", "DARIC_KEY": "daric_test_sk_a_b", "LINK_ID": LINK}
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)
        sys.path.insert(0, str(FOLDER))
        self.paid = signed_event("deposit.confirmed", SECRET, data={"depositAddressId": CHARGE})

    def tearDown(self) -> None:
        sys.path.remove(str(FOLDER))
        sys.modules.pop("fulfil", None)

    def test_the_syntax_of_every_recipe_is_valid(self) -> None:
        files = sorted(FOLDER.glob("*.py"))
        self.assertEqual(len(files), 6)
        for file in files:
            compile(file.read_text("utf-8"), file.name, "exec")

    @unittest.skipUnless(find_spec("fastapi"), "fastapi is not installed")
    def test_fastapi(self) -> None:
        from fastapi.testclient import TestClient

        client = TestClient(importlib.import_module("fastapi_app").app)

        def post(event: SignedEvent) -> Tuple[int, str]:
            answer = client.post("/hook", content=event.body, headers=event.headers)
            return answer.status_code, answer.text

        self.check(post)

    @unittest.skipUnless(find_spec("flask"), "flask is not installed")
    def test_flask(self) -> None:
        client = importlib.import_module("flask_app").app.test_client()

        def post(event: SignedEvent) -> Tuple[int, str]:
            answer = client.post("/hook", data=event.body, headers=event.headers)
            return answer.status_code, answer.text

        self.check(post)

    @unittest.skipUnless(find_spec("django"), "django is not installed")
    def test_django(self) -> None:
        from django.conf import settings
        from django.test import Client

        settings.configure(ROOT_URLCONF="django_app", ALLOWED_HOSTS=["*"])

        def post(event: SignedEvent) -> Tuple[int, str]:
            kind = event.headers["content-type"]
            answer = Client().post("/hook", event.body, kind, headers=event.headers)
            return answer.status_code, answer.content.decode()

        self.check(post)

    @unittest.skipUnless(find_spec("aiogram"), "aiogram is not installed")
    def test_aiogram(self) -> None:
        bot = importlib.import_module("aiogram_bot")
        answers: List[str] = []
        link = SimpleNamespace(id=LINK, title="A book", amount="25.50", currency="USDT", pricing_currency=None, url="https://pay.example.com/l/1")

        async def retrieve(_: str) -> Any:
            return link

        async def follow(*_: Any, **__: Any) -> Any:
            from daric import verify_webhook

            good = {"orderRef": "T-1", "paymentLinkId": LINK, "payerRef": "tg7", "paymentState": "exact"}
            bad = [{"paymentLinkId": None}, {"payerRef": None}, {"payerRef": "tgx"}, {"orderRef": None}, {"orderAmount": "1"}, {"paymentState": "under"}]
            blocked = {"orderRef": "T-2", "payerRef": "tg99"}
            for change in [*bad, {}, {}, blocked, {"orderRef": "T-3"}]:
                event = signed_event("deposit.confirmed", SECRET, data={**good, **change})
                yield verify_webhook(event.body, event.headers, SECRET)

        async def answer(text: str) -> None:
            answers.append(text)

        async def send(chat_id: int, text: str) -> None:
            if chat_id == 99:
                raise bot.TelegramAPIError(None, "the bot was blocked")
            answers.append(f"{chat_id}: {text}")

        bot.daric = SimpleNamespace(retrieve_payment_link=retrieve, follow_events=follow)
        asyncio.run(bot.start(SimpleNamespace(chat=SimpleNamespace(id=7), answer=answer)))
        asyncio.run(bot.deliver_paid(SimpleNamespace(send_message=send)))
        delivered = [f"7: {order_ref} is paid. Here is your key." for order_ref in ("T-1", "T-3")]
        self.assertEqual(answers, ["A book: pay here https://pay.example.com/l/1?ref=tg7", *delivered])

    def check(self, post: Any) -> None:
        """A forged event is refused, and the signed one delivers once."""
        fulfilled = importlib.import_module("fulfil").fulfilled
        forged = SignedEvent(self.paid.body.replace(b"25.5", b"99.5"), self.paid.headers)
        self.assertEqual(post(forged), (400, "BAD_SIGNATURE"))
        self.assertEqual(post(SignedEvent(self.paid.body, {"content-type": "application/json"})), (400, "MISSING_HEADER"))
        self.assertEqual(fulfilled, set())
        self.assertEqual(post(self.paid), (204, ""))
        self.assertEqual(fulfilled, {"A-1042"})
        self.assertEqual(post(self.paid), (204, ""))
        self.assertEqual(post(signed_event("refund.completed", SECRET)), (204, ""))


if __name__ == "__main__":
    unittest.main()
