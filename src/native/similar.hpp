// Blocks of placements that an isometry moves within a solution.
//
// A solution is a partition of some units among placements; an isometry is a partial map of units.
// A *block* is a set of placements whose union the map carries onto itself. An *exchange* is a set
// whose union it carries onto that of a disjoint set. Either way the units that are covered stay
// the same.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace exactile {

// Solutions and maps in flat arrays. Nothing is owned.
struct Similar {
    std::size_t solutions = 0, units = 0, width = 0, maps = 0;
    const std::int32_t* owners =
        nullptr;  // solutions x units: the placement, -1 where there is none
    const std::int32_t* pieces = nullptr;  // solutions x width: the piece of each placement
    const std::int32_t* images = nullptr;  // maps x units: the image of each unit, -1 outside
    const std::uint8_t* wanted = nullptr;  // maps: 1 blocks, 2 exchanges, 3 both
};

// What was found: record r moves the placements placements[first[r] .. first[r+1]) of a solution by
// a map. Those written as ~p are moved by its inverse.
struct Moves {
    std::vector<std::int32_t> solutions, maps, placements;
    std::vector<std::int64_t> first = {0};
    std::int64_t cut_short = 0;  // maps of solutions whose unions are not listed
};

// Blocks and exchanges are unions of smallest ones. The unions are listed if a map has at most this
// number of smallest ones.
inline constexpr std::size_t kMostTogether = 10;

// Find all blocks and exchanges that change something. Throws std::invalid_argument if an owner, a
// piece or an image is out of range.
Moves find_moves(const Similar& similar);

}  // namespace exactile
