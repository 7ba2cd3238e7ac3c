"""The broker: the only file that knows paho-mqtt. It connects, and connects again, by itself."""

from __future__ import annotations

import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from kiosk.club.settings import BrokerSettings
from rules.errors import FairdealError, plain

RECONNECT_S = (1, 8)  # first and longest pause between two attempts
IN_FLIGHT = 100  # messages of QoS 1 that the broker has not confirmed


@dataclass(frozen=True, slots=True)
class Message:
    """A message to or from the broker. `is_kept`: the broker had kept it (retained)."""

    topic: str
    payload: bytes
    qos: int = 1
    is_kept: bool = False


class Broker:
    """A connection. `wake` is called on a foreign thread when something came; it must be short.

    `received` and `confirmed` are bounded queues that one thread empties; `say` prints a line.
    """

    def __init__(
        self,
        settings: BrokerSettings,
        client_id: str,
        wake: Callable[[], None],
        say: Callable[[str], None],
        *,
        will: Message | None = None,
        most_received: int = 2000,
    ) -> None:
        """Raises FairdealError for certificates that cannot be used."""
        self._settings, self._wake, self._say = settings, wake, say
        self.received: deque[Message] = deque(maxlen=most_received)
        self.confirmed: deque[int] = deque()
        self.connections = 0  # how often it was let in
        self.is_connected = False
        self.address = ""  # our own, as the broker sees it where no router lies between
        self._said = ""
        self._subscriptions: tuple[str, ...] = ()
        client = Client(
            CallbackAPIVersion.VERSION2, client_id=client_id, clean_session=True, protocol=MQTTv311
        )
        client.max_inflight_messages_set(IN_FLIGHT)
        client.reconnect_delay_set(*RECONNECT_S)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message, client.on_publish = self._on_message, self._on_publish
        if settings.user:
            client.username_pw_set(settings.user, settings.password)
        if settings.tls:
            _set_tls(client, settings)
        if will is not None:
            client.will_set(will.topic, will.payload, will.qos, will.is_kept)
        self._client = client

    def start(self, subscriptions: tuple[str, ...]) -> None:
        """Connects, now or later; each connection subscribes to these."""
        self._subscriptions = subscriptions
        self._client.connect_async(
            self._settings.host, self._settings.port, self._settings.keepalive_s
        )
        self._client.loop_start()

    def publish(self, message: Message) -> int:
        """Hands a message to the client; its ticket, which `confirmed` names. Never waits."""
        sent = self._client.publish(message.topic, message.payload, message.qos, message.is_kept)
        return sent.mid

    def stop(self) -> None:
        """Says goodbye; the will is not sent. Harmless when done twice."""
        self._client.disconnect()
        self._client.loop_stop()
        self.is_connected = False

    # -- the client's thread ----------------------------------------------------------------

    def _on_connect(self, client: Client, _: Any, flags: Any, reason: Any, more: Any) -> None:
        if reason.is_failure:
            todo = "mend user and password in the club file"
            self._say_once(f"expected to be let in, found {str(reason).lower()}; {todo}")
            return
        connection = client.socket()
        self.address = "" if connection is None else _address(connection)
        if self._subscriptions:
            client.subscribe([(topic, 1) for topic in self._subscriptions])
        if self._said:
            self._say(f"broker {self._name}: connected")
            self._said = ""
        self.connections += 1
        self.is_connected = True
        self._wake()

    def _on_connect_fail(self, client: Client, _: Any) -> None:
        self._say_once("expected a connection, found none; tried again until it is there")

    def _on_disconnect(self, client: Client, _: Any, flags: Any, reason: Any, more: Any) -> None:
        self.is_connected = False
        if reason.is_failure and not self._said:
            self._say_once("the connection ended; calls wait on the disk")
        self._wake()

    def _on_message(self, client: Client, _: Any, message: MQTTMessage) -> None:
        self.received.append(
            Message(message.topic, bytes(message.payload), message.qos, message.retain)
        )
        self._wake()

    def _on_publish(self, client: Client, _: Any, mid: int, reason: Any, more: Any) -> None:
        self.confirmed.append(mid)
        self._wake()

    @property
    def _name(self) -> str:
        return f"{self._settings.host}:{self._settings.port}"

    def _say_once(self, why: str) -> None:
        if why != self._said:
            self._said = why
            self._say(plain(f"broker {self._name}: {why}"))


def _address(connection: Any) -> str:
    return str(connection.getsockname()[0])


def _set_tls(client: Client, settings: BrokerSettings) -> None:
    try:
        client.tls_set(
            settings.ca or None, settings.certificate or None, settings.key or None,
            cert_reqs=ssl.CERT_REQUIRED,
        )  # fmt: skip
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise FairdealError(
            "certificates in PEM that belong together", str(error), "mend [broker] in the club file"
        ) from error
