#include "tiling_lattice.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <stdexcept>

namespace exactile::tiling {

static constexpr int kMostTypes = 64;
static constexpr int kMostTurns = 64;
static constexpr int kFarthest = 64;  // of a neighbor or an image of the unit at 0

static void require(bool fine, const char* what) {
    if (!fine) throw std::invalid_argument(what);
}

static void check_units(const std::vector<Units>& lists, int types) {
    for (const Units& units : lists)
        for (const Unit& unit : units) {
            require(unit.type >= 0 && unit.type < types, "a unit has a type that does not exist");
            for (const int c : unit.at) require(std::abs(c) <= kFarthest, "a unit is too far away");
        }
}

void Lattice::complete() {
    require(dimension >= 1 && dimension <= kAxes, "the dimension must be 1, 2 or 3");
    require(types >= 1 && types <= kMostTypes, "there are too many types");
    require(!turns.empty() && turn_count() <= kMostTurns, "there are too many turns");
    const auto kinds = static_cast<std::size_t>(types);
    require(touching.size() == kinds && joined.size() == kinds, "neighbors go by type");
    require(images.size() == turns.size(), "there must be images under each turn");
    for (const Units& image : images) require(image.size() == kinds, "images go by type");
    for (const auto* lists : {&images, &touching, &joined}) check_units(*lists, types);
    check_units({rays}, types);
    require(rays.size() <= 8 && items.size() == (rays.empty() ? 0 : std::size_t{1} << rays.size()),
            "there must be items for each set of rays");
    for (const auto& turn : turns)
        for (const Vec& row : turn)
            for (const int entry : row) require(std::abs(entry) <= 2, "no matrix of a turn");

    unsigned used = 0;
    for (const unsigned set : items) used |= set;
    require(used < 1u << 16, "there are too many items");
    slots = types + static_cast<int>(std::bit_width(used));

    inverse.assign(turns.size(), -1);
    product.assign(turns.size(), std::vector<int>(turns.size(), -1));
    for (int a = 0; a < turn_count(); ++a)
        for (int b = 0; b < turn_count(); ++b) {
            std::array<Vec, kAxes> both{};
            for (int i = 0; i < kAxes; ++i)
                for (int j = 0; j < kAxes; ++j)
                    for (int k = 0; k < kAxes; ++k) both[i][j] += turns[a][i][k] * turns[b][k][j];
            const auto found = std::find(turns.begin(), turns.end(), both);
            require(found != turns.end(), "the turns are not a group");
            product[a][b] = static_cast<int>(found - turns.begin());
            if (product[a][b] == 0) inverse[a] = b;
        }
    require(std::ranges::find(inverse, -1) == inverse.end(), "a turn has no inverse");
}

}  // namespace exactile::tiling
