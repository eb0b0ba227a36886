// Shared by the searches for jumps: slices of time, and the number of jumps to the goals.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <vector>

#include "deadline.hpp"
#include "peg_board.hpp"

namespace exactile {

// Take steps for `seconds`, until one of them reports that it is done, or memory runs out.
template <typename Step>
PegStatus run_in_slices(PegStatus& status, double seconds, Step step) {
    constexpr std::uint64_t kStepsPerCheck = 32;
    const Clock::time_point deadline = deadline_in(seconds);
    try {
        for (std::uint64_t steps = 1; status == PegStatus::running; ++steps) {
            status = step();
            if (steps % kStepsPerCheck == 0 && Clock::now() >= deadline) break;
        }
    } catch (const std::bad_alloc&) {
        status = PegStatus::out_of_memory;
    }
    return status;
}

// The number of jumps from the start to the goals, -1 if they have more pegs. Throws
// std::invalid_argument if there are none or if they have different numbers of pegs.
inline int jumps_between(const PegBoard& board, Position start,
                         const std::vector<Position>& goals) {
    board.require(start);
    if (goals.empty()) throw std::invalid_argument("there is no goal");
    const int pegs = std::popcount(goals[0]);
    for (const Position goal : goals) {
        board.require(goal);
        if (std::popcount(goal) != pegs)
            throw std::invalid_argument("the goals have equally many pegs");
    }
    return std::max(std::popcount(start) - pegs, -1);
}

}  // namespace exactile
