import csv
import io
import json

from report.synthetic import experiment, plausible, rows

from vicinal.report.downloads import csv_text, data_uri


def test_every_row_has_its_key_settings_and_scores():
    given = rows(experiment(), plausible)
    lines = list(csv.DictReader(io.StringIO(csv_text(given))))
    assert len(lines) == len(given)
    for line, row in zip(lines, given, strict=True):
        assert line["config_hash"] == row.config_hash
        assert (
            float(line["accuracy last_mean"])
            == row.result["scores"]["accuracy"]["last_mean"]
        )
        assert line["activation"] == row.settings.get("activation", "relu")


def test_settings_are_written_as_only_takes_them():
    (row, *_) = rows(experiment(), plausible)
    row.settings.update(times=[1, 10], share=0.000123456789, graph="erdos-renyi")
    (line,) = csv.DictReader(io.StringIO(csv_text([row])))
    assert json.loads(line["times"]) == [1, 10]
    assert (line["share"], line["graph"]) == ("0.000123456789", "erdos-renyi")


def test_scores_of_single_targets_and_costs_are_there():
    (row, *_) = rows(experiment(), plausible)
    row.result["parts"] = {"405": 1.25}
    row.result["predict_seconds"] = 0.002
    (line,) = csv.DictReader(io.StringIO(csv_text([row])))
    assert line["accuracy of target: 405"] == "1.25"
    assert line["parameters: total"] == "3372"
    assert line["data: mean degree"] == "39.6"
    assert (line["seconds"], line["predict_seconds"]) == ("2.0", "0.002")


def test_text_that_would_be_a_formula_is_quoted():
    (row, *_) = rows(experiment(), plausible)
    row.settings["note"] = "=HYPERLINK(1)"
    assert "'=HYPERLINK(1)" in csv_text([row])


def test_an_address_holds_the_text():
    assert data_uri("a,b\n") == "data:text/csv;charset=utf-8;base64,YSxiCg=="
