"""The lab's commands, which appear in `ace` when this package is installed."""

from ace_lab.cli import calibrate, data, evaluate, inject, probe, rejections, simulate, train, train_expert

__all__ = [
    "calibrate",
    "data",
    "evaluate",
    "inject",
    "probe",
    "rejections",
    "simulate",
    "train",
    "train_expert",
]
