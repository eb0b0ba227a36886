// When a slice of work is to end: the clock of native code.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace exactile {

using Clock = std::chrono::steady_clock;

// Seconds of the machine in one of ours: 1 unless a test changes it. exactile.clock does the same
// in Python.
inline double second() {
    static const double told = [] {
        const char* text = std::getenv("EXACTILE_SECOND");
        const double value = text == nullptr ? 1 : std::strtod(text, nullptr);
        return value > 0 && value <= 1e9 ? value : 1;
    }();
    return told;
}

inline Clock::time_point deadline_in(double seconds) {
    const double lasting = seconds > 0 ? std::min(seconds * second(), 1e9) : 0;  // 0 if NaN
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(lasting));
}

inline double seconds_since(Clock::time_point begun) {
    return std::chrono::duration<double>(Clock::now() - begun).count() / second();
}

}  // namespace exactile
