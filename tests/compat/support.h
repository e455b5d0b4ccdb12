// What the tests of compat share.
#pragma once

#include "wick/tests/framework/core/support.h"

using wick::test::message_of;
