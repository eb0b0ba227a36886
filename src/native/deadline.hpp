// When a slice of work is to end.

#pragma once

#include <algorithm>
#include <chrono>

namespace exactile {

inline std::chrono::steady_clock::time_point deadline_in(double seconds) {
    const double capped = std::clamp(seconds, 0.0, 1e6);
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
               std::chrono::duration<double>(capped));
}

}  // namespace exactile
