"""Assembly: from the statements of dumps to the tables of a knowledge base.

Each step is one query over the tables of the steps before it, in SQL that both engines read
(:mod:`indexes.engine`), so that a laptop and a cluster assemble the same knowledge base. The result
depends on the statements only, not on their order or on the files that they came in.

====================  =============================================================================
``ids``               other identifiers of entities: id, entity
``facts``             e1, relation, e2: distinct, between entities, mediators collapsed
``types``             entity, type
``entities``          entity, label, degree, sitelinks, query_names, row
``names``             entity, name, kind, and how the dictionary finds it: form, written ...
``inverses``          relation, inverse
====================  =============================================================================
"""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

import pyarrow as pa

from indexes.dumps.statements import NO_LANGUAGE, languages
from indexes.engine import Batches, Engine, Mapped
from indexes.kb.entities import name_row

Mediators = Literal["collapse", "keep"]

# A mediator with more than this many pairs of statements is a hub, not an event: it stays a node.
_PAIRS = 10_000

_SCHEME = """CASE substr({0}, 1, 1) WHEN '/' THEN '/' WHEN 'Q' THEN 'Q'
    ELSE split_part({0}, ':', 1) END"""

# Of an IRI, all but its last part.
NAMESPACE = "regexp_replace({0}, '[^/#]*$', '')"

NAME_ROWS = pa.schema(
    [
        ("entity", pa.string()),
        ("name", pa.string()),
        ("kind", pa.string()),
        ("form", pa.string()),
        ("written", pa.string()),
        ("usable", pa.bool_()),
        ("proper", pa.bool_()),
        ("distinctive", pa.bool_()),
    ]
)


class AssemblyFigures(NamedTuple):
    """What the assembly met, for the manifest.

    Attributes
    ----------
    labels
        Entities by the language of their label: those of the chain, and the tags of names in no
        language, such as Wikidata's ``mul``.
    mediators
        Nameless nodes that were collapsed.
    collapsed
        Facts that go through one of them.
    hubs
        Nameless nodes with too many statements, left as entities.
    ambiguous
        Identifiers that several entities claim; they mean none of them.
    unknown
        Statements that an identifier is another's, about no entity of the knowledge base.
    """

    labels: Mapping[str, int]
    mediators: int
    collapsed: int
    hubs: int
    ambiguous: int
    unknown: int


def assemble(
    engine: Engine,
    *,
    language: str = "en",
    mediators: Mediators = "collapse",
    subset: bool = False,
) -> AssemblyFigures:
    """Make the tables of a knowledge base from the table ``statements``.

    Parameters
    ----------
    engine
        Holds the tables.
    language
        The chain of languages by which names were read (:mod:`indexes.dumps.statements`).
    mediators
        What becomes of nameless nodes.
    subset
        Whether the statements are a part of a dump (:func:`indexes.kb.subset.restrict`).
    """
    wanted = languages(language)
    _statements(engine, wanted)
    ambiguous, unknown = _identities(engine)
    _resolve(engine, wanted)
    collapsed = _collapse(engine, mediators)
    _entities(engine, wanted, subset=subset)
    _names(engine)
    return AssemblyFigures(_labels(engine, wanted), *collapsed, ambiguous, unknown)


def label_ranks(language: str) -> int:
    """Return below which rank in ``naming`` a name can be a label: above are aliases."""
    return 4 * len(languages(language))


def _tags(wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the language of a name may be, in the order of their numbers."""
    return (*wanted, *(tag for tag in NO_LANGUAGE if tag not in wanted))


def _statements(engine: Engine, wanted: tuple[str, ...]) -> None:
    engine.sql(
        "stated",
        "SELECT DISTINCT subject, predicate, object FROM statements WHERE kind = 'fact'",
    )
    # The languages of the chain come in turn, the label of each before its variants; a name in no
    # language is like a variant of the last. Aliases are last.
    last = len(wanted) - 1
    numbers = "".join(f" WHEN '{tag}' THEN {n}" for n, tag in enumerate(_tags(wanted)) if n)
    engine.sql(
        "called",
        f"""SELECT DISTINCT subject, name, language, CASE kind
            WHEN 'alias' THEN {2 * last + 2}
            WHEN 'variant' THEN 2 * least(language, {last}) + 1
            ELSE 2 * language END AS rank
        FROM (
            SELECT kind, subject, object AS name,
                CASE predicate{numbers} ELSE 0 END AS language
            FROM statements WHERE kind IN ('label', 'variant', 'alias')
        ) names_read""",
    )
    engine.sql(
        "inverses",
        """SELECT DISTINCT subject AS relation, object AS inverse FROM statements
        WHERE kind = 'inverse'""",
    )


def _identities(engine: Engine) -> tuple[int, int]:
    """Make ``ids``: each identifier that is not an entity's own, and the entity that it means.

    Identifiers that are said to be the same are merged into one component. Its entity is the
    identifier that facts use; of several the current one of a redirect, then the first in the
    alphabet: Freebase's before Wikidata's before a title of Wikipedia.
    """
    engine.sql(
        "claims",
        """SELECT DISTINCT subject, object, kind FROM statements
        WHERE kind IN ('same', 'redirect') AND subject <> object""",
    )
    scheme = _SCHEME.format("subject")
    engine.sql(
        "ambiguous",
        f"""SELECT object FROM claims WHERE kind = 'same'
        GROUP BY object, {scheme} HAVING count(DISTINCT subject) > 1""",
    )
    engine.sql(
        "links",
        """SELECT subject, object FROM claims
        WHERE kind = 'redirect' OR object NOT IN (SELECT object FROM ambiguous)""",
    )
    engine.sql(
        "edges",
        """SELECT subject AS id, object AS other FROM links
        UNION SELECT object AS id, subject AS other FROM links""",
    )
    engine.sql(
        "used",
        """SELECT subject AS id FROM stated UNION SELECT object AS id FROM stated
        UNION SELECT subject AS id FROM called
        WHERE substr(subject, 1, 1) = '/' OR substr(subject, 1, 1) = 'Q'""",
    )
    engine.sql("moved", "SELECT DISTINCT subject AS id FROM claims WHERE kind = 'redirect'")
    engine.sql(
        "components",
        """SELECT e.id, concat(
            CASE WHEN u.id IS NULL THEN '1' ELSE '0' END,
            CASE WHEN m.id IS NULL THEN '0' ELSE '1' END, e.id) AS best
        FROM (SELECT DISTINCT id FROM edges) e
        LEFT JOIN used u ON u.id = e.id LEFT JOIN moved m ON m.id = e.id""",
    )
    changed = True
    while changed:
        # What the best so far has found itself is taken too: long chains shrink by half each time.
        engine.sql(
            "merged",
            """SELECT c.id, c.best AS before, least(c.best, n.best, j.best) AS best
            FROM components c JOIN (
                SELECT e.id, min(o.best) AS best FROM edges e
                JOIN components o ON o.id = e.other GROUP BY e.id
            ) n ON n.id = c.id JOIN components j ON j.id = substr(c.best, 3)""",
        )
        engine.sql("components", "SELECT id, best FROM merged")
        changed = bool(engine.rows("SELECT 1 FROM merged WHERE best < before LIMIT 1"))
    engine.sql(
        "ids",
        """SELECT id, substr(best, 3) AS entity FROM components
        WHERE substr(best, 1, 1) = '0' AND substr(best, 3) <> id""",
    )
    [(ambiguous,)] = engine.rows("SELECT count(*) FROM ambiguous")
    [(unknown,)] = engine.rows("SELECT count(*) FROM components WHERE substr(best, 1, 1) = '1'")
    return ambiguous, unknown


def _resolve(engine: Engine, wanted: tuple[str, ...]) -> None:
    """Make every statement speak of entities by their own identifiers."""
    engine.sql(
        "resolved",
        """SELECT DISTINCT coalesce(s.entity, f.subject) AS subject, f.predicate,
            coalesce(o.entity, f.object) AS object
        FROM stated f LEFT JOIN ids s ON s.id = f.subject LEFT JOIN ids o ON o.id = f.object""",
    )
    engine.sql(
        "types",
        """SELECT DISTINCT coalesce(s.entity, t.subject) AS entity, t.object AS type
        FROM statements t LEFT JOIN ids s ON s.id = t.subject WHERE t.kind = 'type'""",
    )
    # A name that came under another identifier gives way to the entity's own. Of one rank in two
    # languages, the first counts.
    tags = len(_tags(wanted))
    engine.sql(
        "naming",
        f"""SELECT subject, name, CAST((best - best % {tags}) / {tags} AS INT) AS rank,
            CAST(best % {tags} AS INT) AS language
        FROM (
            SELECT coalesce(s.entity, c.subject) AS subject, c.name,
                min((2 * c.rank + CASE WHEN s.entity IS NULL THEN 0 ELSE 1 END) * {tags}
                    + c.language) AS best
            FROM called c LEFT JOIN ids s ON s.id = c.subject
            GROUP BY coalesce(s.entity, c.subject), c.name
        ) ranked""",
    )


def _collapse(engine: Engine, mediators: Mediators) -> tuple[int, int, int]:
    """Make ``facts``: two statements that meet in a nameless node become one fact.

    Freebase says a marriage by a node that has no name and two spouses. Where the dump says which
    types are mediators, a nameless node is one if it has such a type, else if it joins anything;
    blank nodes always are.
    """
    if mediators == "keep":
        engine.sql(
            "facts", "SELECT subject AS e1, predicate AS relation, object AS e2 FROM resolved"
        )
        return 0, 0, 0
    engine.sql(
        "named",
        """SELECT subject AS id FROM naming
        UNION SELECT coalesce(i.entity, s.subject) AS id FROM statements s
        LEFT JOIN ids i ON i.id = s.subject WHERE s.kind = 'named'""",
    )
    engine.sql("hinted", "SELECT DISTINCT subject AS type FROM statements WHERE kind = 'mediator'")
    [(hints,)] = engine.rows("SELECT count(*) FROM hinted")
    engine.sql(
        "nameless",
        """SELECT n.id, max(CASE WHEN h.type IS NULL THEN 0 ELSE 1 END) AS hinted FROM (
            SELECT subject AS id FROM resolved UNION SELECT object AS id FROM resolved
        ) n LEFT JOIN named k ON k.id = n.id
        LEFT JOIN types t ON t.entity = n.id LEFT JOIN hinted h ON h.type = t.type
        WHERE k.id IS NULL AND (substr(n.id, 1, 2) = '_:' OR substr(n.id, 1, 1) = '/')
        GROUP BY n.id""",
    )
    engine.sql(
        "sides",
        """SELECT n.id, n.hinted, coalesce(i.n, 0) * coalesce(o.n, 0) AS pairs FROM nameless n
        LEFT JOIN (SELECT object AS id, count(*) AS n FROM resolved GROUP BY object) i
        ON i.id = n.id
        LEFT JOIN (SELECT subject AS id, count(*) AS n FROM resolved GROUP BY subject) o
        ON o.id = n.id""",
    )
    certain = "hinted = 1" if hints else "pairs > 0"
    engine.sql(
        "mediators",
        f"""SELECT id FROM sides
        WHERE pairs <= {_PAIRS} AND (substr(id, 1, 2) = '_:' OR {certain})""",
    )
    engine.sql(
        "arms",
        """SELECT f.subject, f.predicate, f.object,
            s.id IS NOT NULL AS away, o.id IS NOT NULL AS towards
        FROM resolved f LEFT JOIN mediators s ON s.id = f.subject
        LEFT JOIN mediators o ON o.id = f.object""",
    )
    engine.sql(
        "joined",
        """SELECT DISTINCT i.subject AS e1, concat(i.predicate, '..', o.predicate) AS relation,
            o.object AS e2
        FROM arms i JOIN arms o ON o.subject = i.object
        WHERE i.towards AND NOT i.away AND o.away AND NOT o.towards AND i.subject <> o.object""",
    )
    engine.sql(
        "facts",
        """SELECT subject AS e1, predicate AS relation, object AS e2 FROM arms
        WHERE NOT away AND NOT towards
        UNION SELECT e1, relation, e2 FROM joined""",
    )
    [(nodes,)] = engine.rows("SELECT count(*) FROM mediators")
    [(collapsed,)] = engine.rows("SELECT count(*) FROM joined")
    [(hubs,)] = engine.rows(
        f"""SELECT count(*) FROM sides
        WHERE pairs > {_PAIRS} AND (substr(id, 1, 2) = '_:' OR {certain})"""
    )
    return nodes, collapsed, hubs


def _narrow(engine: Engine) -> None:
    """Leave of a part of a dump the entities that are kept; their degrees are of the whole."""
    engine.sql(
        "kept_entities",
        """SELECT DISTINCT coalesce(i.entity, k.id) AS id FROM kept k
        LEFT JOIN ids i ON i.id = k.id""",
    )
    for table, ends in (("facts", ("e1", "e2")), ("degrees", ("id",)), ("ids", ("entity",))):
        joins = " ".join(f"JOIN kept_entities of_{end} ON of_{end}.id = t.{end}" for end in ends)
        engine.sql("narrowed", f"SELECT t.* FROM {table} t {joins}")
        engine.sql(table, "SELECT * FROM narrowed")


def _entities(engine: Engine, wanted: tuple[str, ...], *, subset: bool) -> None:
    """Make ``known``: every entity with its label and its popularity.

    An entity is what facts are about, and what has a name under an entity's identifier. A name
    alone makes none of what stands in a namespace that relations are in and nothing that facts are
    about: a property of literals ("ISBN number"), or one that no triple has.
    """
    engine.sql(
        "degrees",
        """SELECT id, count(*) AS degree FROM (
            SELECT e1 AS id FROM facts UNION ALL SELECT e2 AS id FROM facts WHERE e1 <> e2
        ) sides GROUP BY id""",
    )
    if subset:
        _narrow(engine)
    else:
        engine.sql("relation_ids", "SELECT DISTINCT relation AS id FROM facts")
        engine.sql(
            "vocabularies",
            f"""SELECT {NAMESPACE.format("id")} AS namespace FROM relation_ids
            WHERE id LIKE '%://%' EXCEPT SELECT {NAMESPACE.format("id")} FROM degrees""",
        )
    engine.sql(
        "schema_ids",
        """SELECT id FROM relation_ids UNION SELECT type AS id FROM types
        WHERE substr(type, 1, 1) NOT IN ('/', 'Q')""",
    )
    engine.sql(
        "members",
        f"""SELECT id FROM degrees
        UNION SELECT n.subject AS id FROM naming n LEFT JOIN schema_ids s ON s.id = n.subject
        LEFT JOIN vocabularies v ON v.namespace = {NAMESPACE.format("n.subject")}
        WHERE s.id IS NULL AND v.namespace IS NULL AND (
            substr(n.subject, 1, 1) IN ('/', 'Q')
            OR (split_part(n.subject, ':', 2) <> '' AND substr(n.subject, 1, 2) <> '_:')
        )""",
    )
    engine.sql(
        "labels",
        f"""SELECT subject, name, language FROM (
            SELECT subject, name, language,
                row_number() OVER (PARTITION BY subject ORDER BY rank, name) AS place
            FROM naming WHERE rank < {4 * len(wanted)}
        ) ranked WHERE place = 1""",
    )
    engine.sql(
        "linked",
        """SELECT coalesce(i.entity, s.subject) AS id, max(CAST(s.object AS BIGINT)) AS sitelinks
        FROM statements s LEFT JOIN ids i ON i.id = s.subject
        WHERE s.kind = 'sitelinks' GROUP BY coalesce(i.entity, s.subject)""",
    )
    engine.sql(
        "known",
        """SELECT m.id AS entity, l.name AS label, l.language, coalesce(d.degree, 0) AS degree,
            coalesce(k.sitelinks, 0) AS sitelinks,
            CAST(row_number() OVER (ORDER BY m.id) - 1 AS INT) AS entity_row
        FROM members m LEFT JOIN labels l ON l.subject = m.id
        LEFT JOIN degrees d ON d.id = m.id LEFT JOIN linked k ON k.id = m.id""",
    )


def _labels(engine: Engine, wanted: tuple[str, ...]) -> dict[str, int]:
    """Return how many entities have their label from each language that gives one."""
    counts = dict(
        engine.rows(
            "SELECT language, count(*) FROM known WHERE label IS NOT NULL GROUP BY language"
        )
    )
    return {tag: counts[number] for number, tag in enumerate(_tags(wanted)) if number in counts}


def _names(engine: Engine) -> None:
    """Make ``names`` and ``entities``: how text and queries find an entity.

    An index knows no capitals, so an alias serves a query only where it belongs to this entity
    whatever the case, and is no common word there ("Apple", "the Rock") and no abbreviation of two
    letters ("LA", "US"). The label always serves.
    """
    engine.sql(
        "names",
        Mapped(
            """SELECT n.subject AS entity, n.name,
            CASE WHEN n.name = k.label THEN 'label' ELSE 'alias' END AS kind
        FROM naming n JOIN known k ON k.entity = n.subject""",
            _name_rows,
            NAME_ROWS,
        ),
    )
    engine.sql(
        "candidates",
        """SELECT n.form, n.written, k.entity_row AS entity, n.kind, n.proper, n.entity AS id,
            n.distinctive, row_number() OVER (
                PARTITION BY n.form ORDER BY CASE n.kind WHEN 'label' THEN 0 ELSE 1 END,
                k.sitelinks DESC, k.degree DESC, n.entity, n.written
            ) AS prior
        FROM names n JOIN known k ON k.entity = n.entity WHERE n.usable""",
    )
    engine.sql(
        "winners",
        """SELECT form, id FROM (
            SELECT form, id, row_number() OVER (
                PARTITION BY form
                ORDER BY CASE WHEN written = form THEN 0 ELSE 1 END, prior
            ) AS place
            FROM candidates WHERE proper
        ) ranked WHERE place = 1""",
    )
    engine.sql(
        "asked",
        """SELECT n.entity, min(n.name) AS name,
            min(CASE n.kind WHEN 'label' THEN 0 ELSE 1 END) AS rank
        FROM names n LEFT JOIN winners w ON w.form = n.form
        WHERE n.form <> '' AND (n.kind = 'label' OR (w.id = n.entity AND n.distinctive))
        GROUP BY n.entity, n.form""",
    )
    engine.sql(
        "entities",
        f"""SELECT k.entity, k.label, k.degree, k.sitelinks, q.query_names, k.entity_row
        FROM known k LEFT JOIN (
            SELECT entity, {engine.ordered_list("name", "rank")} AS query_names
            FROM asked GROUP BY entity
        ) q ON q.entity = k.entity""",
    )


def _name_rows(batches: Batches) -> Iterator[pa.RecordBatch]:
    """Add to entity, name and kind how the dictionary finds the name."""
    for batch in batches:
        if not batch.num_rows:
            continue
        found = [name_row(name) for name in batch["name"].to_pylist()]
        columns = [
            *(batch[column] for column in ("entity", "name", "kind")),
            *(
                pa.array(column, field.type)
                for column, field in zip(zip(*found, strict=True), list(NAME_ROWS)[3:], strict=True)
            ),
        ]
        yield pa.record_batch(columns, schema=NAME_ROWS)
