"""A Telegram seller's bot: a price, a link to pay, and the goods once the money is final."""

import asyncio
import os

from aiogram import Bot, Dispatcher
from aiogram.filters import Command
from aiogram.types import Message
from daric import AsyncDaric, ExpectedOrder, is_fulfilled_by

PRICE = "25.50"
dispatcher = Dispatcher()
daric = AsyncDaric(os.environ["DARIC_URL"], os.environ["DARIC_KEY"])
# The orders by their reference, with the buyer's chat; a real bot has a table.
orders = {}
delivered = set()


@dispatcher.message(Command("buy"))
async def buy(message: Message) -> None:
    # One message makes one order, however often Telegram delivers it.
    order_ref = f"tg-{message.chat.id}-{message.message_id}"
    made = await daric.create_order_once(order_ref=order_ref, amount=PRICE, label="One month")
    orders[order_ref] = (ExpectedOrder(order_ref, PRICE, "USDT", made.order.id), message.chat.id)
    await message.answer(f"Pay {PRICE} USDT here: {made.order.checkout_url}")


async def deliver_paid(bot: Bot, after=None) -> None:
    """Delivers each paid order once. A real bot stores event.id with the delivery and begins after it."""
    async for event in daric.follow_events(after, types=["deposit.confirmed", "order.paid", "order.accepted"]):
        order, chat_id = orders.get(getattr(event.data, "order_ref", None), (None, None))
        if order is None or order.order_ref in delivered or not is_fulfilled_by(event, order):
            continue
        delivered.add(order.order_ref)
        await bot.send_message(chat_id, f"{order.order_ref} is paid. Here is your key.")


async def main() -> None:
    bot = Bot(os.environ["BOT_TOKEN"])
    await asyncio.gather(dispatcher.start_polling(bot), deliver_paid(bot))


if __name__ == "__main__":
    asyncio.run(main())
