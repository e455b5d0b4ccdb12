"""How CUDA is built: wick_cuda_library for .cu files, wick_cuda_test for what runs on a device.

--config=cuda compiles .cu files with nvcc, --config=cuda_sim with the host's compiler for the simulator of tests/cuda_sim. In any other
build a wick_cuda_library is empty and a wick_cuda_test is skipped.

The architectures are `--define=wick_cuda_archs=75,90`: machine code for each, and PTX of the last for what comes after.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("//tools:wick.bzl", "linkstatic", "wick_test")

_ARCHITECTURES = "75,80,86,89,90,100,120"

_NVCC_FLAGS = [
    "-std=c++20",
    "-O2",
    "-DNDEBUG",
    "--expt-relaxed-constexpr",
    "-Xcompiler=-fPIC,-march=x86-64-v2,-ffunction-sections,-fdata-sections",
    "--threads=2",
    "-diag-suppress=1835",  # the host compiler knows tls_model, nvcc's front end does not
]

# The accesses to memory are seen by the simulator, which defines what -fsanitize=thread calls; TSan itself is not linked.
_SIM_COPTS = [
    "-x",
    "c++",
    "-std=c++20",
    "-march=x86-64-v2",
    "-O2",
    "-g1",
    "-DWICK_CUDA_SIM",
    "-include",
    "wick/tests/cuda_sim/cuda_sim.h",
    "-fno-sanitize=all",
    "-fsanitize=thread,undefined",
    "-fno-sanitize-recover=all",
    "--param",
    "tsan-instrument-func-entry-exit=0",
    "-fno-strict-aliasing",
    "-Wall",
    "-Wextra",
    "-Wno-psabi",
    "-Wno-unknown-pragmas",
    "-Wno-sign-compare",
]

def _generated_code(ctx):
    flags = []
    architectures = ctx.var.get("wick_cuda_archs", _ARCHITECTURES).split(",")
    for arch in architectures:
        flags.append("-gencode=arch=compute_{0},code=sm_{0}".format(arch))
    flags.append("-gencode=arch=compute_{0},code=compute_{0}".format(architectures[-1]))
    return flags

def _nvcc_library_impl(ctx):
    infos = [dep[CcInfo] for dep in ctx.attr.deps]
    merged = cc_common.merge_cc_infos(cc_infos = infos)
    context = merged.compilation_context
    objects = []
    for src in ctx.files.srcs:
        out = ctx.actions.declare_file("_nvcc/%s/%s.pic.o" % (ctx.label.name, src.basename))
        objects.append(out)
        args = ctx.actions.args()
        args.add_all(_NVCC_FLAGS + _generated_code(ctx))
        args.add_all(context.defines, before_each = "-D")
        args.add_all(context.includes, before_each = "-I")
        args.add_all(context.quote_includes, before_each = "-I")
        args.add("-c", src)
        args.add("-o", out)
        ctx.actions.run(
            executable = ctx.executable._nvcc,
            arguments = [args],
            inputs = depset([src], transitive = [context.headers]),
            outputs = [out],
            mnemonic = "Nvcc",
            progress_message = "Compiling %s with nvcc" % src.short_path,
        )
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(ctx = ctx, cc_toolchain = toolchain, requested_features = ctx.features, unsupported_features = ctx.disabled_features)
    linking_context, _ = cc_common.create_linking_context_from_compilation_outputs(
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        compilation_outputs = cc_common.create_compilation_outputs(objects = depset(objects), pic_objects = depset(objects)),
        name = ctx.label.name,
        linking_contexts = [info.linking_context for info in infos],
        disallow_dynamic_library = True,
        alwayslink = True,
    )
    return [CcInfo(compilation_context = context, linking_context = linking_context), DefaultInfo(files = depset(objects))]

_nvcc_library = rule(
    implementation = _nvcc_library_impl,
    attrs = {
        "srcs": attr.label_list(allow_files = [".cu"]),
        "deps": attr.label_list(providers = [CcInfo]),
        "_nvcc": attr.label(default = "@wick_cuda_toolkit//:nvcc", executable = True, cfg = "exec", allow_single_file = True),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    fragments = ["cpp"],
)

def wick_cuda_library(name, srcs, deps = [], **kwargs):
    """Kernels. Headers that they share with others belong in a wick_library among the deps, which may also call what the kernels'
    files define: the linker takes all of them.

    Args:
      name: what to depend on.
      srcs: .cu files.
      deps: C++ libraries.
      **kwargs: further attributes of `name`.
    """
    _nvcc_library(name = name + "_nvcc", srcs = srcs, deps = deps, tags = ["manual"])
    native.cc_library(
        name = name + "_sim",
        srcs = srcs,
        copts = _SIM_COPTS,
        linkstatic = linkstatic(),
        alwayslink = True,
        tags = ["manual"],
        deps = deps + [str(Label("//tests/cuda_sim"))],
    )
    native.cc_library(name = name + "_none", tags = ["manual"])
    native.alias(
        name = name,
        actual = select({
            str(Label("//tools:cuda")): name + "_nvcc",
            str(Label("//tools:cuda_sim")): name + "_sim",
            "//conditions:default": name + "_none",
        }),
        **kwargs
    )

def wick_cuda_test(name, srcs, deps = [], kernels = [], tags = [], env = {}, no_caching = True, **kwargs):
    """A GoogleTest program that needs a CUDA device or the simulator, and skips itself where a real device is missing.

    Args:
      name: of the test; `<name>_no_caching` runs it with WICK_CUDA_NO_CACHING=1, where a kernel that leaves its memory is seen.
      srcs: C++.
      deps: C++ libraries.
      kernels: .cu files.
      tags: further tags.
      env: environment.
      no_caching: whether to make the second test.
      **kwargs: further attributes.
    """
    if kernels:
        wick_cuda_library(name = name + "_kernels", srcs = kernels, deps = deps)
        deps = deps + [":" + name + "_kernels"]
    only_cuda = select({
        str(Label("//tools:cuda")): [],
        str(Label("//tools:cuda_sim")): [],
        "//conditions:default": ["@platforms//:incompatible"],
    })
    for suffix, off in [("", {})] + ([("_no_caching", {"WICK_CUDA_NO_CACHING": "1"})] if no_caching else []):
        wick_test(
            name = name + suffix,
            srcs = srcs,
            deps = deps,
            env = dict(env, **off),
            tags = tags + ["cuda"],
            target_compatible_with = only_cuda,
            **kwargs
        )
