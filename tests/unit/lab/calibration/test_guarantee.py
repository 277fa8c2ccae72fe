"""The promise of the policy risk: exact where rows are independent, kept where they are not."""

import numpy as np
import pytest
from mapie.risk_control import BinaryClassificationController, BinaryRisk
from mapie.risk_control.methods import compute_hoeffding_bentkus_p_value
from scipy.stats import binom

from ace_lab.calibration.guarantee import (
    NoThreshold,
    RoutingRows,
    Target,
    bound_at,
    clopper_pearson,
    design_effect,
    intraclass_correlation,
    widest_safe,
)
from ace_lab.calibration.thresholds import Agreement


def drawn(seed: int, families: int, size: int, resemblance: float) -> RoutingRows:
    """A gatekeeper whose errors grow with doubt, and resemble one another within a family."""
    rng = np.random.default_rng(seed)
    family = np.repeat(np.arange(families), size)
    doubt = rng.beta(0.6, 1.2, len(family))
    wrong = rng.random(len(family)) < chance(doubt, rng.normal(0, resemblance, families)[family])
    invalid = rng.random(len(family)) < 0.5
    return RoutingRows(doubt, invalid ^ wrong, invalid, family)


def chance(doubt: np.ndarray, shift: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(5 - 6 * doubt - shift)))


def true_risks(resemblance: float) -> tuple[np.ndarray, np.ndarray]:
    """tau, ascending, and the share of errors below it in a world of many families."""
    rng = np.random.default_rng(0)
    doubt, shift = np.sort(rng.beta(0.6, 1.2, 200_000)), rng.normal(0, resemblance, 200_000)
    return doubt, chance(doubt, shift).cumsum() / np.arange(1, len(doubt) + 1)


@pytest.mark.parametrize(
    ("errors", "n", "delta", "expected"),
    [
        (0, 59, 0.05, 1 - 0.05 ** (1 / 59)),  # the rule of three, exactly
        (0, 300, 0.05, 0.009936),
        (5, 100, 0.05, 0.102253),  # Clopper & Pearson's tables, one-sided 95 %
        (10, 10, 0.05, 1.0),
        (0, 0, 0.05, 1.0),
    ],
)
def test_bound_of_known_counts(errors: int, n: int, delta: float, expected: float) -> None:
    assert clopper_pearson(errors, n, delta) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("errors", "n", "delta"), [(0, 20, 0.1), (3, 40, 0.05), (17, 200, 0.01), (60, 90, 0.2)]
)
def test_bound_is_where_so_few_errors_become_unlikely(errors: int, n: int, delta: float) -> None:
    upper = clopper_pearson(errors, n, delta)
    assert binom.cdf(errors, n, upper) == pytest.approx(delta)


@pytest.mark.parametrize("alpha", [0.02, 0.05, 0.11])
def test_each_test_decides_as_mapies_does(alpha: float) -> None:
    rows = drawn(1, 900, 1, 0.0)
    for tau in np.linspace(0.02, 0.9, 45):
        bound = bound_at(float(tau), rows, error="any", delta=0.1, correlation=0.0)
        rate = np.array([bound.errors / bound.n])
        p_value = compute_hoeffding_bentkus_p_value(rate, np.array([bound.n]), np.array([alpha]), binary=True)
        assert (bound.upper <= alpha) == (p_value[0, 0] <= 0.1)


@pytest.mark.filterwarnings("ignore:Fixed sequence testing requires a monotonic risk")
def test_the_whole_search_finds_what_mapie_finds() -> None:
    # Given MAPIE's own controller of the selective risk, over the same thresholds in the same order.
    earlier, rows = drawn(2, 1500, 1, 0.0), drawn(3, 1500, 1, 0.0)
    grid = np.quantile(earlier.doubt, np.arange(1, 101) / 100, method="higher")
    foreseen = [bound_at(t, earlier, error="any", delta=0.1, correlation=0.0).upper for t in grid]
    tried = grid[int(np.argmin(foreseen)) :]
    kept_wrong = BinaryRisk(
        risk_occurrence=lambda y_true, y_pred: y_true,
        risk_condition=lambda y_true, y_pred: y_pred == 1,
        higher_is_better=False,
    )
    controller = BinaryClassificationController(
        predict_function=lambda x: np.stack([x[:, 0], 1 - x[:, 0]], axis=1),
        risk=kept_wrong,
        target_level=0.05,
        confidence_level=0.9,
        best_predict_param_choice=kept_wrong,
        list_predict_params=1 - tried,
        fwer_method="fixed_sequence",
    )
    # When both look for the widest fast path with at most 5 % errors at confidence 90 %
    controller.calibrate(rows.doubt[:, None], rows.wrong.astype(int))
    found = widest_safe(rows, earlier, alpha=0.05, delta=0.1, error="any")
    # Then they agree.
    assert found.tau == pytest.approx(1 - np.min(controller.valid_predict_params))


@pytest.mark.parametrize(
    ("size", "resemblance", "alpha"),
    [(1, 0.0, 0.08), (6, 1.0, 0.08), (15, 2.5, 0.12)],
    ids=["strangers", "cousins", "twins"],
)
def test_promise_is_broken_no_oftener_than_it_says(size: int, resemblance: float, alpha: float) -> None:
    # Rows counted as if independent break the promise to "twins" in 29 draws of 80.
    draws, delta = 80, 0.2
    taus, risks = true_risks(resemblance)
    broken, made = 0, 0
    for draw in range(draws):
        rows, earlier = (drawn(2 * draw + one, 900 // size, size, resemblance) for one in (0, 1))
        try:
            tau = widest_safe(rows, earlier, alpha=alpha, delta=delta, error="any").tau
        except NoThreshold:
            continue
        made += 1
        broken += risks[np.searchsorted(taus, tau, side="right") - 1] > alpha
    assert made >= draws / 2  # it is of use
    assert broken <= draws * delta + 2 * np.sqrt(draws * delta * (1 - delta))


def test_false_passes_are_counted_among_passes_only() -> None:
    doubt = np.zeros(8)
    called = np.array([1, 1, 1, 1, 0, 0, 0, 0], dtype=bool)
    invalid = np.array([0, 0, 1, 1, 0, 0, 0, 1], dtype=bool)
    rows = RoutingRows(doubt, called, invalid, np.arange(8))
    both = {
        error: bound_at(0.0, rows, error=error, delta=0.1, correlation=0) for error in ("any", "false-pass")
    }
    assert [(both[one].errors, both[one].n) for one in both] == [(3, 8), (1, 4)]


def test_refusal_names_n_and_what_could_be_promised() -> None:
    rows, earlier = drawn(4, 300, 2, 0.0), drawn(5, 300, 2, 0.0)
    with pytest.raises(
        NoThreshold, match=r"0\.0001 with confidence 0\.95.*of 600 claims.*lowest alpha"
    ) as caught:
        widest_safe(rows, earlier, alpha=0.0001, delta=0.05, error="any")
    # And that much can be promised.
    alpha = caught.value.least_alpha + 1e-9
    assert widest_safe(rows, earlier, alpha=alpha, delta=0.05, error="any").upper <= alpha


@pytest.mark.parametrize(
    ("wrong", "families", "expected"),
    [
        ([1, 1, 0, 0, 1, 1, 0, 0], [1, 1, 2, 2, 3, 3, 4, 4], 1.0),  # twins
        ([1, 0, 1, 0, 1, 0, 1, 0], [1, 1, 2, 2, 3, 3, 4, 4], 0.0),  # below 0, so none
        ([0, 0, 0, 0], [1, 1, 2, 2], 1.0),  # nothing to estimate from: the worst
        ([1, 1, 1, 1], [1, 1, 2, 2], 1.0),
        ([1, 0, 1, 0], [1, 1, 1, 1], 1.0),
        ([1, 0, 1, 0], [1, 2, 3, 4], 1.0),
        ([1, 0, 0, 0], [1, 1, 2, 2], 0.0),  # one error is enough to estimate from
        ([1, 1, 0, 0, 0, 0], [1, 1, 1, 2, 2, 2], 0.5),  # and so are two families
    ],
)
def test_resemblance_within_families(wrong: list[int], families: list[int], expected: float) -> None:
    found = intraclass_correlation(np.array(wrong, dtype=bool), np.array(families))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("families", "correlation", "expected"),
    [([1, 2, 3], 1.0, 1.0), ([1, 1, 2, 2], 1.0, 2.0), ([1, 1, 1, 2], 0.5, 1.75), ([], 1.0, 1.0)],
)
def test_design_effect(families: list[int], correlation: float, expected: float) -> None:
    assert design_effect(np.array(families), correlation) == pytest.approx(expected)


def judged(seed: int, n: int, size: int) -> RoutingRows:
    """A gatekeeper beside an expert that fails a third of the claims, and is itself wrong now and then."""
    rng = np.random.default_rng(seed)
    family = np.arange(n) // size
    doubt = rng.beta(0.6, 1.2, n)
    expert = rng.random(n) < 0.3
    called = expert ^ (rng.random(n) < chance(doubt, rng.normal(0, 1.0, n)[family]))
    wrong = rng.random(n) < 0.1
    return RoutingRows(doubt, called, expert ^ wrong, family, wrong)


@pytest.mark.parametrize(("target", "level"), [("accuracy", 0.9), ("precision", 0.85), ("recall", 0.85)])
@pytest.mark.parametrize("size", [1, 5])
def test_agreement_with_the_expert_is_promised_and_kept(target: Target, level: float, size: int) -> None:
    draws, delta, world = 80, 0.2, judged(10_000, 100_000, size)
    expert = world.invalid ^ world.expert_wrong
    broken, kept_shares = 0, []
    for draw in range(draws):
        rows = judged(draw, 400, size)
        try:
            tau = Agreement(target, level, delta).find(rows, rows).tau
        except NoThreshold:
            continue
        kept = world.doubt <= tau
        kept_shares.append(kept.mean())
        final = np.where(kept, world.called, expert)
        among = {"accuracy": np.ones_like(kept), "precision": final, "recall": expert}[target]
        broken += (final == expert)[among].mean() < level
    assert len(kept_shares) >= draws / 2
    assert np.mean(kept_shares) > 0.2  # it saves calls
    assert broken <= draws * delta + 2 * np.sqrt(draws * delta * (1 - delta))


def test_agreement_needs_an_expert_and_a_target_that_is_known() -> None:
    rows = drawn(1, 50, 1, 0.0)
    with pytest.raises(ValueError, match="opinions of an expert"):
        Agreement("accuracy").find(rows, rows)
    with pytest.raises(ValueError, match="accuracy, precision or recall, not f1"):
        Agreement("f1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        Agreement("recall", 1.0)
