"""The server: uvicorn on loopback, for one run and its labels, until it is stopped."""

import logging
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType

import uvicorn

from evaluator.errors import ConfigurationError
from evaluator.labels.design_file import DESIGN
from jobs.explore.app import Explorer
from jobs.explore.evidence import LiveEvidence
from jobs.labels.desk import LabelDesk
from jobs.run.facts_table import FactsTable

_HOST = "127.0.0.1"
_PATIENCE = 2  # seconds that an answer under way gets when the server is stopped


def serve_run(
    run: Path,
    *,
    port: int,
    labels: Path | None = None,
    workers: int | None = None,
    on_ready: Callable[[str], None],
) -> None:
    """Show a run at ``http://127.0.0.1:PORT/`` until the process is interrupted.

    Parameters
    ----------
    run, labels, workers
        As for :meth:`jobs.run.facts_table.FactsTable.open`.
    port
        The port; 0 for any that is free.
    on_ready
        Told the address once requests are taken.

    Raises
    ------
    ConfigurationError
        Where the port is taken.
    InputError
        Where the run cannot be shown.
    """
    with (
        closing(_bound(port)) as listener,  # first: a run takes longer to open
        FactsTable.open(run, labels=labels, workers=workers, often=True) as table,
        closing(LiveEvidence(table.configuration)) as evidence,
        closing(Explorer(table, evidence, _desk(table, labels))) as explorer,
    ):
        number = listener.getsockname()[1]
        config = uvicorn.Config(
            explorer.app(number),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_PATIENCE,
        )
        server = _Server(config, lambda: on_ready(f"http://{_HOST}:{number}/"))
        server.run(sockets=[listener])


def _desk(table: FactsTable, labels: Path | None) -> LabelDesk | None:
    """Return the label folder to fill; None where none is named and the run has none."""
    drawn = (table.label_folder / DESIGN).is_file()
    return LabelDesk(table, table.label_folder) if labels or drawn else None


class _Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    def handle_exit(self, number: int, frame: FrameType | None) -> None:
        """Stop: pages under way get a moment more, and what is cut off is no error to be told."""
        logging.disable()
        super().handle_exit(number, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Take requests."""
        await super().startup(sockets)
        self._on_ready()


def _bound(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
    except OSError as error:
        listener.close()
        raise ConfigurationError(
            f"--port {port}: cannot be listened at ({error.strerror}); name another, or 0 for any"
        ) from None
    return listener
