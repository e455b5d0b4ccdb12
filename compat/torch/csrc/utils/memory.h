#pragma once

#include <memory>

namespace torch {
using std::make_unique;
}
