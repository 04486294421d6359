"""Play at an Abraxas table server."""

from abraxas_client.async_client import AsyncClient
from abraxas_client.client import Client
from abraxas_client.problems import ProblemError, UnreachableError

__all__ = ["AsyncClient", "Client", "ProblemError", "UnreachableError"]
__version__ = "0.1.0"
