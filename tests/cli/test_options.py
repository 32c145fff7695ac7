import pytest

from vicinal.cli.options import assignments


def test_values_are_json_where_they_can_be():
    read = assignments(["epochs=5, bias=true", "graph=geometric,times=[0,24]"], "--set")
    assert read == {"epochs": 5, "bias": True, "graph": "geometric", "times": [0, 24]}


def test_quotes_hold_a_value_together():
    read = assignments(['texts="books, old",author="1984"'], "--set")
    assert read == {"texts": "books, old", "author": "1984"}


@pytest.mark.parametrize("text", ["epochs", "=5", "epochs=", "", "epochs=5,"])
def test_what_is_no_pair_is_refused(text):
    with pytest.raises(ValueError, match="`--set` must be name=value, got"):
        assignments([text], "--set")


def test_a_name_is_set_once():
    with pytest.raises(ValueError, match="must set 'epochs' once, got it twice"):
        assignments(["epochs=5", "epochs=6"], "--set")
