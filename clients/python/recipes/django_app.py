import os

from daric import WebhookVerificationError, verify_webhook
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from fulfil import fulfil

secret = os.environ["WEBHOOK_SECRET"]


@csrf_exempt  # the signature proves the sender
@require_POST
def hook(request: HttpRequest) -> HttpResponse:
    try:
        fulfil(verify_webhook(request.body, request.headers, secret))
    except WebhookVerificationError as error:
        print(error)
        return HttpResponse(error.code, status=400)
    return HttpResponse(status=204)  # any other fault is a 500, and Daric sends the event again


urlpatterns = [path("hook", hook)]
