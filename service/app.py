"""Wiring: makes the WSGI application; no connection is opened before the first request."""

from typing import Any

from flask import Flask

from events.archive.file import shelf_in
from events.servers.connection import connect
from events.store import EventStore
from events.transact import Door
from service.application import Application
from service.every_route import every_operation
from service.health import Health
from service.identity.callers import Identity
from service.limits import QUOTAS, Limits
from service.metrics import Meters
from service.openapi import openapi, openapi_yaml
from service.parts import Parts
from service.settings import Settings
from workers.queues import connect_rq
from workers.wake import Waker


def create_app(settings: Settings, *, client: Any = None, rq_client: Any = None) -> Flask:
    """Make the application; tests bring clients of their own.

    Raise ValueError if the settings name no store.
    """
    return wire(make_parts(settings, client=client, rq_client=rq_client))


def make_parts(settings: Settings, *, client: Any = None, rq_client: Any = None) -> Parts:
    """Make what the routes work with."""
    if client is None:
        if settings.redis_url is None:
            raise ValueError("the settings name no store: REDIS_URL")
        client = connect(settings.redis_url)
    if rq_client is None:
        rq_client = connect_rq(settings.rq_url or settings.redis_url or "")
    health = Health(client, rq_client, settings.durability)
    return Parts(
        client=client,
        door=Door(EventStore(client, shelf=shelf_in(settings.data))),
        identity=Identity(client),
        limits=Limits(client, QUOTAS if settings.limits else None),
        waker=Waker(rq_client),
        health=health,
        meters=Meters(health.status_if_there),
        url=settings.url,
        live_url=settings.live_url,
        live_port=settings.stream_port,
        local_webhooks=settings.local_webhooks,
        document=openapi,
        document_yaml=openapi_yaml,
    )


def wire(parts: Parts) -> Flask:
    """Make the application around its parts."""
    return Application(parts, every_operation())
