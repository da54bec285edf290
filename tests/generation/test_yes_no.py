# ruff: noqa: E501  # question and clause are read side by side
"""Yes or no by the words of a clause: what is asked, who is bound, what is excepted, and when nothing is said."""

from __future__ import annotations

import pytest

from pipeline.generation import generate
from pipeline.generation.asking import plain, read_asking
from pipeline.generation.ending import ending_of
from pipeline.generation.polarity import exceptions_of, polarity_of
from pipeline.generation.verify import find_faults
from schemas.answer import Answer, BooleanValue, TextValue
from schemas.question import Concept, ParsedQuestion
from schemas.retrieval import RetrievalResult
from tests.generation.handed import ask, candidate, concept, found


def answer(question: ParsedQuestion, result: RetrievalResult) -> Answer:
    """The answer, after an auditor's check that all of it holds."""
    given = generate(question, result)
    assert find_faults(given, result) == ()
    return given


def verdict(text: str, clause: str, *concepts: Concept) -> bool | None:
    """The verdict that a clause gives to a question; None where it is left to a person or not found."""
    given = answer(ask(text, "boolean", concepts=concepts), found(candidate(clause)))
    value = given.items[0].value if given.items else None
    return value.value if isinstance(value, BooleanValue) else None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Is there a cap on liability?", "presence"),
        ("Cap on Liability: Does the contract include a cap on liability?", "presence"),
        ("Audit Rights: Does a party have the right to audit the books?", "permission"),
        ("Can the Supplier terminate for convenience?", "permission"),
        ("Must the Supplier insure the goods?", "duty"),
        ("Is a party restricted from soliciting customers?", "restraint"),
        ("Is there a requirement on a party not to disparage the other?", "restraint"),
        ("Is consent required if the contract is assigned?", "consent"),
        ("Can the Supplier assign without consent?", "permission"),
        ("¿Puede el Proveedor ceder el contrato?", "permission"),
        ("¿Se requiere autorización para ceder el contrato?", "consent"),
        ("¿Debe el Proveedor contratar un seguro?", "duty"),
        ("Le contrat contient-il une clause de non-concurrence ?", "restraint"),
        ("Le Prestataire doit-il souscrire une assurance ?", "duty"),
        ("Le Fournisseur peut-il céder le contrat ?", "permission"),
    ],
)
def test_what_a_question_asks_for(question: str, kind: str) -> None:
    """A name before the question changes nothing; the words of the question tell what kind of yes is wanted."""
    assert read_asking(question).kind == kind


@pytest.mark.parametrize(
    ("question", "clause", "value"),
    [
        # a consent: required unless the clause says that it is not
        ("Is consent required to assign?", "No Party may assign it without the prior written consent of the other.", True),
        ("Is consent required to assign?", "A Party may assign it without the consent of the other Party.", False),
        ("Is consent required to assign?", "It shall not be assigned without consent, not to be unreasonably withheld.", True),
        ("Can a Party assign without consent?", "A Party may assign it with the prior consent of the other.", False),
        # a restraint: forbidden, limited or hanging on a consent
        ("Is the Supplier restricted from selling to rivals?", "The Supplier shall not sell to rivals.", True),
        ("Is the Supplier restricted from selling to rivals?", "Nothing herein shall prevent the Supplier from selling to rivals.", None),
        ("Is assignment prohibited?", "A Party may freely assign this Agreement.", False),
        # a denial must deny the thing that is asked for
        ("Is there insurance?", "There are no disputes with underwriters under the insurance policies.", None),
        ("Does the contract include a cap on liability?", "Neither Party shall be liable without limitation, and there is no cap.", False),
        ("Is there a minimum purchase?", "There is no minimum purchase under this Agreement.", False),
        ("Is the license transferable?", "It is a non-exclusive, non-transferable license.", False),
        # a prohibition of a part is none of the whole
        ("May the Buyer audit the records?", "The Buyer may not audit records which do not relate to sales.", None),
        # a duty and what frees from it
        ("Must the Recipient return the documents?", "The Recipient is under no obligation to return the documents.", False),
        ("Must the Recipient return the documents?", "The Recipient shall destroy the documents.", True),
        # an act that the clause does not speak of
        ("May the Recipient copy the documents?", "The Recipient shall not disclose the documents.", None),
        ("Must the Recipient return the documents?", "The Recipient shall keep the fees.", None),
    ],
)  # fmt: skip
def test_the_clause_is_read_for_what_is_asked(question: str, clause: str, value: bool | None) -> None:
    """Consent, restraint, duty and permission each have a yes, a no, and clauses that settle nothing."""
    told = polarity_of(clause, question)
    assert (None if told is None else told.value) == value


@pytest.mark.parametrize(
    ("clause", "ending"),
    [
        ("Either party may terminate this Agreement for convenience.", "free"),
        ("Either party may terminate this Agreement upon thirty (30) days' prior written notice.", "free"),
        ("This Agreement may be terminated by either party at any time by giving 60 days notice.", "free"),
        ("A party may terminate this Agreement upon notice if the other party breaches it.", "for_cause"),
        ("Either party may terminate at any time in the event of a material breach of the other.", "for_cause"),
        ("It shall renew unless terminated by either party on notice prior to the end of the term.", "other"),
        ("The parties may terminate this Agreement at any time by mutual consent.", "other"),
        ("If the Lender may terminate the loan without cause, it pays.", "for_cause"),
        ("Any party desiring to terminate shall give written notice of such termination.", "other"),
        ("El Cliente podrá resolver el contrato sin causa con un preaviso de 30 días.", "free"),
        ("El Cliente podrá resolver el contrato en caso de incumplimiento.", "for_cause"),
        ("Le Client peut résilier le contrat à tout moment, moyennant un préavis.", "free"),
        ("Le Client peut résilier le contrat en cas de manquement.", "for_cause"),
    ],
)
def test_whether_a_right_to_end_needs_a_cause(clause: str, ending: str) -> None:
    """An event, a breach, a renewal or an agreement of both is no right to end at will."""
    assert ending_of(plain(clause)) == ending


def test_a_right_for_a_cause_alone_is_not_found_with_the_reason() -> None:
    """'Can it be ended without cause?' is not answered by a right to end for a breach."""
    terms = concept(["terminate"], matched_by="terminate")
    result = found(candidate("Either party may terminate this Agreement if the other party breaches it."))
    given = answer(ask("Can a party terminate without cause?", "boolean", concepts=[terms]), result)
    assert given.status == "not_found"
    assert given.absence is not None
    assert "for a cause alone" in given.absence.statement


@pytest.mark.parametrize(
    ("clause", "exceptions"),
    [
        (
            "No Party may assign it without the prior written consent of the other, except that a Party may assign it to an affiliate, or to a successor.",
            (
                "without the prior written consent of the other",
                "except that a Party may assign it to an affiliate, or to a successor",
            ),
        ),
        (
            "Except as set forth in Section 4, a Party may not sell its shares.",
            ("Except as set forth in Section 4",),
        ),
        ("The license is non-transferable (except as provided in Section 9) and paid-up.", ("except as provided in Section 9",)),
        ("Licensee may not sell, other than to Acme Inc. or its heirs.", ("other than to Acme Inc. or its heirs",)),
        (
            "El Proveedor no podrá ceder el contrato sin el consentimiento previo del Cliente; será nulo.",
            ("sin el consentimiento previo del Cliente",),
        ),
        ("Le Client ne peut céder le contrat, sauf à une filiale.", ("sauf à une filiale",)),
        ("The Supplier shall deliver the goods.", ()),
    ],
)  # fmt: skip
def test_exceptions_are_whole_sub_clauses(clause: str, exceptions: tuple[str, ...]) -> None:
    """Each exception is verbatim, ends where its sub-clause ends, and does not swallow the rest of the sentence."""
    assert exceptions_of(clause) == exceptions
    assert all(piece in clause for piece in exceptions)


def test_a_topic_is_no_answer_to_what_is_asked_about_it() -> None:
    """A clause on confidentiality that speaks of no copies gives neither verdict nor clause."""
    terms = concept(["confidential information"], matched_by="confidential information")
    question = "May the Recipient copy Confidential Information?"
    silent = "The Recipient shall not disclose Confidential Information to third parties."
    given = answer(ask(question, "boolean", concepts=[terms]), found(candidate(silent)))
    assert given.status == "not_found"
    assert verdict(question, "The Recipient shall not reproduce Confidential Information.", terms) is False
    assert verdict(question, "The Recipient may make copies of Confidential Information.", terms) is True


def test_another_partys_clause_is_no_yes() -> None:
    """The Buyer's right to audit is no right of the Supplier; a recipient is a receiving party."""
    audit = concept(["audit"], matched_by="audit")
    clause = "The Buyer may audit the books of the Supplier."
    assert verdict("May the Buyer audit the books?", clause, audit) is True
    assert verdict("May the Supplier audit the books?", clause, audit) is None
    kept = concept(["records"], matched_by="records")
    assert verdict("Must the Receiving Party keep records?", "The Recipient shall keep records.", kept) is True


def test_a_passage_that_seldom_holds_the_clause_makes_no_yes() -> None:
    """Where such passages hold the clause in four of ten documents, a person reads it; in nine of ten, it is a yes."""
    terms = concept(["most favored"], matched_by="most favored")
    question = ask("Does the contract contain a most favored customer clause?", "boolean", concepts=[terms])
    sure = found(candidate("The Buyer shall receive most favored terms."))
    unsure = sure.model_copy(update={"confidence": 0.4})
    assert isinstance(answer(question, sure).items[0].value, BooleanValue)
    given = answer(question, unsure)
    assert (given.status, given.items[0].value.kind) == ("partial", "text")
    assert isinstance(given.items[0].value, TextValue)


def test_any_clause_may_be_the_yes_and_an_outright_denial_is_the_no() -> None:
    """A reservation beside a grant denies no grant; 'there is no license' does."""
    terms = concept(["license"], matched_by="license")
    question = "Is there a license?"
    both = "Nothing herein shall grant a license to the trademarks. The Owner hereby grants the Buyer a license to the software."
    assert verdict(question, both, terms) is True
    assert verdict(question, "There is no license under this Agreement.", terms) is False
    assert verdict("Is there a restriction on competing?", "Neither Party will be restricted from competing.",
                   concept(["competing"], matched_by="competing")) is None  # fmt: skip


def test_an_item_is_read_with_what_opens_its_list() -> None:
    """'(b) sell rival goods' under 'the Distributor shall not:' is a restraint."""
    text = "The Distributor shall not:\n(a) change the labels; or\n(b) sell rival goods."
    rivals = concept(["rival goods"], matched_by="rival goods")
    assert verdict("Is the Distributor prohibited from selling rival goods?", text, rivals) is True


def test_sentences_that_share_a_line_are_each_read() -> None:
    """A paragraph may be one line: its title does not hide its sentence."""
    terms = concept(["exclusividad", "exclusivo"], matched_by="exclusivo")
    assert (
        verdict("¿Es exclusivo el contrato?", "4. Exclusividad. El presente contrato no es exclusivo.", terms) is False
    )


def test_a_dropped_negation_is_caught() -> None:
    """The check of a saved answer reads the cited clause again: a yes on 'may not' does not hold."""
    terms = concept(["assign"], matched_by="assign")
    result = found(candidate("The Supplier may not assign this Agreement."))
    given = answer(ask("May the Supplier assign the Agreement?", "boolean", concepts=[terms]), result)
    (item,) = given.items
    assert isinstance(item.value, BooleanValue)
    turned = item.model_copy(update={"value": BooleanValue(value=True)})
    assert any("negation" in fault for fault in find_faults(given.model_copy(update={"items": (turned,)}), result))


def test_a_denied_right_to_end_is_no_yes() -> None:
    """'Has no right to terminate for convenience' is a no of that party, and no yes for either."""
    terms = concept(["terminate for convenience"], matched_by="terminate for convenience")
    clause = "The Supplier has no right to terminate for convenience."
    assert verdict("Can the Supplier terminate for convenience?", clause, terms) is False
    assert verdict("Can either party terminate for convenience?", clause, terms) is None
    assert verdict("Can the Buyer terminate for convenience?", clause, terms) is None


def test_who_alone_may_is_said() -> None:
    """Asked for each party, a right of one is no yes: the clause is given with the name of the party that has it."""
    terms = concept(["terminate for convenience", "resolver"], matched_by="terminate for convenience")
    clause = "The Client may terminate for convenience upon ninety days' notice."
    given = answer(
        ask("Can either party terminate for convenience?", "boolean", concepts=[terms]), found(candidate(clause))
    )
    assert (given.status, given.items[0].value.kind) == ("partial", "text")
    assert "'Client' alone" in given.caveats[0]


@pytest.mark.parametrize(
    ("question", "clause", "value"),
    [
        # whom a duty of secrecy lets know stands in its exception
        ("May the Recipient share the information with its employees?", "The Recipient shall not disclose the information to any person other than to its employees who need to know.", True),
        ("May the Recipient share the information with its employees?", "The Recipient shall restrict access to the information to its employees.", True),
        ("May the Recipient share the information with third parties?", "The Recipient shall not disclose the information to any third party.", False),
        ("May the Recipient share the information with its employees?", "The Recipient shall not disclose the information to any competitor.", None),
        ("May the Recipient share the information with its employees?", "Neither the Recipient nor its employees shall disclose the information.", None),
        # what a restraint excludes, or is said not to limit, is free
        ("May the Recipient independently develop similar information?", "It does not include information that was independently developed by the Recipient.", True),
        ("May the Recipient independently develop products?", "This Agreement shall not be construed to limit the right of the Recipient to independently develop products.", True),
        # names of parties are no acts
        ("May the Recipient receive information from a third party?", "The Receiving Party shall not sell the samples.", None),
        # a ban with a way out is neither
        ("May the Recipient make copies of the documents?", "The Recipient shall make no copies except as necessary for the Purpose.", None),
        # definitions, verbs, passives
        ("Is Confidential Information limited to technical information?", "“Confidential Information” means any information, including but not limited to designs.", False),
        ("Does the agreement renew automatically?", "This Agreement shall not automatically renew.", False),
        ("Must the documents be marked?", "“Documents” shall mean papers, whether or not marked.", None),
        ("Must the documents be marked?", "The documents shall be marked as confidential.", True),
        # Spanish and French
        ("¿Hay una cláusula de no competencia?", "No competencia. El Proveedor no podrá prestar servicios a los competidores.", True),
        ("¿Se requiere consentimiento para ceder el contrato?", "Ninguna de las partes podrá ceder el contrato sin el consentimiento de la otra.", True),
        ("L'accord du Client est-il requis pour céder ?", "Le Prestataire ne peut céder le contrat sans l'accord du Client.", True),
    ],
)  # fmt: skip
def test_exceptions_exclusions_and_names_are_read(question: str, clause: str, value: bool | None) -> None:
    """What a clause leaves free is a yes, what it bans a no, and what it says of something else settles nothing."""
    told = polarity_of(clause, question)
    assert (None if told is None else told.value) == value


@pytest.mark.parametrize(
    ("question", "clause", "term"),
    [
        ("¿Hay un límite de responsabilidad?", "La responsabilidad total del Proveedor no excederá del importe pagado.", "responsabilidad total"),
        ("Y a-t-il une limitation de responsabilité ?", "La responsabilité totale du Prestataire ne pourra excéder les sommes versées.", "responsabilité totale"),
        ("Do any obligations survive termination?", "The obligations of confidence shall survive termination.", "survive"),
    ],
)  # fmt: skip
def test_a_clause_in_any_tongue_is_a_yes(question: str, clause: str, term: str) -> None:
    """Future and present tenses of Spanish and French command as 'shall' does."""
    assert verdict(question, clause, concept([term], matched_by="límite de responsabilidad limitation survive")) is True


def test_a_thing_due_at_the_end_is_not_one_due_on_request() -> None:
    """'Must it be returned upon termination?' is not answered by a return when the owner asks for it."""
    terms = concept(["return"], matched_by="return")
    question = "Must the Recipient return the documents upon termination?"
    assert verdict(question, "The Recipient shall return the documents on request.", terms) is None
    assert verdict(question, "On termination the Recipient shall return the documents.", terms) is True
