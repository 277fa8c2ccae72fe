"""The lab's commands, which appear in `ace` when this package is installed."""

from ace_lab.cli import (
    amendments,
    calibrate,
    data,
    evaluate,
    inject,
    labels,
    probe,
    readings,
    rejections,
    simulate,
    train,
    train_expert,
)

__all__ = [
    "amendments",
    "calibrate",
    "data",
    "evaluate",
    "inject",
    "labels",
    "probe",
    "readings",
    "rejections",
    "simulate",
    "train",
    "train_expert",
]
