import os
from typing import Optional

from daric import Daric, DaricError

daric = Daric(os.environ["DARIC_URL"], os.environ["DARIC_KEY"])


def checkout_url_of(order_ref: str, amount: str) -> Optional[str]:
    """The page to send the customer to. A second call for the same order returns the same page."""
    try:
        made = daric.create_order_once(order_ref=order_ref, amount=amount, success_url="https://shop.example/thanks")
    except DaricError as error:
        if error.is_outcome_unknown:
            return None  # ask again in 15 s
        print(error.code, error.details, error.correlation_id)
        raise
    print(order_ref, "is made now" if made.is_new else "was there already", made.order.id)
    return made.order.checkout_url
