#include "wick/framework/core/launch.h"

#include "wick/framework/core/cuda_slot.h"

namespace wick {

void empty_slot_error(const KernelInfo& kernel, Device device) {
  detail::raise<NotImplementedError>("Could not run '", kernel.name, "' with arguments from the '", DeviceTypeName(device.type()),
                                     "' backend.\n  The kernel slot is empty: this build of wick has no '", kernel.name, "' for ",
                                     device, ". Move the operands to another device first.");
}

void run_on_other_device(const KernelInfo& kernel, Device device, const void* args) {
  struct Back {
    ~Back() { cuda_slot()->set_device(before); }
    int before = t_state.cuda_device;
  } back;
  cuda_slot()->set_device(device.index());
  kernel.cuda(kernel, args);
}

}  // namespace wick
