"""Function words by language (ISO 639-1): articles, prepositions, pronouns, auxiliaries, the like.

They join the words that carry a text's content and are shared by any two texts of a language. Parts
that an apostrophe cuts off (`doesn't`, `l'ordre`) are among them. A language that is not listed has
none.
"""

from __future__ import annotations

FUNCTION_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": (
            "a about above after again against all also although am among an and another any are "
            "aren as at be because been before being below between both but by can cannot could "
            "couldn did didn do does doesn doing don done down during each either else even ever "
            "every few for from further had hadn has hasn have haven having he her here hers him "
            "his how however i if in instead into is isn it its itself just least less ll many "
            "may me might more most much must my neither never no nor not of off on once one only "
            "or other our out over own rather re same shall she should shouldn since so some such "
            "than that the their them themselves then there therefore these they this those "
            "though through thus to too under until up upon us ve very was wasn we were weren "
            "what when where whereas whether which while who whom whose why will with within "
            "without won would wouldn yet you your"
        ),
        "de": (
            "aber alle allem allen aller alles als also am an andere anderen auch auf aus bei "
            "beim bin bis bist da damit dann das dass dein dem den denn der des dessen deren die "
            "dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer "
            "eines er es etwa etwas euch euer für gegen gibt hat hatte hatten habe haben hier hin "
            "hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem "
            "jeden jeder jedes jedoch kann kein keine keinem keinen keiner könnte man mehr mein "
            "mich mir mit muss nach nicht nichts noch nun nur ob obwohl oder ohne sehr sein seine "
            "seinem seinen seiner seit sich sie sind so soll sollte sondern sowie statt um und "
            "uns unser unter viel vom von vor wann war waren warum was weil welche welchem "
            "welchen welcher welches wenn wer werden wie wieder wird wo wurde wurden während über "
            "zu zum zur zwar zwischen"
        ),
        "fr": (
            "a afin ai ainsi alors au aucun aucune aussi autre autres aux avait avec avoir ayant "
            "c ce cela celle celles celui ces cet cette ceux chaque comme comment contre d dans "
            "de depuis des deux doit donc dont du elle elles en encore entre es est et eu eux "
            "fait il ils j je jusqu l la le les leur leurs lui là m ma mais me mes moi moins même "
            "n ne ni non nos notre nous on ont ou où par pas pendant peu peut plus plutôt pour "
            "pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se selon ses "
            "si sinon soit son sont sous sur t ta tandis te tes toi ton tous tout toute toutes "
            "trop très tu un une vers vos votre vous y à été être était"
        ),
        "es": (
            "a al algo algún alguna algunos ante antes aquel aunque así aún cada como con contra "
            "cual cuales cuando de del desde donde dos durante e el ella ellas ellos en entre era "
            "es esa esas ese eso esos esta estaba estas este esto estos está están fue ha había "
            "han hasta hay la las le les lo los me mi mientras muy más mí nada ni no nos nosotros "
            "nuestra nuestro o os otra otras otro otros para pero poco por porque pues que quien "
            "qué se sea según ser si sido sin sino sobre solo son su sus sí también tan tanto te "
            "tiene todo todos tras tu tus un una unas uno unos usted y ya yo él"
        ),
        "it": (
            "a ad agli ai al alla alle allo anche ancora c che chi ci ciò come con contro cosa "
            "così cui d da dagli dai dal dalla dalle dallo degli dei del dell della delle dello "
            "di dopo dove due durante e ed era essere fa fra gli ha hanno i il in invece io l la "
            "le lei li lo loro lui ma me mentre mi mia mio molto ne negli nei nel nell nella "
            "nelle nello noi non nostro o ogni oppure per perché perciò però più poco poi prima "
            "può quale quando quanto quella quelle quelli quello questa queste questi questo qui "
            "s se sei senza si sia solo sono sopra sotto sta stato su sua sue sugli sui sul sulla "
            "sulle sullo suo suoi te ti tra tu tua tuo tutti tutto un una uno v vi voi è"
        ),
        "pt": (
            "a ainda algo algum alguma ao aos aquela aquele aquilo as assim até cada com como "
            "contra cuja cujo da das de dela dele deles depois desde dessa desse desta deste do "
            "dos durante e ela elas ele eles em embora entre era essa essas esse esses esta estas "
            "este estes está estão eu foi for há isso isto já la lhe lhes lo mais mas me mesmo "
            "meu minha muito na nas nem nessa nesse nesta neste no nos nossa nosso não nós o onde "
            "os ou outra outras outro outros para pela pelas pelo pelos pois por porque pouco "
            "quais qual quando que quem se sem sendo ser seu seus sim sobre sua suas são só "
            "também te tem ter toda todas todo todos tu tudo um uma umas uns você à às é"
        ),
    }.items()
}
