"""The regular forms of verbs."""

from ace.claims.language.verb_forms import gerund, third_person


def test_forms_of_verbs() -> None:
    assert [third_person(verb) for verb in ("touch", "carry", "run")] == ["touches", "carries", "runs"]
    assert [gerund(verb) for verb in ("slide", "spin", "touch", "lie")] == [
        "sliding",
        "spinning",
        "touching",
        "lying",
    ]
