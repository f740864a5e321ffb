#!/usr/bin/env python3
"""Every character, and random texts of those that are hard, folded by the library and by Python.

    fold_texts.py --folder FOLD_TEXTS [--texts N]

FOLD_TEXTS is the program of fold_texts.c. Two texts must have one form just when Python's unicodedata says so.
"""
import argparse
import random
import subprocess
import sys
import unicodedata

sys.dont_write_bytecode = True

from random_same import WAYS, fold

HARD = ([chr(p) for p in range(0x300, 0x370)] + [chr(p) for p in range(0x590, 0x5C8)] +
        list("aAeE iI\xe9\xc9\xdf\u1e9e\u0130\u0131\u0345\u03b1\u03a3\u03c2\u1fb3\u1fbc\u212b\uac00\uac01\u1100\u1161"
             "\u11a8\ufb03\u01c4\u01c5\u0958\u2126\uf900\U0002f800\U00010400\U0001d15e\xa0\u200b\u3000\ufeff\u2009"))


def ways_of(bits):
    return [way for i, way in enumerate(WAYS) if bits >> i & 1]


def expect(text, bits):
    """The form of the library is decomposed; what is not to be brought into one form stays as it is."""
    form = fold(text, ways_of(bits))
    return unicodedata.normalize("NFD", form) if bits & 4 else form


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True)
    parser.add_argument("--texts", type=int, default=20000)
    arguments = parser.parse_args()
    draw = random.Random(1)
    cases = [(bits, chr(p)) for p in range(1, 0x110000) if not 0xD800 <= p < 0xE000 and chr(p) != "\n"
             for bits in (4, 7) if p < 0x40000 or bits == 7 and p % 64 == 0]
    cases += [(bits, chr(p)) for p in range(1, 0x20000) if not 0xD800 <= p < 0xE000 for bits in (1, 2)]
    cases += [(draw.randint(1, 7), "".join(draw.choices(HARD, k=draw.randint(1, 12)))) for _ in range(arguments.texts)]
    lines = "".join("%d %s\n" % (bits, text.encode().hex()) for bits, text in cases)
    done = subprocess.run([arguments.folder], input=lines, capture_output=True, text=True, check=True)
    forms = done.stdout.split("\n")[:-1]
    faults = 0
    if len(forms) != len(cases):
        print("%d forms of %d texts" % (len(forms), len(cases)))
        return 1
    for (bits, text), form in zip(cases, forms):
        if bytes.fromhex(form) != expect(text, bits).encode():
            faults += 1
            if faults < 10:
                print("%s by %s: %s, not %s" % (ascii(text), ways_of(bits), ascii(bytes.fromhex(form).decode()),
                                                ascii(expect(text, bits))))
    print("%d texts, %d faults" % (len(cases), faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
