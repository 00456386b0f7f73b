"""The two clients: they carry out the same flows, one by waiting and one in asyncio."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import contextmanager
from typing import Any, AsyncIterator, Callable, Dict, Iterator, Mapping, NoReturn, Optional, Sequence, TypeVar, Union

import httpx

from . import _flows
from ._core import Answer, NoAnswer, Request, Settings, settings_of
from ._flows import Flow, Pause
from ._operation import CallOptions, File, OnceMade, Operation
from ._operations import CREATE_DEPOSIT_ADDRESS, AsyncOperations, Operations
from ._types import WebhookEvent
from .errors import DaricError

T = TypeVar("T")


class Daric(Operations):
    """A client of one deployment that waits for each answer; threads may share it.

    Money is a ``Decimal``, a time a ``datetime`` with a zone. Every call fails with a ``DaricError``; an impossible option,
    id or amount with a ``ValueError`` or ``TypeError`` before anything is sent.

    :param base_url: The URL of the deployment, without ``/v1``.
    :param api_key: A secret key of a merchant; optional if only operations by a token are called.
    :param timeout: The limit of each try in seconds.
    :param max_retries: Retries of safe calls, at most 10.
    :param http_client: Used instead of an own one, for a proxy or certificates; it stays open.
    :param user_agent: Appended to the client's own: ``shop/1.2``.
    :param warn: Called when the service ignored a field; by default a warning of the logger ``daric``.
    """

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        timeout: float = 15.0,
        max_retries: int = 2,
        http_client: Optional[httpx.Client] = None,
        user_agent: Optional[str] = None,
        warn: Optional[Callable[[str], None]] = None,
    ) -> None:
        self._settings = settings_of(base_url, api_key, timeout, max_retries, user_agent, warn)
        self._http = http_client or httpx.Client()
        self._is_own = http_client is None
        self._turns = _Turns(threading.Lock)

    @property
    def environment(self) -> Optional[str]:
        """``test`` or ``live``, as the key says; None without a key."""
        return self._settings.environment

    def follow_events(
        self,
        after: Optional[str] = None,
        *,
        types: Sequence[str] = (),
        poll: float = 1.0,
        on_fault: Optional[Callable[[DaricError], None]] = None,
    ) -> Iterator[WebhookEvent]:
        """Every event after a position, oldest first, and then each new one, until the process ends.

        Keep the ``id`` of the last event that you handled and start again with it as ``after``: no event is left out or
        repeated. An unreachable or overloaded service is waited out, up to 30 s between two calls.

        :param after: The id of an event, or ``newest`` for later events only; by default the feed begins with the first.
        :param types: Only events with these names.
        :param poll: The seconds to wait after the newest event.
        :param on_fault: Called for each temporary fault; the client's ``warn`` by default.
        :raises DaricError: for a lasting refusal: a revoked key, an unknown ``after``.
        """
        while True:
            feed = self._run(_flows.read_on(self._settings, after, types, on_fault))
            yield from feed.data
            after = feed.next
            if not feed.has_more:
                time.sleep(poll)

    def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            self._http.close()

    def __enter__(self) -> Daric:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return _shown(self, self._settings)

    def __reduce__(self) -> NoReturn:
        _refuse_pickle()

    def _call(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        return self._run(_flows.call(self._settings, operation, options, **parts))

    def _page(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        return self._run(_flows.page(self._settings, operation, options, **parts))

    def _file(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> File:
        return self._run(_flows.file(self._settings, operation, options, **parts))

    def _rows(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Iterator[Any]:
        query = _full_pages(parts["query"])
        while True:
            page = self._page(operation, options, query=query)
            yield from page.data
            if len(page.data) < page.limit:
                return
            query = {**query, "after": page.data[-1].id}

    def _once(self, options: Optional[CallOptions], body: Mapping[str, Any]) -> OnceMade:
        with self._turns.taken(body["orderRef"]) as turn:
            with turn.lock:
                turn.begin()
                with turn.watched():
                    return self._run(_flows.find_or_create(self._settings, options, body))

    def _run(self, flow: Flow[T]) -> T:
        reply: Union[Answer, NoAnswer, None] = None
        try:
            while True:
                step = flow.send(reply)
                reply = None
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                else:
                    reply = self._send(step)
        except StopIteration as end:
            result: T = end.value
            return result

    def _send(self, request: Request) -> Union[Answer, NoAnswer]:
        """Makes one try. The time limit holds for the whole answer, also for one that comes byte by byte."""
        deadline = time.monotonic() + request.timeout
        try:
            with self._http.stream(request.method, request.url, **_arguments(request)) as response:
                chunks = []
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    if time.monotonic() > deadline:
                        return NoAnswer("too slow", is_timeout=True, is_unsent=False)
                return _answer_of(response, b"".join(chunks))
        except httpx.HTTPError as fault:
            return _lost(fault)


class AsyncDaric(AsyncOperations):
    """A client of one deployment for asyncio, with the options and promises of ``Daric``. A cancelled call ends at once."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        timeout: float = 15.0,
        max_retries: int = 2,
        http_client: Optional[httpx.AsyncClient] = None,
        user_agent: Optional[str] = None,
        warn: Optional[Callable[[str], None]] = None,
    ) -> None:
        self._settings = settings_of(base_url, api_key, timeout, max_retries, user_agent, warn)
        self._http = http_client or httpx.AsyncClient()
        self._is_own = http_client is None
        self._turns = _Turns(asyncio.Lock)

    @property
    def environment(self) -> Optional[str]:
        """``test`` or ``live``, as the key says; None without a key."""
        return self._settings.environment

    async def follow_events(
        self,
        after: Optional[str] = None,
        *,
        types: Sequence[str] = (),
        poll: float = 1.0,
        on_fault: Optional[Callable[[DaricError], None]] = None,
    ) -> AsyncIterator[WebhookEvent]:
        """Every event after a position, and then each new one, as ``Daric.follow_events`` gives them."""
        while True:
            feed = await self._run(_flows.read_on(self._settings, after, types, on_fault))
            for event in feed.data:
                yield event
            after = feed.next
            if not feed.has_more:
                await asyncio.sleep(poll)

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._is_own:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncDaric:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return _shown(self, self._settings)

    def __reduce__(self) -> NoReturn:
        _refuse_pickle()

    async def _call(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        return await self._run(_flows.call(self._settings, operation, options, **parts))

    async def _page(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        return await self._run(_flows.page(self._settings, operation, options, **parts))

    async def _file(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> File:
        return await self._run(_flows.file(self._settings, operation, options, **parts))

    async def _rows(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> AsyncIterator[Any]:
        query = _full_pages(parts["query"])
        while True:
            page = await self._page(operation, options, query=query)
            for row in page.data:
                yield row
            if len(page.data) < page.limit:
                return
            query = {**query, "after": page.data[-1].id}

    async def _once(self, options: Optional[CallOptions], body: Mapping[str, Any]) -> OnceMade:
        with self._turns.taken(body["orderRef"]) as turn:
            async with turn.lock:
                turn.begin()
                with turn.watched():
                    return await self._run(_flows.find_or_create(self._settings, options, body))

    async def _run(self, flow: Flow[T]) -> T:
        reply: Union[Answer, NoAnswer, None] = None
        try:
            while True:
                step = flow.send(reply)
                reply = None
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                else:
                    reply = await self._send(step)
        except StopIteration as end:
            result: T = end.value
            return result

    async def _send(self, request: Request) -> Union[Answer, NoAnswer]:
        try:
            return await asyncio.wait_for(self._exchange(request), request.timeout)
        except asyncio.TimeoutError:
            return NoAnswer("too slow", is_timeout=True, is_unsent=False)
        except httpx.HTTPError as fault:
            return _lost(fault)

    async def _exchange(self, request: Request) -> Answer:
        response = await self._http.request(request.method, request.url, **_arguments(request))
        return _answer_of(response, response.content)


class _Turn:
    """The turns of one reference: one call at a time, so that the later one finds the earlier one's order."""

    def __init__(self, lock: Any) -> None:
        self.lock = lock
        self.users = 0
        self.is_unknown = False

    def begin(self) -> None:
        """Fails after a call without an answer: its request may still be carried out, and a second one would repeat it."""
        if self.is_unknown:
            raise DaricError(
                "The previous call with this order_ref ended without an answer: wait and call again.",
                code="CONNECTION",
                operation=CREATE_DEPOSIT_ADDRESS.name,
                is_outcome_unknown=True,
            )

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notes whether the call ended without an answer, as a cancelled one does."""
        try:
            yield
        except DaricError as failure:
            self.is_unknown = failure.is_outcome_unknown
            raise
        except BaseException:
            self.is_unknown = True
            raise


class _Turns:
    """The turns of the references that are under way. One forgets what it knew when its last caller leaves."""

    def __init__(self, new_lock: Callable[[], Any]) -> None:
        self._new_lock = new_lock
        self._guard = threading.Lock()
        self._turns: Dict[str, _Turn] = {}

    @contextmanager
    def taken(self, order_ref: str) -> Iterator[_Turn]:
        with self._guard:
            turn = self._turns.get(order_ref) or _Turn(self._new_lock())
            self._turns[order_ref] = turn
            turn.users += 1
        try:
            yield turn
        finally:
            with self._guard:
                turn.users -= 1
                if turn.users == 0:
                    del self._turns[order_ref]


def _full_pages(query: Mapping[str, Any]) -> Dict[str, Any]:
    limit = query.get("limit")
    return {**query, "limit": limit if isinstance(limit, int) else _flows.MAX_ROWS}


def _arguments(request: Request) -> Dict[str, Any]:
    # The key must not follow a redirect to another host.
    return {
        "headers": request.headers,
        "content": request.content,
        "timeout": request.timeout,
        "follow_redirects": False,
    }


def _answer_of(response: httpx.Response, content: bytes) -> Answer:
    return Answer(response.status_code, {name.lower(): value for name, value in response.headers.items()}, content)


def _lost(fault: httpx.HTTPError) -> NoAnswer:
    is_unsent = isinstance(fault, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    reason = str(fault) or type(fault).__name__
    return NoAnswer(reason, is_timeout=isinstance(fault, httpx.TimeoutException), is_unsent=is_unsent)


def _shown(client: object, settings: Settings) -> str:
    return f"{type(client).__name__}({settings.base_url!r}, environment={settings.environment!r})"


def _refuse_pickle() -> NoReturn:
    raise TypeError("A client holds a secret key and connections: make one in each process instead.")
