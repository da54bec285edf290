"""The dictionaries for insurance policies, employment papers and privacy: questions as typed, terms as met."""

from __future__ import annotations

import pytest

from dictionaries import Dictionaries, load_dictionaries
from dictionaries.matching import TermMatcher
from pipeline.question import parse_question
from pipeline.retrieval import retrieve
from tests.builders import document, lines

NAMES = ("insurance", "hr", "privacy")

# question | first concept | shape and type where stated
INSURANCE = """
What is the annual premium? | premium | single | amount
How much does the policy cost per year? | premium | single | amount
When is the premium due? | premium_payment | single | date
What happens if I don't pay the premium on time? | premium_payment
How much is the deductible? | deductible | single | amount
What excess applies to water damage? | deductible
How much do I have to pay before the insurance kicks in? | deductible | single | amount
What does the policy cover? | coverage
Is flood damage covered? | coverage | single | boolean
Are we insured against theft? | coverage | single | boolean
What are the exclusions? | exclusions | listing | text
What isn't covered? | exclusions
What is the limit per claim? | coverage_limit | single | amount
What is the most the insurer will pay in a year? | coverage_limit
Is there a sublimit for jewellery? | coverage_limit | single | boolean
What is the sum insured? | sum_insured | single | amount
How soon do we have to report a loss? | claims_notification | single | duration
How do I file a claim? | claims_notification
Which documents are needed with the claim? | proof_of_loss | listing | text
How long is the waiting period? | waiting_period | single | duration
When does the policy expire? | policy_period | single | date
Who is the policyholder? | policyholder | single | party
Who is the beneficiary? | insurance_beneficiary
Which insurance company issued the policy? | insurer
In which countries am I covered? | territorial_scope
Can the insurer cancel the policy? | policy_cancellation | single | boolean
Can I change my mind after buying it? | cooling_off
What is the cash surrender value after five years? | surrender_value
Does the insurer waive subrogation? | insurer_subrogation | single | boolean
What is the policy number? | policy_number | single | identifier
Is there a no claims discount? | no_claims_bonus | single | boolean
Who appoints the loss adjuster? | loss_adjuster | single | party
How can I complain to the ombudsman? | insurance_complaints
What must be disclosed to the insurer? | duty_of_disclosure
Is business interruption included? | business_interruption | single | boolean
Is the risk reinsured? | reinsurance | single | boolean
What is the retroactive date? | retroactive_date | single | date
¿Cuál es la prima anual? | premium | single | amount
¿Cuánto cuesta el seguro al año? | premium | single | amount
¿Cuándo hay que pagar la prima? | premium_payment
¿Qué franquicia se aplica? | deductible
¿Hay franquicia? | deductible | single | boolean
¿Qué cubre la póliza? | coverage
¿Está cubierto el robo? | coverage | single | boolean
¿Qué exclusiones hay? | exclusions | listing | text
¿Qué no cubre el seguro? | exclusions
¿Cuál es el límite por siniestro? | coverage_limit
¿Cuánto paga como máximo la aseguradora? | coverage_limit
¿Cuál es el capital asegurado? | sum_insured | single | amount
¿En qué plazo hay que comunicar el siniestro? | claims_notification | single | duration
¿Qué documentos piden en caso de siniestro? | proof_of_loss
¿Cuánto dura el período de carencia? | waiting_period | single | duration
¿Cuándo vence la póliza? | policy_period | single | date
¿Quién es el tomador? | policyholder | single | party
¿Quiénes son los beneficiarios? | insurance_beneficiary
¿Puede la aseguradora rescindir la póliza? | policy_cancellation | single | boolean
¿Tengo derecho de desistimiento? | cooling_off
¿Cuál es el valor de rescate? | surrender_value | single | amount
¿En qué países estoy cubierto? | territorial_scope
¿Hay regla proporcional? | underinsurance
¿Qué pasa si se agrava el riesgo? | change_of_risk
¿Quién nombra al perito? | loss_adjuster
¿Dónde puedo poner una queja? | insurance_complaints
¿Cuál es el número de póliza? | policy_number | single | identifier
¿Hay coaseguro? | coinsurance | single | boolean
¿Se renueva la póliza? | policy_renewal
¿Qué pasa si miento en el cuestionario? | duty_of_disclosure
Quel est le montant de la prime ? | premium | single | amount
Combien coûte l'assurance ? | premium | single | amount
Quand faut-il payer la prime ? | premium_payment
Quelle est la franchise ? | deductible | single | amount
Que couvre la police ? | coverage
Le vol est-il couvert ? | coverage | single | boolean
Quelles sont les exclusions ? | exclusions | listing | text
Qu'est-ce qui n'est pas couvert ? | exclusions
Quel est le plafond de garantie par sinistre ? | coverage_limit | single | amount
Quel est le capital assuré ? | sum_insured | single | amount
Dans quel délai faut-il déclarer le sinistre ? | claims_notification | single | duration
Quelles pièces justificatives fournir après un sinistre ? | proof_of_loss
Quel est le délai de carence ? | waiting_period | single | duration
Quand la police prend-elle effet ? | policy_period
Qui est le souscripteur ? | policyholder | single | party
Qui est le bénéficiaire en cas de décès ? | insurance_beneficiary | single | party
L'assureur peut-il résilier la police ? | policy_cancellation | single | boolean
Quel est le délai de renonciation ? | cooling_off | single | duration
Quelle est la valeur de rachat ? | surrender_value | single | amount
Dans quels pays suis-je assuré ? | territorial_scope
L'assureur est-il subrogé dans les droits de l'assuré ? | insurer_subrogation
Quelles garanties sont optionnelles ? Y a-t-il des extensions de garantie ? | endorsements
Que se passe-t-il en cas de fausse déclaration ? | duty_of_disclosure
Qui désigne l'expert de l'assureur ? | loss_adjuster
Comment saisir le médiateur ? | insurance_complaints
Les pertes d'exploitation sont-elles garanties ? | business_interruption
Quel est le numéro de police ? | policy_number | single | identifier
Comment le bonus-malus est-il calculé ? | no_claims_bonus
Les maladies antérieures sont-elles prises en charge ? | pre_existing_conditions
"""
HR = """
What is the base salary? | salary | single | amount
How much does the employee earn? | salary | single | amount
Is there an annual bonus? | bonus | single | boolean
What are the working hours? | working_hours
How many hours per week does she work? | working_hours
Is overtime paid? | overtime | single | boolean
How many days of annual leave do I get? | holidays | single | duration
How much vacation is there? | holidays
What happens when I am off sick? | sick_leave
How long is maternity leave? | parental_leave | single | duration
How long is the probation period? | probation | single | duration
What notice does the employee have to give to resign? | notice_of_employment
On what grounds can the employee be dismissed? | dismissal
Is severance paid? | severance | single | boolean
Which benefits does the employee receive? | employee_benefits | listing | text
Is there a pension scheme? | pension | single | boolean
When do the stock options vest? | stock_options
Can I work from home? | remote_work | single | boolean
Are travel expenses reimbursed? | expense_reimbursement | single | boolean
Who pays for training courses of employees? | training
What is the disciplinary procedure? | disciplinary_procedure
How do I raise a grievance? | grievance_procedure
May the employee work for a competitor after leaving? | employee_non_compete | single | boolean
Who owns inventions made by the employee? | employee_inventions | single | party
What is the job title? | job_title
Where is the place of work? | workplace
When does the employment start? | employment_start | single | date
Which collective agreement applies? | collective_agreement
What is the policy on sexual harassment? | harassment_discrimination
May I take a second job? | outside_activities | single | boolean
Who does she report to? | reporting_line | single | party
What is the candidate's name? | candidate_name
What is the candidate's email address? | candidate_email | single | identifier
What is the phone number of the candidate? | candidate_phone | single | identifier
Where does the candidate live? | candidate_address
Which university did she attend? | education | listing | text
Which companies has the candidate worked for? | work_experience | listing
What skills does the applicant have? | skills | listing | text
Which languages does he speak? | spoken_languages | listing | text
Which certifications does the candidate hold? | certifications | listing | text
How many years of experience does she have? | years_of_experience | single | duration
¿Cuál es el salario bruto anual? | salary | single | amount
¿Cuánto cobra el trabajador? | salary | single | amount
¿Hay retribución variable? | bonus | single | boolean
¿Cuál es la jornada laboral? | working_hours
¿Se pagan las horas extra? | overtime
¿Cuántos días de vacaciones hay? | holidays | single | duration
¿Qué ocurre si estoy de baja? | sick_leave
¿Cuánto dura el permiso por nacimiento? | parental_leave | single | duration
¿Cuánto dura el período de prueba? | probation | single | duration
¿Qué preaviso debe dar el trabajador? | notice_of_employment | single | duration
¿Por qué causas pueden despedir al empleado? | dismissal
¿Qué indemnización corresponde por despido? | severance | single | amount
¿Qué beneficios sociales ofrece la empresa? | employee_benefits | listing | text
¿Hay plan de pensiones? | pension | single | boolean
¿Se puede teletrabajar? | remote_work | single | boolean
¿Se pagan dietas? | expense_reimbursement
¿Qué régimen disciplinario hay? | disciplinary_procedure
¿Existe un canal de denuncias? | grievance_procedure | single | boolean
¿Puede el trabajador competir con la empresa? | employee_non_compete | single | boolean
¿De quién son las invenciones del trabajador? | employee_inventions
¿Cuál es el puesto de trabajo? | job_title
¿Dónde está el centro de trabajo? | workplace
¿Cuándo se incorpora el trabajador? | employment_start | single | date
¿Qué convenio colectivo se aplica? | collective_agreement
¿En cuántas pagas se cobra? | pay_frequency
¿Cómo se llama el candidato? | candidate_name
¿Cuál es el correo electrónico del candidato? | candidate_email | single | identifier
¿Qué estudios tiene la candidata? | education | listing | text
¿Qué idiomas habla? | spoken_languages | listing | text
¿Qué experiencia laboral tiene? | work_experience | listing | text
Quel est le salaire mensuel ? | salary | single | amount
Combien gagne la salariée ? | salary | single | amount
Y a-t-il une rémunération variable ? | bonus | single | boolean
Quelle est la durée du travail ? | working_hours | single | duration
Les heures supplémentaires sont-elles payées ? | overtime | single | boolean
Combien de jours de congés payés ? | holidays | single | duration
Que se passe-t-il en cas d'arrêt maladie ? | sick_leave
Combien de temps dure le congé maternité ? | parental_leave | single | duration
Quelle est la durée de la période d'essai ? | probation | single | duration
Quel préavis en cas de démission ? | notice_of_employment | single | duration
Pour quels motifs peut-on licencier ? | dismissal
Quelle indemnité de licenciement est prévue ? | severance
Quels avantages en nature sont prévus ? | employee_benefits | listing | text
Le télétravail est-il possible ? | remote_work | single | boolean
Les frais de déplacement sont-ils remboursés ? | expense_reimbursement | single | boolean
Quelle est la procédure disciplinaire ? | disciplinary_procedure
Le salarié peut-il travailler chez un concurrent ? | employee_non_compete | single | boolean
À qui appartiennent les inventions du salarié ? | employee_inventions
Quel est le poste occupé ? | job_title
Quel est le lieu de travail ? | workplace
Quelle est la date d'embauche ? | employment_start | single | date
Quelle convention collective s'applique ? | collective_agreement
Peut-il avoir un autre emploi ? | outside_activities | single | boolean
Quel est le nom du candidat ? | candidate_name
Quels diplômes a-t-elle obtenus ? | education | listing | text
Quelles langues parle le candidat ? | spoken_languages | listing | text
Quelles sont les compétences du candidat ? | skills | listing | text
Quel est son poste actuel ? | current_position
"""
PRIVACY = """
Who is the data controller? | controller | single | party
What are the obligations of the processor? | processor_role
Which sub-processors are used? | sub_processors | listing
May the vendor engage new sub-processors? | sub_processors | single | boolean
Is there a data protection officer? | dpo | single | boolean
What personal data do you collect? | personal_data_categories | listing | text
Why do you need my data? | processing_purposes
For what purposes is personal data used? | processing_purposes | listing | text
What is the legal basis for the processing? | lawful_basis
How can I withdraw my consent? | consent
How long is personal data kept? | retention_period | single | duration
What is the retention period? | retention_period | single | duration
Who do you share my data with? | recipients
Do you sell my personal information? | recipients | single | boolean
Is personal data transferred outside the EU? | international_transfers | single | boolean
Are standard contractual clauses used? | transfer_safeguards | single | boolean
What rights do data subjects have? | data_subject_rights
How can I get a copy of my data? | right_of_access
Can I have my data corrected? How do I correct my data? | right_to_rectification
Can I ask you to delete my data? | right_to_erasure | single | boolean
Is there a right to data portability? | right_to_portability | single | boolean
Can I object to the processing? | right_to_object | single | boolean
Do you use automated decision-making? | automated_decisions | single | boolean
Which cookies are set? | cookies | listing | text
What about children under 16? | children_data
Within how many hours must the supervisory authority be notified of a breach? | breach_to_authority | single | duration
When must the processor notify the controller of a personal data breach? | breach_to_authority
Is sensitive personal data processed? | special_categories | single | boolean
Which technical and organisational measures are in place? | security_of_processing | listing | text
Is a DPIA required? | dpia | single | boolean
Does the processor keep records of processing activities? | records_of_processing | single | boolean
Can the controller audit the processor? | processor_audit | single | boolean
What happens to personal data when the contract ends? | return_or_deletion
Is data pseudonymised? | anonymisation | single | boolean
Where can I lodge a complaint about privacy? | supervisory_authority
Where is my data stored? | data_location
¿Quién es el responsable del tratamiento? | controller
¿Qué obligaciones tiene el encargado del tratamiento? | processor_role
¿Se permiten subencargados? | sub_processors
¿Hay un delegado de protección de datos? | dpo | single | boolean
¿Qué datos personales se recogen? | personal_data_categories | listing | text
¿Con qué finalidad se tratan? | processing_purposes
¿Para qué usan mis datos? | processing_purposes
¿Cuál es la base jurídica? | lawful_basis
¿Cómo retiro el consentimiento? ¿Puedo retirar mi consentimiento? | consent
¿Cuánto tiempo se conservan los datos? | retention_period | single | duration
¿Con quién comparten mis datos? | recipients
¿Hay transferencias internacionales? | international_transfers | single | boolean
¿Qué garantías adecuadas se aplican? | transfer_safeguards
¿Qué derechos tienen los interesados? | data_subject_rights
¿Cómo ejerzo el derecho de acceso? | right_of_access
¿Puedo pedir que borren mis datos? | right_to_erasure | single | boolean
¿Existe el derecho a la portabilidad? | right_to_portability | single | boolean
¿Cómo puedo oponerme? | right_to_object
¿Se toman decisiones automatizadas? | automated_decisions
¿Qué cookies utilizan? | cookies | listing | text
¿Qué pasa con los menores de edad? | children_data
¿Se tratan datos sensibles? | special_categories
¿Qué medidas técnicas y organizativas se aplican? | security_of_processing
¿Hace falta una evaluación de impacto? | dpia
¿Puede el responsable auditar al encargado? | processor_audit | single | boolean
¿Se devuelven los datos al finalizar el servicio? | return_or_deletion
¿Se anonimizan los datos? | anonymisation
¿Ante qué autoridad de control puedo reclamar? | supervisory_authority
¿Quiénes son los destinatarios? | recipients
Qui est le responsable du traitement ? | controller | single | party
Quelles sont les obligations du sous-traitant ? | processor_role
Y a-t-il des sous-traitants ultérieurs ? | sub_processors | single | boolean
Comment joindre le délégué à la protection des données ? | dpo
Quelles données personnelles sont collectées ? | personal_data_categories | listing | text
Quelles sont les finalités du traitement ? | processing_purposes | listing | text
Pourquoi utilisez-vous mes données ? | processing_purposes
Quelle est la base légale ? | lawful_basis
Comment retirer mon consentement ? | consent
Combien de temps les données sont-elles conservées ? | retention_period | single | duration
Qui sont les destinataires ? | recipients
Mes données sont-elles transférées hors de l'Union européenne ? | international_transfers | single | boolean
Des clauses contractuelles types sont-elles prévues ? | transfer_safeguards
Quels sont mes droits ? | data_subject_rights | listing | text
Comment exercer le droit d'accès ? | right_of_access
Puis-je faire effacer mes données ? | right_to_erasure
Existe-t-il un droit à la portabilité ? | right_to_portability | single | boolean
Comment m'opposer au traitement ? | right_to_object
Y a-t-il du profilage ? | automated_decisions | single | boolean
Quels cookies sont déposés ? | cookies | listing | text
Comment les données des mineurs sont-elles traitées ? | children_data
Quelles mesures techniques protègent les données ? | security_of_processing | listing | text
Sous combien d'heures la violation est-elle notifiée à la CNIL ? | breach_to_authority | single | duration
Une analyse d'impact est-elle nécessaire ? | dpia | single | boolean
Existe-t-il un registre des activités de traitement ? | records_of_processing | single | boolean
Que deviennent les données en fin de contrat ? | return_or_deletion
Auprès de quelle autorité de contrôle se plaindre ? | supervisory_authority
"""


def _rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(cell.strip() for cell in line.split(" | ")) for line in table.strip().splitlines()]


# Words that the contracts' dictionary calls its own too: its broader concept may stand first, the exact one second.
SHARED = (
    "What is the sum insured?", "Which sub-processors are used?", "¿Hay un delegado de protección de datos?",
    "¿Qué obligaciones tiene el encargado del tratamiento?",
)  # fmt: skip

# concept | language | a sentence that holds the topic | a sentence of a neighbouring topic that must not
TERMS = """
premium | en | Total annual premiums amount to GBP 4,120. | The first GBP 500 of every loss stays with you.
deductible | en | A policy-excess of 250 euros is taken off. | The price of the cover is 900 euros a year.
deductible | es | Se establecen franquicias generales de 300 euros. | El recibo asciende a 812 euros.
deductible | fr | Les franchises applicables figurent ci-dessous. | La cotisation annuelle est de 640 euros.
premium | fr | Le montant des primes est de 1 200 euros. | Une retenue de 300 euros reste due par sinistre.
exclusions | es | Quedan excluidas las obras de arte. | Se garantizan las obras de arte.
claims_notification | en | You must notify your insurers within ten days. | We pay within ten days.
waiting_period | fr | Les délais de carence sont de trois mois. | La police dure trois mois.
insurer_subrogation | en | The company is subrogated to those claims. | The company reinsures those claims.
surrender_value | es | Los valores de rescate constan en la tabla. | Las primas constan en la tabla.
territorial_scope | en | The geographical limits are Spain and Andorra. | The period runs from May to May.
probation | en | The first six months are a probationary-period. | The notice is six months.
holidays | fr | Le droit aux congés payés est de 25 jours. | Le préavis est de 25 jours.
salary | es | Percibirá salarios brutos de 28.000 euros. | Percibirá dietas de 40 euros.
sick_leave | es | Deberá entregar los partes de baja. | Deberá avisar de su renuncia.
remote_work | en | Home-working is allowed on Fridays. | Offices close on Fridays.
severance | fr | Des indemnités de licenciement sont dues. | Un treizième mois est dû.
job_title | es | Ocupará el puesto de contable. | Trabajará en la sede de Vigo.
employee_inventions | en | Inventions conceived by the employee are assigned. | Laptops are returned.
parental_leave | en | Paternity-leave lasts four weeks. | Annual leave lasts four weeks.
retention_period | en | Logs are retained for ninety days. | Logs are encrypted.
retention_period | es | Los datos se conservarán durante cinco años. | Los datos se cifran.
sub_processors | en | Subprocessors are listed in Annex 2. | The processor is listed in Annex 2.
international_transfers | fr | Aucun transfert international n'a lieu. | Les données sont chiffrées.
transfer_safeguards | es | Se han firmado cláusulas contractuales-tipo. | Los datos salen del país.
right_to_erasure | fr | Vous avez un droit à l’effacement. | Vous avez un droit d'accès.
dpia | en | Impact assessments are carried out yearly. | Audits are carried out yearly.
return_or_deletion | en | The processor will return or delete everything. | The processor keeps a register.
anonymisation | es | Los registros se anonimizarán al cierre. | Los registros se guardan cinco años.
consent | fr | Vous pouvez retirer votre consentement. | Vous pouvez saisir la CNIL.
"""


@pytest.fixture(scope="module")
def dictionaries() -> Dictionaries:
    """The three dictionaries beside the contracts' one, which knows many of the same words."""
    return load_dictionaries(names=["contracts", *NAMES])


@pytest.mark.parametrize("row", [*_rows(INSURANCE), *_rows(HR), *_rows(PRIVACY)], ids=lambda row: row[0])
def test_a_question_finds_its_concept(row: tuple[str, ...], dictionaries: Dictionaries) -> None:
    """The concept stands first beside the contracts' concepts; shape and type as the question asks for."""
    parsed = parse_question(row[0], None, dictionaries)
    found = [concept.concept_id for concept in parsed.concepts]
    assert row[1] in (found[:2] if row[0] in SHARED else found[:1])
    if len(row) > 2 and row[0] not in SHARED:
        assert parsed.answer_shape == row[2]
    if len(row) > 3 and row[0] not in SHARED:
        assert parsed.answer_type == row[3]


@pytest.mark.parametrize("row", _rows(TERMS), ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_primary_term_proves_its_topic_and_no_neighbour(row: tuple[str, ...], dictionaries: Dictionaries) -> None:
    """Plural, hyphen, accent and typography are found; a sentence about the neighbouring topic is not."""
    concept_id, language, about, beside = row
    entry = dictionaries.concept(concept_id)
    assert entry is not None
    terms = [term.text for term in entry.words((language,)) if term.priority == "primary"]
    matcher = TermMatcher(terms)
    assert len(matcher.find([about])) > 0
    assert len(matcher.find([beside])) == 0


@pytest.mark.parametrize(
    ("question", "wanted", "unwanted"),
    [
        ("What is the premium, not the deductible?", "premium", "deductible"),
        ("What is the deductible, not the premium?", "deductible", "premium"),
        ("¿Cuál es la franquicia, no la prima?", "deductible", "premium"),
        (
            "How long is the probation period, not the notice period of the employee?",
            "probation",
            "notice_of_employment",
        ),
        ("Who is the controller, not the processor?", "controller", "processor_role"),
    ],
)
def test_what_is_excluded_is_no_topic(question: str, wanted: str, unwanted: str, dictionaries: Dictionaries) -> None:
    """Of two things that are often confused the one that the question sets aside chooses no concept."""
    found = [concept.concept_id for concept in parse_question(question, None, dictionaries).concepts]
    assert found[:1] == [wanted]
    assert unwanted not in found


@pytest.mark.parametrize("name", NAMES)
def test_a_dictionary_is_whole(name: str) -> None:
    """Each concept has words, questions and titles in all three languages, and its confusions are concepts or terms."""
    loaded = load_dictionaries(names=[name])
    assert loaded.sources[0].languages == ("en", "es", "fr")
    for entry in loaded.concepts:
        for language in ("en", "es", "fr"):
            assert entry.words((language,)), entry.concept_id
            assert entry.question_phrases[language], entry.concept_id


def test_a_spanish_policy_answers_an_english_question(dictionaries: Dictionaries) -> None:
    """The concept carries the question into the language of the document."""
    policy = document(
        lines(
            [
                "Póliza de hogar n.º 44-7781",
                "La prima anual asciende a 412,50 euros, impuestos incluidos.",
                "Se aplica una franquicia general de 300 euros por siniestro.",
                "El siniestro debe comunicarse en un plazo de siete días.",
            ]
        )
    )
    question = parse_question("What is the deductible?", None, dictionaries)
    found = retrieve(policy, question)
    assert "franquicia general" in found.candidates[0].text


@pytest.mark.parametrize(
    ("question", "concept_id"),
    [
        ("Is there an insurance requirement?", "insurance"),
        ("What is the limitation of liability?", "liability_cap"),
        ("Is there a non-compete?", "non_compete"),
        ("Are there confidentiality obligations?", "confidentiality"),
        ("Does the contract renew automatically?", "renewal_term"),
        ("How must personal data be protected under GDPR?", "data_protection"),
        ("¿Hay exclusiones de responsabilidad?", "liability_cap"),
        ("Quelle est la durée du contrat ?", "expiration_date"),
    ],
)
def test_contracts_keep_their_questions(question: str, concept_id: str, dictionaries: Dictionaries) -> None:
    """What any contract holds stays with the contracts' dictionary."""
    assert parse_question(question, None, dictionaries).concepts[0].concept_id == concept_id
