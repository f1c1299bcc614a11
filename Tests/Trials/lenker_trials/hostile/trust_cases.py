"""Whom the program trusts, for how long and by what; `cases.CASES` has them among all others."""

from . import trust
from .case import Case
from .scene import REQUIRED

TRUST = (
    Case(
        "address-without-its-key",
        68,
        "a phone is compared, keeps no key and goes; a stranger comes with its address",
        "its address is worth nothing, and no phone is asked about without a press",
        trust.compared_without_a_key,
        begins_alone=True,
    ),
    Case(
        "passer-by",
        69,
        "another rider passes while the phone of this ride is away for half a minute",
        "the phone of the ride is still searched for, and followed",
        trust.passed_in_mid_ride,
        begins_alone=True,
    ),
    Case(
        "paired-without-a-code",
        71,
        "a store with a phone that was paired without a code, where one is required",
        "it is not followed, the log says why; after a press it is paired with by a code",
        trust.code_missing,
        begins_alone=True,
        policy=REQUIRED,
        prepare=trust.without_code,
    ),
    Case(
        "failed-pairings",
        73,
        "a stranger goes again and again while the digits show, then the rider's phone comes",
        "the stranger has to wait, and is reported, kept and asked; the rider's phone is asked at once",
        trust.failed_and_waited,
        begins_alone=True,
    ),
    Case(
        "no-identity",
        75,
        "a phone that is compared, and hands out no identity",
        "done, not stored, and followed for the ride by its key",
        trust.unknown_but_keyed,
        begins_alone=True,
    ),
)
