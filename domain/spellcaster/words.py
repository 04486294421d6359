"""Renders the text of a card from its effect: phrases of ``texts/``, so that both say the same."""

from typing import Literal, TypeAlias, assert_never

from domain.spellcaster import effects as fx
from domain.spellcaster import terms
from domain.spellcaster.cards import Spell
from domain.spellcaster.colours import Colour
from domain.spellcaster.effects import Block, Step
from domain.spellcaster.terms import Amount, Condition, Target
from domain.texts import Texts, read_texts
from domain.value import Value, changed

TEXTS = read_texts("domain.spellcaster")

Form: TypeAlias = Literal["say", "do"]
"""A clause that says what happens, or the verb of somebody who may do it."""


def card_text(spell: Spell, language: str) -> str:
    """Answer what a card does in words, one sentence for each step."""
    phrases = Phrases(TEXTS, language)
    sentences = (phrases.step(step, "say") for step in spell.effect)
    return " ".join(f"{each[0].upper()}{each[1:]}." for each in sentences)


class Phrases(Value):
    """The phrases of one language."""

    texts: Texts
    language: str

    def say(self, key: str, **parts: object) -> str:
        """Fill a phrase."""
        return self.texts.name(self.language, "phrases", key).format(**parts)

    def colour(self, colour: Colour) -> str:
        """Answer the name of a colour."""
        return self.texts.name(self.language, "colours", colour)

    def block(self, block: Block, form: Form) -> str:
        """Join the steps of a block."""
        return self.say("and").join(self.step(step, form) for step in block)

    def step(self, step: Step, form: Form) -> str:  # noqa: C901 - one phrase for each step
        """Say a step."""
        match step:
            case fx.Gain(who, resource, amount):
                return self.say(f"gain.{who}.{form}", amount=self.counted(resource, amount))
            case fx.Lose(who, resource, amount):
                return self.say(f"lose.{who}.{form}", amount=self.counted(resource, amount))
            case fx.Pay(who, resource, amount):
                return self.say(f"pay.{who}.{form}", amount=self.counted(resource, amount))
            case fx.Transfer(_, taker, resource, amount):
                return self.say(f"transfer.{taker}.{form}", amount=self.counted(resource, amount))
            case fx.Draw(who, count):
                return self.say(f"draw.{who}.{form}", amount=self.counted("card", count))
            case fx.Discard(who, count, by):
                key = "discard" if by == "owner" else "discard_random"
                return self.say(f"{key}.{who}.{form}", amount=self.counted("card", count))
            case fx.LoseHand(_, count):
                return self.say(f"lose_hand.{form}", amount=self.counted("card", count))
            case fx.LoseDeck(count):
                return self.say(f"lose_deck.{form}", amount=self.counted("card", count))
            case fx.PayAny(who, most):
                return self.say(
                    f"pay_any.{who}.{form}", amount=self.counted("card", terms.Number(most))
                )
            case fx.TakeDiscard(who, count, colour):
                return self._taken(f"{who}.{form}", count, colour)
            case fx.StealCard(count):
                return self.say(f"steal.{form}", amount=self.counted("card", count))
            case fx.May(chooser, (), then):
                return self.say(f"may.{chooser}.{form}", then=self.block(then, "do"))
            case fx.May(chooser, cost, then):
                return self._paid(f"may_pay.{chooser}.{form}", cost, then)
            case fx.Unless(who, cost, otherwise):
                return self._paid(f"unless.{who}.{form}", cost, otherwise)
            case fx.Choose(chooser, branches):
                said = self.say("or").join(self.block(branch, "say") for branch in branches)
                return self.say(f"choose.{chooser}.{form}", branches=said)
            case fx.If(condition, then, otherwise):
                return self.say(
                    f"if_else.{form}" if otherwise else f"if.{form}",
                    condition=self.condition(condition),
                    then=self.block(then, "say"),
                    otherwise=self.block(otherwise, "say"),
                )
            case fx.DiscardTop(chooser, target):
                return self.say(f"discard_top.{chooser}.{form}", top=self.top(target))
            case fx.Flip(chooser, target):
                return self.say(f"flip.{chooser}.{form}", top=self.top(target))
            case fx.FlipAll():
                return self.say(f"flip_all.{form}")
            case fx.Activate(target):
                return self.say(f"activate.{form}", top=self.top(target))
            case fx.Play(most):
                return self.say(f"play.{form}", amount=self.counted("card", terms.Number(most)))
            case fx.Actions(count):
                return self.say(f"actions.{form}", amount=self.counted("action", count))
            case fx.Ward(kind, duration):
                return self.say(f"{kind}.{form}", until=self.say(duration))
            case fx.Lock(target, duration):
                until = self.say(duration)
                return self.say(f"lock.{form}", pile=self.pile(target), until=until)
            case fx.Suppress(target, duration):
                until = self.say(duration)
                return self.say(f"suppress.{form}", top=self.top(target), until=until)
            case _:
                assert_never(step)

    def _paid(self, key: str, cost: Block, then: Block) -> str:
        return self.say(key, cost=self.block(cost, "do"), then=self.block(then, "say"))

    def counted(self, what: str, amount: Amount) -> str:
        """Say so many of something."""
        match amount:
            case terms.Number(1):
                return self.say(f"{what}.one")
            case terms.Number(n):
                return self.say(f"{what}.many", n=n)
            case terms.Bound():
                return self.say(f"{what}.many", n="X")
            case terms.All():
                return self.say(f"{what}.all")
            case _:
                return self.say(f"{what}.amount", amount=self.amount(amount))

    def amount(self, amount: Amount) -> str:
        """Say an amount by itself."""
        match amount:
            case terms.Number(n):
                return str(n)
            case terms.Bound():
                return "X"
            case terms.All():
                return self.say("card.all")
            case terms.Colours(who):
                return self.say(f"colours.{who}")
            case terms.HandSize(who):
                return self.say(f"hand.{who}")
            case terms.Pool(who, resource):
                return self.say(f"pool.{resource}.{who}")
            case terms.DeckSize():
                return self.say("deck")
            case terms.Difference(left, right):
                return self.say("difference", left=self.amount(left), right=self.amount(right))
            case terms.Smaller(left, right):
                return self.say("smaller", left=self.amount(left), right=self.amount(right))
            case terms.Larger(left, right):
                return self.say("larger", left=self.amount(left), right=self.amount(right))
            case _:
                assert_never(amount)

    def condition(self, condition: Condition) -> str:
        """Say a condition."""
        match condition:
            case terms.Compare(left, comparison, right):
                said = self._compared("left", left), self._compared("right", right)
                return self.say(comparison, left=said[0], right=said[1])
            case terms.Controls(who, colour):
                return self.say(f"controls.{who}", colour=self.colour(colour))
            case terms.PileEmpty(colour):
                return self.say("empty", colour=self.colour(colour))
            case terms.TopIs(colour, kind):
                return self.say("top_is", colour=self.colour(colour), kind=self.say(f"a.{kind}"))
            case terms.Both(left, right):
                return self.say("both", left=self.condition(left), right=self.condition(right))
            case terms.Either(left, right):
                return self.say("either", left=self.condition(left), right=self.condition(right))
            case terms.Not(inner):
                return self.say("not", condition=self.condition(inner))
            case _:
                assert_never(condition)

    def _compared(self, place: str, amount: Amount) -> str:
        said = self.amount(amount)
        if isinstance(amount, terms.Number | terms.Bound):
            return self.say(f"{place}.number", n=said)
        return self.say(f"{place}.amount", amount=said)

    def _taken(self, form: str, count: Amount, colour: Colour | None) -> str:
        amount = self.counted("card", count)
        if colour is None:
            return self.say(f"take.{form}", amount=amount)
        return self.say(f"take_colour.{form}", amount=amount, colour=self.colour(colour))

    def top(self, target: Target) -> str:
        """Say which cards on top of piles a target allows."""
        noun = target.kind or ("other" if target.not_this else "any")
        pile = self.pile(changed(target, kind=None, not_this=False, unused=False))
        unused = f" {self.say('that.unused')}" if target.unused else ""
        return self.say(f"top.{noun}", pile=pile) + unused

    def pile(self, target: Target) -> str:
        """Say which piles a target allows."""
        if target.colour is not None:
            head = self.say("pile.colour", colour=self.colour(target.colour))
        elif target.empty:
            head = self.say("pile.empty")
        else:
            head = self.say("pile.other" if target.other_pile else "pile")
        if target.not_colour is not None:
            head += " " + self.say("that.not_colour", colour=self.colour(target.not_colour))
        words = (
            target.facing,
            target.kind,
            "not_this" if target.not_this else None,
            "unused" if target.unused else None,
        )
        that = (self.say(f"that.{word}") for word in words if word is not None)
        return " ".join((head, *that))
