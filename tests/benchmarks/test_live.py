"""What streams cost: from append to client, memory of each, and the moves beside them."""

import json

import pytest

from tests.benchmarks.streams import measured

pytestmark = pytest.mark.bench


@pytest.mark.timeout(600)
def test_streams() -> None:
    figures = measured()
    print(f"\n{json.dumps(figures, indent=1)}")
    assert figures["KiB a stream"] < 64
