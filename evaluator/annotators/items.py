"""What names a fact to annotators that must know whether they learnt from it."""

from collections.abc import Iterable
from hashlib import blake2b


def digest_of(item: Iterable[str]) -> str:
    """Return 16 hexadecimal digits for an item: e1, r, e2, in the words of the label's sheet."""
    fields = list(item)
    encoded = " ".join([*(str(len(field)) for field in fields), "".join(fields)])
    return blake2b(encoded.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
