"""Who the accounts of a labelling tool are.

A tool's export names the account that answered: by a number (Label Studio) or a long id (Argilla).
What a person is called is told once and kept in ``accounts.json`` of the label folder, so that a
later export of the same account is the same person's.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from evaluator.errors import ConfigurationError, InputError
from evaluator.inputs import read_json
from evaluator.printable import without_controls
from evaluator.whole_files import write_whole

ACCOUNTS = "accounts.json"


def read_accounts(folder: Path) -> dict[str, str]:
    """Return by account the rater's name; empty where nothing was told.

    Raises
    ------
    InputError
        If the file is damaged.
    """
    path = folder / ACCOUNTS
    if not path.is_file():
        return {}
    try:
        told = read_json(path)
    except ValueError:
        told = None
    if not isinstance(told, dict) or not all(isinstance(name, str) for name in told.values()):
        raise InputError(path, 'damaged; expected an object as {"3": "ann"}')
    for account, name in told.items():
        try:
            without_controls(name)
        except ValueError as error:
            raise InputError(path, f"the name of account {account} {error}") from None
        if not name.strip():
            raise InputError(path, f"account {account} has no name; give it one, or take it out")
    return told


def write_accounts(folder: Path, accounts: Mapping[str, str]) -> None:
    """Keep who the accounts are; whole, or not at all."""
    text = json.dumps(dict(sorted(accounts.items())), ensure_ascii=False, indent=1)
    write_whole(folder / ACCOUNTS, text + "\n")


def joined(known: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return who the accounts are with what is told now; a name of before may be renamed so too.

    Raises
    ------
    ConfigurationError
        Where an account that has a name gets another: what it answered stays under the first, and
        one person would count as two.
    """
    for account, name in given.items():
        if (before := known.get(account, name)) != name and given.get(before) != name:
            raise ConfigurationError(
                f"account {account} is {before} already; --rater {before}={name} changes the name"
            )
    return {account: given.get(name, name) for account, name in known.items()} | dict(given)


def named_accounts(option: str, given: Iterable[str]) -> dict[str, str]:
    """Return what ``ACCOUNT=NAME`` says, of each of `given`.

    Raises
    ------
    ConfigurationError
        Where one has another form, or an account gets two names.
    """
    accounts: dict[str, str] = {}
    for text in given:
        account, _, name = (part.strip() for part in text.rpartition("="))
        if not (account and name):
            raise ConfigurationError(f"{option} {text}: expected ACCOUNT=NAME, as 3=ann")
        if accounts.setdefault(account, name) != name:
            raise ConfigurationError(
                f"{option}: account {account} is {accounts[account]} and {name}"
            )
    return accounts


def check_known(accounts: Mapping[str, str], raters: Collection[str]) -> None:
    """Refuse a name for an account that has answered nothing.

    Raises
    ------
    ConfigurationError
        Naming the account, and those that have.
    """
    for account, name in accounts.items():
        if account not in raters:
            raise ConfigurationError(
                f"account {account}, which is to be {name}: no answer is of it (there are answers "
                f"of {', '.join(sorted(raters)) or 'nobody'})"
            )
