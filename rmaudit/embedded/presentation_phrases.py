"""Phrases by which a reason complains about the telling of a thing, not about the thing."""

from __future__ import annotations

from rmaudit.embedded.fault_phrases import whole

ASIDES = whole(r"""
    (?:only|just) at (?:the|its) (?:very )?end  at the very end  for the (?:very )?end
    in the middle  last of all  in passing  hardly any(?:one|body)  left hanging  nothing follows
    (?:near|towards?|close to|at) the (?:very )?(?:end|bottom|close), where  near the end
    (?:gets?|get|is|are|goes|be) (?:\w+ )?(?:lost|overlooked|unnoticed)  overlook\w*
    hid(?:es?|den|ing)  tucks?  tucked  tucked away  squeez\w+  squash\w+  stand(?:s|ing)? alone
    (?:where|so that|and) (?:\w+ ){0,2}(?:nobody|no one|few|hardly anybody|it does)\b.*
    before (?:it|he|she|they|the (?:product|reader|offer|name|price|reason)) \w+
    before the (?:product|reader|offer|name|price|reason)  follows the \w+
    in (?:bold|italics?|capitals|capital letters|upper case|block letters|digits|figures|words)
    (?:in |with )?(?:quotation|speech|inverted) (?:marks|commas)  tabs?  (?:a|the|one) space
    thousands? separators?  (?:a|the|without|no|any) (?:label|caption|table|pause|heading|bullet)
    in a (?:table|list|footnote|bracket|parenthesis|paragraph|fragment)  brackets  parenthes[ei]s
   
    too (?!{measure}\b)[a-z]{4,}
    makes? (?:~|\w+|the \w+) (?:sound|feel|look|seem|read) \w+
    (?:childish|shrill|poetic|pompous|flowery|cheesy|corny|gimmicky|wooden|lame|hollow|stale)\w*
    (?:lofty|pretentious|pushy|aggressive|hackneyed|crooked|laboured|wordy|tired)
    (?:metaphors?|puns?|rhym\w+|alliterat\w+|rhythm|cadence|verbs?|nouns?|syntax|grammar)
    (?:underlin|italici[sz])\w*  capitali[sz]es  fonts?
    (?:uses?|has|with|needs) an? (?:colon|comma)
    los(?:es?|ing) (?:the|its|his) (?:reader|audience|thread)s?  in (?:such|so much|great) detail
    distract\w*  looks? (?:loud|ugly|odd|busy|untidy|messy)  unpleasant\w*  ugly  untidy  messy
    (?:too |so |rather |very |quite )?abstract  clich[eé]\w*  trite  bland  lifeless  hackneyed
   
    (?:says?|saying|tells?|telling|means?|conveys?|reveals?|does) (?:\w+ ){0,4}?{little}
    (?:gives?|has|with|is|offers?|carries) (?:no|little|hardly any) (?:hint|idea|sense|clue|feel\w*)
    draws? \w+ in  drifts?  digress\w*  rambl\w+  wander\w*
    never (?:says|explains|tells) (?:wh\w+|how)
    never signs off  no word of  word of thanks
    (?:no|without|any) (?:proof|evidence|source|backing)
    (?:appears?|mentioned|named|occurs?|used|comes up) (?:only|just) (?:once|twice)  over and over
    sounds? (?:like|as)  hard to (?:pronounce|say|remember)
    will not stick  rounds? (?:\S+ ){0,9}?(?:to|up|down)  long[- ]winded  in (?:such )?a long \w+
    rounded (?:up|down)  (?:should|could) have (?:been )?(?:rounded|set out|shown|laid out)
    (?:will|would|might|may|could) (?:probably |likely |perhaps )?(?:turn|taste|feel|look|sound)
    jargon  colloquial\w*  slang  casual\w*  (?:im)?polite\w*  (?:in)?formal\w*
    friendl\w*  stiff\w*
    comment(?:s|ed)? that  variable names?  doubles the (?:work|time|cost)
    (?:needs?|takes?|uses?) (?:\w+ )?more (?:time|memory|space)
    in the same (?:sentence|line|breath)
    order (?:in which|of the|that)  not the order  (?:the|an?) (?:odd|strange|wrong) order
""")
"""Complaints about how, where, or how often a thing is said: another matter than what it is."""
