"""How critique says that something is right, or not wrong: phrases as in `complaints`."""

from __future__ import annotations

import re

from rmaudit.embedded.fault_phrases import phrases, whole

AVOIDS = whole(r"""
    (?<!to )(?<!be )avoid(?:s|ed|ing)?  (?:manages?|careful|sure) to avoid
    (?:stays?|steers?|keeps?) (?:well )?(?:clear|away|free)  keeps? (?:[^ ]+ ){1,6}?(?:out|away)
    (?:manages?|copes|gets by) without  refrains?  respects? the ban  free of  resists?
    {keeps} (?:(?:the|its|that|this|every|all) )?(?:[\w'-]+ ){0,3}?{order}\b{on_what}
    (?:leaves? out|no|omits|without|(?:does|do|did){not} \w+) (?:the |any )?{banned}
""")
"""A forbidden thing is avoided: a merit, in words that else state a fault."""

DENIED = whole(r"""
    (?:does|do|did|is|are|has|have)(?:{not}| never) {faulty}  never {faulty}
    (?:no|not an?|without(?: an?| any)?|nothing|none|nor) (?:\w+ )?{blame}
    nothing (?:there |here )?to (?:complain|object|criticise|correct|fault)\w*
""")
"""A fault is denied: a merit, in words that else state a fault."""

AS_ASKED = whole(r"""
    (?:just |exactly |precisely )?(?:as|like) (?:it (?:was|should|is|must|ought)|they|{asked})
    (?:just |exactly |precisely )?as (?:it|they|one|she|he) (?:has|have|had|needs?|ought) to(?: be)?
    as (?:briefed|desired|stated|stipulated|told|planned|laid down|given|due|prescribed|envisaged)
    just as (?:[\w§]+ ){1,4}(?:has|have|had|puts?|gives?|says?) it
    comme (?:il (?:le )?(?:fallait|faut)|demandé|prévu|voulu|requis|exigé)
    wie (?:gewünscht|verlangt|gefordert|vorgegeben|vorgesehen|gebeten|erwünscht)
    como (?:se (?:pedía|pidió|debía|pide)|pedía|pide|corresponde)  come (?:richiesto|previsto)
    where (?:it|they) (?:should|must|ought)(?: be| to be| to)?(?=[,.;]|\Z)
    (?:is |are )?(?:just |exactly |precisely )what (?:was|were|is|{asker}) (?:{asked}|\w+s\b)
    {does} (?:the|its|his|her) (?:\w+ )?(?:right|correct|proper|{asked}|mandatory|exact)
    as {asker} (?:demand|want|ask|require|specif|say|state|set|need|intend|call)\w*
    as the \w+ (?:demand|want|ask|require|specif|say|state|need)\w*  exactly the  in line with
    to the letter  per the (?:request|brief|instructions)
""")

WOULD_BE_RIGHT = re.compile(
    phrases(r"""
    (?:would|should|could|must)(?: have)? be(?:en)? \w+
    where [\w§.,£$€ -]{1,40}?(?:is|was|would be|are) (?:right|correct)  in fact
    """)
)
"""States what should be, in words that else praise."""

MERIT = whole(r"""
    (?:correct|proper|accurate|precise|wise|nice|clear|natural|faithful)(?:ly)?
    exact  exactly (?:as|what|the|right|how|like|this|that)
    (?:is|are|was|were) enough  enough (?:for|to)
    (?:professional|thorough|appropriate|careful|fluent|smooth|perfect|success)\w*  respects?
    honou?rs  meets?  fulfil\w*  satisf\w+  complies  sticks? to  stays? within
    keeps? (?:to|within)  intact  (?<!as )well  good  strong(?:er)?  strength  better
    best(?! (?:value|index|score|so far|candidate|name|number|entry|one)\b)  clearer
    safe  warm  concise  friendly  persuasive  impressive  helpful  useful  credit  convincing
    catch(?:y|ier)  engaging  compelling  excellent  great  solid  sensibl[ey]  vivid  polished
    readable  succeeds?  at least  handles  covers  agrees?  matches  follows
    (?<!in)consistent\w*  adheres?  observes?  heeds?  obeys?  copes?  takes care
    preserves?  retains?
    catches  accounts? for  remembers?  identical  the same as  true to  spot on  nails?
    guards?  protects?  passes  gets? (?:[^ ]+ ){1,5}?right
    justice  unchanged  untouched  flawless\w*  fine  is (?:all )?in order
    (?:can be found|stands?|comes from|is) in {asker}  within the  (?:short|long) enough
""")
"""Praise that a word of fault beside it undoes."""

PRAISES = whole(r"""
    correctly  properly  rightly  accurately  faithfully  duly  successfully  flawlessly  right
    copes? with  deals? (?:\w+ )?with  takes? care of  manages? to
    makes? it (?:easy|easier|simple|clear)
    correctement  correctamente  richtig  korrekt
""")
"""Praise that a word of fault beside it does not undo, if that word may be a neutral one."""

NEUTRAL = whole(r"""
    only  mere(?:ly)?  just(?: \d+)?  a single  beyond (?:[\w-]+ ){0,3}\w+
    (?:above|over|past|below) \w+
    (?:convert|replac|alter|chang|shift|switch|attribut|ascrib|credit|becom|turn|mov|revers|swap)\w*
    (?:revers|flip|invert|divid)\w*  more than  longer  shorter  fewer  less than  extra  additional
    {asked}  needs? to  should  must  ha(?:s|ve|d) to  asks? for  calls? for  twice over
    mistakes?  errors?  false  missing  blank  empty  forbid\w*  banned  excluded  competitors?
""")
"""Words of fault that may as well be the matter of what is praised."""

NEGATION = whole(r"""
    not  never  no  \w*n['’]t  cannot  neither  nor  nothing  nobody  none  nowhere  hardly
""")
