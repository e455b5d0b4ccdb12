#include "wick/framework/cpu/dnnl/conv.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "dnnl.hpp"
#include "wick/framework/core/allocator.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/dnnl/threads.h"

namespace wick::cpu {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}
dnnl::stream& stream() {
  static thread_local dnnl::stream current(engine());
  return current;
}

// Memory from the cache of blocks.
class Block {
 public:
  explicit Block(size_t bytes) : bytes_(bytes), data_(bytes ? cpu_allocate(bytes) : nullptr) {}
  ~Block() {
    if (data_) cpu_free(data_, bytes_);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  void* data() const { return data_; }

 private:
  size_t bytes_;
  void* data_;
};

// One operand: as our tensors lie, and as the convolution wants it.
struct Operand {
  memory::desc plain, wanted;
  dnnl::reorder reorder;  // from the one to the other; empty where they are the same

  void prepare(bool is_result) {
    if (wanted == plain) return;
    const memory::desc& from = is_result ? wanted : plain;
    const memory::desc& to = is_result ? plain : wanted;
    reorder = dnnl::reorder(dnnl::reorder::primitive_desc(engine(), from, engine(), to));
  }
  size_t extra_bytes() const { return reorder ? wanted.get_size() : 0; }
};

// What is worked out once for a shape.
struct Prepared {
  dnnl::primitive primitive;  // empty where oneDNN cannot
  Operand x, w, y;
  memory::desc bias, scratchpad;
};

memory::dims dims_of(std::initializer_list<int64_t> head, const int64_t* tail, int first) {
  memory::dims dims(head);
  dims.insert(dims.end(), tail + first, tail + kConvDims);
  return dims;
}

// The geometry of a shape in oneDNN's terms, without the leading dimensions that are not there.
struct Geometry {
  memory::dims x, w, y, stride, dilation, low, high;
  bool valid = true;

  explicit Geometry(const ConvShape& s) {
    int first = 0;
    while (first < kConvDims - 1 && s.input[first] == 1 && s.kernel[first] == 1 && s.output[first] == 1 && s.padding[first] == 0) ++first;
    x = dims_of({s.batch, s.in_channels}, s.input, first);
    y = dims_of({s.batch, s.out_channels}, s.output, first);
    w = s.groups == 1 ? dims_of({s.out_channels, s.in_channels}, s.kernel, first)
                      : dims_of({s.groups, s.out_channels / s.groups, s.in_channels / s.groups}, s.kernel, first);
    for (int d = first; d < kConvDims; ++d) {
      const int64_t reach = (s.kernel[d] - 1) * s.dilation[d] + 1;
      // Padding at the high end; negative where no window reaches the end of the input, which oneDNN wants as 0.
      const int64_t end = std::max<int64_t>(0, (s.output[d] - 1) * s.stride[d] + reach - s.input[d] - s.padding[d]);
      valid = valid && (s.input[d] + s.padding[d] + end - reach) / s.stride[d] + 1 == s.output[d];
      stride.push_back(s.stride[d]);
      dilation.push_back(s.dilation[d] - 1);
      low.push_back(s.padding[d]);
      high.push_back(end);
    }
  }
};

memory::desc plain_desc(const memory::dims& dims) {
  static constexpr Tag kPlain[] = {Tag::undef, Tag::a, Tag::ab, Tag::abc, Tag::abcd, Tag::abcde, Tag::abcdef};
  return memory::desc(dims, memory::data_type::f32, kPlain[dims.size()]);
}
memory::desc any_desc(const memory::dims& dims) { return memory::desc(dims, memory::data_type::f32, Tag::any); }

dnnl::primitive_attr own_scratchpad() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

constexpr dnnl::algorithm kDirect = dnnl::algorithm::convolution_direct;

// The descriptors of oneDNN 2 and 3 take the same arguments, in 2 by way of an object of their own.
#if DNNL_VERSION_MAJOR >= 3
template <class Primitive, class... Hint>
auto describe_backward(const Geometry& g, const memory::desc& a, const memory::desc& b, const memory::desc& c, const Hint&... hint) {
  return typename Primitive::primitive_desc(engine(), kDirect, a, b, c, g.stride, g.dilation, g.low, g.high, hint..., own_scratchpad());
}
auto describe_forward(const Geometry& g, dnnl::prop_kind prop, const memory::desc& x, const memory::desc& w, const memory::desc& bias,
                      const memory::desc& y) {
  return dnnl::convolution_forward::primitive_desc(engine(), prop, kDirect, x, w, bias, y, g.stride, g.dilation, g.low, g.high,
                                                   own_scratchpad());
}
#else
template <class Primitive, class... Hint>
auto describe_backward(const Geometry& g, const memory::desc& a, const memory::desc& b, const memory::desc& c, const Hint&... hint) {
  const typename Primitive::desc desc(kDirect, a, b, c, g.stride, g.dilation, g.low, g.high);
  return typename Primitive::primitive_desc(desc, own_scratchpad(), engine(), hint...);
}
auto describe_forward(const Geometry& g, dnnl::prop_kind prop, const memory::desc& x, const memory::desc& w, const memory::desc& bias,
                      const memory::desc& y) {
  const dnnl::convolution_forward::desc desc(prop, kDirect, x, w, bias, y, g.stride, g.dilation, g.low, g.high);
  return dnnl::convolution_forward::primitive_desc(desc, own_scratchpad(), engine());
}
#endif

template <class Primitive, class Desc>
void take(Prepared& p, const Desc& desc, const memory::desc& x, const memory::desc& w, const memory::desc& y) {
  p.x.wanted = x;
  p.w.wanted = w;
  p.y.wanted = y;
  p.scratchpad = desc.scratchpad_desc();
  p.primitive = Primitive(desc);
}

void prepare(Prepared& p, ConvKind kind, const ConvShape& s, bool has_bias) {
  const Geometry g(s);
  if (!g.valid) return;
  p.x.plain = plain_desc(g.x);
  p.w.plain = plain_desc(g.w);
  p.y.plain = plain_desc(g.y);
  if (has_bias) p.bias = plain_desc({s.out_channels});
  const memory::desc x = any_desc(g.x), w = any_desc(g.w), y = any_desc(g.y);
  const auto forward = describe_forward(g, dnnl::prop_kind::forward_training, x, w, p.bias, y);
  if (kind == ConvKind::kForward) {
    take<dnnl::convolution_forward>(p, forward, forward.src_desc(), forward.weights_desc(), forward.dst_desc());
  } else if (kind == ConvKind::kBackwardInput) {
    const auto desc = describe_backward<dnnl::convolution_backward_data>(g, x, w, y, forward);
    take<dnnl::convolution_backward_data>(p, desc, desc.diff_src_desc(), desc.weights_desc(), desc.diff_dst_desc());
  } else {
    const auto desc = describe_backward<dnnl::convolution_backward_weights>(g, x, w, y, forward);
    take<dnnl::convolution_backward_weights>(p, desc, desc.src_desc(), desc.diff_weights_desc(), desc.diff_dst_desc());
  }
  p.x.prepare(kind == ConvKind::kBackwardInput);
  p.w.prepare(kind == ConvKind::kBackwardWeight);
  p.y.prepare(kind == ConvKind::kForward);
}

// ---- The cache ---------------------------------------------------------------------------------------------------------------------

constexpr size_t kShapeNumbers = sizeof(ConvShape) / sizeof(int64_t);
static_assert(sizeof(ConvShape) % sizeof(int64_t) == 0);
using Key = std::array<int64_t, kShapeNumbers + 3>;  // the shape, the kind, bias or not, and the threads it was prepared for

struct KeyHash {
  size_t operator()(const Key& key) const {
    uint64_t h = 0xcbf29ce484222325;
    for (const int64_t value : key) h = (h ^ static_cast<uint64_t>(value)) * 0x9e3779b97f4a7c15;
    return h ^ h >> 32;
  }
};

Key key_of(ConvKind kind, const ConvShape& s, bool has_bias, int threads) {
  Key key;
  __builtin_memcpy(key.data(), &s, sizeof s);
  key[kShapeNumbers] = static_cast<int64_t>(kind);
  key[kShapeNumbers + 1] = has_bias;
  key[kShapeNumbers + 2] = threads;
  return key;
}

class Cache {
 public:
  std::shared_ptr<const Prepared> get(const Key& key, ConvKind kind, const ConvShape& s, bool has_bias) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = map_.find(key); found != map_.end()) return found->second;
    }
    auto made = std::make_shared<Prepared>();
    try {
      prepare(*made, kind, s, has_bias);
    } catch (const dnnl::error&) {
      *made = Prepared();  // remembered, so that the next call need not try
    }
    const std::lock_guard lock(mutex_);
    if (map_.size() >= kMaxShapes) map_.clear();
    return map_.emplace(key, std::move(made)).first->second;
  }

 private:
  static constexpr size_t kMaxShapes = 512;
  std::mutex mutex_;
  std::unordered_map<Key, std::shared_ptr<const Prepared>, KeyHash> map_;
};

Cache& cache() {
  static Cache* const shared = new Cache;  // outlives whatever threads still compute at the end
  return *shared;
}

// ---- Running -----------------------------------------------------------------------------------------------------------------------

// Where the convolution finds one operand, with the reorders around it.
class Bound {
 public:
  explicit Bound(const Operand& operand)
      : operand_(operand), plain_(operand.plain, engine(), nullptr),
        wanted_(operand.reorder ? memory(operand.wanted, engine(), nullptr) : plain_) {}
  // `block` has room for extra_bytes().
  void bind(void* data, void* block) {
    plain_.set_data_handle(data);
    if (operand_.reorder) wanted_.set_data_handle(block);
  }
  void bring_in() {
    if (operand_.reorder) run(plain_, wanted_);
  }
  void bring_out() {
    if (operand_.reorder) run(wanted_, plain_);
  }
  const Operand& operand() const { return operand_; }
  const memory& wanted() const { return wanted_; }

 private:
  void run(memory& from, memory& to) {
    dnnl::reorder reorder = operand_.reorder;
    reorder.execute(stream(), from, to);
  }

  const Operand& operand_;
  memory plain_, wanted_;
};

// oneDNN's objects for one shape, which one thread uses again and again: making them anew takes longer than a small convolution.
class Execution {
 public:
  Execution(std::shared_ptr<const Prepared> prepared, ConvKind kind, bool has_bias)
      : prepared_(std::move(prepared)), kind_(kind), x_(prepared_->x), w_(prepared_->w), y_(prepared_->y) {
    const bool weight = kind == ConvKind::kBackwardWeight;
    scratchpad_ = memory(prepared_->scratchpad, engine(), nullptr);
    operands_ = {{kind == ConvKind::kBackwardInput ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, x_.wanted()},
                 {weight ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS, w_.wanted()},
                 {kind == ConvKind::kForward ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, y_.wanted()},
                 {DNNL_ARG_SCRATCHPAD, scratchpad_}};
    if (has_bias) operands_.emplace(DNNL_ARG_BIAS, bias_ = memory(prepared_->bias, engine(), nullptr));
  }

  void run(const ConvArgs& args) {
    const bool forward = kind_ == ConvKind::kForward, weight = kind_ == ConvKind::kBackwardWeight;
    const Block x(x_.operand().extra_bytes()), w(w_.operand().extra_bytes()), y(y_.operand().extra_bytes());
    const Block scratchpad(prepared_->scratchpad.get_size());
    // The result first, then x, w and y in this order as far as they are read.
    x_.bind(args.buffers[forward || weight ? 1 : 0].data, x.data());
    w_.bind(args.buffers[weight ? 0 : 2].data, w.data());
    y_.bind(args.buffers[forward ? 0 : weight ? 2 : 1].data, y.data());
    scratchpad_.set_data_handle(scratchpad.data());
    if (bias_) bias_.set_data_handle(args.buffers[3].data);
    Bound& result = forward ? y_ : weight ? w_ : x_;
    for (Bound* operand : {&x_, &w_, &y_}) {
      if (operand != &result) operand->bring_in();
    }
    prepared_->primitive.execute(stream(), operands_);
    result.bring_out();
  }

 private:
  std::shared_ptr<const Prepared> prepared_;
  ConvKind kind_;
  Bound x_, w_, y_;
  memory scratchpad_, bias_;
  std::unordered_map<int, memory> operands_;
};

}  // namespace

bool dnnl_conv(ConvKind kind, const ConvArgs& args) {
  static constexpr size_t kMaxKept = 64;
  static thread_local std::unordered_map<Key, std::unique_ptr<Execution>, KeyHash> kept;
  // With several threads oneDNN divides the batch among them, and joins their sums.
  const int count = kind == ConvKind::kBackwardWeight && args.deterministic ? 1 : get_num_threads();
  const OneDnnThreads threads(count);
  const bool has_bias = kind == ConvKind::kForward && args.buffers[3].data != nullptr;
  const Key key = key_of(kind, args.shape, has_bias, count);
  auto found = kept.find(key);
  if (found == kept.end()) {
    auto prepared = cache().get(key, kind, args.shape, has_bias);
    if (!prepared->primitive) return false;
    if (kept.size() >= kMaxKept) kept.clear();
    found = kept.emplace(key, std::make_unique<Execution>(std::move(prepared), kind, has_bias)).first;
  }
  found->second->run(args);
  return true;
}

}  // namespace wick::cpu
