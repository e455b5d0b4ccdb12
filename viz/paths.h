// File names as the person at the keyboard means them.
#pragma once

#include <string>
#include <string_view>

namespace wick::viz {

// `bazel run` starts a program in a folder of its own and leaves the user's folder in the environment variable
// BUILD_WORKING_DIRECTORY. When that is set, a relative path is taken from there; otherwise, and for an absolute or empty path, the
// path is returned as it is.
std::string user_path(std::string_view path);

// The same for the file `name` in `folder`, of which "." leaves nothing in the path.
std::string user_path(std::string_view folder, std::string_view name);

}  // namespace wick::viz
