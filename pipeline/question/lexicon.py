# ruff: noqa: SIM905  # word lists are read as text
"""Words of questions that are no topic: verbs of asking, names for the document, generic and role words."""

from __future__ import annotations

# Verbs of asking and names for the document, by language, folded. They say nothing about what to search for.
ASKING_WORDS: dict[str, frozenset[str]] = {
    "en": frozenset(
        """
        say says said saying show shows showing shown use uses used using state states stated stating mention mentions
        mentioned describe describes described explain explains explained tell tells give gives given provide provides
        provided define defines defined contain contains contained include includes included including happen happens
        work works working mean means meaning make makes made list lists listed enumerate name identify find locate
        specify specifies specified discuss discusses discussed address addresses addressed cover covers covered talk
        talks refer refers referred summarize summarise summary overview outline report reports key main point points
        long much soon quickly often big large want know need needs look please question answer according based given
        document documents paper papers contract contracts agreement agreements text texts file files section sections
        chapter chapters clause clauses article articles page pages provision provisions part parts present exist
        exists there's what's who's there appear appears appeared occur occurs differ difference differences compare
        compared relate related relationship information stated data primarily using considering regarding concerning
        amount amounts value values date dates day days month months year years time period periods percentage percent
        number many kind kinds type types sort sorts way ways thing things detail details
        """.split()
    ),
    "es": frozenset(
        """
        dice dicen decir muestra muestran mostrar usa usan utiliza utilizan utilizado emplea indica indican indicar
        menciona mencionan mencionar describe describen describir explica explican explicar explicame dime da dan dar
        define definen contiene contienen incluye incluyen ocurre sucede pasa funciona funcionan significa hace lista
        listar enumera enumere enumerar identifica especifica establece establecen trata tratan resume resumir resumen
        resuma principales principal puntos punto saber favor pregunta respuesta segun contrato contratos acuerdo
        acuerdos documento documentos texto archivo articulo articulos seccion secciones clausula clausulas capitulo
        pagina paginas apartado parte importe cantidad valor fecha fechas dia dias mes meses ano anos tiempo periodo
        porcentaje numero tipo tipos cosa detalle detalles hay preve papel aparece diferencia relacion
        """.split()
    ),
    "fr": frozenset(
        """
        dit disent dire montre montrent montrer utilise utilisent utilisee indique indiquent mentionne mentionnent
        decrit decrivent explique expliquent expliquer donne donnent donner definit definissent contient contiennent
        comprend inclut passe fonctionne fonctionnent signifie fait liste lister listez enumere enumerez enumerer
        identifie precise precisent prevoit prevoient traite resume resumer resumez principaux principales point points
        savoir svp question reponse selon contrat contrats accord accords document documents texte fichier article
        articles section sections clause clauses chapitre page pages partie montant valeur date dates jour jours mois
        annee annees an ans temps periode pourcentage numero type types genre chose detail details y-a-t-il est-ce
        existe-t-il a-t-il papier apparait difference rapport
        """.split()
    ),
}

# Those of them that are nouns: beside a content word they are part of its name ('spare parts', 'working capital').
COMPOUND_NOUNS: frozenset[str] = frozenset(
    """
    part parts working day days month months year years date dates time period periods number amount value
    values percentage type types data contract
    dia dias mes meses ano anos fecha periodo tiempo numero importe valor porcentaje articulo parte partes
    jour jours mois annee annees date dates temps periode montant valeur pourcentage numero partie
    """.split()
)

# Names of the document and its pieces: of nothing but them and other such words no topic is made.
DOCUMENT_NAMES: frozenset[str] = frozenset(
    """
    report reports document documents contract page pages section sections part parts list type types data
    parte partes articulo partie
    """.split()
)

# Words that stand in almost every document of a business: beside other words they narrow nothing, and on their own they
# must not make an absent topic look present.
GENERIC_WORDS: frozenset[str] = frozenset(
    """
    compliance comply complies complying requirement requirements required require requires obligation obligations
    obliged duty duties right rights entitled rule rules condition conditions term terms legal legally applicable
    applies apply relevant regarding concerning respect subject specific information general policy policies possible
    permitted allowed allow allows party parties either third company companies person event case during end start
    restriction restrictions restricted exception exceptions notice written consent
    payment pay pays paid business services service product products goods work
    cumplimiento cumplir requisito requisitos obligacion obligaciones obligado deber deberes derecho derechos condicion
    condiciones termino terminos legal aplicable aplica relativo respecto informacion general politica posible permitido
    permite parte partes tercero terceros empresa sociedad persona caso durante aviso consentimiento pago servicios
    servicio producto productos
    conformite respecter respect exigence exigences obligation obligations oblige devoir devoirs droit droits condition
    conditions terme termes juridique applicable applique relatif concernant information informations general politique
    possible permis permet partie parties tiers societe entreprise personne cas pendant avis consentement paiement
    services service produit produits
    """.split()
)

# The roles that parties have: they stand on every page of a contract.
ROLE_WORDS: frozenset[str] = frozenset(
    """
    supplier suppliers customer customers buyer seller purchaser vendor vendors client clients licensor licensee
    provider contractor distributor manufacturer employer employee landlord tenant lessor lessee lender borrower
    agent principal     franchisor franchisee consultant developer reseller counterparty affiliate affiliates
    proveedor cliente comprador vendedor licenciante licenciatario prestador contratista distribuidor fabricante
    empleador empleado arrendador arrendatario agente prestatario prestamista
    fournisseur client acheteur vendeur concedant licencie prestataire distributeur fabricant employeur employe
    bailleur locataire preneur mandataire emprunteur preteur
    """.split()
)

# Verbs and adverbs that make no keyword of their own when a dictionary concept already says what is asked.
COVERED_WORDS: frozenset[str] = frozenset(
    """
    govern governs governed govern owns own sign signed signs expire expires renew renews terminate terminates
    terminated cancel assign assigned transfer transferred maintain maintains limit limits limited maximum total
    minimum annual initial automatic automatically mutual each upfront one's
    """.split()
)

# Words that questions are put in beside the above: a slip in one of them is mended, whatever the document says.
ORDINARY_WORDS: frozenset[str] = frozenset(
    """
    january february march april june july august september october november december monday tuesday wednesday thursday
    friday saturday sunday business calendar currency sentence bullet before between without except excluding
    receive received deliver delivered delivery responsible responsibility commitment dispute beginning
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles
    jueves viernes recibir entregar entrega responsable responsabilidad excepto
    janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi
    vendredi recevoir livrer livraison responsable responsabilite
    """.split()
)

# Endings that make another word of the same stem, in the three languages: 'mortgagor' is no slip of 'mortgagee'.
WORD_ENDINGS: frozenset[str] = frozenset(
    """
    s es or ors er ers ee ees ed ing al ly able ible ant ants ent ance ence ive ives ion ment ory ary ist ity ful less
    y e d r n t a o os as ado ada ados adas ido ida idos idas dor dora ar ir ante antes ente eur eurs euse euses te ter
    ez if ifs aire aires rice
    """.split()
) | {""}
