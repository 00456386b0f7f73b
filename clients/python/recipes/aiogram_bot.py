"""A Telegram seller's bot: a link to pay, and the goods once the money is final."""

import asyncio
import os
import re

from aiogram import Bot, Dispatcher
from aiogram.exceptions import TelegramAPIError
from aiogram.filters import CommandStart
from aiogram.types import Message
from daric import AsyncDaric, ExpectedOrder, is_fulfilled_by

# A payment link with a fixed amount and an order_ref_prefix, from the dashboard.
LINK_ID = os.environ["LINK_ID"]
dispatcher = Dispatcher()
daric = AsyncDaric(os.environ["DARIC_URL"], os.environ["DARIC_KEY"])
delivered = set()  # references of orders: in real life a unique column, written in one transaction with the event's id


@dispatcher.message(CommandStart())
async def start(message: Message) -> None:
    link = await daric.retrieve_payment_link(LINK_ID)
    # Each order of the link keeps the ref, so the bot needs no list of chats.
    await message.answer(f"{link.title}: pay here {link.url}?ref=tg{message.chat.id}")


async def deliver_paid(bot: Bot, after=None) -> None:
    """Delivers each paid order of the link once. A real bot stores event.id with the delivery and begins after it."""
    link = await daric.retrieve_payment_link(LINK_ID)
    currency = link.pricing_currency or link.currency
    async for event in daric.follow_events(after, types=["deposit.confirmed", "order.paid", "order.accepted"]):
        data = event.data  # None once the service has deleted it
        # Anyone can write a ref: it chooses the chat, and proves nothing.
        chat = re.fullmatch(r"tg(-?[0-9]{1,15})", getattr(data, "payer_ref", None) or "")
        if chat is None or data.payment_link_id != link.id or data.order_ref in delivered:
            continue
        if not is_fulfilled_by(event, ExpectedOrder(data.order_ref, link.amount, currency)):
            continue
        delivered.add(data.order_ref)
        try:
            await bot.send_message(int(chat[1]), f"{data.order_ref} is paid. Here is your key.")
        except TelegramAPIError as error:  # the buyer blocked the bot, or Telegram is down: deliver by hand
            print("not delivered", data.order_ref, error)


async def main() -> None:
    bot = Bot(os.environ["BOT_TOKEN"])
    works = [asyncio.ensure_future(dispatcher.start_polling(bot)), asyncio.ensure_future(deliver_paid(bot))]
    # The bot ends with the first of them: by a signal, or because its key is refused.
    done, others = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
    for work in others:
        work.cancel()
    for work in done:
        work.result()


if __name__ == "__main__":
    asyncio.run(main())
