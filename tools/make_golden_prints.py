"""Writes tests/framework/io/print_golden.txt: tensors and how PyTorch prints them.

    python tools/make_golden_prints.py > tests/framework/io/print_golden.txt

A case is a line `DTYPE [SIZES] CONTENT | FLAGS`, followed by the print, each of its lines behind "> ". The content is either
`values ...`, in row-major order (a complex number as its parts, 1.5,-2.0), or `range FIRST STEP`. Flags are requires_grad, add (the
result of x + 0 where x requires a gradient), transpose, meta, double_default (the default dtype is float64), and print options as name=value.
"""

import torch

NAN, INF = float("nan"), float("inf")
HEADER = """# How PyTorch %s prints tensors; made by tools/make_golden_prints.py, read by print_test.cc.
# DTYPE [SIZES] CONTENT | FLAGS, and the print behind "> "."""

OPTIONS = ("precision", "threshold", "edgeitems", "linewidth", "sci_mode")


def content(values):
    if any(isinstance(v, complex) for v in values):
        return "values " + " ".join("%r,%r" % (complex(v).real, complex(v).imag) for v in values)
    return "values " + " ".join(repr(v) for v in values)


def case(dtype, sizes, values, flags=""):
    """`values`: the numbers, or (first, step) of a range."""
    names = flags.split()
    options = dict(flag.split("=") for flag in names if "=" in flag)
    if "double_default" in names:
        torch.set_default_dtype(torch.float64)
    numel = 1
    for size in sizes:
        numel *= size
    if isinstance(values, tuple):
        text = "range %r %r" % values
        values = [values[0] + i * values[1] for i in range(numel)]
    else:
        text = content(values)
    x = torch.tensor(values, dtype=getattr(torch, dtype)).reshape(sizes)
    if "transpose" in names:
        x = x.t()
    if "meta" in names:
        x = x.to("meta")
    if "requires_grad" in names or "add" in names:
        x.requires_grad_()
    if "add" in names:
        x = x + 0
    numbers = {k: eval(v) for k, v in options.items()}
    torch.set_printoptions(**{**dict(profile="default"), **numbers})
    print(dtype, str(list(sizes)), text, "|", flags)
    for line in str(x).split("\n"):
        print(">", line)
    torch.set_default_dtype(torch.float32)


def floats():
    case("float32", [], [3.14159265])
    case("float32", [], [5.0])
    case("float32", [], [-0.0])
    case("float32", [], [NAN])
    case("float32", [1], [0.0])
    case("float32", [3], [0.5, -0.25, 0.125])
    case("float32", [3], [0.54321, -0.1234, 1.2345])
    case("float32", [3], [1.0, 2.0, 30.0])
    case("float32", [3], [1.0, 2.5, -30.0])
    case("float32", [3], [NAN, INF, 1.0])
    case("float32", [3], [NAN, INF, 1.5])
    case("float32", [3], [-INF, -NAN, -1.0])
    case("float32", [3], [NAN, INF, 0.0])
    case("float32", [3], [0.0, -0.0, -0.0])
    case("float32", [2], [-0.0, 10.0])
    case("float32", [2], [1e-8, 1.0])
    case("float32", [2], [1000.0, 1.0])
    case("float32", [2], [1001.0, 1.0])
    case("float32", [2], [1000.5, 1.0])
    case("float32", [2], [1e8, 1e8])
    case("float32", [2], [1.00000008e8, 1e8])
    case("float32", [2], [1e-4, 1e-4])
    case("float32", [2], [9.9e-5, 1e-4])
    case("float32", [3], [1e-5, 0.0, NAN])
    case("float32", [3], [1e30, -INF, 1.0])
    case("float32", [2], [3.4028234663852886e38, 1.1754943508222875e-38])
    case("float32", [2], [1.4012984643e-45, 1.0])
    case("float32", [4], [0.00005, 0.00015, 0.00025, 0.05])
    case("float32", [2], [0.12345, 0.99999])
    case("float32", [2], [999999.5, 123456.75])
    case("float32", [2, 3], [0.1, -0.2, 0.3, 10.4, 5.5, -66.6])
    case("float32", [2, 2, 2], (0.5, 0.25))
    case("float32", [2, 1, 2, 2], (-1.5, 1.0))
    case("float32", [1, 1], [7.0])
    case("float64", [2], [1.5, 2.0])
    case("float64", [2], [1e300, 1.0])
    case("float64", [2], [0.1, 0.2], "double_default")
    case("float32", [2], [0.1, 0.2], "double_default")
    case("float16", [3], [0.1, 65504.0, -2.0])
    case("bfloat16", [3], [0.1, 3.0, -2.0])
    case("float32", [25], (0.0, 1.5))
    case("float32", [2, 25], (-3.0, 0.125))
    case("float32", [3, 2], (0.0, 0.5), "transpose")
    case("float32", [12], (0.1, 1000.0))


def integers():
    case("int64", [], [7])
    case("int64", [3], [1, 2, 3])
    case("int64", [3], [-1, 20, 300])
    case("int64", [2], [-(2**63), 2**63 - 1])
    case("int64", [30], (0, 1))
    case("int64", [2, 2], [1, -2, 3, 4])
    case("int32", [3], [1, 2, 3])
    case("int16", [2], [-32768, 5])
    case("int8", [2], [-128, 127])
    case("uint8", [2, 2], [0, 255, 1, 2])
    case("bool", [], [True])
    case("bool", [2], [True, False])
    case("bool", [2, 2], [True, True, True, True])
    case("bool", [20], [i % 3 == 0 for i in range(20)])


def large():
    case("int64", [1000], (0, 1))
    case("int64", [1001], (0, 1))
    case("int64", [2000], (0, 1))
    case("float32", [1100], (0.0, 0.25))
    case("float32", [40, 40], (0.0, 1.0))
    case("float32", [3, 400], (0.5, 1.0))
    case("float32", [400, 3], (0.5, 1.0))
    case("float32", [7, 7, 30], (0.0, 0.5))
    case("int64", [2, 2, 300], (-5, 1))
    case("bool", [1001], (1, 0))


def empty():
    case("float32", [0], [])
    case("float32", [2, 0], [])
    case("float32", [0, 3, 4], [])
    case("int64", [0], [])
    case("int64", [0, 2], [])
    case("bool", [0], [])
    case("float32", [0], [], "requires_grad")


def suffixes():
    case("float32", [1], [2.0], "requires_grad")
    case("float32", [2, 2], (0.5, 1.0), "requires_grad")
    case("float32", [], [4.0], "add")
    case("float64", [2], [0.5, 1.0], "add")
    case("float64", [6], (0.25, 1.0), "add")
    case("float64", [7], (0.25, 1.0), "requires_grad")
    case("float16", [6], (0.25, 1.0), "requires_grad")
    case("float32", [8], (0.25, 1.0), "requires_grad")
    case("float32", [9], (0.25, 1.0), "requires_grad")
    case("float32", [2, 9], (0.25, 1.0), "requires_grad")
    case("float32", [3], (0.0, 1.0), "meta")
    case("int64", [2, 3], (0, 1), "meta")
    case("float32", [], [0.0], "meta")


def options():
    case("float32", [3], [1.23456789, 2.0, -3.5], "precision=2")
    case("float32", [3], [1.23456789, 2.0, -3.5], "precision=0")
    case("float32", [2], [1.23456789, 2.0], "precision=10")
    case("float32", [3], [1.5, 20.0, 3.0], "sci_mode=True")
    case("float32", [3], [1.0, 20.0, 3.0], "sci_mode=True")
    case("float32", [2], [1e-8, 1.5], "sci_mode=False")
    case("float32", [2], [1e8, 1.0], "sci_mode=False")
    case("int64", [10], (0, 1), "threshold=5")
    case("int64", [10], (0, 1), "threshold=5 edgeitems=1")
    case("float32", [5, 5], (0.0, 1.0), "threshold=5 edgeitems=2")
    case("float32", [5, 5], (0.0, 1.0), "threshold=5 edgeitems=0")
    case("float32", [5], (0.0, 1.0), "threshold=3 edgeitems=0")
    case("float32", [5], (0.0, 1.0), "edgeitems=0")
    case("int64", [30], (0, 1), "linewidth=40")
    case("int64", [3], (1000000, 1), "linewidth=1")
    case("float64", [3], (0.5, 1.0), "linewidth=30 requires_grad")


def complexes():
    case("complex64", [], [1.5 - 2j])
    case("complex64", [], [3 + 4j])
    case("complex64", [], [complex(-0.0, -0.0)])
    case("complex64", [2], [1 + 2j, 3 - 4j])
    case("complex64", [3], [1.5 + 2j, -30 + 0.25j, 2 - 100j])
    case("complex64", [2], [0.12345 + 1j, 2 + 3j])
    case("complex64", [2], [1e-8 + 1j, 1 + 2j])
    case("complex64", [2], [1 + 1e9j, 1 - 2.5j])
    case("complex64", [3], [complex(NAN, 1), complex(1, INF), complex(-INF, NAN)])
    case("complex64", [2, 3], [0.1 + 1j, -0.2 - 2j, 0.3 + 3j, 10.4 - 4j, 5.5 + 5j, -66.6 + 6j])
    case("complex64", [2, 1, 2], [1 + 1j, 2 - 2j, 3 + 0.5j, 4 + 0j])
    case("complex64", [12], [complex(i, -i / 4) for i in range(12)])
    case("complex64", [30], [complex(i, i * i) for i in range(30)])
    case("complex64", [8], [complex(i, 1) for i in range(8)], "threshold=5 edgeitems=2")
    case("complex128", [2], [1 + 2j, 0.5 - 4j])
    case("complex128", [2], [1 + 2j, 0.5 - 4j], "double_default")
    case("complex64", [2], [1 + 2j, 0.5 - 4j], "double_default")
    case("complex64", [2], [1.23456789 + 2j, 3 - 3.5j], "precision=2 requires_grad")
    case("complex64", [2], [1 + 2j, 3 - 4j], "add")
    case("complex64", [2], [1 + 2j, 30 - 4j], "sci_mode=True")
    case("complex64", [3, 2], [complex(i, 0.5 - i) for i in range(6)], "transpose")
    case("complex64", [0], [])
    case("complex128", [0, 2], [])
    case("complex64", [3], [1 + 2j, 3j, 0j], "meta")


def each_dtype():
    for dtype in ("float32", "float64", "float16", "bfloat16"):
        case(dtype, [], [0.1])
        case(dtype, [4], [0.5, -2.0, 100.0, 7.25])
        case(dtype, [3], [NAN, -INF, 2.5])
        case(dtype, [3], [NAN, INF, -2.0])
        case(dtype, [2], [1e-5, 1.0])
        case(dtype, [2, 2], [1.0, 2.0, -3.0, 4.0], "requires_grad")
        case(dtype, [2, 3], (0.25, 0.5), "transpose")
        case(dtype, [6], (-1.0, 1.0), "threshold=4 edgeitems=2")
        case(dtype, [3], [1.0, 20.5, 3.0], "precision=1")
        case(dtype, [2, 2], (1.0, 1.0), "add")
    for dtype in ("int64", "int32", "int16", "int8", "uint8"):
        case(dtype, [], [100])
        case(dtype, [5], (3, 20))
        case(dtype, [2, 1, 2], (0, 1))
        case(dtype, [2, 3], (0, 1), "transpose")
        case(dtype, [12], (0, 9), "threshold=6 edgeitems=2 linewidth=30")
    for dtype in ("complex64", "complex128"):
        case(dtype, [], [0.5 - 0.125j])
        case(dtype, [2, 2], [1 + 1j, -2.5j, 3 + 0j, 0.25 - 10j], "transpose")
        case(dtype, [2], [complex(NAN, -INF), complex(1, 2)])
        case(dtype, [6], [complex(i, -i) for i in range(6)], "threshold=4 edgeitems=1")
        case(dtype, [2], [1.5 + 2j, 3 - 4.25j], "precision=1 requires_grad")


def shapes():
    for sizes in ([1, 1, 1, 1, 2], [2, 1, 3, 1], [1, 0, 2], [3, 1], [1, 3], [2, 2, 2, 2], [1, 1], [1, 12], [12, 1]):
        case("float32", sizes, (0.5, 1.0))
        case("int64", sizes, (-3, 1))
    case("bool", [2, 2, 1], [True, False, False, True])
    case("bool", [0, 3], [])
    for width in (20, 60, 100, 200):
        case("float32", [20], (0.5, 1.0), "linewidth=%d" % width)


print(HEADER % torch.__version__.split("+")[0])
for family in (floats, integers, complexes, large, empty, suffixes, options, each_dtype, shapes):
    family()
