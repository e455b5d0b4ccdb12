"""The rules by which every part of wick is built: wick_library, wick_kernels, wick_binary, wick_test.

All flags are set on each target, because a dependent builds wick with the options of its own .bazelrc.
"""

# Everything but the kernels runs on any processor since 2009.
_BASELINE = [
    "-std=c++20",
    "-march=x86-64-v2",
    "-Wall",
    "-Wextra",
    "-ffunction-sections",
    "-fdata-sections",
    # Position-independent code, which libwick.so needs, is then as fast as any other.
    "-fno-semantic-interposition",
]

# A kernel rounds where its source says so: no contraction that the source does not spell out.
_KERNEL = [
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
]

_ISAS = {
    "avx2": ["-DWICK_ISA=avx2", "-DWICK_ISA_AVX2=1", "-mavx2", "-mfma", "-mf16c"],
    "avx512": [
        "-DWICK_ISA=avx512",
        "-DWICK_ISA_AVX512=1",
        "-mavx512f",
        "-mavx512bw",
        "-mavx512dq",
        "-mavx512vl",
        "-mfma",
        "-mf16c",
        "-mprefer-vector-width=512",
    ],
}

def _label(text):
    # A label of wick's own repository, also when a dependent's BUILD file calls the macro.
    return str(Label(text))

def _copts(optimise = "-O2", sanitized = "-O1"):
    return _BASELINE + select({
        _label("//tools:sanitized"): [sanitized, "-g1"],
        "//conditions:default": [optimise, "-DNDEBUG", "-fomit-frame-pointer"],
    }) + select({
        _label("//tools:std_threads"): ["-DWICK_STD_THREADS"],
        "//conditions:default": ["-fopenmp"],
    }) + select({
        _label("//tools:warnings_are_errors"): ["-Werror"],
        "//conditions:default": [],
    })

def linkstatic():
    """Programs contain what they use of wick. Under the sanitizers that is 100 MB for each of 140 tests, so there they share it."""
    return select({
        _label("//tools:shared"): False,
        "//conditions:default": True,
    })

def _sanitizers(isa):
    # The sanitizers see the AVX2 kernels, which the tests then run (.bazelrc sets WICK_ISA). The same sources compiled once more with
    # all their checks would take a quarter of the whole build.
    if isa == "avx2":
        return []
    return select({
        _label("//tools:sanitized"): ["-fno-sanitize=all"],
        "//conditions:default": [],
    })

def wick_library(name, srcs = [], hdrs = [], deps = [], copts = [], include_prefix = "wick", strip_include_prefix = "/", **kwargs):
    """A cc_library whose headers are included by their path from the root: `#include "wick/nn/module.h"`."""
    native.cc_library(
        name = name,
        srcs = srcs,
        hdrs = hdrs,
        deps = deps + [_label("//tools:runtime")],
        copts = _copts() + copts,
        include_prefix = include_prefix,
        strip_include_prefix = strip_include_prefix,
        linkstatic = linkstatic(),
        **kwargs
    )

def wick_kernels(name, srcs, hdrs = [], deps = [], copts = [], visibility = None, **kwargs):
    """A library whose sources are compiled once for each instruction set, into the namespaces wick::...::avx2 and ::avx512.

    The sources open their innermost namespace as `namespace WICK_ISA`. The test `<name>_symbols_test` fails when an object
    defines a symbol outside of it that the linker could pick for the whole program.

    Args:
      name: the library to depend on; `<name>_avx2` and `<name>_avx512` hold the code.
      srcs: compiled twice; with headers that nobody else includes.
      hdrs: what others include.
      deps: of the sources and the headers.
      copts: further flags.
      visibility: of `name`.
      **kwargs: further attributes of `name`.
    """
    headers = name + "_headers"
    wick_library(name = headers, hdrs = hdrs, deps = deps, visibility = ["//visibility:private"])
    for isa, flags in _ISAS.items():
        native.cc_library(
            name = name + "_" + isa,
            srcs = srcs,
            deps = deps + [":" + headers, _label("//tools:runtime")],
            copts = _copts("-O3") + _KERNEL + flags + copts + _sanitizers(isa),
            linkstatic = linkstatic(),
            visibility = ["//visibility:private"],
        )
    native.cc_library(
        name = name,
        deps = [":" + headers] + [":" + name + "_" + isa for isa in _ISAS],
        visibility = visibility,
        **kwargs
    )
    archives = name + "_archives"
    native.filegroup(
        name = archives,
        srcs = [":" + name + "_" + isa for isa in _ISAS],
        visibility = ["//visibility:private"],
    )
    native.sh_test(
        name = name + "_symbols_test",
        size = "small",
        srcs = [_label("//tools:check_kernel_symbols")],
        args = ["$(rootpaths :%s)" % archives],
        data = [":" + archives],
        # Sanitizers add symbols of their own.
        tags = ["optimised"],
    )

def wick_binary(name, srcs, deps = [], copts = [], **kwargs):
    """A program: linked statically against wick, dynamically against the system's libraries."""
    native.cc_binary(
        name = name,
        srcs = srcs,
        deps = deps + [_label("//tools:runtime")],
        copts = _copts(sanitized = "-O0") + copts,
        linkstatic = linkstatic(),
        **kwargs
    )

def wick_test(name, srcs, deps = [], copts = [], size = "small", main = True, **kwargs):
    """A GoogleTest program. `main = False`: the sources define main() themselves, with or without GoogleTest.

    Under the sanitizers most of a build is compiling tests, which -O0 halves.
    """
    native.cc_test(
        name = name,
        srcs = srcs,
        deps = deps + [_label("//tools:runtime")] + ([_label("//third_party:gtest_main")] if main else []),
        copts = _copts(sanitized = "-O0") + copts,
        size = size,
        linkstatic = linkstatic(),
        **kwargs
    )
