"""A bot: sits down at its own table against the server's bot and plays at random to the end."""

import random
import sys

from abraxas_client import Client, ProblemError

url, game = (*sys.argv[1:], "http://127.0.0.1:8000", "magic_cooking")[:2]

with Client(url) as client:
    client.sign_up("Random bot")
    table = client.open_table(game, seats=2, bots={"1": "greedy"})
    print(f"Watch it at {url}/replay/{table['id']}")
    for view in client.watch(table["id"]):
        if view["viewer"]["seat"] in view["to_move"]:
            try:
                client.send(table["id"], random.choice(view["moves"]), only_at=view["version"])
            except ProblemError as problem:  # the other bot was faster: the next view shows it
                if problem.code != "stale-version":
                    raise
    print("Over:", view["result"])
