"""The part of a client that opens no connection: settings, requests, and the reading of answers."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Mapping, Optional, Union
from urllib.parse import quote, urlencode, urljoin, urlsplit

from ._operation import CallOptions, File, Operation
from ._wire import encode
from .errors import DaricError, FieldFault

VERSION = "0.1.0"
"""The version of this package; a test compares it with pyproject.toml."""

_KEY = re.compile(r"daric_(test|live)_sk_[0-9A-Za-z]+_[0-9A-Za-z]+")
_MAX_RETRIES = 10
_MAX_SECONDS = 2**53 - 1


@dataclass(frozen=True)
class Request:
    """A request of one try."""

    method: str
    url: str
    headers: Dict[str, str] = field(repr=False)
    content: Optional[bytes]
    timeout: float
    """The limit in seconds, until the answer is read completely."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    """By names in small letters."""
    content: bytes


@dataclass(frozen=True)
class NoAnswer:
    reason: str
    is_timeout: bool
    is_unsent: bool
    """Whether the request never left, so that nothing was done."""


@dataclass(frozen=True)
class Settings:
    """The validated options of a client."""

    base_url: str
    api_key: Optional[str] = field(repr=False)
    environment: Optional[str]
    timeout: float
    max_retries: int
    user_agent: str
    warn: Callable[[str], None] = field(repr=False)


def settings_of(
    base_url: str,
    api_key: Optional[str],
    timeout: float,
    max_retries: int,
    user_agent: Optional[str],
    warn: Optional[Callable[[str], None]],
) -> Settings:
    """:raises ValueError: for an option that cannot work: a base URL that ends with /v1, a malformed key."""
    if isinstance(max_retries, bool) or not isinstance(max_retries, int) or not 0 <= max_retries <= _MAX_RETRIES:
        raise ValueError(f"max_retries must be a whole number from 0 to {_MAX_RETRIES}, not {max_retries!r}.")
    agent = f"daric-python/{VERSION}" + (f" {user_agent}" if user_agent else "")
    return Settings(
        base_url=_base_url_of(base_url),
        api_key=api_key,
        environment=_environment_of(api_key),
        timeout=_seconds(timeout),
        max_retries=max_retries,
        user_agent=agent,
        warn=warn or logging.getLogger("daric").warning,
    )


def request_of(settings: Settings, operation: Operation[Any], parts: Mapping[str, Any], options: CallOptions) -> Request:
    """The request of a call. :raises ValueError: for an id that would name another resource, and :raises TypeError: for a float."""
    method, _, template = operation.name.partition(" ")
    given = parts.get("path") or {}
    path = re.sub(r"\{(\w+)\}", lambda name: _segment(name.group(1), given.get(name.group(1))), template)
    query = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in encode(parts.get("query") or {}, "query").items()
        if value is not None
    }
    url = settings.base_url + path + (f"?{urlencode(query)}" if query else "")
    headers = {"accept": "application/json", "user-agent": settings.user_agent}
    # No key is sent where none is needed: a token is its own credential, and currencies are public.
    if not operation.is_keyless:
        if settings.api_key is None:
            raise ValueError(f"{operation.name} needs an api_key, and this client was made without one.")
        headers["x-api-key"] = settings.api_key
    if options.correlation_id is not None:
        headers["x-correlation-id"] = _printable(options.correlation_id)
    content = None
    body = parts.get("body")
    if body is not None:
        for name in operation.required:
            if body.get(name) in (None, ""):
                raise ValueError(f"{operation.name} needs the field {name}.")
        headers["content-type"] = "application/json"
        content = json.dumps(encode(body, "body"), ensure_ascii=False).encode()
    timeout = settings.timeout if operation.timeout is None else operation.timeout
    return Request(method, url, headers, content, timeout if options.timeout is None else _seconds(options.timeout))


def envelope_in(settings: Settings, operation: Operation[Any], answer: Answer) -> Dict[str, Any]:
    """The envelope of a success. :raises DaricError: for a refusal, and for an answer that is not Daric's."""
    body = _object_in(answer.content)
    is_ok = 200 <= answer.status < 300
    if is_ok and body.get("success") is True and "data" in body:
        ignored = answer.headers.get("x-ignored-fields")
        if ignored is not None:
            settings.warn(f"Daric ignored unknown fields of {operation.name}: {ignored}")
        return body
    error = body.get("error")
    if body.get("success") is False and isinstance(body.get("message"), str) and isinstance(error, dict):
        if isinstance(error.get("code"), str):
            raise _refusal(settings, operation, answer, body)
    raise unexpected(settings, operation, answer)


def file_in(settings: Settings, operation: Operation[Any], answer: Answer) -> File:
    """The file of a success. :raises DaricError: for a refusal, and for an answer that is not Daric's."""
    disposition = answer.headers.get("content-disposition", "")
    if not 200 <= answer.status < 300 or not disposition.startswith("attachment"):
        envelope_in(settings, operation, answer)
        raise unexpected(settings, operation, answer)
    found = re.search(r'filename="([^"/\\\\]+)"', disposition)
    return File(answer.content, answer.headers.get("content-type", ""), found and found.group(1))


def unreachable(settings: Settings, operation: Operation[Any], lost: NoAnswer, timeout: float) -> DaricError:
    """The error of a call without an answer."""
    is_unknown = not operation.name.startswith("GET ") and not lost.is_unsent
    place = _origin(settings)
    if lost.is_timeout:
        message = f"{place} did not answer {operation.name} within {timeout:g} s."
        return DaricError(message, code="TIMEOUT", operation=operation.name, is_outcome_unknown=is_unknown)
    message = f"{place} could not be reached for {operation.name}: {lost.reason}."
    return DaricError(message, code="CONNECTION", operation=operation.name, is_outcome_unknown=is_unknown)


def unexpected(settings: Settings, operation: Operation[Any], answer: Answer) -> DaricError:
    """The error for an answer of a proxy or another server."""
    kind = answer.headers.get("content-type", "no content type")
    place = _origin(settings)
    if 300 <= answer.status < 400:
        message = (
            f"{place} redirects {operation.name}, and a key is not sent after a redirect: "
            "set base_url to the target of the redirect."
        )
    else:
        message = (
            f"{place} answered {operation.name} with {answer.status} and {kind}, not as Daric does: "
            "is the base_url right, or is a proxy in between down?"
        )
    return DaricError(
        message,
        code="UNEXPECTED_ANSWER",
        operation=operation.name,
        status=answer.status,
        correlation_id=answer.headers.get("x-correlation-id"),
        retry_after=_retry_after(answer),
        is_outcome_unknown=_is_unknown(operation, answer),
    )


def _refusal(settings: Settings, operation: Operation[Any], answer: Answer, body: Dict[str, Any]) -> DaricError:
    error, message = body["error"], body["message"]
    code, details, doc_url = error["code"], error.get("details"), error.get("docUrl")
    if code == "WRONG_ENVIRONMENT":
        message += (
            f" The key of this client is a {settings.environment} key, and {_origin(settings)} is a deployment "
            "of the other environment: change the key or the base_url."
        )
    faults = [
        FieldFault(str(fault.get("path")), str(fault.get("message")))
        for fault in (details if isinstance(details, list) else [])
        if isinstance(fault, dict)
    ]
    return DaricError(
        message,
        code=code,
        operation=operation.name,
        status=answer.status,
        details=faults,
        correlation_id=body.get("correlationId"),
        retry_after=_retry_after(answer),
        doc_url=urljoin(settings.base_url + "/", doc_url) if isinstance(doc_url, str) else None,
        # RATE_UNAVAILABLE is the only 5xx code that means that nothing was done.
        is_outcome_unknown=_is_unknown(operation, answer) and code != "RATE_UNAVAILABLE",
    )


def _is_unknown(operation: Operation[Any], answer: Answer) -> bool:
    return not operation.name.startswith("GET ") and (200 <= answer.status < 300 or answer.status >= 500)


def _retry_after(answer: Answer) -> Optional[int]:
    """The seconds of Retry-After, which has seconds or an HTTP date."""
    text = answer.headers.get("retry-after", "").strip()
    if re.fullmatch("[0-9]+", text):
        return min(int(text[:20]), _MAX_SECONDS)
    if not text.endswith("GMT"):
        return None
    try:
        seconds = (parsedate_to_datetime(text) - datetime.now(timezone.utc)).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(0, -int(-seconds // 1))


def _object_in(content: bytes) -> Dict[str, Any]:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _origin(settings: Settings) -> str:
    parts = urlsplit(settings.base_url)
    return f"{parts.scheme}://{parts.netloc}"


def _segment(name: str, value: object) -> str:
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"{name} must be the text that the service answered, not {value!r}.")
    return quote(value, safe="")


def _printable(text: str) -> str:
    if not re.fullmatch(r"[\x20-\x7e]{1,128}", text):
        raise ValueError("correlation_id must be at most 128 printable ASCII characters.")
    return text


def _base_url_of(text: Union[str, Any]) -> str:
    parts = urlsplit(text) if isinstance(text, str) else None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"base_url must be the URL of the deployment, like https://pay.example.com, not {text!r}.")
    path = parts.path.rstrip("/")
    if path.endswith("/v1"):
        raise ValueError("base_url must not end with /v1: the client adds it to every path.")
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError("base_url must have no query, fragment or password.")
    return f"{parts.scheme}://{parts.netloc}{path}"


def _environment_of(api_key: Optional[str]) -> Optional[str]:
    if api_key is None:
        return None
    found = _KEY.fullmatch(api_key) if isinstance(api_key, str) else None
    if found:
        return found.group(1)
    if str(api_key).startswith("whsec_"):
        raise ValueError(
            "api_key is the secret of a webhook endpoint: it goes to verify_webhook. "
            "A key begins with daric_test_sk_ or daric_live_sk_."
        )
    raise ValueError("api_key is not in the form of a key: daric_test_sk_… or daric_live_sk_…, without blanks around it.")


def _seconds(value: float) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 2_147_483:
        return float(value)
    raise ValueError(f"timeout must be a number of seconds above 0, not {value!r}.")
