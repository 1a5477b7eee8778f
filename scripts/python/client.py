"""The client's HTTP transport; uses only the standard library."""

from __future__ import annotations

import http.client
import json
import os
import time
import uuid
from typing import Any, Iterator, Mapping
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


class PrivetError(Exception):
    """An error response of the API, or a failed connection. Messages never contain your texts."""

    def __init__(self, status: int, code: str, message: str, **rest: Any) -> None:
        super().__init__(f"{code}: {message}")
        #: The HTTP status; 0 if there was no response.
        self.status = status
        #: A stable code, e.g. "invalid_input" or "session_not_found".
        self.code = code
        self.message = message
        self.hint: str | None = rest.get("hint")
        self.details: Any = rest.get("details")
        self.request_id: str | None = rest.get("requestId")


class Client:
    """Sends requests to a gateway with an API key."""

    def __init__(self, base_url: str | None = None, api_key: str | None = None, timeout: float = 60) -> None:
        """`base_url` and `api_key` default to the environment variables PRIVET_URL and PRIVET_KEY."""
        address = base_url or os.environ.get("PRIVET_URL") or "http://127.0.0.1:3001"
        self.base_url = address.rstrip("/")
        self.api_key = api_key or os.environ.get("PRIVET_KEY")
        self.timeout = timeout

    def _call(self, method: str, path: str, **parts: Any) -> Any:
        with self._open(method, path, **parts) as response:
            body = response.read()
            if not body:
                return None
            is_json = response.headers.get_content_type() == "application/json"
            return json.loads(body) if is_json else body.decode()

    def _events(self, method: str, path: str, **parts: Any) -> Iterator[Any]:
        """Yields the data of server-sent events as they arrive."""
        with self._open(method, path, **parts) as response:
            for line in response:
                data = line.decode().rstrip("\r\n")
                if not data.startswith("data: "):
                    continue
                if data == "data: [DONE]":
                    return
                yield json.loads(data[6:])

    def _open(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        file: tuple[str, bytes] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        url = self.base_url + path + ("?" + urlencode(given) if given else "")
        headers = {"accept": "application/json, text/event-stream"}
        data = None
        if self.api_key:
            headers["authorization"] = f"Bearer {self.api_key}"
        if file is not None:
            data, headers["content-type"] = _form(body or {}, file)
        elif body is not None:
            data, headers["content-type"] = json.dumps(body).encode(), "application/json"
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        # With an idempotency key nothing is created twice, so a request whose response was lost can be repeated.
        for pause in [*(_PAUSES if idempotency_key is not None else ()), None]:
            try:
                return urlopen(Request(url, data, headers, method=method), timeout=self.timeout)
            except HTTPError as error:
                raise _error_of(error) from None
            except (URLError, http.client.HTTPException, ConnectionError) as error:
                if pause is None:
                    reason = getattr(error, "reason", error)
                    raise PrivetError(0, "unreachable", f"{self.base_url} cannot be reached: {reason}") from None
                time.sleep(pause)


#: Seconds to wait before each retry.
_PAUSES = (0.2, 1.0)


def _error_of(error: HTTPError) -> PrivetError:
    try:
        given = json.loads(error.read())["error"]
    except (ValueError, KeyError, TypeError):
        given = {"code": "http_error", "message": f"status {error.code}"}
    return PrivetError(error.code, **given)


class _Unset:
    def __repr__(self) -> str:
        return "UNSET"


#: Omits a field for which None is a valid value.
UNSET: Any = _Unset()


def _new_key() -> str:
    return uuid.uuid4().hex


def _given(fields: Mapping[str, Any], nullable: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Leaves out omitted fields; None is sent only in `nullable` fields."""
    given = {name: value for name, value in fields.items() if value is not None}
    return {**given, **{name: value for name, value in (nullable or {}).items() if value is not UNSET}}


def _segment(value: Any) -> str:
    return quote(str(value), safe="")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _form(fields: Mapping[str, Any], file: tuple[str, bytes]) -> tuple[bytes, str]:
    boundary = uuid.uuid4().hex
    name, content = file
    safe = name.replace('"', "%22").replace("\r", "").replace("\n", "")
    parts = [
        f'--{boundary}\r\ncontent-disposition: form-data; name="{field}"\r\n\r\n{_text(value)}\r\n'.encode()
        for field, value in fields.items()
    ]
    head = f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{safe}"\r\n\r\n'.encode()
    return b"".join([*parts, head, content, f"\r\n--{boundary}--\r\n".encode()]), f"multipart/form-data; boundary={boundary}"
