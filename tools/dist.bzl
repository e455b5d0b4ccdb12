"""wick_dist: an archive of headers and libraries for builds without Bazel."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_VIRTUAL = "/_virtual_includes/"

_PKG_CONFIG = """\
prefix=${{pcfiledir}}/../..
libdir=${{prefix}}/lib
includedir=${{prefix}}/include
# For a program written for LibTorch: `-I$(pkg-config --variable=torch_includedir wick)`.
torch_includedir=${{includedir}}/compat

Name: wick
Description: A small deep-learning framework with LibTorch's C++ API
Version: {version}
Cflags: -I${{includedir}}
Libs: -L${{libdir}} -lwick
Libs.private: {flags}
"""

_CMAKE = """\
# wick::wick is the shared library, wick::static the archive; wick::torch adds LibTorch's header names to wick::wick.
get_filename_component(_wick_root "${{CMAKE_CURRENT_LIST_DIR}}/../../.." ABSOLUTE)
if(NOT TARGET wick::wick)
  add_library(wick::wick SHARED IMPORTED)
  set_target_properties(wick::wick PROPERTIES
    IMPORTED_LOCATION "${{_wick_root}}/lib/libwick.so"
    IMPORTED_SONAME libwick.so)
  add_library(wick::static STATIC IMPORTED)
  set_target_properties(wick::static PROPERTIES
    IMPORTED_LOCATION "${{_wick_root}}/lib/libwick.a"
    INTERFACE_LINK_LIBRARIES "{flags}")
  foreach(_wick_target wick::wick wick::static)
    set_target_properties(${{_wick_target}} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${{_wick_root}}/include"
      INTERFACE_COMPILE_FEATURES cxx_std_20)
  endforeach()
  add_library(wick::torch INTERFACE IMPORTED)
  set_target_properties(wick::torch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${{_wick_root}}/include/compat"
    INTERFACE_LINK_LIBRARIES wick::wick)
endif()
unset(_wick_root)
"""

_CMAKE_VERSION = """\
set(PACKAGE_VERSION {version})
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
"""

def _starts_with(text, prefixes):
    return any([text == prefix or text.startswith(prefix + "/") for prefix in prefixes])

def _own(label, ctx):
    return label.workspace_name == ctx.label.workspace_name

def _headers(ctx, contexts):
    # destination -> file. The path by which a header is included is what follows its library's folder of virtual includes.
    found = {}
    for header in depset(transitive = [context.headers for context in contexts]).to_list():
        if _own(header.owner, ctx) and _VIRTUAL in header.path and not _starts_with(header.owner.package, ctx.attr.internal):
            included = header.path.split(_VIRTUAL)[1].partition("/")[2]
            folder = "include/compat/" if header.owner.package == "compat" else "include/"
            found[folder + included] = header
    return found

def _link_inputs(ctx, contexts):
    archives, flags = [], []
    for linked in depset(transitive = [context.linker_inputs for context in contexts], order = "topological").to_list():
        flags += [flag for flag in linked.user_link_flags if flag not in flags and not flag.startswith("-Wl,")]
        if _own(linked.owner, ctx):
            archives += [library.pic_static_library or library.static_library for library in linked.libraries]
    return [archive for archive in archives if archive], flags

def _wick_dist_impl(ctx):
    infos = [dep[CcInfo] for dep in ctx.attr.deps]
    headers = _headers(ctx, [info.compilation_context for info in infos])
    archives, flags = _link_inputs(ctx, [info.linking_context for info in infos])
    texts = {
        "lib/pkgconfig/wick.pc": _PKG_CONFIG.format(version = ctx.attr.version, flags = " ".join(flags + ["-lstdc++", "-lm"])),
        "lib/cmake/wick/wickConfig.cmake": _CMAKE.format(flags = ";".join(flags)),
        "lib/cmake/wick/wickConfigVersion.cmake": _CMAKE_VERSION.format(version = ctx.attr.version),
    }
    files = dict(headers)
    for destination, text in texts.items():
        files[destination] = ctx.actions.declare_file(ctx.label.name + "_files/" + destination)
        ctx.actions.write(files[destination], text)
    files["LICENSE"] = ctx.file.license

    manifest = ctx.actions.declare_file(ctx.label.name + ".manifest")
    ctx.actions.write(manifest, "".join(["%s %s\n" % (file.path, files_path) for files_path, file in files.items()]))
    toolchain = find_cpp_toolchain(ctx)
    ctx.actions.run(
        executable = ctx.executable._make_dist,
        arguments = [
            ctx.outputs.out.path,
            "wick-" + ctx.attr.version,
            manifest.path,
            toolchain.compiler_executable,
            toolchain.ar_executable,
            " ".join(flags),
        ] + [archive.path for archive in archives],
        inputs = depset([manifest] + files.values() + archives, transitive = [toolchain.all_files]),
        outputs = [ctx.outputs.out],
        mnemonic = "WickDist",
        progress_message = "Packing %s" % ctx.outputs.out.short_path,
        use_default_shell_env = True,
    )

wick_dist = rule(
    implementation = _wick_dist_impl,
    doc = """Packs wick's own headers and objects among what `deps` contain:

    wick-VERSION/include/wick.h, include/wick/..., include/compat/{torch,ATen,c10}/..., lib/libwick.so, lib/libwick.a,
    lib/cmake/wick/wickConfig.cmake, lib/pkgconfig/wick.pc""",
    attrs = {
        "deps": attr.label_list(providers = [CcInfo], mandatory = True),
        "internal": attr.string_list(doc = "packages, with those below them, whose headers stay inside"),
        "license": attr.label(allow_single_file = True, mandatory = True),
        "out": attr.output(mandatory = True),
        "version": attr.string(mandatory = True),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "_make_dist": attr.label(default = "//tools:make_dist", executable = True, cfg = "exec", allow_single_file = True),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    fragments = ["cpp"],
)
