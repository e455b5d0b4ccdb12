#pragma once

#include <torch/data/dataloader/base.h>
