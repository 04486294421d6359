"""Any game of the catalogue as a PettingZoo environment: one agent a seat, in this process."""

import json
import secrets
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils.wrappers import (  # type: ignore[import-untyped]
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from domain.catalogue import games
from domain.dice import Dice, seeded
from domain.game import Seat
from domain.selfplay import opening, take
from domain.table.commands import Play
from domain.table.state import NOWHERE, Table
from domain.table.view import moves, to_move, view
from domain.wire import read_command
from service.agents.actions import actions_of
from service.agents.observations import LARGEST, SIZE, Numbers, observation

LONGEST: Final = 10_000
"""Steps after which a table is given up unless another number is asked for."""

Observed = dict[str, Numbers | NDArray[np.int8]]


def env(game: str, seats: int, **more: Any) -> "AECEnv[str, Observed, int]":
    """Make an environment in which an illegal action ends the table and costs 1."""
    illegal = TerminateIllegalWrapper(TableEnv(game, seats, **more), illegal_reward=-1)
    return OrderEnforcingWrapper(illegal)


class TableEnv(AECEnv[str, Observed, int]):  # type: ignore[misc]
    """Plays one table after another; an illegal action raises ValueError.

    ``seat_0``, ``seat_1``, ... observe what the view of their seat tells, and never more. Of the
    seats that a table waits for, the first moves. Once the table is over, each winner gets 1 and
    everybody else -1; nobody gets anything if all have won or nobody has.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "abraxas_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str,
        seats: int,
        *,
        options: Mapping[str, Any] | None = None,
        longest: int = LONGEST,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = games()[game]
        self.options = dict(options or {})
        self.longest = longest
        self.render_mode = render_mode
        self.actions = actions_of(game, seats)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        size = len(self.actions.commands)
        self.action_spaces = {agent: Discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                observation=Box(-LARGEST, LARGEST, (SIZE,), np.float32),
                action_mask=Box(0, 1, (size,), np.int8),
            )
            for agent in self.possible_agents
        }
        self._dice = seeded(secrets.token_hex())
        self._table: Table = NOWHERE
        self._steps = 0

    def observation_space(self, agent: str) -> Any:
        """Answer the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Answer the space of an agent's actions: numbers of ``actions.commands``."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - the options of a table are those of the environment
        """Open the next table; with a seed, the same tables follow for the same actions."""
        if seed is not None:
            self._dice = seeded(f"{self.game.name} {len(self.possible_agents)} {seed}")
        start = opening(
            self.game, len(self.possible_agents), self.options, self._dice.pick(1 << 32)
        )
        self._table = take(NOWHERE, start, self._chance).after
        self._steps = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observed:
        """Answer the ``observation`` of a seat's view, and the ``action_mask`` of its moves."""
        seen = view(self._table, self._seat(agent))
        mask = np.zeros(len(self.actions.commands), dtype=np.int8)
        mask[[self.actions.number(move) for move in seen["moves"]]] = 1
        return {"observation": observation(seen), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Let the selected agent move; None for one whose table is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent that plays has an action")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._table = take(self._table, self._command(agent, int(action)), self._chance).after
        self._steps += 1
        if self._table.phase == "over":
            self._reward()
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._steps >= self.longest:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Answer what everybody may see, as JSON, if the environment is to be rendered."""
        if self.render_mode is None:
            return None
        return json.dumps(view(self._table, "spectator"), indent=1)

    def close(self) -> None:
        """Do nothing: a table holds nothing that needs to be given back."""

    def _seat(self, agent: str) -> Seat:
        return Seat(self.possible_agents.index(agent))

    def _command(self, agent: str, action: int) -> Play:
        seat, body = self._seat(agent), self.actions.commands[action]
        command = read_command(self.game, body)
        if command not in moves(self._table, seat):
            raise ValueError(f"{agent} may not do {dict(body)} now")
        return Play(seat, command)

    def _select(self) -> None:
        if waiting := to_move(self._table):
            self.agent_selection = self.possible_agents[waiting[0]]

    def _reward(self) -> None:
        result = self.game.result(self._table.play)
        won = result["winners"] if result else []
        if 0 < len(won) < len(self.agents):
            self.rewards = {
                agent: 1.0 if self._seat(agent) in won else -1.0 for agent in self.agents
            }

    def _chance(self, _: Table) -> Dice:
        return Dice(self._dice.pick)
