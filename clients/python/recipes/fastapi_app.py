import os

from daric import WebhookVerificationError, verify_webhook
from fastapi import FastAPI, Request, Response
from fulfil import fulfil

app = FastAPI()
secret = os.environ["WEBHOOK_SECRET"]


@app.post("/hook")
async def hook(request: Request) -> Response:
    try:
        # The bytes as they came: a parameter with a model would parse them.
        fulfil(verify_webhook(await request.body(), request.headers, secret))
    except WebhookVerificationError as error:
        print(error)
        return Response(error.code, 400)
    return Response(status_code=204)  # any other fault is a 500, and Daric sends the event again
