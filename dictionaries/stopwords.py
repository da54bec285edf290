"""Function words of English, Spanish and French: never searched on their own, never a term."""

from __future__ import annotations

_ENGLISH = """
a about above after again against all also am an and any are as at be because been before being below between both but
by can could did do does doing done down during each either else ever every few for from further had has have having he
her here hers herself him himself his how however i if in into is it its itself just least less let like may me might
more most much must my myself neither no nor not now of off on once one only or other others ought our ours ourselves
out over per same shall she should so some such than that the their theirs them themselves then there therefore
these they this those through thus to too toward under unless until up upon us very was we were what whatever when where
whether which while who whoever whom whose why will with within without would yes yet you your yours yourself
yourselves etc eg ie vs via many several got get gets
"""
_SPANISH = """
a al algo alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos aqui asi aun aunque bajo bien cada
como con contra cual cuales cualquier cualquiera cuando cuanta cuantas cuanto cuantos de del desde donde dos durante e
el ella ellas ello ellos en entre era eran es esa esas ese eso esos esta estan estar estas este esto estos fue fueron ha
haber habia han hasta hay la las le les lo los mas me mi mis mientras muy nada ni no nos nosotros nuestra nuestras
nuestro nuestros o os otra otras otro otros para pero poco por porque pues que quien quienes se sea sean segun ser si
sido sin sobre solo son su sus suya suyo tal tales tambien tampoco tan tanto te tiene tienen toda todas todo todos tras
tu tus u un una unas uno unos usted ustedes y ya yo cuyo cuya debe deben puede pueden podria podrian existe existen hubo
"""
_FRENCH = """
a afin ai ainsi alors apres au aucun aucune aussi autre autres aux avait avant avec avoir c ca car ce ceci cela celle
celles celui ces cet cette ceux chaque chez comme comment d dans de depuis des dont du elle elles en encore entre est et
etaient etait ete etre eu eux font il ils j je jusqu jusque l la le les leur leurs lors lorsque lui m ma mais me meme
memes mes moi moins mon n ne ni non nos notre nous on ont ou par parce pas pendant peu peut peuvent plus pour pourquoi
quand que quel quelle quelles quels qui quoi s sa sans se selon sera seront ses si sien son sont sous sur t ta tandis te
tel telle telles tels tes toi ton tous tout toute toutes tres tu un une vers vos votre vous y doit doivent quelque
quelques existe t-il combien
"""

STOP_WORDS: dict[str, frozenset[str]] = {
    "en": frozenset(_ENGLISH.split()),
    "es": frozenset(_SPANISH.split()),
    "fr": frozenset(_FRENCH.split()),
}
ALL_STOP_WORDS: frozenset[str] = frozenset().union(*STOP_WORDS.values())
