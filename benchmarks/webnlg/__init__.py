"""WebNLG as a closed world: a corpus of which every stated fact is known, and systems over it.

People wrote each text of WebNLG from the DBpedia triples that it states, so that the true
precision and the true recall of any system on these texts are known. The world:

corpus
    The sentences of half of the entries (all texts of an entry are on one side), each with the
    triples that it states: those that the data give for this sentence, where the text has as many
    sentences as the data say; else those of the text of whose two entities it holds a word.
knowledge base
    Half of the distinct triples, and a name for every entity: its title, as DBpedia's labels are,
    and the same less a qualifier in parentheses as another name. Objects that are numbers, dates
    or strings are literals there too: no entity has their name, and what is stated of them is in
    nobody's scope.
background text
    The texts of the other half of the entries, one document each.
systems
    A and B extract what is stated in words of the sentence, and spoil a share of it. The words are
    those for which the lexicon says that they can stand for the property; the phrase is what
    stands around the word ("was written by"). To spoil is to exchange an entity or the word for
    another one of the sentence. C is the baseline ``between``.
truth
    ⟨e1, r, e2⟩ is true where a sentence of the corpus states a property of that pair which r can
    stand for in that direction.

The lexicon (``words.tsv``) has the words of each property: those that stand in
"subject … object" as well as in "object … subject" ("wrote", "was written by", "is the author
of"), and those that stand in one of them alone ("was born in"). Places that hold one another are
told by the chain too: of "Rome, Italy, is where he was born" he was born in Italy.

==============  ==================================================================
``entries``     the data as they are: entries, texts, triples, names
``sentences``   the corpus: sentences, what each states, where entities stand
``lexicon``     which words stand for which property, and what is true so
``systems``     the made systems
``world``       the files of a run
==============  ==================================================================
"""
