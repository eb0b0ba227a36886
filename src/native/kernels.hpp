// The kernels, each compiled for several instruction sets; the best for this machine is taken.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "search.hpp"

namespace exactile {

enum class Method { kBits, kSparse };

// Which nodes without solutions are given up early; see prune.hpp. The solutions are the same.
struct Prunings {
    bool components = false;
    bool balance = false;
    Index pieces = 0;  // the first items are pieces, the next ones units
    Index units = 0;
    std::vector<std::vector<Index>> shades;  // weights of items in which units must balance
};

// Which items count as equal to the one with the fewest branches: while more than `until` items are
// open, all with at most `branches` branches; but one with a single branch is better. Of equal
// items, the one with the lowest number is taken.
struct Nearness {
    Index branches = 1;
    Index until = 0;

    Index at(std::size_t open) const {
        return open > static_cast<std::size_t>(until) ? branches : 1;
    }
};

// How to search.
struct Tuning {
    Method method = Method::kBits;
    bool endgame = true;  // whether small remainders are searched by the code for these
    std::string isa;      // instruction set, or empty for the best that there is
    Prunings prunings;
    Nearness near = {};
};

// The instruction sets that this machine has and this library is compiled for, best first.
std::vector<std::string> instruction_sets();

// A kernel; problem and tuning must outlive it. Throws std::invalid_argument for an unknown
// instruction set.
std::unique_ptr<Kernel> make_kernel(const Problem& problem, const Tuning& tuning);

// Looks for a mask that has no bit in common with a state, eight masks at a time: their first
// words, then their second ones, and so on, aligned to 64 bytes. Returns its number, or 8 * groups.
using FreeMask = std::size_t (*)(const std::uint64_t* masks, std::size_t groups,
                                 const std::uint64_t* state);

// The one for states of 1 to 4 words, by an instruction set of `instruction_sets`, or the best one.
FreeMask free_mask(std::size_t words, const std::string& isa = "");

// What each compilation provides.
struct Compiled {
    std::unique_ptr<Kernel> (*make)(const Problem&, const Tuning&);
    FreeMask free_mask[4];
};

}  // namespace exactile
