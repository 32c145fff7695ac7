from experiments import jobs

from vicinal.experiments.pool import work


def test_every_job_is_answered_once():
    outcomes = list(work(jobs.double, list(range(7)), processes=2))
    assert {o.job: o.answer for o in outcomes} == {i: 2 * i for i in range(7)}
    assert all(o.failure is None for o in outcomes)


def test_a_worker_that_dies_is_reported_and_the_rest_goes_on():
    given = ["a", "die", "b", "raise", "c", "die", "d", "no JSON"]
    outcomes = {o.job: o for o in work(jobs.misbehave, given, processes=2)}
    assert [outcomes[i].answer for i in (0, 2, 4, 6)] == ["a", "b", "c", "d"]
    assert outcomes[1].failure == "its process died (exit code -9)"
    assert "ValueError: `job` must be good (jobs.py:" in outcomes[3].failure
    assert outcomes[5].failure is not None
    assert "TypeError: Object of type set is not JSON" in outcomes[7].failure


def test_no_jobs_start_no_process():
    assert list(work(jobs.double, [], processes=2)) == []
