"""The outside repositories of wick. All of them are answered from this machine: nothing is downloaded.

In a WORKSPACE of one's own:

    local_repository(name = "wick", path = "...")
    load("@wick//:deps.bzl", "wick_dependencies")
    wick_dependencies()
"""

_PREFIXES = ["/usr", "/usr/local"]
_MISSING = "wick needs {0}, which Debian's package {1} brings: wick's ./bazelw installs it, as `apt-get install {1}` does."

def _system_library_impl(ctx):
    for link, path in ctx.attr.links.items():
        found = [prefix + "/" + path for prefix in _PREFIXES if ctx.path(prefix + "/" + path).exists]
        if not found:
            fail(_MISSING.format(path + " below " + " or ".join(_PREFIXES), ctx.attr.package))
        ctx.symlink(found[0], link)
    ctx.symlink(ctx.attr.build_file, "BUILD")
    ctx.file("WORKSPACE", "")

# Links files of an installed package into a repository of their own, so that Bazel sees what an action reads of them.
_system_library = repository_rule(
    implementation = _system_library_impl,
    attrs = {
        "package": attr.string(mandatory = True, doc = "Debian's package, named when something is missing"),
        "links": attr.string_dict(mandatory = True, doc = "name in the repository -> path below /usr or /usr/local"),
        "build_file": attr.label(mandatory = True, allow_single_file = True),
    },
    local = True,
)

def _stand_in_impl(ctx):
    for path, text in ctx.attr.files.items():
        ctx.file(path, text)

_stand_in = repository_rule(
    implementation = _stand_in_impl,
    attrs = {"files": attr.string_dict(doc = "path -> text")},
)

def _debian_folder_impl(ctx):
    folder = ctx.path(ctx.attr.folder)
    if not folder.exists:
        fail(_MISSING.format(folder, ctx.attr.package))
    for entry in folder.readdir():
        ctx.symlink(entry, entry.basename)

_debian_folder = repository_rule(
    implementation = _debian_folder_impl,
    attrs = {"package": attr.string(), "folder": attr.string()},
    local = True,
)

_NO_CUDA = """\
wick's CUDA builds need the CUDA toolkit, version 13: nvcc, headers, cuBLAS, cuDNN. There is none in {}.
Set CUDA_HOME to where it is (`--repo_env=CUDA_HOME=/opt/cuda`), or build without --config=cuda and --config=cuda_sim."""

# cccl, which nvcc finds by itself, would make thousands of inputs.
_CUDA_BUILD = """
package(default_visibility = ["//visibility:public"])
cc_library(
    name = "headers",
    hdrs = glob(["include/*.h", "include/*.hpp", "include/crt/**", "include/nvtx3/**"]),
    includes = ["include"],
)
cc_library(
    name = "libraries",
    linkopts = ["-L{home}/lib64", "-Wl,-rpath,{home}/lib64", "-lcudnn", "-lcublasLt", "-lcublas", "-lcudart_static", "-ldl", "-lrt", "-lpthread"],
)
exports_files(["nvcc"])
"""

_NVCC = """#!/bin/sh
PATH=/usr/local/bin:/usr/bin:/bin exec {home}/bin/nvcc "$@"
"""

def _cuda_toolkit_impl(ctx):
    home = ctx.path(ctx.os.environ.get("CUDA_HOME", "/usr/local/cuda"))
    if not home.get_child("include").get_child("cuda_runtime.h").exists:
        fail(_NO_CUDA.format(home))
    ctx.symlink(home.get_child("include"), "include")
    ctx.file("nvcc", _NVCC.format(home = home), executable = True)
    ctx.file("BUILD", _CUDA_BUILD.format(home = home))
    ctx.file("WORKSPACE", "")

# Fetched only by a build with --config=cuda or --config=cuda_sim, so that others do not miss it.
_cuda_toolkit = repository_rule(
    implementation = _cuda_toolkit_impl,
    environ = ["CUDA_HOME"],
    local = True,
)

_RULES_CC = """
cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
fdo_prefetch_hints = native.fdo_prefetch_hints
fdo_profile = native.fdo_profile
objc_import = native.objc_import
objc_library = native.objc_library
"""

def _offline_stand_ins():
    """What Debian's Bazel expects from the network, written here or taken from Debian's packages."""
    existing = native.existing_rules()
    if "rules_cc" not in existing:
        _stand_in(name = "rules_cc", files = {"WORKSPACE": "", "BUILD": "", "cc/BUILD": "", "cc/defs.bzl": _RULES_CC})
    if "remote_coverage_tools" not in existing:
        _stand_in(name = "remote_coverage_tools", files = {
            "WORKSPACE": "",
            "BUILD": 'filegroup(name = "coverage_report_generator", visibility = ["//visibility:public"])\n',
        })
    if "rules_java" not in existing:
        _debian_folder(name = "rules_java", package = "bazel-rules-java", folder = "/usr/share/bazel/rules/java")
    if "platforms" not in existing:
        _debian_folder(name = "platforms", package = "bazel-platforms", folder = "/usr/share/bazel/tools/platforms")

def _is_debians_bazel():
    # Debian's Bazel 4 has no version number; every other one brings, or knows where to find, its own rules.
    return not native.bazel_version or not native.bazel_version[0].isdigit()

def wick_dependencies():
    """Declares every outside repository that wick needs; those that the caller has declared already stay as they are."""
    if _is_debians_bazel():
        _offline_stand_ins()
    existing = native.existing_rules()
    for name, (package, links) in {
        "eigen": ("libeigen3-dev", {"Eigen": "include/eigen3/Eigen", "unsupported": "include/eigen3/unsupported"}),
        "googletest": ("googletest", {"googletest": "src/googletest/googletest"}),
        "dnnl": ("libdnnl-dev", {"oneapi": "include/oneapi", "dnnl.h": "include/dnnl.h", "dnnl.hpp": "include/dnnl.hpp"}),
        "benchmark": ("libbenchmark-dev", {"benchmark": "include/benchmark"}),
        "nlohmann_json": ("nlohmann-json3-dev", {"nlohmann": "include/nlohmann"}),
        "stb": ("libstb-dev", {"stb": "include/stb"}),
        "cli11": ("libcli11-dev", {"CLI": "include/CLI"}),
        "zlib": ("zlib1g-dev", {"zlib.h": "include/zlib.h", "zconf.h": "include/zconf.h"}),
        "boost_context": ("libboost-context-dev", {"libboost_context.a": "lib/x86_64-linux-gnu/libboost_context.a"}),
    }.items():
        if "wick_" + name not in existing:
            _system_library(
                name = "wick_" + name,
                package = package,
                links = links,
                build_file = Label("//third_party:" + name + ".BUILD"),
            )
    if "wick_cuda_toolkit" not in existing:
        _cuda_toolkit(name = "wick_cuda_toolkit")
