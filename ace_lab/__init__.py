"""The lab: data sets, training, calibration and evaluation of models. Nothing here runs in
production."""
