// A hash of a few words, all of whose bits can be used.

#pragma once

#include <cstddef>
#include <cstdint>

namespace exactile {

// `Words` is their number if it is known, else 0.
template <std::size_t Words = 0>
inline std::uint64_t hash_of(const std::uint64_t* row, std::size_t words) {
    std::uint64_t h = 0x9e3779b97f4a7c15;
    for (std::size_t w = 0; w < (Words > 0 ? Words : words); ++w) {
        h = (h ^ row[w]) * 0xbf58476d1ce4e5b9;
        h ^= h >> 31;
    }
    h *= 0x94d049bb133111eb;
    return h ^ h >> 29;
}

}  // namespace exactile
