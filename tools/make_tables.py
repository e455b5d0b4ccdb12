#!/usr/bin/env python3
"""Writes third_party/scikit_learn/*.inc, the tables that the library embeds, from an installed scikit-learn.

usage: make_tables.py OUT_FOLDER

Each file is one C++ string literal: CSV text with a header, the class of a row (an index) in its last column, packed with zlib and written
in base85 (RFC 1924's alphabet), preceded by its packed size.
"""
import base64
import sys
import zlib

from sklearn import datasets


def number(x):
    return repr(float(x)).removesuffix(".0")


def write(folder, name, bunch):
    lines = [",".join([*map(str, bunch.feature_names), "target"])]
    lines += [",".join([*map(number, row), str(int(target))]) for row, target in zip(bunch.data, bunch.target)]
    packed = zlib.compress(("\n".join(lines) + "\n").encode(), 9)
    # The size first, and zeros to make up whole groups of 4 bytes.
    packed = len(packed).to_bytes(4, "big") + packed + bytes(-len(packed) % 4)
    packed = base64.b85encode(packed).decode()
    with open(f"{folder}/{name}.inc", "w") as file:
        for i in range(0, len(packed), 120):
            file.write(f'"{packed[i:i + 120]}"\n')


for name, load in [("iris", datasets.load_iris), ("wine", datasets.load_wine), ("breast_cancer", datasets.load_breast_cancer),
                   ("digits", datasets.load_digits)]:
    write(sys.argv[1], name, load())
