"""Static checks of a deck list: what must hold before any card of it is played (8.4)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from domain.spellcaster import effects as fx
from domain.spellcaster import terms
from domain.spellcaster.cards import DECK_SIZE, PER_COLOUR, Spell
from domain.spellcaster.colours import COLOURS
from domain.spellcaster.effects import Block, Step, blocks
from domain.spellcaster.steps import DeckRefused
from domain.spellcaster.terms import Amount, Condition

ONLY_WITH_ACTIONS = {fx.Actions: "actions", fx.Activate: "activate", fx.Play: "play"}


def check_spell(spell: Spell) -> None:
    """Raise DeckRefused if a card says what the rules cannot carry out."""
    if not spell.effect:
        raise DeckRefused(spell.card, "the card has no step")
    _check_bound(spell.effect, spell.card, bound=False)
    for where, step in walk(spell.effect, spell.card):
        _check_costs(step, where)
        _check_all(step, where)
        _check_target(step, where)
        if spell.kind == "enchantment" and type(step) in ONLY_WITH_ACTIONS:
            word = ONLY_WITH_ACTIONS[type(step)]
            raise DeckRefused(where, f"an enchantment cannot use {word!r}: it resolves before")
        if not spell.asterisk and _touches_rival(step):
            raise DeckRefused(where, "a rival's hand or decision needs the asterisk")


def check_deck(name: str, spells: Sequence[Spell]) -> None:
    """Raise DeckRefused unless there are 60 cards, each id once, 15 of each colour."""
    where = f"deck {name}"
    counts = Counter(spell.card for spell in spells)
    twice = [card for card, count in counts.items() if count > 1]
    if twice:
        raise DeckRefused(twice[0], f"the id stands more than once in {where}")
    if len(spells) != DECK_SIZE:
        raise DeckRefused(where, f"has {len(spells)} cards, not {DECK_SIZE}")
    colours = Counter(spell.colour for spell in spells)
    for colour in COLOURS:
        if colours[colour] != PER_COLOUR:
            raise DeckRefused(where, f"has {colours[colour]} {colour} cards, not {PER_COLOUR}")


def walk(block: Block, where: str) -> Iterator[tuple[str, Step]]:
    """Answer every step of a block, inner ones too, each with its place."""
    for i, step in enumerate(block, 1):
        here = f"{where}, step {i}"
        yield here, step
        for word, inner in blocks(step):
            yield from walk(inner, f"{here}, {word}")


def _check_costs(step: Step, where: str) -> None:
    if not isinstance(step, fx.May | fx.Unless):
        return
    payer = step.chooser if isinstance(step, fx.May) else step.who
    for i, each in enumerate(step.cost, 1):
        here = f"{where}, cost, step {i}"
        if not isinstance(each, fx.Pay | fx.Discard):
            raise DeckRefused(here, "a cost is made of pay and discard only")
        if any(isinstance(amount, terms.All) for amount in _amounts(each)):
            raise DeckRefused(here, "a cost cannot be 'all'")
        if each.who != payer:
            raise DeckRefused(here, f"the cost is paid by {payer}, not by {each.who}")
    if isinstance(step, fx.Unless) and not step.cost:
        raise DeckRefused(where, "'unless' needs a cost")


def _check_all(step: Step, where: str) -> None:
    counts_nothing = isinstance(step, fx.Gain | fx.Draw | fx.LoseDeck | fx.Actions | fx.If)
    if counts_nothing and any(isinstance(each, terms.All) for each in _amounts(step)):
        raise DeckRefused(where, "'all' has no meaning here")


def _check_target(step: Step, where: str) -> None:
    match step:
        case fx.Activate(target) if target.kind != "incantation" or not target.unused:
            raise DeckRefused(where, "only an unused incantation can be activated")
        case fx.DiscardTop(_, target) | fx.Flip(_, target) if target.empty:
            raise DeckRefused(where, "an empty pile has no top")
        case fx.Suppress(target) if target.empty or target.kind != "enchantment":
            raise DeckRefused(where, "only an enchantment can be suppressed")
        case _:
            pass


def _check_bound(block: Block, where: str, *, bound: bool) -> None:
    for i, step in enumerate(block, 1):
        here = f"{where}, step {i}"
        if not bound and any(isinstance(each, terms.Bound) for each in _amounts(step)):
            raise DeckRefused(here, "X is used before a step has set it")
        for word, inner in blocks(step):
            _check_bound(inner, f"{here}, {word}", bound=bound)
        bound = bound or isinstance(step, fx.PayAny)


def _amounts(step: Step) -> Iterable[Amount]:
    match step:
        case fx.Gain() | fx.Lose() | fx.Pay() | fx.Transfer():
            return _parts(step.amount)
        case fx.Draw() | fx.LoseDeck() | fx.Actions():
            return _parts(step.count)
        case fx.Discard() | fx.LoseHand() | fx.TakeDiscard() | fx.StealCard():
            return (step.count,)
        case fx.If():
            return _compared(step.condition)
        case _:
            return ()


def _parts(amount: Amount) -> Iterator[Amount]:
    yield amount
    if isinstance(amount, terms.Difference | terms.Smaller | terms.Larger):
        yield from _parts(amount.left)
        yield from _parts(amount.right)


def _compared(condition: Condition) -> Iterator[Amount]:
    match condition:
        case terms.Compare(left, _, right):
            yield from _parts(left)
            yield from _parts(right)
        case terms.Both(first, second) | terms.Either(first, second):
            yield from _compared(first)
            yield from _compared(second)
        case terms.Not(inner):
            yield from _compared(inner)
        case _:
            pass


def _touches_rival(step: Step) -> bool:
    match step:
        case fx.StealCard():
            return True
        case fx.Unless(who) | fx.Draw(who) | fx.Discard(who) | fx.PayAny(who):
            return who == "rival"
        case fx.TakeDiscard(who):
            return who == "rival"
        case fx.May(chooser) | fx.Choose(chooser) | fx.DiscardTop(chooser) | fx.Flip(chooser):
            return chooser == "rival"
        case _:
            return False
