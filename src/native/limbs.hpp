// Natural numbers of a fixed number of 32-bit limbs, least limb first.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace exactile {

using Limb = std::uint32_t;

// to += from; whether a carry is left over.
inline bool add_limbs(Limb* to, const Limb* from, std::size_t n) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < n; ++k) {
        carry += static_cast<std::uint64_t>(to[k]) + from[k];
        to[k] = static_cast<Limb>(carry);
        carry >>= 32;
    }
    return carry != 0;
}

// to -= from, which is not larger.
inline void subtract_limbs(Limb* to, const Limb* from, std::size_t n) {
    std::uint64_t borrow = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const std::uint64_t part = static_cast<std::uint64_t>(to[k]) - from[k] - borrow;
        to[k] = static_cast<Limb>(part);
        borrow = part >> 63;
    }
}

inline bool less_limbs(const Limb* a, const Limb* b, std::size_t n) {
    for (std::size_t k = n; k-- > 0;)
        if (a[k] != b[k]) return a[k] < b[k];
    return false;
}

inline bool is_zero(const Limb* a, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k)
        if (a[k] != 0) return false;
    return true;
}

// a := the remainder of a / b; quotient += the whole part, bit by bit. b is not zero.
inline void divide_limbs(Limb* a, const Limb* b, Limb* quotient, std::size_t n) {
    std::vector<Limb> rest(n + 1), divisor(b, b + n);
    divisor.push_back(0);
    for (std::size_t k = 32 * n; k-- > 0;) {
        for (std::size_t i = n; i > 0; --i) rest[i] = rest[i] << 1 | rest[i - 1] >> 31;
        rest[0] = rest[0] << 1 | (a[k / 32] >> k % 32 & 1);
        const bool fits = !less_limbs(rest.data(), divisor.data(), n + 1);
        if (fits) subtract_limbs(rest.data(), divisor.data(), n + 1);
        quotient[k / 32] |= Limb{fits} << k % 32;
    }
    std::copy_n(rest.begin(), n, a);
}

// to += a * b, where the result is known to fit.
inline void add_product(Limb* to, const Limb* a, const Limb* b, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t carry = 0;
        for (std::size_t j = 0; a[i] != 0 && i + j < n; ++j) {
            carry += static_cast<std::uint64_t>(a[i]) * b[j] + to[i + j];
            to[i + j] = static_cast<Limb>(carry);
            carry >>= 32;
        }
    }
}

}  // namespace exactile
