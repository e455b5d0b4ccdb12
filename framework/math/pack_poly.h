// exp, tanh, sigmoid and log1p_exp for packs, log, erf and erfc for float: what activations and losses are made of. Included by pack.h.
//
// libmvec has most of them, but calls the scalar library for each lane whose argument or result is out of the ordinary, as those of a
// softmax or a sigmoid often are, and is less accurate. Here all lanes take the same path. The method is the classical one (W. J. Cody and
// W. Waite, Software Manual for the Elementary Functions, 1980): a reduction to a short interval that is exact but for one rounding,
// then a polynomial. The coefficients minimise the largest relative error of the result (Remez's exchange algorithm) and were then
// rounded to T. Both instruction sets give the same bits.
//
// Largest errors found, in units in the last place (float: every seventh number; double: samples):
//           exp   log   tanh  sigmoid  log1p_exp  erf   erfc
//   float   1.01  0.83  1.61  1.48     2.8        1.67  3.22
//   double  1.02  -     1.87  1.46     2.5        -     -
// pack_test.cc checks them, as well as zeros, subnormal numbers, infinities and NaN.
#pragma once

namespace wick::math::WICK_ISA {

// c[0] + c[1] x + c[2] x^2 + ...
template <class T, class... Rest>
WICK_INLINE Pack<T> polynomial(Pack<T> x, Pack<T> c0, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return c0;
  } else {
    return fma(polynomial(x, Pack<T>(rest)...), x, c0);
  }
}

template <class T>
inline constexpr bool kIsFloat = std::is_same_v<T, float>;
template <class T>
inline constexpr int kMantissaBits = kIsFloat<T> ? 23 : 52;
template <class T>
inline constexpr int kExponentBias = kIsFloat<T> ? 127 : 1023;

// x >= 0, or its negative where y has a minus sign.
template <class T>
WICK_INLINE Pack<T> with_sign_of(Pack<T> x, Pack<T> y) {
  return Pack<T>::from_int_bits(x.int_bits() | (y.int_bits() & Pack<T>(T(-0.0)).int_bits()));
}

// x = (n ln 2 + r) / factor with a whole number n and |r| <= ln 2 / 2. The factor is a power of two.
template <class T>
struct ReducedByLn2 {
  Pack<T> n;
  Pack<T> r;
  // n + bias in the lowest bits of each lane, something else above.
  typename Pack<T>::IntVector biased_n;
};

template <class T, int bias = 0, int factor = 1>
WICK_INLINE ReducedByLn2<T> reduce_by_ln2(Pack<T> x) {
  // Where neighbours are 1 apart, a sum is rounded to a whole number, which is found in its low bits.
  constexpr T kShift = (kIsFloat<T> ? T(0x1.8p23) : T(0x1.8p52)) + T(bias);
  // n times the first part of ln 2 is exact, and so is its difference from x.
  constexpr T kLn2High = kIsFloat<T> ? T(0x1.62ep-1) : T(0x1.62e42fefa2p-1);
  constexpr T kLn2Low = kIsFloat<T> ? T(0x1.0bfbe8p-15) : T(0x1.9ef35793c7673p-41);
  const Pack<T> shifted = fma(x, Pack<T>(T(0x1.71547652b82fep+0) * factor), kShift);
  const Pack<T> n = shifted - kShift;
  return {n, fma(n, Pack<T>(-kLn2Low / factor), fma(n, Pack<T>(-kLn2High / factor), x)), shifted.int_bits()};
}

// exp(x) for x so small or large at most that the next number's result is 0 or infinity.
template <class T>
WICK_INLINE Pack<T> exp_in_range(Pack<T> x) {
  const auto [n, r, biased_n] = reduce_by_ln2<T, 2 * kExponentBias<T>>(x);
  Pack<T> q;  // (exp(r) - 1 - r) / r^2
  if constexpr (kIsFloat<T>) {
    q = polynomial(r, Pack<T>(0x1.fffffcp-2f), 0x1.55549p-3f, 0x1.5558f4p-5f, 0x1.123a6cp-7f, 0x1.6a237ep-10f);
  } else {
    q = polynomial(r, Pack<T>(0x1.000000000000ap-1), 0x1.55555555554f9p-3, 0x1.55555555507f1p-5, 0x1.1111111127e8ap-7,
                   0x1.6c16c1844aff9p-10, 0x1.a01a0129b26b4p-13, 0x1.a01999adcf23cp-16, 0x1.71df263029b28p-19,
                   0x1.28adce707e882p-22, 0x1.ad7efd17a0ddap-26);
  }
  const Pack<T> p = T(1) + fma(q, r * r, r);
#if defined(__AVX512F__)
  return Pack<T>(Native<T>::scale(p.v, n.v));
#else
  // p 2^n in two steps, of which only the second can round (to infinity or to a subnormal number): n is halved, rounding down, in the
  // place of the exponent, where n + 2 bias is the sum of the exponents of two powers of two.
  constexpr int kBits = kMantissaBits<T>;
  const auto first = (biased_n << (kBits - 1)) & Pack<T>(-T(__builtin_huge_val())).int_bits();
  return p * Pack<T>::from_int_bits(first) * Pack<T>::from_int_bits((biased_n << kBits) - first);
#endif
}

// Below the first the result of exp is 0, above the second it is infinity.
template <class T>
inline constexpr T kLowestExponent = kIsFloat<T> ? T(-104) : T(-746);
template <class T>
inline constexpr T kHighestExponent = kIsFloat<T> ? T(89) : T(710);

template <class T>
WICK_INLINE Pack<T> exp(Pack<T> x) {
  return exp_in_range(min(max(x, Pack<T>(kLowestExponent<T>)), Pack<T>(kHighestExponent<T>)));
}

// exp(-|x|)
template <class T>
WICK_INLINE Pack<T> exp_of_minus_abs(Pack<T> x) { return exp_in_range(max(-abs(x), Pack<T>(kLowestExponent<T>))); }

// x / (1 + y) for y > 0 and x = 1 or x = y. The remainder x - (1 + y) quotient, for which 1 + y need not be rounded and in which the
// first difference is exact where it matters, mends the roundings of 1 + y and of the quotient.
template <class T>
WICK_INLINE Pack<T> divide_by_one_plus(Pack<T> x, Pack<T> y) {
  const Pack<T> inverse = T(1) / (T(1) + y);
  const Pack<T> quotient = x * inverse;
  return fma(fma(-quotient, y, x - quotient), inverse, quotient);
}

// With e = (exp(2|x|) - 1) / 2, tanh |x| = e / (e + 1), which loses nothing for small x.
template <class T>
WICK_INLINE Pack<T> tanh(Pack<T> x) {
  // From here on tanh rounds to 1.
  const Pack<T> magnitude = min(abs(x), Pack<T>(kIsFloat<T> ? T(9.02) : T(19.1)));
  const auto [n, r, biased_n] = reduce_by_ln2<T, kExponentBias<T>, 2>(magnitude);
  Pack<T> q;  // ((exp(2r) - 1) / 2 - r) / r^2
  if constexpr (kIsFloat<T>) {
    q = polynomial(r, Pack<T>(0x1p-0f), 0x1.555556p-1f, 0x1.55549ep-2f, 0x1.11101cp-3f, 0x1.6d83f6p-5f, 0x1.a2a438p-7f);
  } else {
    q = polynomial(r, Pack<T>(0x1.0000000000001p-0), 0x1.5555555555557p-1, 0x1.5555555554d2ep-2, 0x1.11111111100c8p-3,
                   0x1.6c16c16f0e1d1p-5, 0x1.a01a01abf35ddp-7, 0x1.a019f38a98cc1p-9, 0x1.71de020b78b5cp-11,
                   0x1.2802316e58800p-13, 0x1.af4e3c04d2d65p-16, 0x1.e6333ed0af976p-19);
  }
  const Pack<T> power = Pack<T>::from_int_bits(biased_n << kMantissaBits<T>);
  const Pack<T> e = fma(fma(q, r * r, r), power, fma(power, Pack<T>(T(0.5)), Pack<T>(T(-0.5))));
  return with_sign_of(divide_by_one_plus(e, e), x);
}

// As in scalar.h.
template <class T>
WICK_INLINE Pack<T> sigmoid(Pack<T> x) {
  const Pack<T> e = exp_of_minus_abs(x);
  return divide_by_one_plus(select(x < Pack<T>(T(0)), e, Pack<T>(T(1))), e);
}

// max(x, 0) + log(1 + e) with e = exp(-|x|). As e <= 1, log(1 + e) = 2 artanh(s / 2) with s = e / (1 + e / 2) <= 2/3
// needs no reduction.
template <class T>
WICK_INLINE Pack<T> log1p_exp(Pack<T> x) {
  const Pack<T> e = exp_of_minus_abs(x);
  const Pack<T> s = e / fma(e, Pack<T>(T(0.5)), Pack<T>(T(1)));
  const Pack<T> z = s * s;
  Pack<T> q;  // (2 artanh(s / 2) - s) / s^3
  if constexpr (kIsFloat<T>) {
    q = polynomial(z, Pack<T>(0x1.555558p-4f), 0x1.9996bp-7f, 0x1.2508bp-9f, 0x1.b6e6dp-12f, 0x1.f17332p-14f);
  } else {
    q = polynomial(z, Pack<T>(0x1.5555555555556p-4), 0x1.999999999956cp-7, 0x1.24924924c14a1p-9, 0x1.c71c71a631ed6p-12,
                   0x1.745d1df4f2f46p-14, 0x1.3b12d750fa164p-16, 0x1.11232cc5dd65fp-18, 0x1.dfe4c65b6c207p-21,
                   0x1.c16153da04dfcp-23, 0x1.1eb2ca2e2183fp-25, 0x1.5114c87922833p-26);
  }
  return max(x, Pack<T>(T(0))) + fma(s * z, q, s);
}

// x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); log x = k ln 2 + f - f^2/2 + f^3 q(f).
WICK_INLINE Pack<float> log(Pack<float> x) {
  using P = Pack<float>;
  const Mask<float> subnormal = x < P(0x1p-126f);
  const P normal = select(subnormal, x * 0x1p23f, x);
  // The bits of x / sqrt(1/2), as it were: k + 127 and the distance of 1 + f from sqrt(1/2).
  const P::IntVector root_half = P(0x1.6a09e6p-1f).int_bits();
  const P::IntVector bits = normal.int_bits() + (P(1.f).int_bits() - root_half);
  const P k = P(__builtin_convertvector((P::SignedVector)(bits >> 23), P::Vector)) - select(subnormal, P(150.f), P(127.f));
  const P f = P::from_int_bits((bits & 0x7fffffu) + root_half) - 1.f;
  const P q = polynomial(f, P(0x1.555548p-2f), -0x1.000006p-2f, 0x1.99a4b8p-3f, -0x1.555c4ep-3f, 0x1.23373cp-3f, -0x1.fc219p-4f,
                         0x1.e6f2aep-4f, -0x1.de4036p-4f, 0x1.145788p-4f);
  const P z = f * f;
  const P tail = fma(P(-0.5f), z, fma(f * z, q, k * 0x1.0bfbe8p-15f));
  const P result = fma(k, P(0x1.62ep-1f), f + tail);
  const P infinity(__builtin_huge_valf());
  return select(x > P(0.f), select(x < infinity, result, infinity), select(x == P(0.f), -infinity, P(__builtin_nanf(""))));
}

// Lane i of the result is the coefficient numbered index[i] mod 8.
template <class... C>
WICK_INLINE Pack<float> look_up(Pack<float>::IntVector index, C... c) {
#if defined(__AVX512F__)
  return Pack<float>(_mm512_maskz_permutexvar_ps(0xffff, (__m512i)index, __m512{c..., c...}));
#else
  return Pack<float>(_mm256_permutevar8x32_ps(__m256{c...}, (__m256i)index));
#endif
}

// |x| g(|x|) with g(x) = erf(x) / x, which is smooth at 0: on each of the eight intervals of length 1/2 that make up [0, 4] a polynomial
// in the distance from a point near its middle, chosen so that all eight values of g there are almost exact in float.
WICK_INLINE Pack<float> erf(Pack<float> x) {
  using P = Pack<float>;
  // From here on the result is 1, and this formula's is exactly so here.
  const P magnitude = min(abs(x), P(3.92f));
  const P twice = magnitude + magnitude;
  const auto interval = (P::IntVector)__builtin_convertvector(twice.v, P::SignedVector);
  const P t = fma(P(-0.5f), floor(twice), magnitude) - 0.257871866f;
  P g = look_up(interval, -0.0179326646f, 0.0141551746f, 0.00998173468f, -0.0033128541f,
                          -0.00281618722f, -0.000361624843f, 0.000136043673f, 8.92757671e-05f);
  g = fma(g, t, look_up(interval, -0.0358174853f, -0.0366020799f, 0.0085575087f, 0.0147055062f,
                                  0.00343874958f, -0.000691739842f, -0.000710696389f, -0.000351439783f));
  g = fma(g, t, look_up(interval, 0.0876201913f, -0.0263096765f, -0.0576489158f, -0.0190945417f,
                                  0.002990484f, 0.00469379127f, 0.00262024975f, 0.00133023877f));
  g = fma(g, t, look_up(interval, 0.107472785f, 0.168518633f, 0.0645213574f, -0.0142835779f,
                                  -0.0254158173f, -0.0160912443f, -0.00881024264f, -0.00501224212f));
  g = fma(g, t, look_up(interval, -0.332845569f, -0.0962283239f, 0.086175181f, 0.113764279f,
                                  0.0785086602f, 0.0470337495f, 0.0288895164f, 0.0188431535f));
  g = fma(g, t, look_up(interval, -0.186425537f, -0.408581495f, -0.400094718f, -0.290227711f,
                                  -0.192826793f, -0.131261408f, -0.094208695f, -0.0708132759f));
  g = fma(g, t, look_up(interval, 1.10385871f, 0.944997251f, 0.735165298f, 0.561520696f,
                                  0.44227156f, 0.36256358f, 0.306947589f, 0.266108036f));
  return with_sign_of(min(magnitude * g, P(1.f)), x);
}

// exp(-x^2) h(|x|) with h(x) = exp(x^2) erfc(x), and 2 - that for negative x. h falls slowly: on each of eight intervals that end where
// |x| + 3/4 is a power of two or half more, up to 10.5, it is a polynomial in the distance from a point near the middle, as above.
WICK_INLINE Pack<float> erfc(Pack<float> x) {
  using P = Pack<float>;
  // From here on the result is 0, and this formula's is exactly so here.
  const P magnitude = min(abs(x), P(10.06f)), square = magnitude * magnitude;
  const auto interval = ((magnitude + 0.75f).int_bits() >> 22) - 253;
  const P t = magnitude - look_up(interval, 0.129882812f, 0.501220703f, 0.976074219f, 1.7265625f,
                                  2.734375f, 4.19824219f, 6.27734375f, 8.50661659f);
  P h = look_up(interval, -0.0813035443f, -0.0140672363f, -0.00293062441f, -0.00035847706f,
                          -3.50717237e-05f, -2.52331847e-06f, -1.66294342e-07f, -1.47257628e-08f);
  h = fma(h, t, look_up(interval, 0.10485217f, 0.0313348733f, 0.00755714579f, 0.00115183648f,
                                  0.000139150987f, 1.36924227e-05f, 1.10760595e-06f, 1.51438471e-07f));
  h = fma(h, t, look_up(interval, -0.196191028f, -0.0637425855f, -0.0176936388f, -0.0031770037f,
                                  -0.000495283282f, -6.26181718e-05f, -7.20972321e-06f, -1.30210981e-06f));
  h = fma(h, t, look_up(interval, 0.340931654f, 0.123753794f, 0.0396236703f, 0.00875951443f,
                                  0.00175722304f, 0.000299693056f, 4.84880729e-05f, 1.14629938e-05f));
  h = fma(h, t, look_up(interval, -0.536727607f, -0.221405029f, -0.0829205364f, -0.0230640955f,
                                  -0.00604290888f, -0.00141634711f, -0.000322589563f, -0.000100795318f));
  h = fma(h, t, look_up(interval, 0.751551449f, 0.358534306f, 0.160189658f, 0.0573571734f,
                                  0.0200393181f, 0.00654714787f, 0.00212201872f, 0.000880401116f));
  h = fma(h, t, look_up(interval, -0.902695775f, -0.511812508f, -0.280737072f, -0.1336274f,
                                  -0.0638594702f, -0.0296108462f, -0.0138044944f, -0.00764042186f));
  h = fma(h, t, look_up(interval, 0.86879617f, 0.615065038f, 0.434209853f, 0.288072914f,
                                  0.194655031f, 0.130860522f, 0.0887775719f, 0.0658745319f));
  // exp(-x^2) = exp(-square) (1 - what the rounding of the square left).
  const P right = exp_in_range(-square) * fma(h, -fma(magnitude, magnitude, -square), h);
  return select(x < P(0.f), P(2.f) - right, right);
}

}  // namespace wick::math::WICK_ISA
