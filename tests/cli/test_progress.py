"""What scripts read."""

import json

from vicinal.cli.progress import as_json


def test_json_has_null_for_what_is_no_number(capsys):
    as_json({"losses": [0.5, float("nan")], "best": float("inf"), "n": 3})
    line = capsys.readouterr().out
    assert json.loads(line) == {"losses": [0.5, None], "best": None, "n": 3}
    assert line.endswith("\n")
