// An exact-cover problem with bounds, in flat arrays: what every native search reads.
//
// There are items 0 .. items()-1 and options 0 .. options()-1. Option o contains the items
// members[first[o] .. first[o+1]), each at most once. A solution is a set of options in which
// every item i occurs at least lower[i] and at most upper[i] times. The classical primary item has
// bounds [1, 1], the classical secondary item [0, 1].

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace exactile {

using Index = std::int32_t;

struct Cover {
    std::vector<Index> lower;
    std::vector<Index> upper;
    std::vector<std::int64_t> first;
    std::vector<Index> members;

    Index items() const { return static_cast<Index>(lower.size()); }
    Index options() const { return static_cast<Index>(first.size()) - 1; }

    // Throws std::invalid_argument with a readable message if the arrays are not as described.
    void validate() const;
};

// What a part of a search found.
struct Slice {
    std::vector<Index> solutions;    // options of each solution in increasing order,
    std::vector<std::int64_t> ends;  // the k-th solution ends at solutions[ends[k]]
    bool exhausted = false;          // nothing is left to be searched

    void add(const std::vector<Index>& options) {
        const auto begin = solutions.insert(solutions.end(), options.begin(), options.end());
        std::sort(begin, solutions.end());
        ends.push_back(static_cast<std::int64_t>(solutions.size()));
    }
};

}  // namespace exactile
