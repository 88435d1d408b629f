"""The exception for files and arrays that cannot be used."""

from __future__ import annotations


class FormatError(ValueError):
    """The content of a file is wrong: where, what was found and what was expected.

    >>> try:
    ...     surefoot.loads(b"HIERARCHY\\nROOT Hips\\n{\\n  OFFSET 0 x 0\\n", "cut.bvh")
    ... except surefoot.FormatError as error:
    ...     print(error.line, repr(error.found), error.expected)
    4 'x' a number
    """

    #: The line of the file, counted from 1, or None.
    line: int | None
    #: What stands there, or None.
    found: str | None
    #: What is possible there, or None.
    expected: str | None

    def __init__(
        self,
        message: str,
        line: int | None = None,
        found: str | None = None,
        expected: str | None = None,
    ) -> None:
        super().__init__(message)
        self.line = line
        self.found = found
        self.expected = expected

    def __reduce__(self):
        return type(self), (self.args[0], self.line, self.found, self.expected)
