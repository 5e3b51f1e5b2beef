"""The closed classes of English words: what a relation is never made of.

All are tokens in the sense of :mod:`evaluator.text`, so contractions appear in their parts:
"didn't" is ``didn t``, and in Penn Treebank spacing ("did n't") ``did n t``.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BE = _words("be am is are was were been being")

AUXILIARIES = BE | _words("""
    have has had having do does did done doing
    will would shall should can could may might must ought cannot
    ca wo ain aren couldn didn doesn don hadn hasn haven isn mustn needn shan shouldn wasn weren
    wouldn ll re ve gonna
""")

DETERMINERS = _words("""
    a an the this that these those some any no every each either neither both all such another other
    my your his her its our their whose which what many much few fewer several more most less least
    enough same various
""")

PRONOUNS = _words("""
    i me mine myself you yours yourself yourselves he him himself she hers herself it itself
    we us ours ourselves they them theirs themselves who whom whoever whichever whatever
    someone somebody something anyone anybody anything everyone everybody everything
    nobody nothing none others
""")

PREPOSITIONS = _words("""
    aboard about above according across after against along alongside amid amidst among amongst
    around as at atop before behind below beneath beside besides between beyond by concerning
    despite down during except excluding following for from in including inside into like near of
    off on onto opposite out outside over past per plus regarding since than through throughout till
    to toward towards under underneath unlike until unto up upon versus via vs with within without
""")

CONJUNCTIONS = _words("""
    and or but nor so yet if because although though while whilst whereas whether unless lest when
    whenever where whereby wherever why how
""")

NUMERALS = _words("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred hundreds thousand thousands million millions billion billions trillion trillions
    dozen dozens first second third once twice
""")

# "n" and "t" are the parts of "n't".
NEGATIONS = _words("not n t never no neither nor without cannot")

ADVERBS = _words("""
    abroad again ago ahead almost alone already also altogether always anyway apart aside away back
    else even ever far finally forth further hence here however indeed instead just later longer
    maybe meanwhile moreover mostly nearly now nowadays often only otherwise perhaps please quite
    rather really seldom sometimes soon still then there thereafter thereby therefore thus
    today together tomorrow tonight too usually very well yesterday
""")

FUNCTION_WORDS = (
    AUXILIARIES
    | DETERMINERS
    | PRONOUNS
    | PREPOSITIONS
    | CONJUNCTIONS
    | NUMERALS
    | NEGATIONS
    | ADVERBS
)
