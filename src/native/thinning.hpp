// Chooses which of many states stay: about as many as are allowed, without bias.
//
// Fearnhead, Clifford: "On-line inference for hidden Markov models via particle filters", 2003. A
// state stays for sure if its measure is at least a threshold c, else with the chance measure / c,
// and then it counts for c instead; c is such that `most` stay on average. One random number
// decides for all of them, in the order in which they came: related states stand together, and some
// stay.

#pragma once

#include <cstddef>
#include <cstdint>

#include "dice.hpp"

namespace exactile {

// Keep about `most` of `count` states, more of those with a greater `measure(k)`, which is not 0.
// `stay(k, c)` is called in order for each state that stays, with the measure that it stands for.
template <typename Measure, typename Stay>
void thin_out(std::size_t count, std::uint64_t most, Dice& dice, Measure measure, Stay stay) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += measure(k);
    double threshold = sum / static_cast<double>(most);
    for (std::size_t sure = 0;;) {
        double rest = 0;
        std::size_t above = 0;
        for (std::size_t k = 0; k < count; ++k)
            if (measure(k) >= threshold)
                ++above;
            else
                rest += measure(k);
        if (above <= sure || above >= most) break;  // it might be fewer, by rounding
        sure = above;
        threshold = rest / static_cast<double>(most - sure);
    }
    double passed = 0, due = dice.fraction();
    for (std::size_t k = 0; k < count; ++k) {
        const double here = measure(k);
        if (here >= threshold) {
            stay(k, here);
            continue;
        }
        passed += here / threshold;
        if (passed <= due) continue;
        due += 1;
        stay(k, threshold);
    }
}

}  // namespace exactile
