#include "wick/framework/core/device.h"

#include <string>

#include "gtest/gtest.h"
#include "wick/tests/framework/core/support.h"

namespace wick {
namespace {

using test::error_of;

TEST(Device, IsReadAndWrittenAsText) {
  for (const std::string text : {"cpu", "cuda", "cuda:0", "cuda:17", "meta", "mps"}) EXPECT_EQ(Device(text).str(), text);
  EXPECT_EQ(Device("cuda:1"), Device(kCUDA, 1));
  EXPECT_NE(Device("cuda"), Device("cuda:0"));  // the current one, whichever that is
  EXPECT_FALSE(Device("cuda").has_index());
  EXPECT_EQ(DeviceTypeName(kCUDA), "CUDA");
  EXPECT_EQ(DeviceTypeName(kCUDA, /*lower_case=*/true), "cuda");
}

TEST(Device, RefusesOtherTexts) {
  for (const std::string text : {"cuda:", "cuda:x", "cuda:-1", "cuda:01", "cuda:128", "cuda:9999", "cuda:1:2"}) {
    EXPECT_EQ(error_of([&] { Device{text}; }), "Invalid device string: '" + text + "'");
  }
  EXPECT_EQ(error_of([] { Device(""); }), "Device string must not be empty");
  EXPECT_EQ(error_of([] { Device("cpu:1"); }), "CPU device index must be -1 or zero, got 1");
  EXPECT_NE(error_of([] { Device("gpu"); }).find("device type at start of device string: gpu"), std::string::npos);
}

}  // namespace
}  // namespace wick
