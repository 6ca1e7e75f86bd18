"""What names in start-up logs say: releases, models without their quantisation, formats, cards."""

from __future__ import annotations

import re
from typing import Final, Literal

Core = Literal["v0", "v1"]

# x.y[.z] with any suffix. What leaves the release open is refused below: a range ("0.10.2/0.11",
# ">=0.21", "0.10.2+"), a placeholder ("0.6.x", "0.2x"), a guess ("0.11-ish", "0.29.0?"), prose.
_RELEASE: Final = re.compile(r"v?([0-9]{1,3})\.([0-9]{1,3})(?:\.([0-9]{1,3}))?([A-Za-z0-9.+_-]*)")
_OPEN_SUFFIX: Final = re.compile(r"^\.?[0-9]*x|ish|fork|^-[0-9]|-v?[0-9]+\.[0-9x]|\+$|^[A-Za-z]?$")
_UNTAGGED_BUILD: Final = re.compile(r"v?0\.1\.dev[0-9]+")
"""What a build without tags calls itself; it says nothing about the release."""

_SUFFIX_WORD: Final = re.compile(
    r"(?:[-_. ]|^)(awq(?:_marlin)?|gptq(?:_marlin)?|fp8|nvfp4|mxfp4|mxfp8|fp4|int4|int8|int6"
    r"|w4a16|w8a8|w8a16|w4a4|w4a8|bnb|bitsandbytes|nf4|[248]-?bits?|quantized|gguf|exl[23]"
    r"|auto-?round|marlin|dynamic|block|kv|g(?:32|64|128|256)|q[2-8]_[a-z0-9_]+|mixed)$",
    re.IGNORECASE,
)
_WORD_TO_FORMAT: Final = (
    # The first row whose words all stand in the text decides.
    ({"exl2"}, None),
    ({"exl3"}, None),
    ({"gguf"}, None),
    ({"auto_round"}, None),
    ({"autoround"}, None),
    ({"mixed"}, None),
    ({"emulated"}, None),
    ({"unsloth", "bnb"}, None),
    ({"nvfp4"}, "nvfp4"),
    ({"modelopt_fp4"}, "nvfp4"),
    ({"mxfp4"}, "mxfp4"),
    ({"mxfp8"}, "mxfp8"),
    ({"awq", "int4", "moe"}, None),
    ({"awq"}, "awq4_g128"),
    ({"awq_marlin"}, "awq4_g128"),
    ({"gptq", "int8"}, "gptq8_g128"),
    ({"gptq", "8bit"}, "gptq8_g128"),
    ({"gptq"}, "gptq4_g128"),
    ({"gptq_marlin"}, "gptq4_g128"),
    ({"w4a16"}, "ct_w4a16_g128"),
    ({"w8a8"}, "int8_w8a8"),
    ({"fp8", "dynamic"}, "fp8_channel"),
    ({"fp8", "block"}, "fp8_block128"),
    ({"fp8"}, "fp8_tensor"),
    ({"bnb"}, "bnb_nf4"),
    ({"bitsandbytes"}, "bnb_nf4"),
    ({"nf4"}, "bnb_nf4"),
    ({"experts_int8"}, "int8_wo"),
    ({"float32"}, "fp32"),
    ({"fp32"}, "fp32"),
    ({"bfloat16"}, "bf16"),
    ({"float16"}, "bf16"),
    ({"bf16"}, "bf16"),
    ({"fp16"}, "bf16"),
    ({"half"}, "bf16"),
)
_MIXED_OWN: Final = {("meta-llama", "fp8_tensor")}
"""Organisations whose own checkpoints of a format leave layers alone that others quantise."""
_BLOCKWISE_FP8_ORGS: Final = frozenset({"qwen", "deepseek-ai"})
"""Organisations whose own FP8 checkpoints have a scale for each block of 128 × 128."""
_KV_FORMATS: Final = {
    "bf16": "bf16",
    "bfloat16": "bf16",
    "float16": "bf16",
    "fp16": "bf16",
    "half": "bf16",
    "fp8": "fp8",
    "fp8_e4m3": "fp8",
    "fp8_e5m2": "fp8",
}
_PROSE: Final = re.compile(r"[()\s,+/\"']")
_MOST_WORDS: Final = 20
_LONGEST_RUN: Final = 5
_SHORT_CARD_NAMES: Final = {
    "a100": "a100-80-sxm",
    "a100 80gb": "a100-80-sxm",
    "a100 80gb pcie": "a100-80-pcie",
    "a100 40gb": "a100-40-sxm",
    "h100": "h100-sxm",
    "h100 80gb": "h100-sxm",
    "h100 nvl": "h100-nvl",
    "h200": "h200",
    "gb200": "gb200",
    "gh200": "gh200-96",
    "rtx pro 6000": "rtx-pro-6000-server",
    "v100-sxm2-32gb": "v100-32",
    "a6000": "rtx-a6000",
    "tpu v5e-8": "tpu-v5e",
}
"""Names that several cards answer to, and the one most often meant; only defaults hang on it."""


def release_of(text: str | None) -> str | None:
    """Return "x.y.z" or "x.y" of a release as stated, None where it leaves the release open."""
    if text is None or _UNTAGGED_BUILD.match(text):
        return None
    match = _RELEASE.fullmatch(text)
    if match is None:
        return None
    suffix = match[4]
    if suffix and _OPEN_SUFFIX.search(suffix):
        return None
    return ".".join(part for part in match.groups()[:3] if part is not None)


def parts_of(release: str) -> tuple[int, int, int]:
    """Return major, minor and patch of a release that `release_of` returned."""
    numbers = [int(part) for part in release.split(".")]
    major, minor, patch = (*numbers, 0, 0)[:3]
    return major, minor, patch


def core_of(release: str | None, stated: Core | None) -> Core | None:
    """Return which core ran: before 0.8 V0, from 0.11 V1, between them as stated or V1."""
    if release is None:
        return stated
    version = parts_of(release)
    if version < (0, 8, 0):
        return "v0"
    if version >= (0, 11, 0):
        return "v1"
    return stated or "v1"


def bare_model_name(name: str) -> str:
    """Return the last part of a model's name without the words of its quantisation."""
    bare = name.rpartition("/")[2].strip()
    while match := _SUFFIX_WORD.search(bare):
        if match.start() == 0:
            break
        bare = bare[: match.start()]
    return bare


def is_prose(name: str) -> bool:
    """Whether what is left of a name describes a model instead of naming it."""
    return _PROSE.search(name) is not None or name.lower().endswith(("class", "build"))


def format_of(text: str | None) -> str | None:
    """Return the id of the weight format that a text names, None where it is not certain."""
    if text is None:
        return None
    words = set(re.split(r"[^a-z0-9_]+", text.lower())) | set(re.split(r"[^a-z0-9]+", text.lower()))
    for needed, found in _WORD_TO_FORMAT:
        if needed <= words:
            return found
    return None


def format_in_name(name: str) -> tuple[bool, str | None]:
    """Return whether a model's name speaks of a quantisation, and which weight format it is.

    The format is certain only where the organisation that made the checkpoint is named, and never
    for NVFP4: each maker leaves other layers in 8 or 16 bits.
    """
    last = name.rpartition("/")[2].strip()
    bare = bare_model_name(name)
    if bare == last:
        return False, None
    suffix = last[len(bare) :]
    found = format_of(suffix)
    organisation = name.partition("/")[0].lower() if "/" in name else ""
    if found == "fp8_tensor" and organisation in _BLOCKWISE_FP8_ORGS:
        found = "fp8_block128"
    if not organisation or found == "nvfp4" or (organisation, found) in _MIXED_OWN:
        return True, None
    return True, found


def kv_format_of(text: str) -> str | None:
    """Return the id under which a stated KV type is looked up, None for "auto"."""
    word = text.split("(")[0].strip().lower()
    if word in ("auto", ""):
        return None
    return _KV_FORMATS.get(word, word)


def card_names(text: str) -> tuple[str, ...]:
    """Return the ways a card may be named in a text, the longest runs of words first."""
    if "mig" in text.lower().split():
        # A slice of a card has neither its memory nor its tier of defaults.
        return ()
    words = [word for word in re.split(r"[\s(),/;\"“”]+", text) if word][:_MOST_WORDS]
    names: list[str] = []
    for length in range(min(_LONGEST_RUN, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            run = " ".join(words[start : start + length])
            names += [run, run.replace(" ", "-")]
            short = _SHORT_CARD_NAMES.get(run.removesuffix("-class").lower())
            names += [short] if short else []
    return tuple(dict.fromkeys(names))
