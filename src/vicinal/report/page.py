"""What the page shows, gathered before it is written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vicinal.experiments import config
from vicinal.experiments.config import Experiment
from vicinal.experiments.row import Row
from vicinal.report import labels
from vicinal.report.circumstances import circumstances
from vicinal.report.claims import Verdict, verdicts
from vicinal.report.comparisons import ComparisonTable, comparison_table
from vicinal.report.cost_texts import HEAD
from vicinal.report.data_facts import printed_facts
from vicinal.report.downloads import csv_text, data_uri
from vicinal.report.findings import Tally, gains, of_claims, too_few_pairs
from vicinal.report.gallery import Drawing, gallery
from vicinal.report.plain_table import PlainTable
from vicinal.report.rating_results import collect, is_about_ratings
from vicinal.report.rating_tables import rating_tables
from vicinal.report.results import Index, Section, Study, studies
from vicinal.report.selection import Selection, references, selections, sentences
from vicinal.report.split_tables import split_table
from vicinal.report.tables import Table, section_table

__all__ = ["Page", "SectionView", "StudyView", "page"]

_ALL_RATINGS = "movies-global"  # the experiment on all ratings at once


@dataclass(frozen=True)
class SectionView:
    """One table, with all that stands around it."""

    anchor: str
    title: str
    scored: bool  # whether the tables are shown
    table: Table
    comparison: ComparisonTable | None
    selections: list[Selection]  # what was chosen, where a section is about tuning
    references: list[str]  # kinds that these are compared with
    costs: tuple[str, ...]  # names of what these cost
    sentences: list[str]  # and what came of it
    drawings: list[Drawing]
    circumstances: list[tuple[str, str]]
    download: str  # address of the CSV of its rows
    file: str
    rows: int


@dataclass(frozen=True)
class StudyView:
    """One experiment; without sections if nothing of it was run."""

    experiment: Experiment
    quick: bool
    found: int
    planned: int
    sections: list[SectionView]
    gains: list[Tally]
    verdicts: list[Verdict]
    extras: list[PlainTable]


@dataclass(frozen=True)
class Page:
    """The whole report."""

    studies: list[StudyView]
    verdicts: list[Verdict]
    findings: list[str]
    too_few: str  # why some comparisons are not counted; empty if all are
    rows: int
    others: int  # rows of no study shown: of another version, of other settings


def page(rows: Iterable[Row], experiments: Sequence[str] | None = None) -> Page:
    """Gather the report.

    Args:
        rows: Rows of a store or of a folder of exported ones.
        experiments: Names or paths of experiments; all that come with the library if
            not given.
    """
    given = list(rows)
    index = Index(given)
    judged = verdicts(index)
    names = config.names() if experiments is None else experiments
    found = studies(map(config.find, names), index)
    views = [_study_view(one, index, judged) for one in found]
    counted = [tally for one in views if not one.quick for tally in one.gains]
    few = too_few_pairs() if any(tally.left_out for tally in counted) else ""
    shown = {row.key for one in found for row in one.rows}
    others = {row.key for row in given} - shown
    return Page(views, judged, of_claims(judged), few, len(shown), len(others))


def _study_view(found: Study, index: Index, judged: list[Verdict]) -> StudyView:
    printed = config.printed(found.experiment, found.quick)
    sections = [_section_view(found, part, index, printed) for part in found.sections]
    compared = [view.comparison for view in sections if view.comparison]
    name = found.experiment.name
    return StudyView(
        found.experiment,
        found.quick,
        found.found,
        found.planned,
        sections,
        gains(compared),
        [verdict for verdict in judged if name in verdict.claim.experiments],
        _extras(found, index),
    )


def _extras(found: Study, index: Index) -> list[PlainTable]:
    """Tables in a form of their own."""
    facts = printed_facts(found.experiment, found.sections)
    tables = [facts] if facts else []
    if not found.sections:
        return []
    if found.experiment.name == _ALL_RATINGS:
        return [split_table(found.sections)]
    if is_about_ratings(found.experiment):
        results = collect(found.experiment, index, found.quick)
        return rating_tables(found.experiment, results) + tables
    return tables


def _section_view(
    found: Study, section: Section, index: Index, printed: dict[str, float]
) -> SectionView:
    run = found.experiment.run
    if found.quick:
        run = run | {k: v for k, v in found.experiment.quick.items() if k != "seeds"}
    anchor = _anchor(f"{found.experiment.name} {section.name}")
    tuned = selections(section)
    alone = section.only_drawn or tuned
    return SectionView(
        anchor=anchor,
        title=labels.title(section.name),
        scored=not section.only_drawn,
        table=section_table(
            section,
            printed,
            config.printed(found.experiment, found.quick, "best_runs"),
        ),
        selections=tuned,
        references=references(tuned),
        costs=HEAD,
        sentences=sentences(tuned),
        comparison=None
        if alone
        else comparison_table(section, index, run, found.experiment.decided),
        drawings=gallery(section, printed, tuned),
        circumstances=circumstances(section),
        download=data_uri(csv_text(section.rows, section.shows.startswith("losses"))),
        file=f"{anchor}.csv",
        rows=len(section.rows),
    )


def _anchor(text: str) -> str:
    plain = "".join(c if c.isalnum() and c.isascii() else " " for c in text.lower())
    return "-".join(plain.split())
