"""What a page reads of a row has its form, or a sentence says which part has not."""

import pytest

from vicinal.experiments.row import settings_hash
from vicinal.experiments.row_check import checked_row


def entry(**result):
    """The columns of a row, some parts of its result changed."""
    usual = {
        "scores": {"accuracy": {"last_mean": 0.5}},
        "curves": {"train_loss": [1.0, float("nan")]},
        "parameters": {"total": 7},
        "hop_weights": [[0.5, 0.5]],
        "seconds": 1.0,
        "data_facts": {"mean degree": 5},
    }
    settings = {"task": "t"}
    return {
        "config_hash": settings_hash(settings),
        "seed": 0,
        "data": "",
        "version": 1,
        "settings": settings,
        "result": usual | result,
    }


def test_whole_seconds_are_a_number():
    assert checked_row(entry(seconds=1), "here").result["seconds"] == 1


def test_a_network_of_words_is_a_square():
    network = {"words": ["a"], "weights": [[1.0]], "frequency": [3]}
    assert checked_row(entry(network=network), "here").result["network"] == network


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ({"seconds": True}, "`result.seconds` must be a number, got 'True'"),
        ({"seconds": "1"}, "`result.seconds` must be a number, got '1'"),
        ({"curves": {"train_loss": ["a"]}}, "must be a table of lists of numbers"),
        ({"parameters": {"total": "x"}}, "must be a table of whole numbers"),
        ({"hop_weights": [["a"]]}, "`result.hop_weights` must be a list of lists of"),
        ({"data_facts": {"train": None}}, "must be a table of numbers"),
        ({"parts": [1]}, "`result.parts` must be a table of numbers"),
        ({"machine": 3}, "`result.machine` must be a text, got '3'"),
        ({"seconds": 10**400}, "`result.seconds` must be a number"),
        (
            {"network": {"words": [], "weights": [], "frequency": []}},
            "must be words, frequencies and a square",
        ),
        ({"network": {"words": []}}, "must be words, frequencies and a square"),
        (
            {"network": {"words": ["a"], "weights": [[1, 2]], "frequency": [3]}},
            "must be words, frequencies and a square",
        ),
    ],
)
def test_a_part_of_another_form_is_refused(result, sentence):
    with pytest.raises(ValueError, match=f"here: .*{sentence}"):
        checked_row(entry(**result), "here")
