// Eight 64-bit words at a time, for the instruction set that this file is compiled for.
//
// The includer defines EXACTILE_ISA, a namespace of its own, so that code compiled for several
// machines can stand in one library.

#pragma once

#include <bit>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace exactile::EXACTILE_ISA {

using Word = std::uint64_t;

#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512DQ__)

using Lanes = __m512i;

inline Lanes load(const Word* p) { return _mm512_load_si512(p); }
inline void store(Word* p, Lanes a) { _mm512_store_si512(p, a); }
inline Lanes splat(Word w) { return _mm512_set1_epi64(static_cast<long long>(w)); }
inline Lanes both(Lanes a, Lanes b) { return _mm512_and_si512(a, b); }
inline Lanes either(Lanes a, Lanes b) { return _mm512_or_si512(a, b); }
inline Lanes without(Lanes a, Lanes b) { return _mm512_andnot_si512(b, a); }
inline Lanes plus(Lanes a, Lanes b) { return _mm512_add_epi64(a, b); }
inline Lanes minus(Lanes a, Lanes b) { return _mm512_sub_epi64(a, b); }
inline Lanes population(Lanes a) { return _mm512_popcnt_epi64(a); }
inline Lanes shifted(Lanes a) { return _mm512_slli_epi64(a, 32); }
// The lesser of two signed numbers; in lanes without a bit in `mask`, the first.
inline Lanes lesser(Lanes a, unsigned mask, Lanes b) {
    return _mm512_mask_min_epi64(a, static_cast<__mmask8>(mask), a, b);
}
// Numbers above 1 that are less than those of `floor` become these.
inline Lanes raised(Lanes a, Lanes floor) {
    const __mmask8 several = _mm512_cmpgt_epi64_mask(a, _mm512_set1_epi64(1));
    return _mm512_mask_max_epi64(a, several, a, floor);
}
inline std::int64_t least(Lanes a) { return _mm512_reduce_min_epi64(a); }
// The lanes without a bit.
inline unsigned empty(Lanes a) { return _mm512_testn_epi64_mask(a, a); }

#elif defined(__AVX2__)

struct Lanes {
    __m256i low, high;
};

inline Lanes load(const Word* p) {
    const auto* q = reinterpret_cast<const __m256i*>(p);
    return {_mm256_load_si256(q), _mm256_load_si256(q + 1)};
}
inline void store(Word* p, Lanes a) {
    auto* q = reinterpret_cast<__m256i*>(p);
    _mm256_store_si256(q, a.low);
    _mm256_store_si256(q + 1, a.high);
}
inline Lanes splat(Word w) {
    const __m256i v = _mm256_set1_epi64x(static_cast<long long>(w));
    return {v, v};
}
inline Lanes both(Lanes a, Lanes b) {
    return {_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)};
}
inline Lanes either(Lanes a, Lanes b) {
    return {_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
}
inline Lanes without(Lanes a, Lanes b) {
    return {_mm256_andnot_si256(b.low, a.low), _mm256_andnot_si256(b.high, a.high)};
}
inline Lanes plus(Lanes a, Lanes b) {
    return {_mm256_add_epi64(a.low, b.low), _mm256_add_epi64(a.high, b.high)};
}
inline Lanes minus(Lanes a, Lanes b) {
    return {_mm256_sub_epi64(a.low, b.low), _mm256_sub_epi64(a.high, b.high)};
}
// The bits of each half byte by table, added up over the eight bytes of a word.
inline __m256i population(__m256i a) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i half = _mm256_set1_epi8(15);
    const __m256i one = _mm256_shuffle_epi8(table, _mm256_and_si256(a, half));
    const __m256i two = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(a, 4), half));
    return _mm256_sad_epu8(_mm256_add_epi8(one, two), _mm256_setzero_si256());
}
inline Lanes population(Lanes a) { return {population(a.low), population(a.high)}; }
inline Lanes shifted(Lanes a) {
    return {_mm256_slli_epi64(a.low, 32), _mm256_slli_epi64(a.high, 32)};
}
inline __m256i lesser(__m256i a, __m256i bits, unsigned mask, __m256i b) {
    const __m256i chosen = _mm256_and_si256(_mm256_set1_epi64x(mask), bits);
    const __m256i skipped = _mm256_cmpeq_epi64(chosen, _mm256_setzero_si256());
    const __m256i less = _mm256_andnot_si256(skipped, _mm256_cmpgt_epi64(a, b));
    return _mm256_blendv_epi8(a, b, less);
}
inline Lanes lesser(Lanes a, unsigned mask, Lanes b) {
    return {lesser(a.low, _mm256_setr_epi64x(1, 2, 4, 8), mask, b.low),
            lesser(a.high, _mm256_setr_epi64x(16, 32, 64, 128), mask, b.high)};
}
inline __m256i raised(__m256i a, __m256i floor) {
    const __m256i several = _mm256_cmpgt_epi64(a, _mm256_set1_epi64x(1));
    return _mm256_blendv_epi8(a, floor, _mm256_and_si256(several, _mm256_cmpgt_epi64(floor, a)));
}
inline Lanes raised(Lanes a, Lanes floor) {
    return {raised(a.low, floor.low), raised(a.high, floor.high)};
}
inline std::int64_t least(Lanes a) {
    const __m256i four = lesser(a.low, _mm256_set1_epi64x(1), 1, a.high);
    alignas(32) std::int64_t v[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(v), four);
    const std::int64_t x = v[0] < v[1] ? v[0] : v[1];
    const std::int64_t y = v[2] < v[3] ? v[2] : v[3];
    return x < y ? x : y;
}
inline unsigned empty(__m256i a) {
    const __m256i zero = _mm256_cmpeq_epi64(a, _mm256_setzero_si256());
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(zero)));
}
inline unsigned empty(Lanes a) { return empty(a.low) | empty(a.high) << 4; }

#else

struct Lanes {
    Word word[8];
};

template <typename Function>
inline Lanes lanewise(Function f) {
    Lanes result;
    for (int k = 0; k < 8; ++k) result.word[k] = f(k);
    return result;
}
inline Lanes load(const Word* p) {
    return lanewise([=](int k) { return p[k]; });
}
inline void store(Word* p, Lanes a) {
    for (int k = 0; k < 8; ++k) p[k] = a.word[k];
}
inline Lanes splat(Word w) {
    return lanewise([=](int) { return w; });
}
inline Lanes both(Lanes a, Lanes b) {
    return lanewise([&](int k) { return a.word[k] & b.word[k]; });
}
inline Lanes either(Lanes a, Lanes b) {
    return lanewise([&](int k) { return a.word[k] | b.word[k]; });
}
inline Lanes without(Lanes a, Lanes b) {
    return lanewise([&](int k) { return a.word[k] & ~b.word[k]; });
}
inline Lanes plus(Lanes a, Lanes b) {
    return lanewise([&](int k) { return a.word[k] + b.word[k]; });
}
inline Lanes minus(Lanes a, Lanes b) {
    return lanewise([&](int k) { return a.word[k] - b.word[k]; });
}
// Sums of bits side by side in ever wider fields: without a native instruction for it, this is
// what a compiler can do to several words at once.
inline Lanes population(Lanes a) {
    return lanewise([&](int k) {
        Word x = a.word[k];
        x -= (x >> 1) & 0x5555555555555555;
        x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333);
        x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
        x += x >> 8;
        x += x >> 16;
        return (x + (x >> 32)) & 127;
    });
}
inline Lanes shifted(Lanes a) {
    return lanewise([&](int k) { return a.word[k] << 32; });
}
inline Lanes lesser(Lanes a, unsigned mask, Lanes b) {
    return lanewise([&](int k) {
        const bool less =
            static_cast<std::int64_t>(b.word[k]) < static_cast<std::int64_t>(a.word[k]);
        return (mask >> k & 1) && less ? b.word[k] : a.word[k];
    });
}
inline Lanes raised(Lanes a, Lanes floor) {
    return lanewise([&](int k) {
        const auto x = static_cast<std::int64_t>(a.word[k]);
        return x > 1 && x < static_cast<std::int64_t>(floor.word[k]) ? floor.word[k] : a.word[k];
    });
}
inline std::int64_t least(Lanes a) {
    std::int64_t result = static_cast<std::int64_t>(a.word[0]);
    for (int k = 1; k < 8; ++k) {
        const std::int64_t x = static_cast<std::int64_t>(a.word[k]);
        result = x < result ? x : result;
    }
    return result;
}
inline unsigned empty(Lanes a) {
    unsigned result = 0;
    for (int k = 0; k < 8; ++k) result |= (a.word[k] == 0 ? 1u : 0u) << k;
    return result;
}

#endif

inline unsigned lowest(Word w) { return static_cast<unsigned>(std::countr_zero(w)); }
inline unsigned bits_in(Word w) { return static_cast<unsigned>(std::popcount(w)); }

// The bits of `w` that stand where `mask` has ones, side by side from the lowest place on.
inline Word gathered(Word w, Word mask) {
#if defined(__BMI2__)
    return _pext_u64(w, mask);
#else
    Word result = 0;
    for (unsigned place = 0; mask; mask &= mask - 1, ++place)
        result |= (w >> lowest(mask) & 1) << place;
    return result;
#endif
}

}  // namespace exactile::EXACTILE_ISA
