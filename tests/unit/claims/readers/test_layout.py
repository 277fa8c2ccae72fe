"""Where the claims of a text begin."""

from ace.claims.readers.layout import body


def test_words_between_a_heading_and_the_first_claim_are_no_claim() -> None:
    text = (
        "A device is described.\n\nWhat is claimed is:\n\nAll that follows below.\n\n1. A hook.\n2. A hat.\n"
    )
    assert text[body(text).start :].startswith("1. A hook.")


def test_a_claim_without_a_number_begins_after_a_heading_that_says_so() -> None:
    text = "A device is described.\n\nWhat is claimed is:\n\nA hook comprising a shaft.\n"
    assert text[body(text).start :].strip() == "A hook comprising a shaft."
