"""The command line: ``distval``.

Exit codes: 0 done; 1 the answer is no; 2 bad input, said in one line; 130 and 143 stopped by Ctrl-C
or SIGTERM; 141 the reader of the output has gone. A command prints a table for people or, with
``--json``, one JSON document; progress goes to the error stream.

Only the standard library is imported here before the signals have handlers: a Ctrl-C while the rest
is imported gets the same one line.
"""

import os
import signal
import sys
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn

_PIPE_CLOSED = 128 + signal.SIGPIPE

_KEPT = "run the same command again: what was finished is kept"
_PATIENCE = 15.0  # seconds; Spark takes a few to stop

_stopped_by: list[int] = []
_afterwards: list[str] = []


def say_when_stopped(what: str) -> None:
    """Have a stopped command say this, instead of what becomes of finished work."""
    _afterwards[:] = [what]


def main() -> NoReturn:
    """Run the command line; what a person has to mend is told in one line, exit code 2."""
    _stopped_by.clear()
    _afterwards.clear()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    unraisable, sys.unraisablehook = sys.unraisablehook, _interrupt_again
    try:
        for number, handler in handlers.items():
            if handler is not signal.SIG_IGN:  # nohup and the like have said so
                signal.signal(number, _stop)
        code = _run()
    except BaseException:
        if not _stopped_by:
            raise
    if _stopped_by:  # whatever became of it on its way here
        _say_stopped(_stopped_by[0])
    for number, handler in handlers.items():
        signal.signal(number, handler)
    sys.unraisablehook = unraisable
    sys.exit(code)


def _run() -> int:
    """Run the command, and see to it that what it printed has gone out."""
    _keep_output_clean()
    try:
        from jobs.cli.running import run

        code = run()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output (head, less) has gone: nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    return code


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    """Stop at the first signal; what follows may be cleaning up, which none interrupts."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    _stopped_by.append(number)
    import logging

    logging.disable()  # libraries report an interruption as an error
    _interrupt(number)


def _interrupt(number: int) -> NoReturn:
    """Interrupt what is under way, and end in any case: it may wait for a lock that nobody holds.

    An interruption that comes while a lock is being taken leaves it locked.
    """
    signal.signal(signal.SIGALRM, lambda *_: _say_stopped(number))
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
    raise KeyboardInterrupt


def _interrupt_again(unraisable: "sys.UnraisableHookArgs") -> None:
    """Interrupt once more where a destructor was interrupted: Python ends that alone."""
    if not (_stopped_by and issubclass(unraisable.exc_type, KeyboardInterrupt)):
        sys.__unraisablehook__(unraisable)
        return
    signal.signal(signal.SIGALRM, lambda *_: _interrupt(_stopped_by[0]))
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def _say_stopped(number: int) -> NoReturn:
    """Say that the command was stopped, and end: the exit handlers of libraries say more."""
    how = "interrupted" if number == signal.SIGINT else "terminated"
    then = _afterwards[0] if _afterwards else _KEPT
    sys.stderr.write(f"distval: {how}; {then}\n")
    sys.stderr.flush()
    if processes := sys.modules.get("multiprocessing"):
        for child in processes.active_children():
            child.terminate()
    os._exit(128 + number)


def _keep_output_clean() -> None:
    """Let standard output hold the results alone: what else writes there (Java) is no result.

    Python writes to a copy of the stream, while the stream itself becomes the error stream for
    libraries and for processes that are started.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no reason
    out = sys.stdout
    if not isinstance(out, TextIOWrapper) or out is not sys.__stdout__ or out.fileno() != 1:
        return
    out.flush()
    sys.stdout = os.fdopen(
        os.dup(1), "w", encoding=out.encoding, errors="replace", buffering=1 if out.isatty() else -1
    )
    os.dup2(2, 1)
