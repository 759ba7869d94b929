"""The HTTP side: signed requests to the app's request URL, and their redelivery."""

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from dataclasses import dataclass
from urllib.parse import urlencode

import aiohttp

from tests.platforms.slack.deliveries import Delivery, Patience, retry_reason
from tests.platforms.slack.models import App, Json


def signature(secret: str, timestamp: str, body: str) -> str:
    """Return the v0 signature of a request body."""
    base = f"v0:{timestamp}:{body}".encode()
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Forgery:
    """What is wrong with a request's proof of origin; nothing by default."""

    age: float = 0.0
    signature: str | None = None


@dataclass
class SignedHttp:
    """Posts deliveries to a request URL the way Slack does."""

    app: App
    patience: Patience

    async def deliver(self, url: str, delivery: Delivery, forged: Forgery | None = None) -> None:
        """Post the delivery until it is answered with 200 in time, or given up."""
        tries = 1 + (self.patience.retries if delivery.is_retried else 0)
        for number in range(tries):
            if number:
                delivery.retry_num += 1
                await asyncio.sleep(self.patience.retry_pause)
            if await self._attempt(url, delivery, forged or Forgery()):
                return

    async def _attempt(self, url: str, delivery: Delivery, forged: Forgery) -> bool:
        """Post once; tell whether that was the last attempt."""
        body, content_type = _body(delivery)
        headers = self._headers(body, content_type, forged) | _retry_headers(delivery)
        timeout = aiohttp.ClientTimeout(total=self.patience.ack_timeout)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(url, data=body.encode(), headers=headers) as response,
            ):
                return await _judge(delivery, response)
        except TimeoutError:
            delivery.statuses.append("http_timeout")
        except aiohttp.ClientError:
            delivery.statuses.append("connection_failed")
        return False

    async def challenge(self, url: str) -> bool:
        """Tell whether the request URL proves itself by returning the challenge."""
        challenge = secrets.token_hex(16)
        payload = {
            "token": self.app.verification_token,
            "challenge": challenge,
            "type": "url_verification",
        }
        body = json.dumps(payload)
        headers = self._headers(body, "application/json", Forgery())
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, data=body.encode(), headers=headers) as response,
        ):
            return response.status == 200 and challenge in await response.text()

    def _headers(self, body: str, content_type: str, forged: Forgery) -> dict[str, str]:
        timestamp = str(int(time.time() - forged.age))
        proof = forged.signature or signature(self.app.signing_secret, timestamp, body)
        return {
            "Content-Type": content_type,
            "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": proof,
        }


def _body(delivery: Delivery) -> tuple[str, str]:
    if delivery.kind == "events_api":
        return json.dumps(delivery.payload), "application/json"
    form = delivery.payload
    if delivery.kind == "interactive":
        form = {"payload": json.dumps(delivery.payload)}
    return urlencode(form), "application/x-www-form-urlencoded"


def _retry_headers(delivery: Delivery) -> dict[str, str]:
    if not delivery.retry_num:
        return {}
    reason = retry_reason(delivery)
    return {"X-Slack-Retry-Num": str(delivery.retry_num), "X-Slack-Retry-Reason": reason}


async def _judge(delivery: Delivery, response: aiohttp.ClientResponse) -> bool:
    answer = await response.text()
    delivery.statuses.append(response.status)
    if response.status == 200:
        delivery.accept(_parsed(answer))
    return response.status == 200 or response.headers.get("X-Slack-No-Retry") == "1"


def _parsed(answer: str) -> Json | None:
    try:
        parsed = json.loads(answer)
    except ValueError:
        return {"text": answer} if answer else None
    return parsed if isinstance(parsed, dict) else None
