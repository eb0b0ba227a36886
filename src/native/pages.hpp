// A growing array that never moves: pages of equal size, so that growth takes no long copy.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "deadline.hpp"

namespace exactile {

// Entry i is `stride` values of type T.
template <typename T>
class Pages {
public:
    explicit Pages(std::size_t stride) : stride_(stride) {}

    T* at(std::size_t i) { return &pages_[i >> kBits][(i & kLast) * stride_]; }
    const T* at(std::size_t i) const { return &pages_[i >> kBits][(i & kLast) * stride_]; }

    // Make room for entry i; new pages are all zero.
    T* reach(std::size_t i) {
        while (pages_.size() <= i >> kBits)
            pages_.push_back(std::make_unique<T[]>((kLast + 1) * stride_));
        return at(i);
    }

    // The same, at least one page and then others up to a deadline; whether all is done.
    bool reach_until(std::size_t i, Clock::time_point deadline) {
        while (pages_.size() <= i >> kBits) {
            reach(pages_.size() << kBits);
            if (Clock::now() >= deadline) return pages_.size() > i >> kBits;
        }
        return true;
    }

private:
    static constexpr std::size_t kBits = 14;
    static constexpr std::size_t kLast = (std::size_t{1} << kBits) - 1;

    std::size_t stride_;
    std::vector<std::unique_ptr<T[]>> pages_;
};

}  // namespace exactile
