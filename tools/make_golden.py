#!/usr/bin/env python3
"""Writes the golden files of the operation table: what PyTorch computes for each row.

    ./bazelw run //tests/framework/ops:describe_ops | python3 tools/make_golden.py tests/framework/ops/golden

Reads one case a line, as JSON, from the standard input: the expression, its inputs, and whether the gradients are asked for. Writes
FAMILY.txt with a line for each output, of the fields row|case|dtype|shape|values; "refused" stands for the dtype where PyTorch raises
an error. Numbers have as many digits as the tests compare.
"""
import json
import pathlib
import sys

import torch
import torch.nn.functional as F  # noqa: F401, used by the expressions

DIGITS = {"float64": 17, "float16": 5, "bfloat16": 4, "special64": 7, "special32": 7, "grad64": 7}


def tensor(spec):
    values = torch.tensor(spec["values"], dtype=torch.float64).reshape(spec["shape"])
    return values.to(getattr(torch, spec["dtype"]))


def outputs(case):
    inputs = [tensor(spec) for spec in case["inputs"]]
    if case["gradients"]:
        inputs = [x.requires_grad_() if x.is_floating_point() else x for x in inputs]
    result = eval(case["python"], {"torch": torch, "F": F, **dict(zip("abcd", inputs))})
    result = list(result) if isinstance(result, (list, tuple)) else [result]
    if not case["gradients"]:
        return result
    wanted = [x for x in inputs if x.requires_grad]
    return torch.autograd.grad(result[0], wanted, torch.ones_like(result[0]))


def number(value, digits):
    if isinstance(value, float):
        return f"{value:.{digits}g}"
    return str(int(value))


def lines(case):
    start = f"{case['row']}|{case['case']}|"
    try:
        results = outputs(case)
    except (RuntimeError, TypeError, NotImplementedError, ValueError, IndexError):
        yield start + "refused||"
        return
    for y in results:
        digits = DIGITS.get(case["case"], 8)
        shape = " ".join(map(str, y.shape))
        values = " ".join(number(v, digits) for v in y.detach().flatten().tolist())
        yield f"{start}{str(y.dtype).removeprefix('torch.')}|{shape}|{values}"


def main():
    folder = pathlib.Path(sys.argv[1])
    files = {}
    for line in sys.stdin:
        case = json.loads(line)
        files.setdefault(case["family"], []).extend(lines(case))
    for family, text in files.items():
        (folder / f"{family}.txt").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
