// Numbers that look random and depend on nothing but a seed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace exactile {

// Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014 (SplitMix64).
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    // A number from 0 on, below 1.
    double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    // A number from 0 on, below `count`, which is not 0 and far below 2^32.
    std::size_t below(std::size_t count) {
        return static_cast<std::size_t>((next() >> 32) * count >> 32);
    }

    template <typename T>
    const T& of(const std::vector<T>& values) {
        return values[below(values.size())];
    }

    template <typename T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[below(k)]);
    }

private:
    std::uint64_t state_;
};

}  // namespace exactile
