"""The errors of the library: a small family under ValueError, whose text names place and remedy."""


class GinRummyError(ValueError):
    """Anything that is wrong with what was given."""

    key: str | None = None
    """The key of a record that it is about, where that is known."""


class UnreadableError(GinRummyError):
    """A text that is no card, meld, number or setting."""


class ImpossibleError(GinRummyError):
    """Cards that cannot be together: one twice, too many, too few."""


class IllegalError(GinRummyError):
    """Something the rules in force do not allow."""


class RulesError(GinRummyError):
    """Rules that do not exist or do not go together."""


def quoted_path(path: object) -> str:
    """A path in quotes for a message: of a long one the end tells most."""
    text = str(path)
    return quoted(text if len(text) <= 90 else "…" + text[-89:], limit=90)


def quoted(text: str, limit: int = 40) -> str:
    r"""The text in quotes for a message: control characters escaped, the middle of a long one left out.

    >>> quoted("7\x1b[31m")
    "'7\\x1b[31m'"
    """
    if len(text) > limit:
        text = text[: limit - 4] + "…" + text[-3:]
    return ascii(text) if not text.isprintable() else f"'{text}'"
