// Eigenvalues and eigenvectors of a random matrix, which are complex as a rule, and of its symmetric part, whose are real, and how well
// they fit; then the other decompositions, and a Fourier transform and back.
//
//   bazelw run //examples:linalg_demo -- --help
#include <iostream>

#include "wick/examples/example.h"

using namespace wick;

namespace {

examples::Words say;

double largest(const Tensor& x) { return x.abs().max().item<double>(); }

void complex_eigen(const Tensor& a) {
  const auto [values, vectors] = linalg_eig(a);
  std::cout << say("eigenvalues: ", "特征值: ") << values << "\n" << say("eigenvectors:\n", "特征向量:\n") << vectors << "\n";
  std::printf(say("residual |A V - V diag(w)|: %.1e\n", "残差 |A V - V diag(w)|: %.1e\n"),
              largest(matmul(a.to(values.scalar_type()), vectors) - vectors * values.unsqueeze(0)));
}

void eigen(const Tensor& a) {
  const Tensor symmetric = (a + a.t()) / 2;
  const auto [values, vectors] = linalg_eigh(symmetric);
  std::cout << say("eigenvalues: ", "特征值: ") << values << "\n" << say("eigenvectors:\n", "特征向量:\n") << vectors << "\n";
  std::printf(say("residual |S V - V diag(w)|: %.1e\n", "残差 |S V - V diag(w)|: %.1e\n"),
              largest(matmul(symmetric, vectors) - vectors * values.unsqueeze(0)));
}

void decompositions(const Tensor& a) {
  std::printf(say("determinant: %.4f\n", "行列式: %.4f\n"), linalg_det(a).item<double>());
  const Tensor one = eye(a.size(0));
  std::printf("|A inv(A) - I|: %.1e\n", largest(matmul(a, linalg_inv(a)) - one));
  const auto [q, r] = linalg_qr(a);
  std::printf("|Q R - A|: %.1e\n", largest(matmul(q, r) - a));
  const auto [u, s, vh] = linalg_svd(a);
  std::printf("|U diag(s) Vh - A|: %.1e\n", largest(matmul(u * s.unsqueeze(0), vh) - a));
  const Tensor symmetric = matmul(a, a.t()) + one;
  const Tensor l = linalg_cholesky(symmetric);
  std::printf("|L L' - (A A' + I)|: %.1e\n", largest(matmul(l, l.t()) - symmetric));
  std::printf("|ifft2(fft2(A)) - A|: %.1e\n", largest(fft_ifft2(fft_fft2(a)) - a));
}

}  // namespace

int main(int argc, char** argv) {
  int64_t size = 5;
  uint64_t seed = 0;
  return examples::main_of(
      "linalg_demo", "Decomposes a random matrix and shows how well the parts fit together.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--size", size, "of the matrix")->check(CLI::Range(1, 500))->capture_default_str();
        app.add_option("--seed", seed, "of the random numbers; the same as torch.manual_seed")->capture_default_str();
        say.add_option(app);
      },
      [&] {
        manual_seed(seed);
        const Tensor a = randn({size, size});
        std::cout << "A:\n" << a << "\n";
        complex_eigen(a);
        std::cout << "S = (A + A') / 2\n";
        eigen(a);
        decompositions(a);
        return 0;
      });
}
