import os

from daric import WebhookVerificationError, verify_webhook
from flask import Flask, request
from fulfil import fulfil

app = Flask(__name__)
secret = os.environ["WEBHOOK_SECRET"]


@app.post("/hook")
def hook():
    try:
        fulfil(verify_webhook(request.get_data(), request.headers, secret))
    except WebhookVerificationError as error:
        print(error)
        return error.code, 400
    return "", 204  # any other fault is a 500, and Daric sends the event again
