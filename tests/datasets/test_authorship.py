"""The authorship task: what is in it, and that nothing of the test part leaks."""

import numpy as np
import pytest
import torch
from datasets.library import AUTHORS, WORDS, fill

from vicinal.datasets import TASKS, authorship, storage
from vicinal.datasets.authorship import Settings, load
from vicinal.datasets.authorship_texts import read
from vicinal.datasets.excerpts import cut_excerpts
from vicinal.datasets.novels import novels

SEED = 2


@pytest.fixture
def shelf(tmp_path):
    return fill(tmp_path / "shelf")


def settings(shelf, **changes):
    given = {"author": "bea", "texts": str(shelf), "words": str(shelf / "words.txt")}
    return Settings(**given | {"excerpt": 10} | changes)


def test_the_parts_of_a_task(shelf):
    task = load(settings(shelf), SEED)
    assert task.x.shape == (72, len(WORDS), 1)
    assert task.metrics[0] == "error"
    assert task.num_outputs == 2
    for part in (task.train, task.test):
        assert task.target[part].float().mean() == 0.5
    assert (task.counts.sum(1) <= 10).all()
    assert torch.equal(task.x.squeeze(-1).double(), task.counts)
    facts = dict(task.facts)
    assert facts["excerpts"] == 36
    assert (facts["train"], facts["valid"], facts["test"]) == (58, 0, 14)
    assert facts["average_out_degree"] == task.graph.num_edges / len(WORDS)


@pytest.mark.parametrize("split", ["random80", "leave-one-book-out"])
def test_the_author_is_never_among_the_others(shelf, split):
    task = load(settings(shelf, split=split), SEED)
    names = np.array(AUTHORS)[task.authors.numpy()]
    assert set(names[task.target == 1]) == {"bea"}
    assert "bea" not in names[task.target == 0]


def test_rows_of_the_network_sum_to_one_or_zero(shelf):
    forward = load(settings(shelf, orientation="forward"), SEED).graph.to_dense()
    sums = forward.double().sum(1)
    assert ((sums - 1).abs().lt(1e-6) | (sums == 0)).all()
    transposed = load(settings(shelf), SEED).graph.to_dense()
    assert torch.equal(transposed, forward.T)


def changed(monkeypatch, settings_, which):
    """The task after all words of one part were replaced by the first of the list."""
    before = load(settings_, SEED)
    numbers = read(settings_.texts, settings_.words)
    excerpts = cut_excerpts(numbers, settings_.excerpt)
    split = authorship._split(settings_, excerpts, SEED)
    ids = numbers.ids.copy()
    for chosen in getattr(split, which):
        ids[excerpts._places(chosen)] = 0
    other = type(numbers)(**vars(numbers) | {"ids": ids})
    monkeypatch.setattr(authorship, "read", lambda *given: other)
    return before, load(settings_, SEED)


def alike(a, b):
    return torch.equal(a.graph.to_dense(), b.graph.to_dense())


@pytest.mark.parametrize("scaling", ["raw", "zscore"])
@pytest.mark.parametrize("which", ["valid", "test"])
def test_what_is_not_trained_on_changes_neither_graph_nor_scaling(
    monkeypatch, shelf, which, scaling
):
    given = settings(shelf, scaling=scaling, validation=0.25)
    before, after = changed(monkeypatch, given, which)
    assert alike(before, after)
    assert torch.equal(before.x[before.train], after.x[after.train])
    part = getattr(before, which)
    assert not torch.equal(before.x[part], after.x[part])


def test_training_excerpts_do_change_the_graph(monkeypatch, shelf):
    assert not alike(*changed(monkeypatch, settings(shelf), "train"))


def test_the_graph_is_the_authors_own(monkeypatch, shelf):
    given = settings(shelf)
    numbers = read(given.texts, given.words)
    excerpts = cut_excerpts(numbers, 10)
    ids = numbers.ids.copy()
    for name in ("ann", "cid", "dot"):
        ids[excerpts._places(excerpts.of(name))] = -1
    before = load(given, SEED)
    other = type(numbers)(**vars(numbers) | {"ids": ids})
    monkeypatch.setattr(authorship, "read", lambda *given: other)
    assert alike(before, load(given, SEED))


def test_z_scores_are_those_of_training(shelf):
    task = load(settings(shelf, scaling="zscore"), SEED)
    trained = task.x[task.train].double().squeeze(-1)
    torch.testing.assert_close(
        trained.mean(0), torch.zeros(6).double(), atol=1e-6, rtol=0
    )
    spread = trained.std(0, unbiased=False)
    torch.testing.assert_close(spread, torch.ones(6).double(), atol=1e-5, rtol=0)


def test_no_excerpt_is_on_both_sides(shelf):
    task = load(settings(shelf, validation=0.25), SEED)
    parts = [task.train, task.valid, task.test]
    read = [{tuple(task.words[place]) for place in part} for part in parts]
    assert sum(map(len, read)) == len(task.words) == sum(map(len, parts))
    assert len(set.union(*read)) == len(task.words)  # no two excerpts are alike


def test_sisters_of_other_texts_are_told_apart(tmp_path):
    names = {"ann": "bronte", "bea": "charlotte_bronte"}
    shelf = fill(tmp_path / "shelf", authors=tuple(names))
    for given, name in names.items():
        (shelf / given).rename(shelf / name)
    task = load(settings(shelf, author="bronte"), SEED)
    assert task.authors.unique().tolist() == [0, 1]


def test_words_that_the_texts_do_not_have_are_told(shelf):
    (shelf / "words.txt").write_text("und\noder\n")
    told = (
        "`words` must follow each other in the texts of 'bea', got no two of 2 within"
    )
    with pytest.raises(ValueError, match=told):
        load(settings(shelf), SEED)
    with pytest.raises(ValueError, match=told):
        authorship.profile(settings(shelf), 2)


def test_an_unknown_author_is_told(shelf):
    with pytest.raises(
        ValueError, match=r"`author` must be one of \['ann', .* got 'x'"
    ):
        load(settings(shelf, author="x"), SEED)


def test_a_task_says_which_texts_it_was_made_of(shelf):
    given = settings(shelf)
    assert load(given, SEED).checksum == TASKS["authorship"].checksum(given, None)


@pytest.fixture(scope="module")
def real_tasks(real_novels, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage, "cache_folder", lambda name: cache / name)
        return {
            author: load(Settings(author=author), 0, real_novels)
            for author in ("charlotte_bronte", "bronte", "austen")
        }


@pytest.mark.parametrize(
    ("author", "excerpts"),
    [("charlotte_bronte", 690), ("bronte", 117), ("austen", 744)],
)
def test_the_real_task(real_tasks, author, excerpts):
    task = real_tasks[author]
    assert task.graph.num_nodes == 211
    assert dict(task.facts)["excerpts"] == excerpts
    assert len(task.train) == 2 * round(0.8 * excerpts)
    assert len(task.authors[task.target == 0].unique()) == 20
    forward = task.graph.to_dense().T.double().sum(1)
    assert ((forward - 1).abs().lt(1e-5) | (forward == 0)).all()


def test_only_the_sister_that_is_asked_for_is_among_the_others(real_novels, real_tasks):
    both = load(Settings(author="bronte", exclude_sister=False), 0, real_novels)
    assert len(both.authors[both.target == 0].unique()) == 21
    names = sorted({novel.file.split("/")[0] for novel in novels()})
    sister = names.index("charlotte_bronte")
    for author, task in real_tasks.items():
        others = task.authors[task.target == 0].unique().tolist()
        assert sister not in others
        assert (names.index("bronte") in others) == (author == "austen")
