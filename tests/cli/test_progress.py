"""What scripts read, and what people wait by."""

import json

from vicinal.cli import progress
from vicinal.cli.progress import Plain, as_json


def test_json_has_null_for_what_is_no_number(capsys):
    as_json({"losses": [0.5, float("nan")], "best": float("inf"), "n": 3})
    line = capsys.readouterr().out
    assert json.loads(line) == {"losses": [0.5, None], "best": None, "n": 3}
    assert line.endswith("\n")


def test_the_first_lines_tell_what_was_expected(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    bar = Plain(100, expected=200.0)
    for seconds in (20.0, 22.0, 24.0, 26.0, 60.0):  # starting took 18 of the first 20
        now[0] = seconds
        bar.advance("cell")
    first, last = capsys.readouterr().out.splitlines()
    assert first == "1/100 cells, 0:00:20 elapsed, about 0:03:18 left"
    assert last == "5/100 cells, 0:01:00 elapsed, about 0:19:00 left"


def test_brackets_in_a_line_are_no_markup(capsys):
    bar = progress.Terminal(3)
    with bar:
        bar.advance("times=[/0, 24]")
        bar.say("failed: [sets] and [/tmp/x]")
    assert "[sets] and [/tmp/x]" in capsys.readouterr().out


def test_a_long_label_leaves_the_count_and_the_time_their_room(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    bar = progress.Terminal(300)
    with bar:
        bar.advance("source-localization seed 0: " + "activation=relu " * 9)
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "/300" in line)
    assert "1/300" in line
    assert "left" in line
    assert "source-local" in line
