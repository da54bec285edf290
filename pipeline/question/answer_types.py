# ruff: noqa: E501  # patterns are read whole, on one line
"""The kinds of value that words of a question ask for, in three languages."""

from __future__ import annotations

import re

# In order: the first pattern that matches the folded question says the type.
_TYPES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "duration",
        (
            r"\bhow (?:much|many) (?:\w+ )?(?:days|weeks|months|years|hours|quarters|(?:prior |advance |written )*notice|time)\b",
            r"\bhow (?:long|soon|quickly|fast|far in advance)\b|\b(?:what|which) (?:\w+ )?(?:period|duration|length|time ?frame|time ?limit|deadline)\b",
            r"\b(?:what is|what's|what are) (?:the )?(?:[\w-]+ ){0,3}(?:period|duration|length|notice period|time limit)\b|\bwithin (?:what|how many)\b",
            r"\bcuanto (?:tiempo|preaviso|plazo|dura)\b|\bcuanto (?:\w+ ){0,2}dura\b|\bcuantos (?:dias|meses|anos)\b|\bcuantas (?:horas|semanas)\b|\bque (?:plazo|duracion|preaviso|periodo)\b|\bcon cuanta antelacion\b",
            r"\bcual es (?:el|la) (?:\w+ ){0,1}(?:plazo|duracion|preaviso|periodo|vigencia)\b",
            r"\bcombien de (?:temps|jours|mois|semaines|heures|preavis)\b|\bcombien d['’ ]?(?:annees|ans|heures)\b|\bquel(?:le)? (?:est )?(?:le |la )?(?:duree|delai|periode|preavis)\b",
        ),
    ),
    (
        "percentage",
        (
            r"\b(?:what|which) (?:part|portion|share|slice|cut|fraction) of\b|\bque (?:parte|porcion|fraccion) (?:de|del) (?!las partes)|\bquelle (?:part|fraction|quote-part)\b",
            r"\b(?:percentages?|percent|what (?:\w+ ){0,2}rate|which rate|interest rate|(?:vat|tax) rate|rate of interest|royalty rate|growth rate|what share of|porcentaje|tipo de interes|tasa|pourcentage|taux)\b|%",
        ),
    ),
    (
        "amount",
        (
            r"\bhow much\b|\b(?:what|which) (?:\w+ ){0,2}(?:amount|sum|price|cost|fee|value)\b|\b(?:what is|what's|what was) (?:the )?(?:[\w-]+ ){0,4}(?:amount|sum|price|cost|fee|salary|deductible|premium)\b",
            r"\bcuanto\b|\bcuanta\b|\b(?:que|cual es (?:el|la)) (?:importe|cantidad|suma|precio|coste|monto|cuantia|prima|tarifa)\b",
            r"\bcombien\b(?! de\b| d')|\bquel(?:le)? (?:est )?(?:le |la )?(?:montant|somme|prix|cout|tarif)\b",
        ),
    ),
    (
        "date",
        (
            r"^(?:and |so )?(?:since |until |by |from )?when\b|, when\b|\b(?:what|which) (?:\w+ ){0,2}(?:date|day)\b|\bdate of\b|\b(?:[\w-]+ )?date\b(?= (?:of|is|was)\b|\?|$)",
            r"^(?:y )?(?:desde |hasta |de |a partir de |para )?cuando\b(?!.*,)|\bfecha\b|\b(?:que|cual es el|el) dia\b|\b(?:dime|indica|saber|indiqueme|dites-moi|indiquez|savoir|precisez|tell me|say|know|indicate) (?:desde |hasta |until |depuis |jusqu'a )?(?:cuando|quand|when)\b|\b(?:de|depuis|jusqu'a) quand\b|\bquand(?= ?(?:,|$))|\bquel jour\b|\b(?:le|du) jour (?:ou|d[eu']|de)|\b(?:on|from|since|by|until) (?:what|which) day\b|\bthe day (?:on|that|when|the|of)\b",
            r"^(?:et )?(?:depuis |jusqu'a )?quand\b|\bquelle (?:est la )?date\b|\bdate d[eu']",
        ),
    ),
    (
        "iban",
        (
            r"\biban\b|\bbank account (?:number|details)\b",
            r"\bnumero de cuenta\b|\bcuenta bancaria\b",
            r"\bnumero de compte\b|\bcoordonnees bancaires\b|\bcompte bancaire\b",
        ),
    ),
    (
        "identifier",
        (
            r"\b(?:what|which|what's) (?:is |are )?(?:the )?(?:[\w-]+ ){0,3}(?:number|id|identifier|code|reference|iban|bic|swift|e-?mail(?: address)?|phone|telephone|vat(?! (?:rate|percentage))|registration|url|website|doi|isbn)\b(?! of (?:days|months|years|users|people|employees))",
            r"\b(?:numero|codigo|identificador|referencia|iban|correo electronico|cif|nif) (?:de|del)\b|\bquel est (?:le |l')(?:numero|code|identifiant|iban|siret|siren|courriel)\b",
        ),
    ),
    (
        "address",
        (
            r"\b(?:what is|what's|which is|what was|to (?:what|which)|at (?:what|which)) (?:the |is the )?(?:[\w'-]+ ){0,5}(?<!mail )(?<!email )(?<!web )(?<!ip )address\b|\bwhere (?:is|are) (?:the )?(?:[\w'-]+ ){1,4}(?:registered|located|domiciled|headquartered|based)\b|\b(?:registered|principal) office\b",
            r"\b(?:cual es (?:el|la)|que|en que|a que|indica (?:el|la)) (?:\w+ ){0,2}(?:direccion|domicilio)\b|\bdonde tiene (?:su|el) (?:domicilio|sede)\b",
            r"\b(?:quelle est (?:l'|l’|l )?|a quelle |indiquez l['’ ])(?:\w+ ){0,2}adresse\b|\bou (?:se trouve|est situe) le siege\b",
        ),
    ),
    (
        "party",
        (
            r"^(?:and |so )?(?:to |by |with |from )?(?:who|whom)\b|\b(?:which|what) (?:\w+ )?(?:party|parties|company|companies|entity|entities|person|persons|people|members|affiliates|subsidiaries|side|third parties|signatories)\b",
            r"^(?:to|by|with|from|for|in favou?r of) (?:who|whom)\b|^(?:a|con|por|de|para|entre|en favor de|a nombre de) quien(?:es)?\b|^(?:a|avec|par|pour|chez|entre|aupres de|au nom de|au profit de|de) qui\b(?! (?:est|sont)-)",
            r"^(?:y )?(?:a |con |por |de )?(?:quien|quienes)\b|\bque (?:parte|partes|empresas?|sociedad|sociedades|entidad|entidades|personas?|terceros?|filiales|companias?|contratantes?)\b|^(?:et )?(?:a |avec |par |de )?qui\b(?! est-ce)|\bquel(?:le)?s? (?:partie|parties|societes?|entreprises?|entites?|personnes?|tiers|filiales?|contractants?|personnes morales)\b",
        ),
    ),
)
TYPE_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile("|".join(patterns))) for name, patterns in _TYPES
)
