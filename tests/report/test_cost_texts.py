"""Costs in words: means, and dashes for what is not known."""

from report.synthetic import experiment, rows

from vicinal.report.cost_texts import cost_texts


def made(**changes):
    some = rows(experiment(seeds=2), lambda cell: 0.5)[:2]
    for one in some:
        one.result.update(changes)
    return some


def test_a_network_has_convolution_and_readout():
    parts = {"convolution": 162, "readout": 150_885, "total": 151_047}
    some = made(parameters=parts, data_facts={"train": 664})
    some[0].result.update(seconds=1.0, predict_seconds=0.001)
    some[1].result.update(seconds=2.0, predict_seconds=0.003)
    told = ("664", "162 + 150,885 = 151,047", "1.5", "0.002")
    assert cost_texts(some) == told


def test_what_is_not_known_is_a_dash():
    some = made(parameters={}, data_facts={}, seconds=2.0)
    assert cost_texts(some) == ("–", "–", "2", "–")


def test_systems_of_several_sizes_are_told_from_the_smallest_to_the_largest():
    some = made(data_facts={}, seconds=2.0)
    for one, total in zip(some, (7000, 12), strict=True):
        one.result["parameters"] = {"total": total}
    assert cost_texts(some)[1] == "12 to 7,000"
