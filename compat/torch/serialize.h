#pragma once

#include <torch/serialize/archive.h>
