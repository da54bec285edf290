"""Types that users add: registered by their examples, asked for, found, checked, forgotten; broken ones are told."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

import pytest
from pydantic import BaseModel, ConfigDict

from dictionaries import load_dictionaries
from pipeline.question import parse_question
from pipeline.values import (
    VALUE_TYPES,
    Example,
    ValueType,
    find_values,
    parser_fault,
    register_type,
    registered_types,
    same_value,
    type_of,
    unregister_type,
)
from pipeline.values.declared import VARIABLE, load_declared_types
from schemas.errors import RegistrationError
from schemas.values import CustomValue

TEXT = "La finca tiene la referencia catastral 9872023 VH5797S 0001 WX y linda al norte."


class CadastralReference(BaseModel):
    """A Spanish cadastral reference: 20 characters in four groups."""

    model_config = ConfigDict(frozen=True)

    parcel: str
    sheet: str
    unit: str
    control: str


_REFERENCE = re.compile(r"\b(\d{7})\s?([A-Z0-9]{7})\s?(\d{4})\s?([A-Z]{2})\b")


def parse_references(text: str, language: str) -> Iterator[tuple[int, int, BaseModel]]:
    """Every reference in the text; one on fire breaks the parser."""
    if "on fire" in text:
        raise RuntimeError("no ladder\nhere")
    for match in _REFERENCE.finditer(text):
        parcel, sheet, unit, control = match.groups()
        yield (*match.span(), CadastralReference(parcel=parcel, sheet=sheet, unit=unit, control=control))


FIELDS = {"parcel": "9872023", "sheet": "VH5797S", "unit": "0001", "control": "WX"}
CADASTRAL = ValueType(
    name="cadastral_reference",
    model=CadastralReference,
    parse=parse_references,
    asked_by=("cadastral reference", "referencia catastral", "référence cadastrale"),
    examples=(Example(TEXT, (FIELDS,), "es"), Example("the invoice 9872023 of 2020", ())),
)


@pytest.fixture
def registered() -> Iterator[None]:
    """The type, known for one test."""
    register_type(CADASTRAL)
    yield
    unregister_type(CADASTRAL.name)


@pytest.mark.usefixtures("registered")
def test_a_registered_type_is_found_with_its_place_and_fields() -> None:
    """Its values are published with their fields and the document's own wording."""
    (found,) = find_values(TEXT, "cadastral_reference", language="es")
    assert TEXT[found.start : found.end] == "9872023 VH5797S 0001 WX"
    assert isinstance(found.value, CustomValue)
    assert found.value.fields == FIELDS
    assert type_of(found.value) == "cadastral_reference"
    assert "cadastral_reference" in VALUE_TYPES
    assert "cadastral_reference" in tuple(VALUE_TYPES)
    assert CADASTRAL in registered_types()
    (tight,) = find_values(TEXT.replace(" VH5797S 0001 WX", "VH5797S0001WX"), "cadastral_reference")
    (other,) = find_values(TEXT.replace("WX", "WY"), "cadastral_reference")
    assert same_value(found.value, tight.value)
    assert not same_value(found.value, other.value)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is the cadastral reference of the plot?", "en"),
        ("¿Cuál es la referencia catastral de la finca?", "es"),
        ("Quelle est la référence cadastrale du terrain ?", "fr"),
    ],
)
def test_a_question_asks_for_a_registered_type(text: str, language: str) -> None:
    """Its words set the type of the answer, in each language."""
    question = parse_question(text, None, load_dictionaries())
    assert (question.answer_type, question.language) == ("cadastral_reference", language)


@pytest.mark.usefixtures("registered")
def test_a_type_is_forgotten_with_what_was_found_of_it() -> None:
    """After it is removed nothing of it is found, and one that takes its name reads anew."""
    assert find_values(TEXT, CADASTRAL.name)
    unregister_type(CADASTRAL.name)
    assert find_values(TEXT, CADASTRAL.name) == ()
    assert CADASTRAL.name not in VALUE_TYPES
    short = re.compile(r"\b\d{7}\b")
    register_type(
        replace(
            CADASTRAL,
            parse=lambda text, language: [
                (*match.span(), CadastralReference(parcel=match.group(), sheet="", unit="", control=""))
                for match in short.finditer(text)
            ],
            examples=(Example("1234567", ({"parcel": "1234567", "sheet": "", "unit": "", "control": ""},)),),
        )
    )
    (found,) = find_values(TEXT, CADASTRAL.name)
    assert isinstance(found.value, CustomValue)
    assert found.value.original == "9872023"


@pytest.mark.usefixtures("registered")
def test_registering_twice_is_an_error_that_says_what_to_do() -> None:
    """The name is taken until it is given up."""
    with pytest.raises(RegistrationError, match=r"registered already; call unregister_type\('cadastral_reference'\)"):
        register_type(CADASTRAL)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": "date"}, "a built-in type has this name"),
        ({"name": "Plot Ref"}, "2 to 40 small letters"),
        ({"asked_by": (" ",)}, "asked_by names no words"),
        ({"examples": ()}, "examples hold no text with a value"),
        ({"examples": (Example(TEXT, ({**FIELDS, "unit": "0002"},)),)}, "example 1 .* was to be found"),
        ({"examples": (Example("nothing here", (FIELDS,)),)}, r"example 1 .*finds \[\]"),
        ({"examples": (Example(TEXT, ({"parcel": "1"},)),)}, "do not fit the model CadastralReference"),
        ({"examples": (Example("on fire", (FIELDS,)),)}, "RuntimeError: no ladder here"),
        ({"parse": lambda text, language: [(0, 10**9, CadastralReference(**FIELDS))]}, "no stretch of the text"),
        ({"parse": lambda text, language: [(0, 4, Example("", ()))]}, "gives a Example and not a CadastralReference"),
        ({"parse": lambda text, language: None}, "TypeError"),
    ],
)
def test_a_type_that_fails_its_own_test_is_not_registered(changes: dict[str, object], why: str) -> None:
    """Names, words, examples, places and models are checked before anything is known."""
    with pytest.raises(RegistrationError, match=why):
        register_type(replace(CADASTRAL, **changes))  # type: ignore[arg-type]
    assert registered_types() == ()


@pytest.mark.usefixtures("registered")
def test_a_parser_that_breaks_on_a_text_costs_its_own_values_and_is_told() -> None:
    """No crash: nothing is found in that text, and the fault names the type, never the text."""
    assert find_values(f"{TEXT} on fire", CADASTRAL.name) == ()
    fault = parser_fault(f"{TEXT} on fire", CADASTRAL.name)
    assert fault is not None
    assert "'cadastral_reference' failed" in fault
    assert "RuntimeError: no ladder here" in fault
    assert parser_fault(TEXT, CADASTRAL.name) is None
    assert parser_fault(TEXT, "date") is None


def test_what_is_not_registered_cannot_be_removed() -> None:
    """The error names what is."""
    with pytest.raises(RegistrationError, match="registered are: none"):
        unregister_type("plots")


def test_a_setting_names_modules_whose_types_are_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """LINEPROOF_TYPES=module registers its TYPES once; a second call changes nothing."""
    module = ModuleType("plots_of_a_test")
    module.TYPES = (CADASTRAL,)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setenv(VARIABLE, f" {module.__name__} ")
    try:
        assert load_declared_types() == ("cadastral_reference",)
        assert load_declared_types() == ("cadastral_reference",)
        assert registered_types() == (CADASTRAL,)
    finally:
        unregister_type(CADASTRAL.name)


@pytest.mark.parametrize(
    ("module", "why"), [("no_such_module_here", "cannot be imported"), ("json", "declares no types")]
)
def test_a_setting_that_names_no_types_is_an_error(monkeypatch: pytest.MonkeyPatch, module: str, why: str) -> None:
    """The message names the module and the variable."""
    monkeypatch.setenv(VARIABLE, module)
    with pytest.raises(RegistrationError, match=rf"{module}' that LINEPROOF_TYPES names {why}"):
        load_declared_types()
