// Collections of small images from the files in which they are distributed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wick/framework/tensor.h"

namespace wick::datasets {

struct ImageSet {
  Tensor images;  // uint8: [n, height, width], or [n, channels, height, width]
  Tensor labels;  // [n], int64
};

// A file of bytes in the IDX format, or the same packed with gzip: uint8, of the shape that the file gives. Throws Error for files that
// are no such, or whose length is not what their shape says.
Tensor read_idx(const std::string& path);

// MNIST (LeCun, Cortes and Burges, 1998), or a set in its form such as Fashion-MNIST (Xiao, Rasul and Vollgraf, 2017), from the folder
// that has train-images-idx3-ubyte, train-labels-idx1-ubyte and t10k-..., or the same with .gz: images [n, 28, 28].
ImageSet read_mnist(const std::string& folder, bool train = true);

// CIFAR-10 (Krizhevsky, 2009) from the folder of its binary version, which has data_batch_1.bin to data_batch_5.bin and test_batch.bin:
// images [n, 3, 32, 32], labels 0 to 9.
ImageSet read_cifar10(const std::string& folder, bool train = true);

// The pictures of a folder that has one folder for each class: the classes in the order of their names, the files of each likewise.
// `read_image` makes a tensor of a file, of the same shape for all; viz::read_image can be part of it.
struct ImageFolder : ImageSet {
  std::vector<std::string> class_names;
};
ImageFolder read_image_folder(const std::string& folder, const std::function<Tensor(const std::string& path)>& read_image);

}  // namespace wick::datasets
