"""The strict schema: what every server takes, and every field that was asked for."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from openai.lib._pydantic import to_strict_json_schema
from pydantic import BaseModel, Field

from pipeline.llm.json_schema import schema_name, strict_json_schema
from tests.llm.dialects import schema_fault
from tests.llm.doors import Rulings


class Money(BaseModel):
    """An amount."""

    kind: Literal["money"]
    number: Decimal = Field(ge=0, description="How much.")
    title: str = Field(default="", max_length=10, pattern="^a+$")


class Words(BaseModel):
    """Words."""

    kind: Literal["words"]
    default: list[str] = Field(default_factory=list, min_length=1)


class Node(BaseModel):
    """A record that holds itself and others, with every keyword a strict schema forbids."""

    value: Annotated[Money | Words, Field(discriminator="kind")]
    money: Money = Field(description="A described reference.")
    parent: Node | None = None
    children: list[Annotated[Node, Field(description="A child.")]] = []


def test_a_schema_has_only_what_strict_servers_take():
    """Closed objects, all fields required, no defaults, no limits, nothing beside a reference."""
    schema = strict_json_schema(Node)
    assert schema_fault(schema) is None
    for keyword in ("minLength", "maxLength", "pattern", "minimum", "minItems"):
        assert f"'{keyword}'" not in str(schema)


def test_fields_named_like_keywords_stay():
    """A property may be called 'title' or 'default'."""
    definitions = strict_json_schema(Node)["$defs"]
    assert "title" in definitions["Money"]["properties"]
    assert "default" in definitions["Words"]["properties"]


def test_a_description_beside_a_reference_is_kept():
    """The definition is written out in its place."""
    money = strict_json_schema(Node)["$defs"]["Node"]["properties"]["money"]
    assert money["description"] == "A described reference."
    assert money["properties"].keys() == {"kind", "number", "title"}


def test_a_plain_model_gets_the_schema_of_the_openai_client():
    """Ours is public and drops limits; for a model without any, both say the same but for titles."""

    class Plain(BaseModel):
        """Words and a choice."""

        text: str = Field(description="Words.")
        choice: Literal["a", "b"]
        more: list[int] | None

    def untitled(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: untitled(value) for key, value in node.items() if key != "title" or isinstance(value, dict)}
        return [untitled(value) for value in node] if isinstance(node, list) else node

    assert strict_json_schema(Plain) == untitled(to_strict_json_schema(Plain))


def test_the_schema_is_stable():
    """The same model gives the same schema: it is part of every call's key."""
    assert str(strict_json_schema(Rulings)) == str(strict_json_schema(Rulings))


@pytest.mark.parametrize("annotation", [dict[str, int], dict[str, Any], tuple[int, str], Any, object])
def test_what_a_strict_schema_cannot_say_is_refused(annotation):
    """A fault of the programmer, with the field's name."""
    model = type("Loose", (BaseModel,), {"__annotations__": {"field": annotation}, "__module__": __name__})
    with pytest.raises(TypeError, match=r"Loose\.field"):
        strict_json_schema(model)


def test_names_are_what_servers_accept():
    """Generic models have brackets in their names."""
    model = type("Pair[int, str]" + "x" * 99, (BaseModel,), {"__module__": __name__})
    assert schema_name(model).startswith("Pair_int__str_xxx")
    assert len(schema_name(model)) == 64
