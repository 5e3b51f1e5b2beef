"""What the embedded sample knows: entities, relations and facts, and the wording of its sentences.

The facts are common knowledge, kept in tables that are easy to check by eye. A fact is written
beside its subject as ``relation object``; relations are described once, with the phrases that
state them and the predicates under which a knowledge base in Freebase's form holds them.
"""

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from evaluator.text import tokens
from jobs.worlds.statements import Entity, Statement, WorldRelation, listed, rows


class Unstated(NamedTuple):
    """Something that a sentence denies or doubts: what it says, and the bare claim inside it."""

    subject: Entity
    wording: str
    claim: str
    object: Entity


# name | phrases, subject first | phrases, object first, or = where it holds either way round |
# preposition and verb for "In Paris, she died" | Freebase predicate = its name | the one back
_RELATIONS = """
born | was born in | was the birthplace of | in, was born
    | people.person.place_of_birth = Place of birth | location.location.people_born_here
died | died in | | in, died
    | people.deceased_person.place_of_death = Place of death
married | married, was married to | = |
    | people.person.spouse_s .. people.marriage.spouse | people.person.spouse_s ..
    people.marriage.spouse
child | was the daughter of | |
    | people.person.parents = Parents | people.person.children
studied | studied at, studied at, attended | educated | at, studied
    | people.person.education .. education.education.institution
taught | taught at, lectured at | employed | at, taught
    | people.person.employment_history .. business.employment_tenure.company
worked | worked at, worked for | employed |
    | people.person.employment_history .. business.employment_tenure.company
won | won, won, received | was awarded to |
    | award.award_winner.awards_won .. award.award_honor.award | award.award_category.winners ..
    award.award_honor.award_winner
wrote | wrote, is the author of | was written by |
    | book.author.works_written = Works written | book.written_work.author
painted | painted | was painted by |
    | visual_art.visual_artist.artworks = Artworks | visual_art.artwork.artist
composed | composed, is the composer of | was composed by |
    | music.composer.compositions = Compositions | music.composition.composer
directed | directed, is the director of | was directed by |
    | film.director.film = Films directed | film.film.directed_by
designed | designed, was the designer of | was designed by |
    | architecture.architect.structures_designed = Structures designed |
    architecture.structure.architect
founded | founded, is a founder of, established | was founded by, was established by |
    | organization.organization_founder.organizations_founded = Organizations founded |
    organization.organization.founders
president | was the president of, was president of | |
    | government.politician.government_positions_held ..
    government.government_position_held.jurisdiction_of_office
minister | was prime minister of, was the prime minister of | |
    | government.politician.government_positions_held ..
    government.government_position_held.jurisdiction_of_office
chancellor | was the chancellor of | |
    | government.politician.government_positions_held ..
    government.government_position_held.jurisdiction_of_office
moved | moved to, settled in
visited | visited, travelled to, made a visit to
met | met, met with | =
based | is based in, has its headquarters in | is the headquarters of |
    | organization.organization.headquarters .. location.mailing_address.citytown
acquired | acquired, bought | was acquired by, was bought by |
    | business.business_operation.companies_acquired .. business.acquisition.company_acquired
capital | is the capital of | has its capital in |
    | | location.country.capital
within | lies in, is located in | |
    | location.location.containedby = Contained by | location.location.contains
hangs | hangs in, is kept in | displays |
    | visual_art.artwork.locations .. visual_art.artwork_location_relationship.location
"""

# name | pronoun | role | other names; ~ marks a name that several entities share
_PEOPLE = """
Ada Lovelace | she | mathematician
Alan Turing | he | mathematician | Turing
Akira Kurosawa | he | director | Kurosawa
Albert Einstein | he | physicist | Einstein
Angela Merkel | she | politician | Merkel
Antoni Gaudí | he | architect | Gaudí
Barack Obama | he | lawyer | ~Obama
Bill Gates | he | programmer
C. S. Lewis | he | novelist
Charles Babbage | he | engineer | Babbage
Charles Darwin | he | naturalist | Darwin
Charlie Chaplin | he | comedian | Chaplin
Diego Rivera | he | painter
Enrico Fermi | he | physicist
Ernest Hemingway | he | novelist | Hemingway
Florence Nightingale | she | nurse
Francis Crick | he | biologist
Francis Ford Coppola | he | director | ~Coppola
Frank Lloyd Wright | he | architect
Franz Kafka | he | clerk | Kafka
Frida Kahlo | she | painter | Kahlo
Frédéric Chopin | he | pianist | Chopin
Gabriel García Márquez | he | journalist | García Márquez
George Lucas | he | producer
Grace Hopper | she | admiral
I. M. Pei | he | architect
Indira Gandhi | she | politician | ~Gandhi
J. R. R. Tolkien | he | philologist | Tolkien
James Watson | he | biologist
Jane Austen | she | novelist
Jawaharlal Nehru | he | lawyer | Nehru
Johann Sebastian Bach | he | organist
Johann Wolfgang von Goethe | he | poet | Goethe
Kofi Annan | he | diplomat | Annan
Larry Page | he | programmer
Leo Tolstoy | he | novelist | Tolstoy
Leonardo da Vinci | he | painter | Leonardo
Linus Torvalds | he | programmer | Torvalds
Lord Byron | he | poet | Byron
Ludwig van Beethoven | he | pianist | Beethoven
Mahatma Gandhi | he | lawyer | ~Gandhi
Malala Yousafzai | she | activist | Malala
Marie Curie | she | physicist | Madame Curie, ~Curie
Mark Zuckerberg | he | programmer | Zuckerberg
Mary Shelley | she | novelist | ~Shelley
Max Planck | he | physicist | Planck
Michelle Obama | she | lawyer | ~Obama
Nelson Mandela | he | lawyer | Mandela
Niels Bohr | he | physicist | Bohr
Pablo Picasso | he | sculptor | Picasso
Paul Allen | he | investor
Percy Bysshe Shelley | he | poet | ~Shelley
Pierre Curie | he | physicist | ~Curie
Rabindranath Tagore | he | poet | Tagore
Richard Feynman | he | physicist | Feynman
Rosalind Franklin | she | chemist
Sergey Brin | he | programmer | Brin
Sigmund Freud | he | neurologist | Freud
Sofia Coppola | she | director | ~Coppola
Steve Jobs | he | designer
Steve Wozniak | he | engineer | Wozniak
Tim Berners-Lee | he | physicist | Berners-Lee
Toni Morrison | she | editor
Vincent van Gogh | he | painter | Van Gogh
Virginia Woolf | she | novelist | ~Woolf
Leonard Woolf | he | editor | ~Woolf
Walt Disney | he | animator
Wangari Maathai | she | biologist | Maathai
William Shakespeare | he | actor | Shakespeare
Winston Churchill | he | politician | Churchill
Wolfgang Amadeus Mozart | he | pianist | Mozart
Zaha Hadid | she | architect | Hadid
William Godwin | he | philosopher | Godwin
Graça Machel | she | politician
Anne Hathaway | she |
"""

# [the] name = other names; …
_THINGS = {
    "place": """
Warsaw; Vienna; Copenhagen; Nairobi; New Delhi; Rome; Tokyo; Paris; London; Bern; Lisbon; Mexico
City; Helsinki; Moscow; Washington, D.C.; Honolulu; Seattle; Chicago; New York City = New York;
Los Angeles; San Francisco; Salzburg; Leipzig; Bonn; Hamburg; Weimar; Frankfurt; Florence;
Milan; Kolkata = Calcutta; Málaga; Barcelona; Johannesburg; Oxford; Poland; Austria; Denmark;
Kenya; India; Italy; France; the United States = the USA; the United Kingdom = the UK;
Switzerland; Portugal; Mexico; Finland; Russia; Germany; Spain; South Africa; Ulm; Princeton;
Belfast; the Galápagos Islands; Ketchum; Detroit; Phoenix; Prague; Coyoacán; Aracataca; Modesto;
Guangzhou; Bloemfontein; Bournemouth; Winchester; Eisenach; Kumasi; Yasnaya Polyana; Amboise;
Porbandar; White Plains; Kiel; Göttingen; Mougins; Palo Alto; San Jose; Lorain; Burbank; Nyeri;
Baghdad; Miami; Redmond; Cupertino; Mountain View; Menlo Park
""",
    "building": """
the Eiffel Tower; the Louvre; the Museum of Modern Art = MoMA; Blenheim Palace; Fallingwater;
the Sagrada Família; Park Güell; the Guggenheim Museum; the Louvre Pyramid; Bletchley Park; the
London Aquatics Centre
""",
    "organisation": """
Microsoft; Apple Inc. = ~Apple; Google Inc. = ~Google; Facebook; the Walt Disney Company =
~Disney; the United Nations = the UN; CERN; the European Central Bank = the ECB; Amnesty
International; UNESCO; NASA; LinkedIn; GitHub; YouTube; Instagram; WhatsApp; Lucasfilm; Pixar;
the World Wide Web Consortium = W3C; the Green Belt Movement; the Hogarth Press; Princeton
University; the University of Cambridge; ETH Zurich; Leipzig University; Columbia University;
Harvard Law School; the University of Chicago; Harvard University; the University of Oxford; the
University of Edinburgh; University College London = UCL; the University of Southern California;
Vassar College; Yale University; the Massachusetts Institute of Technology = MIT; the University
of Helsinki; Stanford University; the University of Paris; the University of Copenhagen; the
California Institute of Technology = Caltech; King's College London; the University of Vienna;
Reed College; Howard University; Cornell University; the University of Nairobi; the American
University of Beirut
""",
    "work": """
the Mona Lisa; The Starry Night; Seven Samurai; Rashomon; the Analytical Engine; Dreams from My
Father; The Screwtape Letters; On the Origin of Species; City Lights; Modern Times; A Farewell
to Arms; The Godfather; Apocalypse Now; The Trial; The Two Fridas; One Hundred Years of
Solitude; Star Wars; The Hobbit; The Lord of the Rings; Pride and Prejudice; Sense and
Sensibility; the Brandenburg Concertos; Faust; War and Peace; Anna Karenina; The Last Supper;
Don Juan; Fidelio; I Am Malala; Frankenstein; Long Walk to Freedom; Guernica; Lost in
Translation; The Interpretation of Dreams; Song of Solomon; Mrs Dalloway; To the Lighthouse;
Macbeth; Romeo and Juliet; The Magic Flute; Don Giovanni
""",
    "award": """
the Nobel Prize in Physics; the Nobel Prize in Chemistry; the Nobel Peace Prize; the Nobel Prize
in Literature; the Nobel Prize in Physiology or Medicine; the Pritzker Prize; the Turing Award
""",
}

# subject [/ another]: relation object; …
_FACTS = """
Ada Lovelace: born London; died London; child Lord Byron; met Charles Babbage
Alan Turing: born London; studied Princeton University; studied University of Cambridge;
    worked Bletchley Park
Akira Kurosawa: born Tokyo; died Tokyo; directed Seven Samurai; directed Rashomon
Albert Einstein: born Ulm; died Princeton; won Nobel Prize in Physics; studied ETH Zurich;
    moved United States; visited Tokyo; met Rabindranath Tagore; met Charlie Chaplin
Angela Merkel: born Hamburg; studied Leipzig University; chancellor Germany
Antoni Gaudí: died Barcelona; designed Sagrada Família; designed Park Güell
Barack Obama: born Honolulu; studied Columbia University; studied Harvard Law School;
    president United States; won Nobel Peace Prize; married Michelle Obama; met Angela Merkel;
    visited Nairobi; taught University of Chicago; wrote Dreams from My Father
Bill Gates: born Seattle; founded Microsoft; studied Harvard University
C. S. Lewis: born Belfast; died Oxford; met J. R. R. Tolkien; wrote The Screwtape Letters;
    taught University of Oxford
Charles Babbage: born London; died London; designed Analytical Engine
Charles Darwin: studied University of Edinburgh; studied University of Cambridge; wrote On the
    Origin of Species; visited Galápagos Islands
Charlie Chaplin: born London; directed City Lights; directed Modern Times; moved Switzerland
Diego Rivera: died Mexico City; visited Moscow
Enrico Fermi: born Rome; died Chicago; won Nobel Prize in Physics; moved United States; taught
    University of Chicago
Ernest Hemingway: died Ketchum; wrote A Farewell to Arms; won Nobel Prize in Literature; moved
    Paris
Florence Nightingale: born Florence; died London
Francis Crick: won Nobel Prize in Physiology or Medicine; studied University College London;
    worked University of Cambridge
Francis Ford Coppola: born Detroit; directed The Godfather; directed Apocalypse Now
Frank Lloyd Wright: died Phoenix; designed Fallingwater; designed Guggenheim Museum; visited
    Tokyo
Franz Kafka: born Prague; wrote The Trial
Frida Kahlo: born Coyoacán; died Coyoacán; painted The Two Fridas; married Diego Rivera
Frédéric Chopin: died Paris; moved Paris
Gabriel García Márquez: born Aracataca; died Mexico City; wrote One Hundred Years of Solitude;
    won Nobel Prize in Literature
George Lucas: born Modesto; directed Star Wars; founded Lucasfilm; studied University of
    Southern California
Grace Hopper: born New York City; studied Vassar College; studied Yale University
I. M. Pei: born Guangzhou; died New York City; studied Massachusetts Institute of Technology;
    designed Louvre Pyramid; won Pritzker Prize; moved United States
Indira Gandhi: died New Delhi; child Jawaharlal Nehru; minister India
J. R. R. Tolkien: born Bloemfontein; died Bournemouth; wrote The Hobbit; wrote The Lord of the
    Rings; taught University of Oxford
James Watson: born Chicago; studied University of Chicago; won Nobel Prize in Physiology or
    Medicine; met Francis Crick
Jane Austen: died Winchester; wrote Pride and Prejudice; wrote Sense and Sensibility
Jawaharlal Nehru: died New Delhi; studied University of Cambridge; minister India
Johann Sebastian Bach: born Eisenach; died Leipzig; composed Brandenburg Concertos; moved
    Leipzig
Johann Wolfgang von Goethe: born Frankfurt; died Weimar; wrote Faust; studied Leipzig
    University; moved Weimar
Kofi Annan: born Kumasi; died Bern; won Nobel Peace Prize; worked United Nations
Larry Page: founded Google Inc.; studied Stanford University
Leo Tolstoy: born Yasnaya Polyana; wrote War and Peace; wrote Anna Karenina
Leonardo da Vinci: painted Mona Lisa; painted The Last Supper; died Amboise; moved Milan
Linus Torvalds: born Helsinki; studied University of Helsinki; moved United States
Lord Byron: born London; wrote Don Juan; visited Lisbon; studied University of Cambridge
Ludwig van Beethoven: born Bonn; died Vienna; composed Fidelio; moved Vienna
Mahatma Gandhi: born Porbandar; died New Delhi; studied University College London; visited
    London; met Charlie Chaplin
Malala Yousafzai: won Nobel Peace Prize; studied University of Oxford; wrote I Am Malala; met
    Barack Obama
Marie Curie: born Warsaw; won Nobel Prize in Physics; won Nobel Prize in Chemistry; married
    Pierre Curie; studied University of Paris; taught University of Paris; moved Paris
Mark Zuckerberg: born White Plains; founded Facebook; studied Harvard University
Mary Shelley: born London; died London; wrote Frankenstein; married Percy Bysshe Shelley;
    child William Godwin
Max Planck: born Kiel; died Göttingen; won Nobel Prize in Physics
Michelle Obama: born Chicago; studied Princeton University; studied Harvard Law School
Nelson Mandela: died Johannesburg; president South Africa; won Nobel Peace Prize; wrote Long
    Walk to Freedom; married Graça Machel
Niels Bohr: born Copenhagen; died Copenhagen; won Nobel Prize in Physics; studied University
    of Copenhagen
Pablo Picasso: born Málaga; died Mougins; painted Guernica; moved Paris
Paul Allen: born Seattle; died Seattle; founded Microsoft
Percy Bysshe Shelley: studied University of Oxford; met Lord Byron
Pierre Curie: born Paris; died Paris; won Nobel Prize in Physics; taught University of Paris
Rabindranath Tagore: born Kolkata; died Kolkata; won Nobel Prize in Literature
Richard Feynman: born New York City; died Los Angeles; studied Princeton University; studied
    Massachusetts Institute of Technology; taught California Institute of Technology; won
    Nobel Prize in Physics
Rosalind Franklin: born London; died London; studied University of Cambridge; worked King's
    College London
Sergey Brin: born Moscow; founded Google Inc.; studied Stanford University; moved United States
Sigmund Freud: died London; studied University of Vienna; moved London; wrote The
    Interpretation of Dreams
Sofia Coppola: born New York City; child Francis Ford Coppola; directed Lost in Translation
Steve Jobs: born San Francisco; died Palo Alto; founded Apple Inc.; studied Reed College
Steve Wozniak: born San Jose; founded Apple Inc.
Tim Berners-Lee: born London; studied University of Oxford; worked CERN; won Turing Award;
    founded World Wide Web Consortium
Toni Morrison: born Lorain; wrote Song of Solomon; won Nobel Prize in Literature; studied
    Howard University; studied Cornell University; taught Princeton University
Vincent van Gogh: painted The Starry Night; moved Paris
Virginia Woolf: born London; wrote Mrs Dalloway; wrote To the Lighthouse; married Leonard
    Woolf
Leonard Woolf: born London; founded Hogarth Press
Walt Disney: born Chicago; died Burbank; founded Walt Disney Company
Wangari Maathai: born Nyeri; died Nairobi; won Nobel Peace Prize; founded Green Belt Movement;
    taught University of Nairobi
William Shakespeare: wrote Macbeth; wrote Romeo and Juliet; married Anne Hathaway
Winston Churchill: born Blenheim Palace; died London; won Nobel Prize in Literature; minister
    United Kingdom; visited Washington, D.C.
Wolfgang Amadeus Mozart: born Salzburg; died Vienna; composed The Magic Flute; composed Don
    Giovanni; moved Vienna; visited London
Zaha Hadid: born Baghdad; died Miami; won Pritzker Prize; designed London Aquatics Centre;
    studied American University of Beirut
Warsaw: capital Poland; within Poland
Vienna: capital Austria; within Austria
Copenhagen: capital Denmark; within Denmark
Nairobi: capital Kenya; within Kenya
New Delhi: capital India; within India
Rome: capital Italy; within Italy
Paris: capital France; within France
London: capital United Kingdom; within United Kingdom
Bern: capital Switzerland; within Switzerland
Lisbon: capital Portugal; within Portugal
Mexico City: capital Mexico; within Mexico
Helsinki: capital Finland; within Finland
Moscow: capital Russia; within Russia
Washington, D.C.: capital United States; within United States
Honolulu / Seattle / Chicago / New York City / Los Angeles / San Francisco: within United States
Salzburg: within Austria
Leipzig / Bonn / Hamburg / Weimar / Frankfurt: within Germany
Florence / Milan: within Italy
Kolkata: within India
Málaga / Barcelona: within Spain
Johannesburg: within South Africa
Eiffel Tower / Louvre: within Paris
Museum of Modern Art: within New York City
Microsoft: based Redmond; acquired LinkedIn; acquired GitHub
Apple Inc.: based Cupertino
Google Inc.: based Mountain View; acquired YouTube
Facebook: based Menlo Park; acquired Instagram; acquired WhatsApp
Walt Disney Company: based Burbank; acquired Lucasfilm; acquired Pixar
United Nations: based New York City
European Central Bank: based Frankfurt
Amnesty International: based London
UNESCO: based Paris
NASA: based Washington, D.C.
Mona Lisa: hangs Louvre
The Starry Night: hangs Museum of Modern Art
"""

# subject | what the sentence says | the claim inside it | object
_DENIED = """
Mahatma Gandhi | never won | won | Nobel Peace Prize
Leo Tolstoy | never received | received | Nobel Prize in Literature
Rosalind Franklin | did not receive | receive | Nobel Prize in Chemistry
Franz Kafka | never won | won | Nobel Prize in Literature
Albert Einstein | never visited | visited | Moscow
Jane Austen | never travelled to | travelled to | New York City
Johann Sebastian Bach | never travelled to | travelled to | London
Frédéric Chopin | did not die in | die in | Warsaw
Wolfgang Amadeus Mozart | was not born in | was born in | Vienna
Marie Curie | was not born in | was born in | Paris
Ludwig van Beethoven | was not born in | was born in | Vienna
Steve Jobs | was not a founder of | was a founder of | Microsoft
Bill Gates | didn't establish | establish | Apple Inc.
Alan Turing | did not study at | study at | University of Oxford
Ada Lovelace | never attended | attended | University of Cambridge
Bonn | is no longer the capital of | is the capital of | Germany
Milan | is not the capital of | is the capital of | Italy
Kolkata | is no longer the capital of | is the capital of | India
Jane Austen | did not write | write | Frankenstein
Pablo Picasso | didn't paint | paint | Mona Lisa
"""
_DOUBTED = """
Ludwig van Beethoven | may have met | met | Wolfgang Amadeus Mozart
Leonardo da Vinci | might have visited | visited | Paris
William Shakespeare | may have travelled to | travelled to | Florence
Jane Austen | could have met | met | Lord Byron
Charles Babbage | possibly visited | visited | Milan
Johann Wolfgang von Goethe | reportedly met | met | Ludwig van Beethoven
Vincent van Gogh | possibly lectured at | lectured at | University of Oxford
Frida Kahlo | allegedly visited | visited | Moscow
"""

# Two facts of one subject, and of two; what sentences say around a statement. Nothing here relates
# two entities.
PAIRS = ("{S} {V} {O} and {V2} {O2}", "{S}, {who} {V} {O}, {V2} {O2}")
CONTRASTS = ("while {S} {V} {O}, {S2} {V2} {O2}", "{S} {V} {O}, whereas {S2} {V2} {O2}")
FRAMES = (
    "Biographers agree that {}",
    "According to a plaque at the station, {}",
    "The catalogue repeats that {}",
    "Few readers know that {}",
    "As the guide explained to the visitors, {}",
    "Every schoolbook mentions that {}",
    "A footnote adds that {}",
    "The radio programme reminded its listeners that {}",
)
TAILS = (
    ", as a plaque in the hall recalls",
    ", the archive confirms",
    " (the second edition corrects the year)",
    ", and the letters prove it",
    ", to the delight of local historians",
    ", as the exhibition shows",
)

# Two entities, a {thing} and a {place}, and no relation between them; after the bar what a careless
# extractor reads: its phrase, between the entities in the order in which they stand.
UNRELATED = (
    "A small exhibition about {thing} opened in {place} last week | opened in",
    "Old letters about {thing} were sold at an auction in {place} | were sold at an auction in",
    "A choir from {place} rehearsed a song about {thing} | rehearsed a song about",
    "A poem about {thing} was read on the radio in {place} | was read on the radio in",
    "Newspapers in {place} printed a long article about {thing} | printed a long article about",
    "A lecture on {thing} filled the town hall of {place} | filled the town hall of",
    "Tourists from {place} asked the guide about {thing} | asked the guide about",
    "A stamp with a picture of {thing} is popular in {place} | is popular in",
    "The documentary about {thing} was filmed in {place} | was filmed in",
    "Students in {place} voted to name their boat after {thing} | voted to name their boat after",
    "Rain in {place} delayed a festival in honour of {thing} | delayed a festival in honour of",
    "The publisher of a comic about {thing} rents an office in {place} | rents an office in",
)

# Sentences of background documents: after a lead, in a page where two entities merely stand side by
# side, around a claim that is wrong, and in pages about other things.
FOLLOWERS = (
    "The rest of the story is told in a longer chapter.",
    "Historians have looked at this more than once.",
    "A short film about it is shown every afternoon.",
    "Most encyclopedias give this in the first paragraph.",
    "School classes often start their project with this sentence.",
    "The dates are listed in a table at the end.",
)
SIDE_BY_SIDE = (
    "The shop sells postcards of {subject} and calendars of {object}. Both come on thick paper.",
    "Our quiz has one round on {subject} and one on {object}. The winners get a basket of fruit.",
    "The index lists {object} on one page. Much later, after the maps and the tables, it comes to "
    "{subject}.",
    "A reader asked for more pages on {object}. Another reader, in the same week, asked for a page "
    "on {subject}.",
)
MISTAKES = (
    "A popular quiz once claimed that {}. The editors have corrected the card.",
    "Somebody wrote on the wall that {}. Nobody knows why.",
)
OTHER_THINGS = (
    "Bread needs flour, water, salt and patience.",
    "The dough rests under a cloth until it has doubled.",
    "A hot stone gives the loaf a crisp crust.",
    "Tomatoes like a sunny wall and steady watering.",
    "Slugs avoid gravel, and hedgehogs eat the rest.",
    "Compost warms the bed in early spring.",
    "The tide turns twice a day, and the ferry waits for it.",
    "Sailors learn to read the clouds before they learn knots.",
    "A lighthouse blinks in a rhythm of its own.",
    "The chess club meets in the back room of the bakery.",
    "Beginners open with the king's pawn and regret it later.",
    "A draw is offered with a nod and a smile.",
    "Bicycles last for decades when the chain is oiled.",
    "The brake pads are the first part to wear out.",
    "Cyclists ring twice before the narrow bridge.",
    "Owls hunt along the hedges after sunset.",
    "The meadow is mown late, when the larks have left.",
    "Beavers raise the water, and the alders follow.",
    "Violins sound better after years of playing.",
    "The choir tunes to an old and stubborn organ.",
)


@cache
def relations() -> dict[str, WorldRelation]:
    """Return the relations of the sample by name."""
    return {relation.name: relation for relation in map(_relation, rows(_RELATIONS, 6))}


def _relation(fields: Sequence[str]) -> WorldRelation:
    name, phrases, converse, inverted, predicate, inverse = fields
    predicate, _, label = predicate.partition(" = ")
    return WorldRelation(
        name=name,
        phrases=listed(phrases),
        converse=() if converse == "=" else listed(converse),
        inverted=listed(inverted),
        predicate=predicate.replace(" .. ", ".."),
        label=label,
        inverse=inverse.replace(" .. ", ".."),
        symmetric=converse == "=",
    )


@cache
def entities() -> dict[str, Entity]:
    """Return the entities of the sample by name."""
    people = (
        _entity(name, other, kind="person", pronoun=pronoun, role=role)
        for name, pronoun, role, other in rows(_PEOPLE, 4)
    )
    things = (
        _entity(name, other, kind=kind)
        for kind, names in _THINGS.items()
        for entry in names.strip("\n").replace("\n", " ").split("; ")
        for name, _, other in [entry.partition(" = ")]
    )
    return {entity.name: entity for entity in (*people, *things)}


@cache
def facts() -> tuple[Statement, ...]:
    """Return the facts of the sample, in the order of the table."""
    return tuple(
        Statement(entities()[subject], relations()[relation], entities()[name])
        for (line,) in rows(_FACTS)
        for subjects, _, stated in [line.partition(": ")]
        for subject in subjects.split(" / ")
        for relation, _, name in (fact.partition(" ") for fact in stated.split("; "))
    )


def denied() -> tuple[Unstated, ...]:
    """Return what sentences of the sample deny, with the claim that a careless reader takes."""
    return _unstated(_DENIED)


def doubted() -> tuple[Unstated, ...]:
    """Return what sentences of the sample report as uncertain, with the bare claim."""
    return _unstated(_DOUBTED)


def _unstated(table: str) -> tuple[Unstated, ...]:
    return tuple(
        Unstated(entities()[subject], wording, claim, entities()[name])
        for subject, wording, claim, name in rows(table, 4)
    )


def _entity(name: str, other: str, *, kind: str, pronoun: str = "", role: str = "") -> Entity:
    # "The Hobbit" has its article in its name; "the Louvre" has it only in running text.
    article = "the " if name.startswith("the ") else ""
    name = name.removeprefix(article)
    # The form of a Freebase id, with a mark that no Freebase id has.
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return Entity(
        id="/m/s_" + "_".join(tokens(ascii_name)),
        name=name,
        kind=kind,
        aliases=tuple(alias for alias in listed(other) if not alias.startswith("~")),
        shared_aliases=tuple(alias[1:] for alias in listed(other) if alias.startswith("~")),
        article=article,
        pronoun=pronoun,
        role=role,
    )
