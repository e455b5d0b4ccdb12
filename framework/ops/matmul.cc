// Products of matrices and vectors, and the linear layer.
#include "wick/framework/ops/autocast.h"
#include "wick/framework/plan/matmul.h"

#include "wick/framework/ops/complex.h"
#include "wick/framework/ops/copy.h"
#include "wick/framework/ops/elementwise.h"

namespace wick::ops {
namespace {

// ---- One product, without history --------------------------------------------------------------------------------------------------

// A matrix as the kernel wants it: rows or columns without gaps. Anything else is copied.
struct Matrix {
  Tensor tensor;  // keeps a copy alive
  bool transposed;
  int64_t leading;

  // The last two dimensions of x, or their transpose.
  Matrix(const Tensor& x, bool transpose) : tensor(x) {
    const size_t r = static_cast<size_t>(x.dim()) - 2, c = r + 1;
    if (!fits(x, r, c)) tensor = clone(x, MemoryFormat::Contiguous);
    const int64_t rows = tensor.sizes()[r], cols = tensor.sizes()[c], row_stride = tensor.strides()[r], col_stride = tensor.strides()[c];
    const bool row_major = cols <= 1 || col_stride == 1;
    transposed = transpose == row_major;
    leading = row_major ? (rows <= 1 ? cols : row_stride) : (cols <= 1 ? rows : col_stride);
  }

  static bool fits(const Tensor& x, size_t r, size_t c) {
    const IntArrayRef sizes = x.sizes(), strides = x.strides();
    // cuBLAS refuses rows that overlap, as expanded ones do.
    const auto overlap = [&](size_t a, size_t b) { return sizes[a] > 1 && strides[a] < sizes[b] && strides[b] == 1; };
    if (x.is_cuda() && (overlap(r, c) || overlap(c, r))) return false;
    return sizes[c] <= 1 || strides[c] == 1 || sizes[r] <= 1 || strides[r] == 1;
  }
};

bool has_kernel(ScalarType t, const Tensor& x) { return t != kBool && ((t != kHalf && t != kBFloat16) || x.is_cuda()); }

// c = alpha op(a) op(b) + bias for matrices, or for batches of them with equal batch sizes (0 strides where expanded).
void multiply_into(const Tensor& c, const Tensor& a, bool trans_a, const Tensor& b, bool trans_b, const Tensor& bias, double alpha) {
  if (c.is_meta() || c.numel() == 0) return;
  const Matrix left(a, trans_a), right(b, trans_b);
  const size_t row = static_cast<size_t>(a.dim()) - 2;
  // Field by field: the compiler would clear the whole of an initialised struct first, which is felt in small products.
  MatmulArgs args;
  args.buffers[0] = Buffer(c);
  args.buffers[1] = Buffer(left.tensor);
  args.buffers[2] = Buffer(right.tensor);
  args.buffers[3] = Buffer(bias);
  args.buffers[4] = nullptr;
  args.dtype = c.scalar_type();
  args.epilogue = MatmulEpilogue::kNone;
  args.trans_a = left.transposed;
  args.trans_b = right.transposed;
  args.m = c.sizes()[row];
  args.n = c.sizes()[row + 1];
  args.k = a.sizes()[trans_a ? row : row + 1];
  args.lda = left.leading;
  args.ldb = right.leading;
  args.ldc = args.n;
  args.batch = row == 0 ? 1 : c.sizes()[0];
  args.stride_a = row == 0 ? 0 : left.tensor.strides()[0];
  args.stride_b = row == 0 ? 0 : right.tensor.strides()[0];
  args.stride_c = args.m * args.n;
  args.alpha = alpha;
  launch(matmul_kernel, c.device(), args);
}

Tensor multiply(const Tensor& a, bool trans_a, const Tensor& b, bool trans_b, const Tensor& bias = {}, double alpha = 1) {
  const ScalarType dtype = a.scalar_type();
  if (WICK_UNLIKELY(!has_kernel(dtype, a))) {
    WICK_CHECK_NOT_IMPLEMENTED(is_floating(dtype), "\"addmm_impl_cpu_\" not implemented for '", dtype, "'");
    // Half types are multiplied as float.
    return multiply(a.to(kFloat), trans_a, b.to(kFloat), trans_b, bias.defined() ? bias.to(kFloat) : bias, alpha).to(dtype);
  }
  const size_t row = static_cast<size_t>(a.dim()) - 2;
  const int64_t m = a.sizes()[trans_a ? row + 1 : row], n = b.sizes()[trans_b ? row : row + 1];
  Tensor c = row == 0 ? Tensor(empty_base({m, n}, dtype, a.device())) : Tensor(empty_base({a.sizes()[0], m, n}, dtype, a.device()));
  multiply_into(c, a, trans_a, b, trans_b, bias, alpha);
  return c;
}

Tensor transposed(const Tensor& x) { return x.transpose(-2, -1); }

// op(a) op(b), recorded where the backward pass is.
Tensor product(const Gradients& g, const Tensor& a, bool trans_a, const Tensor& b, bool trans_b) {
  if (!g.create_graph()) return multiply(a, trans_a, b, trans_b);
  const Tensor left = trans_a ? transposed(a) : a, right = trans_b ? transposed(b) : b;
  return a.dim() == 2 ? mm(left, right) : bmm(left, right);
}

// ---- Checks ------------------------------------------------------------------------------------------------------------------------

void check_same_dtype(const char* op, const Tensor& a, const Tensor& b) {
  WICK_CHECK(a.scalar_type() == b.scalar_type(), "expected m1 and m2 to have the same dtype, but got: ", cpp_type_name(a.scalar_type()),
             " != ", cpp_type_name(b.scalar_type()), "\n  ", describe(op, {&a, &b}), "\n  Convert one of them with .to(dtype).");
}

void check_matrices(const char* op, const Tensor& a, const Tensor& b, int64_t inner_a, int64_t inner_b, IntArrayRef shape_a,
                    IntArrayRef shape_b) {
  WICK_CHECK(inner_a == inner_b, "mat1 and mat2 shapes cannot be multiplied (", shape_a[0], "x", shape_a[1], " and ", shape_b[0], "x",
             shape_b[1], ")\n  ", describe(op, {&a, &b}));
  check_same_device(op, {&a, &b});
  check_same_dtype(op, a, b);
}

// ---- Operations --------------------------------------------------------------------------------------------------------------------

struct Mm {
  static constexpr OpInfo info = make_info<Mm>("mm", "MmBackward0");
  static Tensor forward(Context& ctx, const Tensor& a, const Tensor& b) {
    ctx.save(ctx.wants(1) ? a : Tensor(), ctx.wants(0) ? b : Tensor());
    return multiply(a, false, b, false);
  }
  static void backward(const Gradients& g) {
    if (g.wants(0)) g.set(0, product(g, g.output(), false, conjugate(g.saved(1)), true));
    if (g.wants(1)) g.set(1, product(g, conjugate(g.saved(0)), true, g.output(), false));
  }
};

using Bmm = Named<Mm, "bmm", "BmmBackward0">;

// beta * self + alpha * a b. What beta = 0 multiplies is not looked at.
struct Addmm {
  static constexpr OpInfo info = make_info<Addmm>("addmm", "AddmmBackward0");
  struct Factors : NodeExtra {
    Factors(const Scalar& b, const Scalar& a) : beta(b), alpha(a) {}
    Scalar beta, alpha;
  };
  static Tensor forward(Context& ctx, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
    ctx.save(ctx.wants(2) ? a : Tensor(), ctx.wants(1) ? b : Tensor());
    ctx.save_extra(Factors(beta, alpha));
    if (alpha.isComplex()) return (multiply(a, false, b, false) * alpha).add_(beta.equal(0) ? zeros_like(self) : self * beta);
    const bool row_bias = beta.equal(1) && self.dim() == 1 && self.is_contiguous() && self.sizes()[0] == b.sizes()[1];
    if (row_bias) return multiply(a, false, b, false, self, alpha.toDouble());
    Tensor y = multiply(a, false, b, false, {}, alpha.toDouble());
    return beta.equal(0) ? y : y.add_(self, beta);
  }
  static void backward(const Gradients& g) {
    const auto& factors = g.extra<Factors>();
    const auto scaled = [](const Tensor& x, const Scalar& factor) { return factor.equal(1) ? x : x * factor.conj(); };
    if (g.wants(0)) g.set(0, scaled(g.output(), factors.beta));
    if (g.wants(1)) g.set(1, scaled(product(g, g.output(), false, conjugate(g.saved(1)), true), factors.alpha));
    if (g.wants(2)) g.set(2, scaled(product(g, conjugate(g.saved(0)), true, g.output(), false), factors.alpha));
  }
};

// x w^T + bias for x of any rank: the leading dimensions are rows of one matrix.
struct Linear {
  static constexpr OpInfo info = make_info<Linear>("linear", "AddmmBackward0");
  static Tensor forward(Context& ctx, const Tensor& x, const Tensor& w, const Tensor& bias) {
    ctx.save(ctx.wants(1) ? x : Tensor(), ctx.wants(0) ? w : Tensor());
    if (x.dim() == 2) return multiply(x, false, w, true, bias);
    return multiply(rows_of(x), false, w, true, bias).view(with_last(x.sizes(), w.sizes()[0]));
  }
  static void backward(const Gradients& g) {
    const Tensor gy = g.output();
    const Tensor rows = gy.dim() == 2 ? gy : rows_of(gy);
    if (g.wants(0)) {
      const Tensor gx = product(g, rows, false, conjugate(g.saved(1)), false);
      g.set(0, gy.dim() == 2 ? gx : gx.reshape(with_last(gy.sizes(), gx.sizes()[1])));
    }
    if (g.wants(1)) g.set(1, product(g, rows, true, conjugate(g.saved(0).dim() == 2 ? g.saved(0) : rows_of(g.saved(0))), false));
    if (g.wants(2)) g.set(2, rows);  // summed over the rows where it arrives
  }
  static Dims with_last(IntArrayRef shape, int64_t size) {
    Dims sizes(shape);
    sizes.back() = size;
    return sizes;
  }
  static Tensor rows_of(const Tensor& x) {
    // -1 cannot be worked out for an empty tensor.
    int64_t rows = 1;
    for (size_t d = 0; d + 1 < x.sizes().size(); ++d) rows *= x.sizes()[d];
    return x.reshape({rows, x.sizes().back()});
  }
};

struct Dot {
  static constexpr OpInfo info = make_info<Dot>("dot", "DotBackward0");
  static Tensor forward(Context& ctx, const Tensor& a, const Tensor& b) {
    ctx.save(a, b);
    const int64_t n = a.numel();
    return multiply(a.reshape({1, n}), false, b.reshape({n, 1}), false).view(IntArrayRef());
  }
  static void backward(const Gradients& g) {
    if (g.wants(0)) g.set(0, g.output() * conjugate(g.saved(1)));
    if (g.wants(1)) g.set(1, g.output() * conjugate(g.saved(0)));
  }
};

// Batches of any rank against each other: broadcast, made one batch dimension, multiplied, and given their dimensions back.
Tensor batched_matmul(const Tensor& a, const Tensor& b) {
  const size_t da = static_cast<size_t>(a.dim()), db = static_cast<size_t>(b.dim());
  const IntArrayRef batch_a = a.sizes().slice(0, da - 2), batch_b = b.sizes().slice(0, db - 2);
  const Dims batch = broadcast_shapes(batch_a, batch_b);
  const int64_t count = checked_numel(batch);
  const int64_t m = a.sizes()[da - 2], ka = a.sizes()[da - 1], kb = b.sizes()[db - 2], n = b.sizes()[db - 1];
  WICK_CHECK(ka == kb, "mat1 and mat2 shapes cannot be multiplied (", m, "x", ka, " and ", kb, "x", n, ")\n  ",
             describe("matmul", {&a, &b}));
  const Tensor left = a.expand(joined_dims({batch, {m, ka}})).reshape({count, m, ka});
  const Tensor right = b.expand(joined_dims({batch, {kb, n}})).reshape({count, kb, n});
  return own(bmm(left, right).view(joined_dims({batch, {m, n}})));
}

}  // namespace
}  // namespace wick::ops

namespace wick {

using namespace ops;

Tensor mm(const Tensor& a, const Tensor& b) {
  WICK_AUTOCAST(kLowPrecision, mm, a, b);
  WICK_CHECK(a.dim() == 2, "self must be a matrix\n  ", describe("mm", {&a, &b}), "\n  matmul() takes vectors and batches as well.");
  WICK_CHECK(b.dim() == 2, "mat2 must be a matrix\n  ", describe("mm", {&a, &b}), "\n  matmul() takes vectors and batches as well.");
  check_matrices("mm", a, b, a.sizes()[1], b.sizes()[0], a.sizes(), b.sizes());
  return apply<Mm>(a, b);
}

Tensor bmm(const Tensor& a, const Tensor& b) {
  WICK_AUTOCAST(kLowPrecision, bmm, a, b);
  WICK_CHECK(a.dim() == 3, "batch1 must be a 3D tensor\n  ", describe("bmm", {&a, &b}));
  WICK_CHECK(b.dim() == 3, "batch2 must be a 3D tensor\n  ", describe("bmm", {&a, &b}));
  WICK_CHECK(a.sizes()[0] == b.sizes()[0] && a.sizes()[2] == b.sizes()[1],
             "Expected size for first two dimensions of batch2 tensor to be: [", a.sizes()[0], ", ", a.sizes()[2], "] but got: [",
             b.sizes()[0], ", ", b.sizes()[1], "].\n  ", describe("bmm", {&a, &b}));
  check_same_device("bmm", {&a, &b});
  check_same_dtype("bmm", a, b);
  return apply<Bmm>(a, b);
}

Tensor addmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  WICK_AUTOCAST(kLowPrecision, addmm, self, a, b, beta, alpha);
  WICK_CHECK(a.dim() == 2, "mat1 must be a matrix, got ", a.dim(), "-D tensor\n  ", describe("addmm", {&self, &a, &b}));
  WICK_CHECK(b.dim() == 2, "mat2 must be a matrix, got ", b.dim(), "-D tensor\n  ", describe("addmm", {&self, &a, &b}));
  check_matrices("addmm", a, b, a.sizes()[1], b.sizes()[0], a.sizes(), b.sizes());
  const Dims shape{a.sizes()[0], b.sizes()[1]};
  bool expands = self.dim() <= 2;
  for (size_t i = 0; expands && i < self.sizes().size(); ++i) {
    const int64_t have = self.sizes()[self.sizes().size() - 1 - i], want = shape[1 - i];
    expands = have == want || have == 1;
  }
  WICK_CHECK(expands, "The expanded size of the tensor (", shape[1], ") must match the existing size (",
             self.dim() ? self.sizes().back() : 1, ") at non-singleton dimension 1.  Target sizes: ", shape,
             ".  Tensor sizes: ", self.sizes());
  WICK_CHECK(self.scalar_type() == a.scalar_type(), "self and mat2 must have the same dtype, but got ", self.scalar_type(), " and ",
             b.scalar_type());
  return apply<Addmm>(self, a, b, factor_of(self, beta), factor_of(self, alpha));
}

Tensor mv(const Tensor& a, const Tensor& v) {
  WICK_CHECK(a.dim() == 2 && v.dim() == 1, "vector + matrix @ vector expected, got 1, ", a.dim(), ", ", v.dim());
  WICK_CHECK(a.sizes()[1] == v.sizes()[0], "size mismatch, got input (", a.sizes()[0], "), mat (", a.sizes()[0], "x", a.sizes()[1],
             "), vec (", v.sizes()[0], ")");
  return own(mm(a, v.unsqueeze(1)).squeeze(1));
}

Tensor dot(const Tensor& a, const Tensor& b) {
  WICK_CHECK(a.dim() == 1 && b.dim() == 1, "1D tensors expected, but got ", a.dim(), "D and ", b.dim(), "D tensors");
  WICK_CHECK(a.scalar_type() == b.scalar_type(), "dot : expected both vectors to have same dtype, but found ", a.scalar_type(), " and ",
             b.scalar_type());
  WICK_CHECK(a.numel() == b.numel(), "inconsistent tensor size, expected tensor ", a.sizes(), " and src ", b.sizes(),
             " to have the same number of elements, but got ", a.numel(), " and ", b.numel(), " elements respectively");
  return apply<Dot>(a, b);
}

Tensor outer(const Tensor& a, const Tensor& b) {
  WICK_CHECK(a.dim() == 1, "outer: Expected 1-D argument self, but got ", a.dim(), "-D");
  WICK_CHECK(b.dim() == 1, "outer: Expected 1-D argument vec2, but got ", b.dim(), "-D");
  return a.unsqueeze(1) * b;
}

Tensor linear(const Tensor& x, const Tensor& w, const Tensor& bias) {
  WICK_AUTOCAST(kLowPrecision, linear, x, w, bias);
  WICK_CHECK(x.dim() >= 1 && (w.dim() == 2 || w.dim() == 1), "linear(): both arguments need at least 1D, and weight at most 2D\n  ",
             describe("linear", {&x, &w, &bias}));
  if (w.dim() == 1 || x.dim() == 1) {
    const Tensor y = matmul(x, w.dim() == 1 ? w : w.t());
    return bias.defined() ? y + bias : y;
  }
  const int64_t in = x.sizes().back();
  WICK_CHECK(in == w.sizes()[1], "mat1 and mat2 shapes cannot be multiplied (", in == 0 ? 0 : x.numel() / in, "x", in, " and ",
             w.sizes()[1], "x", w.sizes()[0], ")\n  ", describe("linear", {&x, &w, &bias}),
             "\n  The last dimension of the input must be in_features, ", w.sizes()[1], ".");
  check_same_device("linear", {&x, &w, &bias});
  WICK_CHECK(x.scalar_type() == w.scalar_type(), "mat1 and mat2 must have the same dtype, but got ", x.scalar_type(), " and ",
             w.scalar_type(), "\n  ", describe("linear", {&x, &w, &bias}), "\n  Convert the input, or the module with to(dtype).");
  if (!bias.defined()) return apply<Linear>(x, w, bias);
  const bool row = bias.dim() == 1 && bias.sizes()[0] == w.sizes()[0] && bias.is_contiguous() && bias.scalar_type() == x.scalar_type();
  return row ? apply<Linear>(x, w, bias) : apply<Linear>(x, w, Tensor()) + bias;
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  WICK_AUTOCAST(kLowPrecision, matmul, a, b);
  const int64_t da = a.dim(), db = b.dim();
  WICK_CHECK(da > 0 && db > 0, "both arguments to matmul need to be at least 1D, but they are ", da, "D and ", db, "D");
  if (da == 1 && db == 1) return dot(a, b);
  if (da == 2 && db == 1) return mv(a, b);
  if (da == 1 && db == 2) return own(mm(a.unsqueeze(0), b).squeeze(0));
  if (da == 2 && db == 2) return mm(a, b);
  if (da == 1) return own(matmul(a.unsqueeze(0), b).squeeze(-2));
  if (db == 1) return own(matmul(a, b.unsqueeze(1)).squeeze(-1));
  if (db == 2) {  // one matrix for all: the batch is more rows
    check_matrices("matmul", a, b, a.sizes().back(), b.sizes()[0], a.sizes().slice(static_cast<size_t>(da - 2)), b.sizes());
    return own(mm(Linear::rows_of(a), b).view(Linear::with_last(a.sizes(), b.sizes()[1])));
  }
  return batched_matmul(a, b);
}

}  // namespace wick
