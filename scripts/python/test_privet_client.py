"""Tests against a running gateway: PRIVET_URL, PRIVET_KEY (with the plan starter) and PRIVET_ADMIN_KEY."""

import contextlib
import http.client
import itertools
import os
import socket
import threading
import unittest
from urllib.parse import urlsplit

from privet_client import Privet, PrivetError


def relay_that_drops_the_first_response() -> str:
    """Starts a relay that closes its first connection instead of forwarding the response; returns its address."""
    url = urlsplit(os.environ["PRIVET_URL"])
    listener = socket.create_server(("127.0.0.1", 0))

    def relay() -> None:
        for turn in itertools.count():
            client, _ = listener.accept()
            request = client.recv(65536)
            # The body may arrive separately.
            client.settimeout(0.3)
            with contextlib.suppress(TimeoutError):
                request += client.recv(65536)
            with socket.create_connection((url.hostname, url.port)) as gateway:
                gateway.sendall(request)
                response = http.client.HTTPResponse(gateway)
                response.begin()
                body = response.read()
            if turn > 0:
                head = f"HTTP/1.1 {response.status} x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
                client.sendall(head.encode() + body)
            client.close()

    threading.Thread(target=relay, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


class Calls(unittest.TestCase):
    def setUp(self) -> None:
        self.privet = Privet()

    def test_restores_a_masked_value(self) -> None:
        masked = self.privet.mask(text="Write to ana@example.com, please.")
        self.assertEqual(masked["masked"], "Write to [EMAIL-1], please.")
        self.assertEqual(masked["detections"][0]["type"], "EMAIL")
        restored = self.privet.restore(text="I have written to [EMAIL-1].", session_id=masked["sessionId"])
        self.assertEqual(restored["restored"], "I have written to ana@example.com.")

    def test_option_names_are_snake_case(self) -> None:
        entry = {"label": "PROJECT", "pattern": "Apollo"}
        masked = self.privet.mask(text="Apollo starts", dictionary=[entry], token_format="secured", types=["EMAIL"])
        self.assertRegex(masked["masked"], r"^\[SECURED:type=PROJECT,id=\w+\] starts$")

    def test_form_upload(self) -> None:
        uploaded = self.privet.upload(file=("people.csv", b"name,mail\nAna,ana@example.com\n"), token_format="counter")
        self.assertIn("[EMAIL-1]", uploaded["masked"])

    def test_query_and_path_parameters(self) -> None:
        admin = Privet(api_key=os.environ["PRIVET_ADMIN_KEY"])
        services = admin.get_shadow_ai_services(category="blocked")["services"]
        self.assertEqual({service["category"] for service in services}, {"blocked"})
        one = services[0]
        self.assertEqual(admin.get_shadow_ai_services_by_id(one["id"])["key"], one["key"])

    def test_an_error_names_the_field(self) -> None:
        with self.assertRaises(PrivetError) as raised:
            self.privet.mask(text="x", session_id="none")
        self.assertEqual((raised.exception.status, raised.exception.code), (404, "session_not_found"))
        self.assertTrue(raised.exception.request_id)
        with self.assertRaises(PrivetError) as raised:
            self.privet.detect(text="x", types=["MAIL"])
        self.assertEqual(raised.exception.details[0]["field"], "types[0]")

    def test_retries_a_creation_whose_response_was_lost(self) -> None:
        admin = Privet(relay_that_drops_the_first_response(), os.environ["PRIVET_ADMIN_KEY"])
        created = admin.admin_keys(name="once", plan="free")
        matching = [key for key in admin.get_admin_keys()["keys"] if key["name"] == "once"]
        self.assertEqual([key["id"] for key in matching], [created["id"]])

    def test_repeating_an_idempotency_key_returns_the_first_response(self) -> None:
        admin = Privet(api_key=os.environ["PRIVET_ADMIN_KEY"])
        first, second = [admin.admin_keys(name="twice", plan="free", idempotency_key="import-7") for _ in range(2)]
        self.assertEqual(first, second)

    def test_unreachable_gateway(self) -> None:
        with self.assertRaises(PrivetError) as raised:
            Privet("http://127.0.0.1:1").mask(text="x")
        self.assertEqual((raised.exception.status, raised.exception.code), (0, "unreachable"))

    def test_stream(self) -> None:
        events = list(self.privet.chat_stream(message="Write to ana@example.com"))
        self.assertEqual(events[0]["type"], "start")
        self.assertEqual(events[-1]["type"], "end")
        text = "".join(event["text"] for event in events if event["type"] == "delta")
        self.assertIn("ana@example.com", text)


if __name__ == "__main__":
    unittest.main()
