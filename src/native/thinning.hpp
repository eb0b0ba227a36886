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
#include <limits>

#include "dice.hpp"

namespace exactile {

// The sum of measures below a threshold, and the number of others.
struct Sum {
    double below;
    std::size_t others;
};

// Four sums side by side: an addition need not wait for the one before it.
template <typename Measure>
Sum sum_below(std::size_t count, Measure measure, double threshold) {
    double sums[4] = {0, 0, 0, 0};
    std::size_t others[4] = {0, 0, 0, 0};
    const auto add = [&](std::size_t k, std::size_t lane) {
        const double here = measure(k);
        const bool is_below = here < threshold;
        sums[lane] += is_below ? here : 0.0;
        others[lane] += is_below ? 0 : 1;
    };
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) add(k + lane, lane);
    for (; k < count; ++k) add(k, 0);
    return {(sums[0] + sums[1]) + (sums[2] + sums[3]),
            (others[0] + others[1]) + (others[2] + others[3])};
}

// Keep about `most` of `count` states, more of those with a greater `measure(k)`, which is not 0.
// `stay(k, c)` is called in order for each state that stays, with the measure that it stands for.
template <typename Measure, typename Stay>
void thin_out(std::size_t count, std::uint64_t most, Dice& dice, Measure measure, Stay stay) {
    const Sum sum = sum_below(count, measure, std::numeric_limits<double>::infinity());
    double threshold = sum.below / static_cast<double>(most);
    for (std::size_t sure = 0;;) {
        const Sum rest = sum_below(count, measure, threshold);
        if (rest.others <= sure || rest.others >= most) break;  // it might be fewer, by rounding
        sure = rest.others;
        threshold = rest.below / static_cast<double>(most - sure);
    }
    const double share = 1 / threshold;
    double passed = 0, due = dice.fraction();
    for (std::size_t k = 0; k < count; ++k) {
        const double here = measure(k);
        if (here >= threshold) {
            stay(k, here);
            continue;
        }
        passed += here * share;
        if (passed <= due) continue;
        due += 1;
        stay(k, threshold);
    }
}

}  // namespace exactile
