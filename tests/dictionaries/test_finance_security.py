"""Questions on reports and on security, as users type them, in three languages: concept, and often shape and type."""

from __future__ import annotations

import pytest

from dictionaries import Dictionaries, load_dictionaries
from dictionaries.matching import TermMatcher
from pipeline.question import parse_question
from schemas.document import (
    ContentZone,
    DocumentProfile,
    IdentityZone,
    RoutingZone,
    SemanticZone,
    StructureZone,
)

# question | first concept | shape | type (the last two where the test holds them)
FINANCE = """
How much revenue did the group make last year? | revenue | single | amount
What were net sales in the third quarter? | revenue | single | amount
What was the company's top line in FY2022? | revenue
By how much did sales grow compared with the prior year? | revenue_growth
What is the year-over-year revenue growth rate? | revenue_growth | single | percentage
What was organic growth excluding currency? | revenue_growth
Is Corning a high-growth company? | revenue_growth | single | boolean
How did same-store sales develop? | comparable_sales
What was the cost of goods sold in 2021? | cost_of_sales | single | amount
What is the FY2019 gross profit? | gross_profit | single | amount
What was the gross margin in FY2023? | gross_margin | single | percentage
What drove the change in operating margin? | operating_margin
What was the operating profit of the company in 2020? | operating_income | single | amount
What is adjusted EBITDA? | ebitda | single | amount
What is the three-year average unadjusted EBITDA % margin? | ebitda_margin | single | percentage
How much was spent on research and development? | research_and_development | single | amount
What were SG&A expenses as a percentage of net sales? | sga
How much depreciation and amortization was recorded in FY2018? | depreciation_amortization | single | amount
How much interest did the company pay on its debt? | interest_expense
What is the effective tax rate for 2022? | effective_tax_rate | single | percentage
How much income tax did they pay? | income_tax | single | amount
What was net income attributable to shareholders? | net_income | single | amount
Was the company profitable in 2021? | net_income | single | boolean
What is the net profit margin? | net_margin | single | percentage
What are basic earnings per share? | basic_eps | single | amount
What is the diluted EPS for FY2022? | diluted_eps | single | amount
What is the total amount of assets on the balance sheet? | total_assets
What are total current assets at year end FY2019? | current_assets | single | amount
How much cash does the company have on hand? | cash_and_equivalents | single | amount
Did cash and cash equivalents drop between FY2022 and FY2023? | cash_change | single | boolean
What is the inventory balance at the end of the quarter? | inventories | single | amount
How much do customers owe the company? | receivables | single | amount
What is the year end FY2018 accounts payable? | payables | single | amount
What is net PP&E at the end of FY2018? | property_plant_equipment | single | amount
How much goodwill is on the balance sheet? | goodwill | single | amount
What are the company's total liabilities? | total_liabilities | single | amount
What are total current liabilities? | current_liabilities | single | amount
How much long-term debt does the company carry? | long_term_debt | single | amount
What is total shareholders' equity? | shareholders_equity | single | amount
How large are retained earnings? | retained_earnings
How much cash flow did operations generate? | operating_cash_flow
What was net cash used in investing activities? | investing_cash_flow | single | amount
What was net cash used in financing activities? | financing_cash_flow | single | amount
What is the FY2018 capital expenditure amount? | capital_expenditure | single | amount
How much free cash flow did they generate in 2021? | free_cash_flow | single | amount
Is free cash flow conversion improving? | free_cash_flow_conversion | single | boolean
What is the working capital ratio, i.e. current assets over current liabilities? | working_capital_ratio
What is the net working capital, defined as current assets less current liabilities? | working_capital
Does AMD have a reasonably healthy liquidity profile based on its quick ratio? | quick_ratio | single | boolean
What is the inventory turnover ratio for FY2022? | inventory_turnover
What is the FY2018 days payable outstanding? | days_payable_outstanding | single | duration
How long do customers take to pay on average (DSO)? | days_sales_outstanding
What is the cash conversion cycle? | cash_conversion_cycle | single | duration
What is the FY2021 return on assets? | return_on_assets | single | percentage
What is the return on equity? | return_on_equity | single | percentage
How leveraged is the company? | leverage_ratio
What is the debt-to-equity ratio? | debt_to_equity
What is the dividend payout ratio? | payout_ratio | single | percentage
Did the company pay dividends in the second quarter? | dividends | single | boolean
What is the dividend per share? | dividends_per_share | single | amount
How much did the company spend on share repurchases? | share_buybacks | single | amount
How many shares are outstanding? | shares_outstanding
What is the market cap of the company? | market_capitalization | single | amount
Which debt securities are registered on a national securities exchange? | registered_securities | listing
Which segment performed worst in 2022? | segment_results
What are the geographies the company operates in? | geographic_results | listing
What does the company do? | business_description
Who are its largest customers? | customer_concentration
How many stores does the company operate? | locations
How many employees does the company have? | employees
Who is the CEO? | executive_officers
How much is the CEO paid? | executive_compensation | single | amount
What is the outlook for next year? | guidance
Why did the company raise its full-year guidance? | guidance
Which companies were acquired in the year? | acquisitions | listing
What business was spun off? | divestitures
Which segment is treated as a discontinued operation? | discontinued_operations
Were there any goodwill impairments? | impairments | single | boolean
What restructuring charges were recorded? | restructuring
What lawsuits is the company facing? | legal_proceedings
What are the main risk factors? | risk_factors | listing
Who audited the financial statements? | auditors_opinion
Is there substantial doubt about the company's ability to continue? | going_concern | single | boolean
When does the fiscal year end? | fiscal_year_end | single | date
What happened after the balance sheet date? | subsequent_events
What is the size of the revolving credit facility? | credit_facility
Is the company in compliance with its debt covenants? | covenants | single | boolean
What are the operating lease liabilities? | leases
What are the pension obligations? | pensions
How did exchange rates affect results? | foreign_exchange
What was the key agenda of the 8-K filing? | reported_event
Is the business capital intensive? | capital_intensity | single | boolean
"""
FINANCE_ES = """
¿Cuáles fueron los ingresos del grupo en 2022? | revenue | single | amount
¿Cuánto facturó la empresa el año pasado? | revenue | single | amount
¿Cuál fue la cifra de negocios? | revenue | single | amount
¿Cuánto crecieron las ventas? | revenue_growth
¿Cuál fue el coste de las ventas? | cost_of_sales | single | amount
¿Cuál es el margen bruto? | gross_margin | single | percentage
¿Cuál fue el margen operativo? | operating_margin | single | percentage
¿Cuál fue el resultado de explotación? | operating_income | single | amount
¿Cuál es el EBITDA ajustado? | ebitda | single | amount
¿Cuánto se gastó en investigación y desarrollo? | research_and_development | single | amount
¿Cuánto pagó la empresa en intereses? | interest_expense | single | amount
¿Cuál es el tipo impositivo efectivo? | effective_tax_rate | single | percentage
¿Cuánto ganó la compañía? | net_income | single | amount
¿Cuál es el beneficio neto atribuido? | net_income | single | amount
¿Cuál es el beneficio por acción? | basic_eps | single | amount
¿Cuál es el beneficio diluido por acción? | diluted_eps | single | amount
¿Cuál es el total de activos? | total_assets | single | amount
¿A cuánto asciende el activo corriente? | current_assets
¿Cuánto efectivo tiene la empresa? | cash_and_equivalents | single | amount
¿Cuál es el valor de las existencias? | inventories | single | amount
¿Cuánto fondo de comercio hay en el balance? | goodwill | single | amount
¿Cuál es la deuda a largo plazo? | long_term_debt | single | amount
¿Cuál es la deuda neta? | net_debt | single | amount
¿A cuánto asciende el patrimonio neto? | shareholders_equity | single | amount
¿Cuál fue el flujo de caja operativo? | operating_cash_flow | single | amount
¿Cuánto se invirtió en inmovilizado? | capital_expenditure | single | amount
¿Cuál es el flujo de caja libre? | free_cash_flow | single | amount
¿Cuál es el fondo de maniobra? | working_capital
¿Cuál es la prueba ácida? | quick_ratio
¿Cuál es la rotación de inventarios? | inventory_turnover
¿Cuál es el periodo medio de pago a proveedores? | days_payable_outstanding | single | duration
¿Qué dividendo por acción se pagó? | dividends_per_share | single | amount
¿Pagó dividendos la sociedad? | dividends
¿Cuánto gastó en recompra de acciones? | share_buybacks | single | amount
¿Cuántos empleados tiene el grupo? | employees
¿Cuáles son los principales factores de riesgo? | risk_factors | listing
¿Qué empresas compró el grupo? | acquisitions
¿Hay litigios pendientes? | legal_proceedings | single | boolean
¿Qué segmento creció más? | segment_results
¿En qué países opera la empresa? | geographic_results
¿Cuándo cierra el ejercicio? | fiscal_year_end | single | date
¿Quién auditó las cuentas? | auditors_opinion
¿Cuáles son las perspectivas para 2024? | guidance
¿Hubo hechos posteriores al cierre? | subsequent_events
"""
FINANCE_FR = """
Quel est le chiffre d'affaires du groupe ? | revenue | single | amount
De combien le chiffre d'affaires a-t-il progressé ? | revenue_growth
Quelle a été la croissance organique ? | revenue_growth | single | percentage
Quel est le coût des ventes ? | cost_of_sales | single | amount
Quelle est la marge brute ? | gross_margin | single | percentage
Quelle est la marge opérationnelle ? | operating_margin | single | percentage
Quel est le résultat opérationnel ? | operating_income | single | amount
Quel est l'EBITDA ajusté ? | ebitda | single | amount
Combien a été dépensé en recherche et développement ? | research_and_development
Quel est le taux d'imposition effectif ? | effective_tax_rate | single | percentage
Quel est le bénéfice net de l'exercice ? | net_income | single | amount
Combien le groupe a-t-il gagné en 2022 ? | net_income | single | amount
Quel est le bénéfice par action ? | basic_eps | single | amount
Quel est le bénéfice dilué par action ? | diluted_eps | single | amount
Quel est le total de l'actif ? | total_assets | single | amount
Quel est le montant des actifs courants ? | current_assets | single | amount
Combien de trésorerie reste-t-il ? | cash_and_equivalents
Quel est le niveau des stocks ? | inventories
Quel est le montant des créances clients ? | receivables | single | amount
Quel est le montant du goodwill ? | goodwill | single | amount
Quel est l'endettement net ? | net_debt | single | amount
Quels sont les capitaux propres ? | shareholders_equity
Quels ont été les flux de trésorerie d'exploitation ? | operating_cash_flow
Quel est le montant des investissements corporels ? | capital_expenditure | single | amount
Quel est le besoin en fonds de roulement ? | working_capital
Quelle est la rotation des stocks ? | inventory_turnover
Quel est le dividende par action ? | dividends_per_share | single | amount
Le groupe a-t-il versé des dividendes ? | dividends | single | boolean
Combien a coûté le rachat d'actions ? | share_buybacks
Combien de salariés compte le groupe ? | employees
Quels sont les principaux facteurs de risque ? | risk_factors | listing
Quelles sociétés ont été acquises ? | acquisitions
Y a-t-il des litiges en cours ? | legal_proceedings | single | boolean
Quel secteur d'activité a le plus progressé ? | segment_results
Dans quels pays le groupe est-il présent ? | geographic_results
Quelle est la date de clôture de l'exercice ? | fiscal_year_end | single | date
Qui sont les commissaires aux comptes ? | auditors_opinion
Quelles sont les perspectives pour l'an prochain ? | guidance
Y a-t-il un doute sur la continuité d'exploitation ? | going_concern | single | boolean
Combien de magasins le groupe exploite-t-il ? | locations
"""
SECURITY = """
Is multi-factor authentication required for remote access? | multi_factor_authentication | single | boolean
Do we need a second factor to log in? | multi_factor_authentication | single | boolean
What encryption is used for data at rest? | encryption
How are encryption keys rotated? | key_management
What is the minimum password length? | password_policy
How often must passwords be changed? | password_policy
Who is the CISO? | security_roles
What is the recovery time objective? | recovery_time_objective | single | duration
What is the RPO for the core system? | recovery_point_objective | single | duration
How much data can be lost after a failure? | recovery_point_objective
How quickly must systems be back up and running? | recovery_time_objective | single | duration
Within how many hours must incidents be reported? | incident_notification | single | duration
How soon do we have to notify an incident? | incident_notification | single | duration
How are security incidents handled by the response team? | incident_response
How long are audit logs kept? | log_retention | single | duration
Which events are logged? | logging
Are backups tested? | backup | single | boolean
How often are penetration tests performed? | penetration_testing
How fast must critical patches be installed? | patch_management | single | duration
How are vulnerabilities tracked? | vulnerability_management
Is there a business continuity plan? | business_continuity | single | boolean
When was the disaster recovery plan last tested? | disaster_recovery | single | date
Is access granted on a least privilege basis? | least_privilege | single | boolean
Is there segregation of duties? | segregation_of_duties | single | boolean
Are administrator accounts monitored? | privileged_access | single | boolean
Can staff use their own phones? | mobile_devices | single | boolean
Is a VPN needed to connect from outside? | remote_access | single | boolean
Is the network segmented? | network_security | single | boolean
Are there firewalls? | firewall | single | boolean
What protects the company against ransomware? | malware_protection
How do we deal with phishing? | phishing
How are old hard drives destroyed? | media_sanitization
Which security certifications does the supplier hold? | security_compliance
Is the payment platform PCI DSS compliant? | security_compliance | single | boolean
How is third-party risk managed? | supply_chain_risk
What security training do employees receive? | security_awareness
What is zero trust? | zero_trust
Who may enter the server room? | physical_security
Are background checks done on new hires? | personnel_security | single | boolean
What is the risk appetite of the organization? | risk_appetite
How often is the risk assessment updated? | risk_assessment
How are assets inventoried? | asset_management
What are the functions of the CSF? | csf_core
What does the GOVERN function cover? | security_governance
What is an Organizational Profile? | csf_profiles
What is the difference between the CSF Tiers? | csf_tiers
What are the three security objectives? | security_objectives | listing
What does a loss of integrity mean? | integrity_objective
What is the potential impact when it is moderate? | potential_impact
How is the security category of an information system determined? | security_categorization
How is change management organised? | change_management
Is there a code review before software goes live? | secure_development
Is a DLP solution in place? | data_loss_prevention | single | boolean
What is the baseline configuration of servers? | configuration_management
How is information classified and labelled? | data_classification
What cloud services are allowed? | cloud_security
How is an incident contained? | incident_mitigation
Is a root cause analysis done after an incident? | incident_analysis | single | boolean
Who reviews access rights? | identity_and_access
"""
SECURITY_ES = """
¿Se exige autenticación de doble factor? | multi_factor_authentication
¿Qué cifrado se usa para los datos en reposo? | encryption
¿Cómo se gestionan las claves de cifrado? | key_management
¿Qué longitud mínima deben tener las contraseñas? | password_policy
¿Cuál es el RTO? | recovery_time_objective | single | duration
¿Cuál es el punto de recuperación objetivo? | recovery_point_objective | single | duration
¿En cuántas horas hay que notificar un incidente? | incident_notification | single | duration
¿Cómo se gestionan los incidentes? | incident_response
¿Cuánto tiempo se conservan los logs? | log_retention | single | duration
¿Qué actividad queda en los registros de auditoría? | logging
¿Con qué frecuencia se hacen copias de seguridad? | backup
¿Se hacen pruebas de penetración? | penetration_testing
¿En qué plazo se instalan los parches críticos? | patch_management | single | duration
¿Cómo se gestionan las vulnerabilidades? | vulnerability_management
¿Existe un plan de continuidad de negocio? | business_continuity | single | boolean
¿Hay un plan de recuperación ante desastres? | disaster_recovery | single | boolean
¿Quién es el responsable de seguridad de la información? | security_roles
¿Se aplica el principio de mínimo privilegio? | least_privilege
¿Hay segregación de funciones? | segregation_of_duties | single | boolean
¿Se permite el teletrabajo con acceso remoto? | remote_access
¿Pueden los empleados usar dispositivos móviles personales? | mobile_devices | single | boolean
¿Está segmentada la red, hay segmentación de redes? | network_security
¿Hay cortafuegos? | firewall | single | boolean
¿Cómo se destruyen los soportes, hay destrucción de soportes? | media_sanitization
¿Qué certificaciones de seguridad tiene el proveedor? | security_compliance
¿Cómo se evalúan los riesgos de terceros? | supply_chain_risk
¿Qué formación en seguridad reciben los empleados? | security_awareness
¿Cuál es el apetito de riesgo? | risk_appetite
¿Con qué frecuencia se hace el análisis de riesgos? | risk_assessment
¿Cuáles son las funciones del CSF? | csf_core
¿Qué es la confianza cero? | zero_trust
¿Cómo se clasifica la información? | data_classification
"""
SECURITY_FR = """
L'authentification à deux facteurs est-elle obligatoire ? | multi_factor_authentication | single | boolean
Quel chiffrement protège les données au repos ? | encryption
Comment sont gérées les clés de chiffrement ? | key_management
Quelle est la longueur minimale des mots de passe ? | password_policy
Quel est le RTO ? | recovery_time_objective | single | duration
Quelle est la perte de données maximale admissible ? | recovery_point_objective | single | duration
Dans quel délai faut-il notifier un incident ? | incident_notification | single | duration
Comment les incidents sont-ils traités, quelle est la gestion des incidents ? | incident_response
Combien de temps les journaux sont-ils conservés ? | log_retention | single | duration
Quels événements figurent dans la journalisation ? | logging
Les sauvegardes sont-elles testées ? | backup | single | boolean
Des tests d'intrusion sont-ils réalisés ? | penetration_testing | single | boolean
Sous quel délai les correctifs critiques sont-ils installés ? | patch_management | single | duration
Comment les vulnérabilités sont-elles suivies ? | vulnerability_management
Existe-t-il un plan de continuité d'activité ? | business_continuity | single | boolean
Y a-t-il un plan de reprise d'activité ? | disaster_recovery | single | boolean
Qui est le RSSI ? | security_roles
Le principe du moindre privilège est-il appliqué ? | least_privilege | single | boolean
Y a-t-il une séparation des tâches ? | segregation_of_duties | single | boolean
Le télétravail est-il autorisé ? | remote_access | single | boolean
Les appareils personnels sont-ils autorisés ? | mobile_devices | single | boolean
Le réseau est-il cloisonné, quel est le cloisonnement ? | network_security
Y a-t-il un pare-feu ? | firewall | single | boolean
Comment les supports amovibles sont-ils effacés ? | media_sanitization
Quelles certifications de sécurité le prestataire détient-il ? | security_compliance
Comment les risques liés aux tiers sont-ils gérés ? | supply_chain_risk
Quelle formation à la sécurité les salariés suivent-ils ? | security_awareness
Quelle est l'appétence au risque ? | risk_appetite
Comment se fait l'analyse de risques ? | risk_assessment
Quelles sont les fonctions du CSF ? | csf_core
Qu'est-ce que la confiance zéro ? | zero_trust
Comment les droits d'accès sont-ils revus ? | identity_and_access
"""
# a question of each of two concepts that are often confused
PAIRS = """
What is the gross margin? | gross_margin | What is the operating margin? | operating_margin
What are basic earnings per share? | basic_eps | What are diluted earnings per share? | diluted_eps
What were net sales? | revenue | What was net income? | net_income
What are total current assets? | current_assets | What are total current liabilities? | current_liabilities
What is the quick ratio? | quick_ratio | What is the current ratio? | working_capital_ratio
What is long-term debt? | long_term_debt | What is short-term debt? | short_term_debt
What is days payable outstanding? | days_payable_outstanding | What is days sales outstanding? | days_sales_outstanding
What is return on assets? | return_on_assets | What is return on equity? | return_on_equity
What is operating cash flow? | operating_cash_flow | What is free cash flow? | free_cash_flow
What is the RTO? | recovery_time_objective | What is the RPO? | recovery_point_objective
How are logs reviewed? | logging | How long must logs be kept? | log_retention
How are keys managed in key management? | key_management | What is encrypted? | encryption
Is there a vulnerability scan? | vulnerability_management | Is there a penetration test? | penetration_testing
What is the identify function? | identify_function | What is the protect function? | protect_function
"""
# concept | a line of an invented document that its words must find
LINES = """
revenue | Net sales ................ 9,310 8,877
revenue | Le chiffre d'affaires consolidé s'élève à 4 210 millions d'euros.
revenue | El importe neto de la cifra de negocios fue de 312 millones.
quick_ratio | Total current assets 12,400
cost_of_sales | Cost of products sold (4,120)
capital_expenditure | Purchases of property, plant and equipment (212)
effective_tax_rate | Our effective income tax rate was 21.6 percent.
inventory_turnover | Merchandise inventories 1,603
days_payable_outstanding | Accounts payable 5,900 5,620
share_buybacks | We repurchased shares under the repurchase program authorised in May.
dividends | Se acordó el pago de un dividendo a cuenta.
fiscal_year_end | For the fiscal year ended January 28, 2023
registered_securities | Title of each class Trading symbol Name of each exchange on which registered
going_concern | These conditions raise substantial doubt about the Group's future.
goodwill | Les écarts d'acquisition ne sont plus amortis.
net_debt | L'endettement financier net recule de 4 %.
multi_factor_authentication | Administrators log on with a password and a hardware token.
encryption | Disks are encrypted with AES-256.
encryption | Les disques sont protégés par chiffrement.
patch_management | Critical security patches are installed within 14 days.
incident_notification | Incidents shall be reported to the authority within 72 hours of becoming aware.
recovery_time_objective | The recovery time objective of the ledger is four hours.
log_retention | Audit logs are retained for 13 months.
asset_management | ID.AM-01: Inventories of hardware managed by the organization are maintained
backup | Las copias de seguridad se prueban cada trimestre.
potential_impact | The loss could be expected to have a serious adverse effect on operations.
supply_chain_risk | GV.SC-04: Suppliers are known and prioritized by criticality
"""
CONTRACT_QUESTIONS = (
    "Is one party required to share revenue or profit with the counterparty?",
    "Is there a minimum amount that one party must buy per year?",
    "What interest rate applies to late payment?",
    "What is the liability cap?",
    "Is there a change of control clause?",
    "Can the contract be terminated for convenience?",
    "Does a party have the right to audit the books of the counterparty?",
    "Is there a restriction on raising prices?",
    "What is the governing law?",
    "Must a party maintain insurance?",
    "Is consent required to assign the contract?",
    "How long do the confidentiality obligations last?",
)


@pytest.fixture(scope="module")
def dictionaries() -> Dictionaries:
    """The shipped dictionaries, all of them: these must hold beside the others."""
    return load_dictionaries()


@pytest.fixture(scope="module")
def own() -> Dictionaries:
    """The two dictionaries alone."""
    return load_dictionaries(names=["finance", "security"])


def rows(table: str) -> list[list[str]]:
    """The cells of each line of a table."""
    return [[cell.strip() for cell in line.split(" | ")] for line in table.strip().splitlines()]


def profile(doc_type: str, language: str) -> DocumentProfile:
    """A ten-page document of that type and language."""
    return DocumentProfile(
        identity=IdentityZone(
            sha256="0" * 64, byte_count=1, page_count=10, format_version=None, producer=None, creator=None, title=None,
            author=None, created=None,
        ),
        content=ContentZone(
            content_type="native", has_text_layer=True, has_hidden_text=False, line_count=1, char_count=1, image_count=0
        ),
        structure=StructureZone(
            has_toc=False, toc_source=None, section_count=0, object_count=0, cross_ref_count=0, page_status_counts={},
            has_form_fields=False, is_encrypted=False,
        ),
        routing=RoutingZone(usable_toc=False, needs_ocr=False, pages_needing_ocr=(), pages_not_read=()),
        semantic=SemanticZone(doc_type=doc_type, typical_fields=(), languages=(language,)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("table", "doc_type", "language"),
    [
        pytest.param(FINANCE, "annual_report", "en", id="finance-en"),
        pytest.param(FINANCE_ES, "annual_report", "es", id="finance-es"),
        pytest.param(FINANCE_FR, "annual_report", "fr", id="finance-fr"),
        pytest.param(SECURITY, "unknown", "en", id="security-en"),
        pytest.param(SECURITY_ES, "unknown", "es", id="security-es"),
        pytest.param(SECURITY_FR, "unknown", "fr", id="security-fr"),
    ],
)
def test_a_natural_question_finds_its_concept(
    dictionaries: Dictionaries, table: str, doc_type: str, language: str
) -> None:
    """The expected concept comes first, with shape and type where the table names them."""
    about = profile(doc_type, language)
    wrong = []
    for question, *expected in rows(table):
        parsed = parse_question(question, about, dictionaries)
        got = [parsed.concepts[0].concept_id if parsed.concepts else "-", parsed.answer_shape, parsed.answer_type]
        if got[: len(expected)] != expected:
            wrong.append(f"{question}: {got}, expected {expected}")
    assert wrong == []


@pytest.mark.parametrize(("one", "first", "other", "second"), rows(PAIRS))
def test_concepts_that_are_confused_are_told_apart(
    own: Dictionaries, one: str, first: str, other: str, second: str
) -> None:
    """Each question of a pair finds its own concept, with the words of a confused one at hand as distractors."""
    assert parse_question(one, None, own).concepts[0].concept_id == first
    assert parse_question(other, None, own).concepts[0].concept_id == second
    assert parse_question(one, None, own).concepts[0].distractors


@pytest.mark.parametrize(("concept_id", "line"), rows(LINES))
def test_the_words_of_a_concept_find_its_lines(own: Dictionaries, concept_id: str, line: str) -> None:
    """A line as documents have it holds a term of the concept."""
    entry = own.concept(concept_id)
    assert entry is not None
    assert len(TermMatcher([term.text for term in entry.words()]).find([line])) > 0


def test_every_concept_speaks_three_languages(own: Dictionaries) -> None:
    """Each concept has terms and ways of asking in English, Spanish and French, and a definition."""
    assert {source.name for source in own.sources} == {"finance", "security"}
    for entry in own.concepts:
        assert {term.language for term in entry.terms if term.priority == "primary"} == {"en", "es", "fr"}
        assert all(entry.question_phrases[language] for language in ("en", "es", "fr")), entry.concept_id
        assert entry.definition.endswith(".")


def test_a_ratio_names_the_lines_it_is_computed_from(own: Dictionaries) -> None:
    """A ratio that reports seldom state carries its formula, and its components as secondary terms."""
    for concept_id, component in {
        "quick_ratio": "inventories",
        "working_capital_ratio": "total current liabilities",
        "inventory_turnover": "cost of goods sold",
        "days_payable_outstanding": "accounts payable",
        "fixed_asset_turnover": "property, plant and equipment",
        "return_on_assets": "total assets",
        "free_cash_flow": "net cash provided by operating activities",
        "effective_tax_rate": "income before income taxes",
        "gross_margin": "cost of sales",
        "payout_ratio": "dividends paid",
    }.items():
        entry = own.concept(concept_id)
        assert entry is not None
        assert "/" in entry.note or " - " in entry.note
        assert component in {term.text for term in entry.terms if term.priority == "secondary"}


def test_an_english_question_reads_a_french_report(dictionaries: Dictionaries) -> None:
    """The French words of the concept are searched, and its English ones are not."""
    parsed = parse_question("What was the gross margin?", profile("annual_report", "fr"), dictionaries)
    assert "marge brute" in parsed.concepts[0].terms
    assert "gross margin" not in parsed.concepts[0].terms


@pytest.mark.parametrize("question", CONTRACT_QUESTIONS)
@pytest.mark.parametrize("doc_type", ["contract", "unknown"])
def test_questions_on_contracts_stay_with_the_contracts(
    dictionaries: Dictionaries, question: str, doc_type: str
) -> None:
    """A question on a clause never finds a line item or a control first."""
    parsed = parse_question(question, profile(doc_type, "en"), dictionaries)
    assert parsed.concepts
    assert parsed.concepts[0].dictionary not in ("finance", "security")


def test_shared_words_speak_for_the_dictionary_of_the_document(dictionaries: Dictionaries) -> None:
    """'DPO' is days payable outstanding in an annual report and the data protection officer in a contract."""
    report = parse_question("What is the DPO?", profile("annual_report", "en"), dictionaries)
    contract = parse_question("Who is the DPO?", profile("contract", "en"), dictionaries)
    assert report.concepts[0].concept_id == "days_payable_outstanding"
    assert contract.concepts[0].dictionary != "finance"
