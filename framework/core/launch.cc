#include "wick/framework/core/launch.h"

namespace wick {

void empty_slot_error(const KernelInfo& kernel, Device device) {
  detail::raise<NotImplementedError>("Could not run '", kernel.name, "' with arguments from the '", DeviceTypeName(device.type()),
                                     "' backend.\n  The kernel slot is empty: this build of wick has no '", kernel.name, "' for ",
                                     device, ". Move the operands to another device first.");
}

}  // namespace wick
