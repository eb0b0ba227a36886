// Sums of products of 64-bit words, modulo 2^128; also where the compiler has no such integers.

#pragma once

#include <cstdint>

namespace exactile {

#if defined(__SIZEOF_INT128__) && !defined(EXACTILE_NO_INT128)

__extension__ typedef unsigned __int128 Wide;

class ProductSum {
public:
    void add(std::uint64_t a, std::uint64_t b) { sum_ += static_cast<Wide>(a) * b; }
    // One of its four parts, the least first.
    std::uint32_t part(int k) const { return static_cast<std::uint32_t>(sum_ >> 32 * k); }

private:
    Wide sum_ = 0;
};

#else

class ProductSum {
public:
    void add(std::uint64_t a, std::uint64_t b) {
        constexpr std::uint64_t kLow = 0xffffffff;
        const std::uint64_t least = (a & kLow) * (b & kLow);
        const std::uint64_t middle = (a >> 32) * (b & kLow) + (least >> 32);
        const std::uint64_t other = (a & kLow) * (b >> 32) + (middle & kLow);
        const std::uint64_t low = other << 32 | (least & kLow);
        low_ += low;
        high_ += (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32) + (low_ < low);
    }
    // One of its four parts, the least first.
    std::uint32_t part(int k) const {
        return static_cast<std::uint32_t>((k < 2 ? low_ : high_) >> 32 * (k & 1));
    }

private:
    std::uint64_t low_ = 0, high_ = 0;
};

#endif

}  // namespace exactile
