"""What locks make everybody learn of a hand: a question asked, or not asked, tells colours."""

from domain.spellcaster import effects as fx
from domain.spellcaster.colours import Colour
from domain.spellcaster.course import Course
from domain.spellcaster.effects import Block
from domain.spellcaster.events import HandHinted
from domain.spellcaster.sides import locked_against, playable, side_of, unlocked


def hint_before_offer(course: Course, then: Block) -> None:
    """Tell what the offer of free plays, or its absence, tells."""
    if not isinstance(then[0], fx.Play):
        return
    if playable(course.state, course.state.active):
        _some_unlocked(course, 1)
    else:
        hint_all_locked(course, 0)


def hint_at_play(course: Course, least: int) -> None:
    """Tell what it tells that a card must be, may be or cannot be picked for a free play."""
    options = len(playable(course.state, course.state.active))
    if options > least:
        _some_unlocked(course, least + 1)
    else:
        hint_all_locked(course, options)


def hint_all_locked(course: Course, besides: int) -> None:
    """Tell that the active mage's hand, but for so many cards, is of locked colours."""
    locked = locked_against(course.state, side_of(course.state.active))
    _tell(course, locked, len(course.state.hands[course.state.active]) - besides)


def _some_unlocked(course: Course, least: int) -> None:
    _tell(course, unlocked(course.state, side_of(course.state.active)), least)


def _tell(course: Course, colours: tuple[Colour, ...], least: int) -> None:
    seat = course.state.active
    if least and locked_against(course.state, side_of(seat)):
        course.tell(HandHinted(seat, colours, least))
